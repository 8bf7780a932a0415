// Enters dice: by click, by key, rolled by the browser, or by the service.

import { die, gap } from "../shared/dice.js";
import { h } from "../shared/dom.js";
import { button } from "./parts.js";

/** Returns a uniformly distributed number from 0 to `below - 1`. */
export function chance(below) {
  const limit = 2 ** 32 - (2 ** 32 % below);
  const [drawn] = crypto.getRandomValues(new Uint32Array(1));
  return drawn < limit ? drawn % below : chance(below);
}

/** Rolls dice, each a list of its faces. */
export const rollDice = (dice) => dice.map((faces) => faces[chance(faces.length)]);

/** Returns the different faces of the dice in the box: numbers first, then letters in the order of the box. */
export function facesOf(box) {
  const faces = [...new Set(box.flat())];
  return [...faces.filter(Number.isInteger), ...faces.filter((face) => !Number.isInteger(face))];
}

/**
 * Draws the roll of dice of the box: a tray for people who enter their dice, or a button for the service. Returns
 * `{ action, dock }`, on the felt and beneath. `done` gets the dice, or no argument if the service rolls.
 */
export function rollArea(table, dice, done) {
  const { say, roller } = table;
  const [count, faces] = [dice.length, facesOf(table.catalogue.dice)];
  const places = h("div", { class: "slots" }, Array.from({ length: count }, gap));
  if (!table.mine) return { action: places };
  const press = (text, onclick, first) => button(text, onclick, { key: "roll", first });
  if (roller === "service")
    return {
      action: places, dock: press(say(count === 1 ? "roll_die" : "roll_dice", { n: count }), () => done(), true),
    };
  return {
    action: tray({ say, count, faces, entered: table.entered, change: (entered, news) => {
      table.enter(entered);
      table.announcer.tell([news]);
    }, done }),
    dock: roller === "people" ? null : press(say("roll_for_me"), () => done(rollDice(dice)), false),
  };
}

/**
 * Draws a tray for `count` dice with these `faces`. `entered` has the dice entered so far. `done` gets all dice,
 * `change` gets the entered dice and a sentence for screen readers about the last.
 */
function tray({ say, count, faces, entered, change, done }) {
  const put = (value) => {
    const next = [...entered, value];
    if (next.length === count) done(next);
    else change(next, say("die_put", { face: value, n: next.length, count }));
  };
  const take = (at) => {
    const next = entered.toSpliced(at, 1);
    change(next, say("die_taken", { face: entered[at], n: next.length, count }));
  };
  const slots = Array.from({ length: count }, (_, at) =>
    at < entered.length
      ? h("button", {
        type: "button", class: "die-button fresh-one", "data-key": `slot-${at}`,
        "aria-label": say("take_die", { face: entered[at] }), onclick: () => take(at),
      }, die(entered[at]))
      : gap(),
  );
  const palette = faces.map((value, at) =>
    h("button", {
      type: "button", class: "die-button face", "data-key": `face-${value}`, "data-first": at === 0,
      "aria-label": say("add_die", { face: value }), onclick: () => put(value),
    }, die(value)),
  );
  const enterKey = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const value = faces.find((face) => String(face).toLowerCase() === event.key.toLowerCase());
    if (value !== undefined) put(value);
    else if (event.key === "Backspace" && entered.length) take(entered.length - 1);
    else return;
    event.preventDefault();
  };
  return h(
    "div",
    { class: "tray", role: "group", "aria-label": say("roll", { n: count }), onkeydown: enterKey },
    h("p", { class: "ask" }, say("roll", { n: count })),
    h("div", { class: "slots" }, slots),
    h("div", { class: `palette of-${faces.length}` }, palette),
    h("p", { class: "hint" }, say("keys")),
  );
}
