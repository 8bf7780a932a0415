// Draws coins: a stack for a player, a bowl for the POT, a chest for the bank.

import { h, picture, svg } from "../shared/dom.js";

const MOST_DRAWN = 14;

const coin = (x, y, rx = 17) =>
  svg("g", { transform: `translate(${x} ${y})` },
    svg("path", { d: `M${-rx} 0v4a${rx} 6 0 0 0 ${2 * rx} 0v-4`, class: "coin-edge" }),
    svg("ellipse", { rx, ry: 6, class: "coin-top" }));

/** Draws a stack of at most 14 coins; the page shows the number beside the stack. */
export function stack(number) {
  const drawn = Math.min(number, MOST_DRAWN);
  const coins = Array.from({ length: drawn }, (_, at) => coin(22 + (at % 2 ? 0.8 : -0.8), 76 - at * 4.6));
  return picture("0 0 44 88", "stack", "", svg("ellipse", { cx: 22, cy: 81, rx: 19, ry: 5, class: "coin-shadow" }), coins);
}

/** Draws the POT with at most 7 coins. */
export const bowl = (number) =>
  picture("0 0 96 64", "bowl", "",
    Array.from({ length: Math.min(number, 7) }, (_, at) => coin(32 + (at % 3) * 16, 26 - Math.floor(at / 3) * 6 - (at % 2), 13)),
    svg("path", { d: "M10 26c0 18 14 32 38 32s38-14 38-32z", class: "bowl-body" }),
    svg("path", { d: "M8 26h80", class: "bowl-rim" }));

/** Draws the bank. */
export const chest = () =>
  picture("0 0 96 64", "bowl", "",
    svg("path", { d: "M14 26l34-17 34 17z", class: "bowl-body" }),
    svg("path", { d: "M22 30v20M39 30v20M57 30v20M74 30v20", class: "bowl-rim" }),
    svg("path", { d: "M12 56h72", class: "bowl-rim" }));

/** Draws the coins of a player, the POT or the bank: picture, name, number and notes. */
export const purse = (title, number, drawing, { kind = "", notes = [] } = {}) =>
  h("div", { class: `purse ${kind}` }, drawing, h("span", { class: "purse-name" }, title), " ", h("strong", {}, String(number)), notes.flatMap((note) => [" ", note]));
