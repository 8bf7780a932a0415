// Lists requests and answers, newest first, with a curl command to copy and the JSON of the answer.

import { h, keepPresses } from "../shared/dom.js";

const MOST = 40;

/** Copies a text, and confirms on the button and to screen readers. */
export async function copy(button, text, say, announcer) {
  const before = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = say("copied");
    announcer.repeat([say("copied")]);
  } catch {
    // Without permission for the clipboard, the text is selected if the page shows it.
    const shown = button.parentElement.querySelector("pre");
    if (shown) getSelection().selectAllChildren(shown);
  }
  setTimeout(() => (button.textContent = before), 1600);
}

const SHORT = 46;

/** Formats JSON for people: short values take a single line. */
function laid(value, indent = "") {
  const plain = JSON.stringify(value);
  if (value === null || typeof value !== "object" || plain.length + indent.length <= SHORT) return plain;
  const deeper = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((item) => deeper + laid(item, deeper))
    : Object.entries(value).map(([name, item]) => `${deeper}${JSON.stringify(name)}: ${laid(item, deeper)}`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open}\n${parts.join(",\n")}\n${indent}${close}`;
}

/** Lists the last 40 requests. */
export class Steps {
  constructor(place, say, announcer) {
    Object.assign(this, { place, say, announcer, count: 0 });
    keepPresses(place);
  }

  add({ path, question, status, document, curl }) {
    this.count += 1;
    for (const older of this.place.children) older.open = false;
    const json = laid(document);
    this.place.prepend(
      h(
        "details",
        { class: "step", open: true },
        h("summary", { "data-key": `step-${this.count}` }, h("span", { class: `status s${String(status)[0]}` }, String(status)), h("code", {}, path), h("span", { class: "step-event" }, question.event?.type ?? "")),
        h("div", { class: "curl" }, h("button", { type: "button", "data-key": `copy-${this.count}`, "aria-label": this.say("copy_curl"), onclick: (event) => copy(event.currentTarget, curl, this.say, this.announcer) }, this.say("copy")), h("pre", { tabindex: "0", role: "region", "aria-label": "curl" }, curl)),
        h("pre", { class: "json", tabindex: "0", role: "region", "aria-label": this.say("answer") }, json),
      ),
    );
    while (this.place.children.length > MOST) this.place.lastElementChild.remove();
  }
}
