// Lists requests and answers, newest first, with a curl command to copy and the JSON of the answer.

import { h } from "../shared/dom.js";
import { keepPresses } from "../shared/redraw.js";
import { made } from "../shared/patch.js";

const MOST = 40;

/** Copies a text, and confirms on the button and to screen readers. */
export async function copy(button, text, say, announcer) {
  const { firstChild: shown } = button;
  const label = shown.data;
  try {
    await navigator.clipboard.writeText(text);
    shown.data = say("copied");
    announcer.repeat([say("copied")]);
  } catch {
    // Without permission for the clipboard, the text is selected if the page shows it.
    const code = button.parentElement.querySelector("pre");
    if (code) getSelection().selectAllChildren(code);
  }
  setTimeout(() => (shown.data = label), 1600);
}

const SHORT = 46;

/** Formats JSON for people: values of at most `short` characters take a single line. */
export function format(value, short = SHORT, indent = "") {
  const line = JSON.stringify(value);
  if (value === null || typeof value !== "object" || line.length + indent.length <= short) return line;
  const inner = `${indent}  `;
  const list = Array.isArray(value);
  const parts = Object.entries(value)
    .map(([name, item]) => inner + (list ? "" : `${JSON.stringify(name)}: `) + format(item, short, inner));
  const [open, close] = list ? "[]" : "{}";
  return `${open}\n${parts.join(",\n")}\n${indent}${close}`;
}

/** Lists the last 40 requests. */
export class Steps {
  count = 0;

  constructor(place, say, announcer) {
    this.place = place;
    this.say = say;
    this.announcer = announcer;
    keepPresses(place);
  }

  add({ path, question, status, document, curl }) {
    this.count += 1;
    for (const older of this.place.children) older.open = false;
    const json = format(document);
    this.place.prepend(
      made(h(
        "details",
        { class: "step", open: true },
        h("summary", { "data-key": `step-${this.count}` },
          h("span", { class: `status s${String(status)[0]}` }, String(status)), h("code", {}, path),
          h("span", { class: "step-event" }, question.event?.type ?? "")),
        h("div", { class: "curl" },
          h("button", {
            type: "button", "data-key": `copy-${this.count}`, "aria-label": this.say("copy_curl"),
            onclick: (event) => copy(event.currentTarget, curl, this.say, this.announcer),
          }, this.say("copy")),
          h("pre", { tabindex: "0", role: "region", "aria-label": "curl" }, curl)),
        h("pre", { class: "json", tabindex: "0", role: "region", "aria-label": this.say("answer") }, json),
      )),
    );
    while (this.place.children.length > MOST) this.place.lastElementChild.remove();
  }
}
