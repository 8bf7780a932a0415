// Completes a page of text from the service: adds the head of all pages and the copy buttons. If the reader has chosen
// another language on any page, requests the page in that language.

import { h } from "../shared/dom.js";
import { made } from "../shared/patch.js";
import { language, pageHead } from "../shared/page.js";

/** Opens the page in another language. */
function translate(tag) {
  const address = new URL(location.href);
  address.searchParams.set("lang", tag);
  location.replace(address);
}

/** Copies the commands of a block, or its only code. Selects the code if the clipboard is unavailable. */
async function copy({ target: button }, say) {
  const block = button.closest(".code");
  const commands = block.querySelectorAll(".typed");
  const code = commands.length ? [...commands] : [block.querySelector("pre")];
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
    head.append(made(h("span", { "aria-live": "polite" },
      h("button", { type: "button", onclick: (event) => copy(event, say) }, say("copy")))));
  }
} else translate(language());
