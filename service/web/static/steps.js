// What was asked and answered, newest first: a curl line to copy and the JSON that came back.

import { h } from "./dom.js";

const MOST = 40;

/** Copies, and says so on the button for a moment. */
export async function copy(button, text, say) {
  const before = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = say("copied");
  } catch {
    // Without leave to write: what is to be copied is selected instead, where it is shown.
    const shown = button.parentElement.querySelector("pre");
    if (shown) getSelection().selectAllChildren(shown);
  }
  setTimeout(() => (button.textContent = before), 1600);
}

/** A list that grows with every question that the API is asked. */
export class Steps {
  constructor(place, say) {
    this.place = place;
    this.say = say;
  }

  add({ path, question, status, document, curl }) {
    for (const older of this.place.children) older.open = false;
    const json = JSON.stringify(document, null, 1);
    this.place.prepend(
      h(
        "details",
        { class: "step", open: true },
        h("summary", {}, h("span", { class: `status s${String(status)[0]}` }, String(status)), h("code", {}, path), h("span", { class: "step-event" }, question.event?.type ?? "")),
        h("div", { class: "curl" }, h("pre", { tabindex: "0", "aria-label": "curl" }, curl), h("button", { type: "button", "aria-label": this.say("copy_curl"), onclick: (event) => copy(event.currentTarget, curl, this.say) }, this.say("copy"))),
        h("pre", { class: "json", tabindex: "0", "aria-label": this.say("answer") }, json),
      ),
    );
    while (this.place.children.length > MOST) this.place.lastElementChild.remove();
  }
}
