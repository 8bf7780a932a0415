// The bars over a small screen. One is above the table: who has how much, whose turn it is, and the way to all that
// stands beside the table on a large one. The other one has the actions. The page is told how high they are, so that
// what gets the focus is scrolled to where it can be seen.

import { h } from "../shared/dom.js";
import { EVERYBODY } from "../shared/seats.js";

const OPEN = "menu-open";
const MARK = "●";
const { classList } = document.body;
const { style } = document.documentElement;

/** Closes what is open over the table, the latest last; each has an entry in the browser's history. */
const open = [];
let released = 0;
let release = () => {};

/** Lets Back close what has just opened. Gives a function for whoever closes it in another way. */
export function opened(close) {
  open.push(close);
  history.pushState(open.length, "");
  return () => {
    const at = open.indexOf(close);
    if (at < 0) return;
    open.splice(at, 1);
    released += 1;
    history.back();
  };
}

addEventListener("popstate", () => {
  if (released) released -= 1;
  else open.pop()?.();
});

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
    if (classList.toggle(OPEN)) release = opened(closeMenu);
    else release();
    draw();
    document.documentElement.scrollTop = 0;
  };
  const expanded = classList.contains(OPEN);
  return h("button", { type: "button", class: "quiet menu", "data-key": "menu", "aria-expanded": String(expanded), "aria-controls": "beside", onclick: toggle }, say(expanded ? "to_table" : "menu"));
}

/** The title of the page, with a mark while it is the turn of who plays here; that it begins can be heard. */
export function callToPlay({ mine, seats, say, sound, catalogue }) {
  const called = mine && seats.who !== EVERYBODY;
  if (called && !document.title.startsWith(MARK)) sound.play("turn");
  document.title = `${called ? `${MARK} ${say("your_turn")} · ` : ""}${catalogue.title} · ${say("title")}`;
}

/** The height of the screen that an element covers, wherever the page is scrolled to. */
const covers = (element) => (element && ["fixed", "sticky"].includes(getComputedStyle(element).position) ? element.offsetHeight : 0);

function measure(bar, board) {
  style.setProperty("--bar", `${covers(bar)}px`);
  style.setProperty("--dock", `${covers(board.querySelector(".dock"))}px`);
}

/** Measures whenever one of them may have changed: gives what is to be called when the table was drawn. */
export function edges(bar, board) {
  const again = () => measure(bar, board);
  addEventListener("resize", again);
  new ResizeObserver(again).observe(bar);
  return again;
}
