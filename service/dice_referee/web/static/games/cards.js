// Draws the cards of Tutto. A card without a picture shows its name.

import { die, face } from "../shared/dice.js";
import { h, picture, svg } from "../shared/dom.js";

const around = (number, draw) =>
  Array.from({ length: number }, (_, at) => svg("g", { transform: `rotate(${(360 / number) * at} 60 62)` }, draw(at)));

const leaf = "M60 60C46 50 38 40 42 31c3-7 13-8 18 1 5-9 15-8 18-1 4 9-4 19-18 29z";

const small = (value, x, y) =>
  svg(
    "g",
    { transform: `translate(${x} ${y}) scale(.52)` },
    svg("rect", { x: 2, y: 2, width: 44, height: 44, rx: 10, class: "art-paper" }),
    face(value),
  );

const burst = (long) => (at) => [
  svg("path", { d: `M60 48V${at % 2 ? 34 : long}`, class: "art-line" }),
  svg("circle", { cx: 60, cy: at % 2 ? 28 : long - 7, r: at % 2 ? 2.4 : 3.6, class: "art-fill" }),
];

const ART = {
  clover: () => [
    svg("path", { d: "M61 66c4 16 10 26 20 34", class: "art-line" }),
    svg("g", { transform: "translate(0 2)" }, around(4, () => svg("path", { d: leaf, class: "art-fill" }))),
  ],
  firework: () => [around(16, burst(22)), svg("circle", { cx: 60, cy: 62, r: 5, class: "art-fill" })],
  stop: () => [
    svg("path", { d: "M46 28h28l20 20v28L74 96H46L26 76V48z", class: "art-fill" }),
    svg("path", { d: "M42 62h36", class: "art-cut" }),
  ],
  straight: () => [1, 2, 3, 4, 5, 6].map((value, at) => small(value, 20 + (at % 3) * 28, at < 3 ? 35 : 63)),
  "plus-minus": () => [
    svg("circle", { cx: 44, cy: 46, r: 19, class: "art-fill" }),
    svg("path", { d: "M44 36v20M34 46h20", class: "art-cut" }),
    svg("circle", { cx: 76, cy: 78, r: 19, class: "art-ring" }),
    svg("path", { d: "M66 78h20", class: "art-line thick" }),
  ],
  double: () => [
    svg("path", { d: "M28 50l22 26M50 50L28 76", class: "art-line thick" }),
    svg("path", { d: "M64 45a14 13 0 1 1 25 9c-5 9-17 16-25 27h28", class: "art-line thick" }),
  ],
  bonus: (points) => [
    around(12, () => svg("path", { d: "M60 24l3.4-9h-6.8z", class: "art-fill" })),
    svg("circle", { cx: 60, cy: 62, r: 33, class: "art-ring" }),
    svg("text", { x: 60, y: 71.5, "text-anchor": "middle", class: "art-number" }, points),
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
      svg("rect", { x: 5, y: 5, width: 110, height: 114, rx: 9, class: "art-frame" }),
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
    h("div", { class: "dice" }, (cards.length ? [1, 5, 5] : box.map((faces) => faces.at(-1))).map((value) => die(value))));
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
      svg("rect", { x: 6, y: 6, width: 108, height: 148, rx: 9, class: "art-frame" }),
      svg("g", { transform: "translate(0 18)" }, around(8, () => svg("path", { d: "M60 54l7-14-7-14-7 14z", class: "art-line" }))),
      svg("circle", { cx: 60, cy: 80, r: 4, class: "art-fill" }),
    ),
  );
