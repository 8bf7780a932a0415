// Where dice are put on the table: by click, by key, or thrown for the player.

import { die, gap } from "./dice.js";
import { h } from "./dom.js";

/** A number from 0 to `below - 1`, each as likely as the other. */
export function chance(below) {
  const limit = 2 ** 32 - (2 ** 32 % below);
  const [drawn] = crypto.getRandomValues(new Uint32Array(1));
  return drawn < limit ? drawn % below : chance(below);
}

/**
 * A tray for `count` dice with these `faces`. `entered` holds those put there so far; `done` gets them
 * all, `change` is told of each; `throwAll` throws them for the player.
 */
export function tray({ say, count, faces, entered, change, done, throwAll }) {
  const put = (value) => {
    if (entered.length >= count) return;
    entered.push(value);
    if (entered.length === count) done([...entered]);
    else change();
  };
  const take = (at) => {
    entered.splice(at, 1);
    change();
  };
  const slots = Array.from({ length: count }, (_, at) =>
    at < entered.length
      ? h("button", { type: "button", class: "die-button fresh-one", "data-key": `slot-${at}`, "aria-label": say("take_die", { face: entered[at] }), onclick: () => take(at) }, die(entered[at]))
      : gap(),
  );
  const palette = faces.map((value, at) =>
    h("button", { type: "button", class: "die-button face", "data-key": `face-${value}`, "data-first": at === 0, "aria-label": say("add_die", { face: value }), onclick: () => put(value) }, die(value)),
  );
  const typed = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const value = faces.find((one) => String(one).toLowerCase() === event.key.toLowerCase());
    if (value !== undefined) put(value);
    else if (event.key === "Backspace" && entered.length) take(entered.length - 1);
    else return;
    event.preventDefault();
  };
  return h(
    "div",
    { class: "tray", role: "group", "aria-label": say("roll", { n: count }), onkeydown: typed },
    h("p", { class: "ask" }, say("roll", { n: count })),
    h("div", { class: "slots" }, slots),
    h("div", { class: `palette of-${faces.length}` }, palette),
    h(
      "div",
      { class: "actions" },
      h("button", { type: "button", class: "gold", "data-key": "throw", onclick: () => done(throwAll()) }, say("roll_for_me")),
      h("span", { class: "hint" }, say("keys")),
    ),
  );
}
