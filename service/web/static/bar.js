// The bar over the table on a small screen: who has how much, whose turn it is, and the way to all that
// stands beside the table on a large one.

import { h } from "./dom.js";
import { amount } from "./parts.js";
import { EVERYBODY } from "./seats.js";

const OPEN = "menu-open";
const MARK = "●";
const { classList } = document.body;

/** Shows the table again, if what stands beside it is in its place. */
export const closeMenu = () => document.querySelector(`.${OPEN} .menu`)?.click();

addEventListener("keydown", ({ key }) => key === "Escape" && closeMenu());

/** The players in a line, in their order. */
export function strip({ api, kept, seats, say }) {
  const held = new Map(kept.standings.map(({ player, points, coins }) => [player, points ?? coins]));
  const player = (name, at) => {
    const now = kept.player === at;
    return h("li", { class: `${now ? "now" : ""} ${seats.who === at ? "me" : ""}`, "aria-current": now ? "true" : null }, h("span", {}, name), " ", h("strong", {}, amount({ api }, held.get(at))));
  };
  return h("ol", { class: "strip", tabindex: "0", "aria-label": say("standings") }, kept.players.map(player));
}

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

/** Takes the last decision back; nothing for those who watch. */
export const undoButton = ({ seats, say, undoable }, undo) =>
  seats.token ? h("button", { type: "button", class: "quiet", "data-key": "undo", disabled: !undoable, onclick: undo }, say("undo")) : null;

/** The title of the page, with a mark while it is the turn of who plays here; that it begins can be heard. */
export function callToPlay({ mine, seats, say, sound, catalogue }) {
  const called = mine && seats.who !== EVERYBODY;
  if (called && !document.title.startsWith(MARK)) sound.play("turn");
  document.title = `${called ? `${MARK} ${say("your_turn")} · ` : ""}${catalogue.title} · ${say("title")}`;
}
