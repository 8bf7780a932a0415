// Draws the cards of Tutto and the coins of POT: a stack for a player, a bowl for the POT, a chest for the bank. A card
// without a picture shows its name.

import { die, face } from "../shared/dice.js";
import { h, picture } from "../shared/dom.js";

const ring = (number, draw) =>
  Array.from({ length: number }, (_, at) => h("g", { transform: `rotate(${(360 / number) * at} 60 62)` }, draw(at)));

const leaf = "M60 60C46 50 38 40 42 31c3-7 13-8 18 1 5-9 15-8 18-1 4 9-4 19-18 29z";

const smallDie = (value, x, y) =>
  h(
    "g",
    { transform: `translate(${x} ${y}) scale(.52)` },
    h("rect", { x: 2, y: 2, width: 44, height: 44, rx: 10, class: "art-paper" }),
    face(value),
  );

const burst = (long) => (at) => [
  h("path", { d: `M60 48V${at % 2 ? 34 : long}`, class: "art-line" }),
  h("circle", { cx: 60, cy: at % 2 ? 28 : long - 7, r: at % 2 ? 2.4 : 3.6, class: "art-fill" }),
];

const ART = {
  clover: () => [
    h("path", { d: "M61 66c4 16 10 26 20 34", class: "art-line" }),
    h("g", { transform: "translate(0 2)" }, ring(4, () => h("path", { d: leaf, class: "art-fill" }))),
  ],
  firework: () => [ring(16, burst(22)), h("circle", { cx: 60, cy: 62, r: 5, class: "art-fill" })],
  stop: () => [
    h("path", { d: "M46 28h28l20 20v28L74 96H46L26 76V48z", class: "art-fill" }),
    h("path", { d: "M42 62h36", class: "art-cut" }),
  ],
  straight: () => [1, 2, 3, 4, 5, 6].map((value, at) => smallDie(value, 20 + (at % 3) * 28, at < 3 ? 35 : 63)),
  "plus-minus": () => [
    h("circle", { cx: 44, cy: 46, r: 19, class: "art-fill" }),
    h("path", { d: "M44 36v20M34 46h20", class: "art-cut" }),
    h("circle", { cx: 76, cy: 78, r: 19, class: "art-ring" }),
    h("path", { d: "M66 78h20", class: "art-line thick" }),
  ],
  double: () => [
    h("path", { d: "M28 50l22 26M50 50L28 76", class: "art-line thick" }),
    h("path", { d: "M64 45a14 13 0 1 1 25 9c-5 9-17 16-25 27h28", class: "art-line thick" }),
  ],
  bonus: (points) => [
    ring(12, () => h("path", { d: "M60 24l3.4-9h-6.8z", class: "art-fill" })),
    h("circle", { cx: 60, cy: 62, r: 33, class: "art-ring" }),
    h("text", { x: 60, y: 71.5, "text-anchor": "middle", class: "art-number" }, points),
  ],
};

const family = (id) => (id.startsWith("bonus-") ? "bonus" : id);

/** Draws a card with its name in the reader's language. */
export function card(id, title) {
  const draw = ART[family(id)] ?? (() => []);
  return h(
    "span",
    { class: `card card-${family(id)}` },
    picture(
      "0 0 120 124",
      "card-art",
      "",
      h("rect", { x: 5, y: 5, width: 110, height: 114, rx: 9, class: "art-frame" }),
      draw(id.replace("bonus-", "")),
    ),
    h("span", { class: "card-title" }, title),
  );
}

/** Draws some cards and dice of a game on felt, hidden from screen readers. */
export const scattered = ({ deck = [], dice: box }) => {
  const cards = ["plus-minus", "bonus-300", "clover", "double"].filter((id) => deck.some((piece) => piece.id === id));
  return h("div", { class: "felt lid", "aria-hidden": "true" },
    cards.length ? h("div", { class: "fan" }, cards.map((id) => card(id, ""))) : null,
    h("div", { class: "dice" },
      (cards.length ? [1, 5, 5] : box.map((faces) => faces.at(-1))).map((value) => die(value))));
};

/** Draws the back of the pile. */
export const pile = () =>
  h(
    "span",
    { class: "card card-back" },
    picture(
      "0 0 120 160",
      "card-art",
      "",
      h("rect", { x: 6, y: 6, width: 108, height: 148, rx: 9, class: "art-frame" }),
      h("g", { transform: "translate(0 18)" },
        ring(8, () => h("path", { d: "M60 54l7-14-7-14-7 14z", class: "art-line" }))),
      h("circle", { cx: 60, cy: 80, r: 4, class: "art-fill" }),
    ),
  );

// Coins ---------------------------------------------------------------------------------------------

const MOST_DRAWN = 14;

const coin = (x, y, rx = 17) =>
  h("g", { transform: `translate(${x} ${y})` },
    h("path", { d: `M${-rx} 0v4a${rx} 6 0 0 0 ${2 * rx} 0v-4`, class: "coin-edge" }),
    h("ellipse", { rx, ry: 6, class: "coin-top" }));

/** Draws a stack of at most 14 coins. The page shows the number beside the stack. */
export function stack(number) {
  const height = Math.min(number, MOST_DRAWN);
  const coins = Array.from({ length: height }, (_, at) => coin(22 + (at % 2 ? 0.8 : -0.8), 76 - at * 4.6));
  return picture("0 0 44 88", "stack", "", h("ellipse", { cx: 22, cy: 81, rx: 19, ry: 5, class: "coin-shadow" }),
    coins);
}

/** Draws the POT with at most 7 coins. */
export const bowl = (number) =>
  picture("0 0 96 64", "bowl", "",
    Array.from({ length: Math.min(number, 7) }, (_, at) =>
      coin(32 + (at % 3) * 16, 26 - Math.floor(at / 3) * 6 - (at % 2), 13)),
    h("path", { d: "M10 26c0 18 14 32 38 32s38-14 38-32z", class: "bowl-body" }),
    h("path", { d: "M8 26h80", class: "bowl-rim" }));

/** Draws the bank. */
export const chest = () =>
  picture("0 0 96 64", "bowl", "",
    h("path", { d: "M14 26l34-17 34 17z", class: "bowl-body" }),
    h("path", { d: "M22 30v20M39 30v20M57 30v20M74 30v20", class: "bowl-rim" }),
    h("path", { d: "M12 56h72", class: "bowl-rim" }));

/** Draws the coins of a player, the POT or the bank: picture, name, number and notes. */
export const purse = (title, number, drawing, { kind = "", notes = [] } = {}) =>
  h("div", { class: `purse ${kind}` },
    drawing, h("span", { class: "purse-name" }, title), " ", h("strong", {}, String(number)),
    notes.flatMap((note) => [" ", note]));
