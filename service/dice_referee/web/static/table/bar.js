// The bars of a small screen. The upper bar has the scores, the current player and the menu, which opens the panels
// of a large screen. The lower bar has the actions. The style sheet learns the heights of both bars and of the felt,
// so that the browser scrolls a focused control between the bars, and an offer on the felt's edge stays in sight.

import { h } from "../shared/dom.js";
import { EVERYBODY } from "../shared/seats.js";

const OPEN = "menu-open";
const MARK = "●";
const { classList } = document.body;
const { style } = document.documentElement;

/** Keeps the functions that close what is open over the table, the latest last. Each one has a history entry. */
const open = [];
let released = 0;
let release = () => {};

/**
 * Registers a function that Back calls to close what has just opened. Returns a function that closes it in another
 * way.
 */
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

/** Shows the table again if its menu replaces it, and returns the focus to the menu button. */
export function closeMenu() {
  const menu = document.querySelector(`.${OPEN} .menu`);
  menu?.focus();
  menu?.click();
}

/** Shows the page's head instead of the bar. */
export const showHead = () => classList.remove(OPEN, "live");

addEventListener("keydown", ({ key }) => key === "Escape" && closeMenu());

/** Returns the button that switches between the table and its menu. `draw` redraws the bar. */
export function menuButton(say, draw) {
  const toggle = () => {
    if (classList.toggle(OPEN)) release = opened(closeMenu);
    else release();
    draw();
    document.documentElement.scrollTop = 0;
  };
  const expanded = classList.contains(OPEN);
  return h("button", {
    type: "button", class: "quiet menu", "data-key": "menu", "aria-expanded": String(expanded),
    "aria-controls": "beside", onclick: toggle,
  }, say(expanded ? "to_table" : "menu"));
}

/** Marks the page's title during the player's own turn, and plays a sound at its start. */
export function callToPlay({ mine, seats, say, sound, catalogue }) {
  const called = mine && seats.who !== EVERYBODY;
  if (called && !document.title.startsWith(MARK)) sound.play("turn");
  document.title = `${called ? `${MARK} ${say("turn_of_you")} · ` : ""}${catalogue.title} · ${say("title")}`;
}

/** Returns the height of an element that covers the screen wherever the page is scrolled to, else 0. */
const covers = (element) =>
  (element && ["fixed", "sticky"].includes(getComputedStyle(element).position) ? element.offsetHeight : 0);

function measure(bar, board) {
  style.setProperty("--bar", `${covers(bar)}px`);
  style.setProperty("--dock", `${covers(board.querySelector(".dock"))}px`);
  style.setProperty("--stage", `${board.querySelector(".felt")?.offsetHeight ?? 0}px`);
}

/** Measures the bars when their size may have changed. Returns a function to call after each drawing of the table. */
export function edges(bar, board) {
  const update = () => measure(bar, board);
  addEventListener("resize", update);
  new ResizeObserver(update).observe(bar);
  return update;
}
