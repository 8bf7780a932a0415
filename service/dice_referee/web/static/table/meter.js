// The chances of two players to win at the start of the turn: a thin bar with its switch. It is requested once a turn,
// when the answer is a look-up, and announced only on request.

import { furtherAim, switchOf } from "../games/aims.js";
import { h } from "../shared/dom.js";
import { percent } from "../games/odds.js";
import { unanswered } from "../shared/session.js";
import { Preference } from "../shared/storage.js";

const [WIDE, HIGH] = [100, 2];

/** Tells if nothing has happened in this turn. */
const begins = ({ phase, card, carried, tuttos, keeps }) =>
  ["draw", "roll"].includes(phase) && !card && !carried && !tuttos && !keeps?.length;

export class Meter extends Preference {
  // The version and the language of the question, and its answer, or the reason for a missing answer.
  version = null;
  language = null;
  chances = null;
  note = null;

  constructor(table) {
    super("meter");
    this.table = table;
  }

  /** Tells if chances of winning are known at this table, and its host allows them. */
  get fits() {
    return this.table.kept.odds && furtherAim(this.table) === "win";
  }

  /** Requests the chances at the start of this turn. */
  async ask({ version, player }) {
    const { table } = this;
    this.version = version;
    this.language = table.api.language;
    const answer = await table.session.read("/odds?aim=win").catch(unanswered);
    if (!answer || this.version !== version) return;
    const { ok, document } = answer;
    const first = player ? 1 - document.value : document.value;
    this.chances = ok ? [first, 1 - first] : null;
    this.note = ok ? null : document.findings?.[0]?.detail ?? document.detail;
    table.show();
  }

  /** Requests the chances at the start of a turn, unless they are known in the reader's language. */
  update() {
    const { kept, turn, pending, replay, api } = this.table;
    const known = kept.version === this.version && !(this.note && api.language !== this.language);
    if (this.on && this.fits && !known && !pending && !replay?.busy && begins(turn)) this.ask(kept);
  }

  /** Returns the bar, or the reason for a missing bar, or null before the first start of a turn. */
  draw() {
    if (!this.on || !this.fits) return null;
    if (this.note) return h("p", { class: "hint" }, this.note);
    if (!this.chances) return null;
    const [first] = this.chances;
    const bar = h("svg", {
      viewBox: `0 0 ${WIDE} ${HIGH}`, class: "bar", focusable: "false", "aria-hidden": "true",
      preserveAspectRatio: "none",
    },
      h("rect", { class: "line-0", width: first * WIDE, height: HIGH }),
      h("rect", { class: "line-1", x: first * WIDE, width: (1 - first) * WIDE, height: HIGH }));
    return h("div", { class: "meter", role: "img", "aria-label": this.words()[0] },
      bar,
      this.players().map((text) => h("span", {}, text)));
  }

  players() {
    return this.chances.map((value, at) => `${this.table.name(at)} ${percent(this.table, { value })}`);
  }

  /** Returns the sentences for a screen reader. */
  words() {
    if (!this.on || !this.fits) return [];
    if (this.note) return [this.note];
    return this.chances ? [[this.table.say("meter"), this.players().join(", ")].join(this.table.say("colon"))] : [];
  }

  control(changed) {
    if (!this.fits) return null;
    return switchOf("meter", this.on, this.table.say("meter"), (on) => {
      this.toggle(on);
      changed();
    });
  }
}
