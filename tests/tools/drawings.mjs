// Prints the drawings of the pages' modules as JSON: box, class and markup by name.

import { bowl, card, pile, stack } from "../../service/dice_referee/web/static/games/pieces.js";
import { die } from "../../service/dice_referee/web/static/shared/dice.js";

class Element {
  constructor(name) {
    Object.assign(this, { name, attributes: {}, content: [] });
  }

  setAttribute(name, value) {
    this.attributes[name] = value;
  }

  append(...children) {
    this.content.push(...children);
  }

  toString() {
    const attributes = Object.entries(this.attributes).map(([name, value]) => ` ${name}='${value}'`).join("");
    return this.content.length ? `<${this.name}${attributes}>${this.content.join("")}</${this.name}>` : `<${this.name}${attributes} />`;
  }
}

globalThis.document = { createElement: (name) => new Element(name), createElementNS: (_, name) => new Element(name) };

const CARDS = ["clover", "firework", "stop", "straight", "plus-minus", "double", ...[2, 3, 4, 5, 6].map((hundreds) => `bonus-${hundreds}00`)];
const art = (card) => card.content[0];
const drawn = Object.fromEntries([
  ...[1, 2, 3, 4, 5, 6, "P", "O", "T"].map((value) => [`die-${value}`, die(value)]),
  ...CARDS.map((id) => [`card-${id}`, art(card(id, ""))]),
  ["card-back", art(pile())],
  ["bowl", bowl(6)],
  ["stack", stack(9)],
  ["stack-low", stack(4)],
]);
const lines = Object.entries(drawn).map(([name, { attributes, content }]) =>
  `${JSON.stringify(name)}: ${JSON.stringify([attributes.viewBox, attributes.class.trim(), content.join("")])}`);

console.log(`{\n${lines.join(",\n")}\n}`);
