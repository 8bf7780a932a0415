// The strip over a live table, on its page and in the element: the players in a line, and the button to undo.

import { h } from "../shared/dom.js";
import { amount } from "../games/parts.js";

/** Returns the points or coins of each player. */
const holdings = ({ standings }) =>
  new Map(standings.map(({ player, points, coins }) => [player, points ?? coins]));

/** Returns the seats on the felt of a desk while others play. The list beside the table says the same. */
export function seatsOnFelt({ api, kept }) {
  const held = holdings(kept);
  const seat = (name, at) =>
    h("li", { class: kept.player === at ? "now" : "" },
      h("span", {}, name), " ", h("strong", {}, amount({ api }, held.get(at))));
  return h("ul", { class: "places", "aria-hidden": "true" }, kept.players.map(seat));
}

/** Returns the players in a line, in the order of play. */
export function strip({ api, kept, seats, say }) {
  const held = holdings(kept);
  const player = (name, at) => {
    const now = kept.player === at;
    return h("li", {
      class: `${now ? "now" : ""} ${seats.who === at ? "me" : ""}`, "aria-current": now ? "true" : null,
    }, h("span", {}, name), " ", h("strong", {}, amount({ api }, held.get(at))));
  };
  return h("ol", { class: "strip", tabindex: "0", "aria-label": say("standings") }, kept.players.map(player));
}

/** Scrolls the line to the current player. On a phone the line can be wider than the screen. */
export function toCurrent(place) {
  const [line, now] = [place.querySelector(".strip"), place.querySelector(".strip .now")];
  if (!now) return;
  const [whole, part] = [line.getBoundingClientRect(), now.getBoundingClientRect()];
  line.scrollLeft += part.left + part.width / 2 - whole.left - whole.width / 2;
}

/** Returns the button that undoes the last decision, or null for watchers. */
export const undoButton = ({ seats, say, undoable }, undo) =>
  seats.token
    ? h("button", { type: "button", class: "quiet", "data-key": "undo", disabled: !undoable, onclick: undo },
      say("undo"))
    : null;
