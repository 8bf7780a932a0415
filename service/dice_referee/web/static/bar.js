// The bar over the table on a small screen: who has how much, whose turn it is, and the way to all that
// stands beside the table on a large one.

import { h } from "./dom.js";
import { EVERYBODY } from "./seats.js";

const OPEN = "menu-open";
const MARK = "●";
const { classList } = document.body;

/** Shows the table again, if what stands beside it is in its place; the focus goes back to where that was opened. */
export function closeMenu() {
  const menu = document.querySelector(`.${OPEN} .menu`);
  menu?.focus();
  menu?.click();
}

/** Shows the page's head and what is in the table's place: there is no bar any more. */
export const showHead = () => classList.remove(OPEN, "live");

addEventListener("keydown", ({ key }) => key === "Escape" && closeMenu());

/** Shows what stands beside the table in its place, or the table again; `draw` draws the bar anew. */
export function menuButton(say, draw) {
  const toggle = () => {
    classList.toggle(OPEN);
    draw();
    document.documentElement.scrollTop = 0;
  };
  const open = classList.contains(OPEN);
  return h("button", { type: "button", class: "quiet menu", "data-key": "menu", "aria-expanded": String(open), "aria-controls": "beside", onclick: toggle }, say(open ? "to_table" : "menu"));
}

/** The title of the page, with a mark while it is the turn of who plays here; that it begins can be heard. */
export function callToPlay({ mine, seats, say, sound, catalogue }) {
  const called = mine && seats.who !== EVERYBODY;
  if (called && !document.title.startsWith(MARK)) sound.play("turn");
  document.title = `${called ? `${MARK} ${say("your_turn")} · ` : ""}${catalogue.title} · ${say("title")}`;
}
