// Keys of the drawn table: R, B, W, X, the faces of the dice, ? and S. They are off while the reader types, and the
// reader can switch them off. A held key presses once.

import { Preference } from "../shared/storage.js";
import { QUESTIONS } from "../text/answers.js";

const TYPING = "input, select, textarea, .tray";
/** Controls that a key presses. The first visible control is pressed. */
const PRESSED = { r: ["draw", "roll", "again", "keep-chosen"], b: ["bank", "accept"] };
/** Selectors of the controls that a key focuses. */
const SOUGHT = { w: "[data-key^=best-]", x: ".strikes button" };
const ASKED = { "?": "what", s: "score" };

export class Keys extends Preference {
  // The last key.
  last = null;

  constructor(table) {
    super("keys", true);
    this.table = table;
    addEventListener("keydown", (event) => this.pressed(event));
  }

  pressed(event) {
    const { table } = this;
    if (!this.on || !table.kept || event.repeat || event.ctrlKey || event.metaKey || event.altKey
      || event.target.closest?.(TYPING) || table.text.on)
      return;
    const key = event.key.toLowerCase();
    // A repeated key is the second half of a double press. A different key is a new decision.
    if (key !== this.last) table.rest.end();
    this.last = key;
    if (PRESSED[key]) this.press(PRESSED[key]);
    else if (SOUGHT[key]) this.seek(SOUGHT[key]);
    else if (ASKED[key]) this.ask(ASKED[key]);
    else this.choose(event.key.toUpperCase());
  }

  press(controls) {
    const { place: { board }, rest } = this.table;
    if (rest.on) return;
    const control = controls.map((key) => board.querySelector(`[data-key="${key}"]:not(:disabled)`)).find(Boolean);
    control?.click();
  }

  /** Focuses a control, and unfolds its list. */
  seek(controls) {
    const control = this.table.place.board.querySelector(controls);
    const list = control?.closest("details");
    if (list) list.open = true;
    control?.focus();
  }

  /** Chooses a die with this face. If all dice of the face are chosen, deselects them. */
  choose(face) {
    const { table } = this;
    const dice = table.turn.roll ?? [];
    if (!table.mine || !table.judged || table.rolling) return;
    const alike = dice.flatMap((die, at) => (String(die) === face ? [at] : []));
    if (!alike.length) return;
    const free = alike.find((at) => !table.chosen.has(at));
    if (free === undefined) alike.forEach((at) => table.chosen.delete(at));
    else table.chosen.add(free);
    table.show();
  }

  /** Announces the service's answer to a question, even if it is the same as before. */
  async ask(what) {
    const { announcer } = this.table;
    announcer.tell([]);
    announcer.tell(await QUESTIONS[what](this.table));
  }
}
