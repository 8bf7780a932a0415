// Prints the drawings of the pages' modules as JSON: box, class and markup by name.

import { bowl, card, pile, stack } from "../../service/dice_referee/web/static/games/pieces.js";
import { die } from "../../service/dice_referee/web/static/shared/dice.js";

/** Writes a description as markup. */
function markup({ name, attributes, children }) {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}='${value}'`).join("");
  const content = within(children);
  return content ? `<${name}${written}>${content}</${name}>` : `<${name}${written} />`;
}

const within = (children) =>
  children.flat(Infinity).map((child) => (typeof child === "object" ? markup(child) : child)).join("");

const CARDS = [
  "clover", "firework", "stop", "straight", "plus-minus", "double",
  ...[2, 3, 4, 5, 6].map((hundreds) => `bonus-${hundreds}00`),
];
const art = (card) => card.children[0];
const drawn = Object.fromEntries([
  ...[1, 2, 3, 4, 5, 6, "P", "O", "T"].map((value) => [`die-${value}`, die(value)]),
  ...CARDS.map((id) => [`card-${id}`, art(card(id, ""))]),
  ["card-back", art(pile())],
  ["bowl", bowl(6)],
  ["stack", stack(9)],
  ["stack-low", stack(4)],
]);
const lines = Object.entries(drawn).map(([name, { attributes, children }]) =>
  `${JSON.stringify(name)}: ${JSON.stringify([attributes.viewBox, attributes.class.trim(), within(children)])}`);

console.log(`{\n${lines.join(",\n")}\n}`);
