// A page that the service wrote. Its head becomes that of every page; a language that was chosen
// elsewhere before, the service is asked for.

import { h } from "../shared/dom.js";
import { language, pageHead } from "../shared/page.js";

/** Asks for the same page in this language. */
function translate(tag) {
  const address = new URL(location.href);
  address.searchParams.set("lang", tag);
  location.replace(address);
}

/** Copies what is typed, else the only code of the block; without a clipboard selects the code. */
async function copy({ target: button }, say) {
  const block = button.closest(".code");
  const typed = block.querySelectorAll(".typed");
  const code = typed.length ? [...typed] : [block.querySelector("pre")];
  try {
    await navigator.clipboard.writeText(code.map(({ textContent }) => textContent).join(""));
    button.textContent = say("copied");
    setTimeout(() => (button.textContent = say("copy")), 1600);
  } catch {
    getSelection().selectAllChildren(code[0]);
  }
}

if (language() === document.documentElement.lang) {
  const { say } = await pageHead(({ tag }) => translate(tag));
  for (const head of document.querySelectorAll(".code > p")) {
    head.append(h("span", { "aria-live": "polite" }, h("button", { type: "button", onclick: (event) => copy(event, say) }, say("copy"))));
  }
} else translate(language());
