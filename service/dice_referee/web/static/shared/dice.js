// Dice, drawn.

import { h, picture } from "./dom.js";

const LOW = 13, MID = 24, HIGH = 35;
const PIPS = {
  1: [[MID, MID]],
  2: [[LOW, HIGH], [HIGH, LOW]],
  3: [[LOW, HIGH], [MID, MID], [HIGH, LOW]],
  4: [[LOW, LOW], [LOW, HIGH], [HIGH, LOW], [HIGH, HIGH]],
  5: [[LOW, LOW], [LOW, HIGH], [MID, MID], [HIGH, LOW], [HIGH, HIGH]],
  6: [[LOW, LOW], [LOW, MID], [LOW, HIGH], [HIGH, LOW], [HIGH, MID], [HIGH, HIGH]],
};
const LETTERS = {
  P: "M18 37V12h8a7 7 0 0 1 0 14h-8",
  O: "M24 12a10 12.5 0 1 0 .01 0z",
  T: "M14 13h20M24 13v24",
};

/** Draws the picture on a face, without the die. */
export const face = (value) =>
  LETTERS[value]
    ? h("path", { d: LETTERS[value], class: "die-letter" })
    : (PIPS[value] ?? []).map(([x, y]) => h("circle", { cx: x, cy: y, r: 4.7, class: "pip" }));

/** Draws a die that shows `value`. Without a label the die decorates a text that names it. */
export const die = (value, { label = "", kind = "" } = {}) =>
  picture(
    "0 0 48 48",
    `die ${kind}`,
    label,
    h("rect", { x: 2.5, y: 4, width: 43, height: 42, rx: 10, class: "die-shade" }),
    h("rect", { x: 2.5, y: 2, width: 43, height: 42, rx: 10, class: "die-body" }),
    h("g", { transform: "translate(0 -1)" }, face(value)),
  );

/** Draws the place of a die before its roll. */
export const gap = () =>
  picture("0 0 48 48", "die gap", "", h("rect", { x: 3.5, y: 3, width: 41, height: 41, rx: 9, class: "die-gap" }));

/** Draws several dice in a row, with a single label. */
export const dice = (values, { kind = "" } = {}) =>
  h("span", { class: `dice ${kind}`, role: "img", "aria-label": values.join(" ") }, values.map((value) => die(value)));

/** Draws dice as toggle buttons. A pressed button is a chosen die. */
export const choosable = (values, chosen, { name, toggle, fresh }) =>
  values.map((value, at) =>
    h(
      "button",
      {
        type: "button", class: `die-button${fresh ? " fresh" : ""}`, "data-key": `die-${at}`, "data-first": at === 0,
        "aria-pressed": String(chosen.has(at)), "aria-label": name(value),
        onclick: () => toggle(at),
      },
      die(value),
    ),
  );

/** Finds the places of these faces among the dice, each die once. */
export function places(values, faces) {
  const indexes = new Set();
  for (const target of faces) indexes.add(values.findIndex((value, at) => value === target && !indexes.has(at)));
  return indexes;
}
