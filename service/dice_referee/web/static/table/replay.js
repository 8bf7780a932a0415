// The states of a session before they are shown. The moves of bots arrive together with the event of the person before
// them. People can follow them one after the other.

import { card } from "../games/pieces.js";
import { dice } from "../shared/dice.js";
import { h } from "../shared/dom.js";
import { line } from "./logbook.js";
import { allowsMotion } from "../games/mood.js";
import { banner, button } from "../games/parts.js";
import { insist, pause } from "../shared/session.js";

/** Milliseconds for which an entry is visible. */
const PACE = 900;
/** Milliseconds until a missing or outdated state is read again. */
const AGAIN = 2000;
const BOT = "bot";

/** Describes an entry. */
function words(table, entry) {
  const { said, more } = line(table, entry);
  return [said, more].filter(Boolean).join(" ");
}

export class Replay {
  // The version to reach, and the current attempt to read it.
  wanted = 0;
  reading = null;
  // The pending states, the visible entry, the card of its turn, and the entries shown last.
  waiting = null;
  entry = null;
  card = null;
  last = [];
  // True after the reader has skipped the rest. `pass` ends the view of an entry, and `telling` its announcement.
  skipped = false;
  pass = () => {};
  telling = null;

  constructor(table) {
    this.table = table;
  }

  /** Reads the state until it has reached this version. */
  async catchUp(version) {
    const { table } = this;
    this.wanted = Math.max(this.wanted, version);
    if (this.reading) return;
    const reading = (this.reading = {});
    // The feed may bring the state together with the entry.
    await pause(0);
    while (this.reading === reading && table.kept.version < this.wanted) {
      const { version: before } = table.kept;
      const answer = await table.session.read().catch(() => null);
      if (this.reading !== reading) return;
      if (answer?.ok) await this.take(answer.document);
      if (table.kept.version === before) await pause(AGAIN);
    }
    if (this.reading === reading) this.reading = null;
  }

  /** Cancels the wait, and drops a pending answer. */
  end() {
    this.wanted = 0;
    this.reading = null;
  }

  /** Takes a state that is later than the current state. */
  async take(kept) {
    const { table } = this;
    if (kept.version <= table.kept.version) return;
    if (this.delays(kept)) await this.lay(kept);
    else {
      table.lay(kept, table.entries.get(kept.version) ?? null);
      if (!table.pending) table.show();
    }
  }

  /** Tells if a received state is not visible yet. */
  get busy() {
    return this.waiting !== null;
  }

  /** Returns the last version that the log shows. */
  get shown() {
    return this.busy ? this.entry?.version ?? this.table.kept.version : Infinity;
  }

  /** Tells if a state must wait because bots led to it. Text mode shows states at once. */
  delays({ bots, version }) {
    return this.busy || (!this.table.text?.on && bots.length > 0 && version > this.table.kept.version + 1);
  }

  /** Shows a state after all earlier states. */
  lay(kept) {
    const before = this.waiting;
    const laid = (async () => {
      await before;
      if (kept.version > this.table.kept.version) await this.show(await this.between(kept));
      if (this.waiting === laid) this.waiting = null;
      this.table.lay(kept, this.table.entries.get(kept.version) ?? null);
      if (!this.table.pending) this.table.show();
    })();
    this.waiting = laid;
    return laid;
  }

  /** Returns the entries between the current state and this state. */
  async between({ version }) {
    const { entries, kept: { version: from }, session } = this.table;
    const versions = Array.from({ length: version - from }, (_, at) => from + 1 + at);
    for (let first; (first = versions.find((each) => !entries.has(each)));) {
      const { ok, document } = await insist(() => session.read(`/events?after=${first - 1}`));
      if (!ok || !document.events.length) break;
      for (const entry of document.events) entries.set(entry.version, entry);
    }
    return versions.map((each) => entries.get(each)).filter(Boolean);
  }

  /** Shows the moves of bots one after the other, or at once for readers who prefer less motion. */
  async show(entries) {
    if (!entries.some(({ by }) => by === BOT)) return;
    this.last = entries;
    this.skipped = !allowsMotion();
    // Announces the results of the player's own presses and the next player first, then each move with its view.
    const { announcer, kept: { version: from } } = this.table;
    const bot = entries.find(({ by }) => by === BOT);
    announcer.lastVersion ??= from;
    if (!this.skipped) this.tell(bot.version - 1, [this.table.say("bot_plays", { name: this.table.name(bot.player) })]);
    for (const entry of entries) if (!this.skipped) await this.play(entry);
    await this.telling;
    this.entry = null;
    this.card = null;
  }

  async play(entry) {
    const { table } = this;
    const { event, player } = entry;
    if (player !== this.entry?.player) this.card = null;
    this.card = event.card ?? this.card;
    this.entry = entry;
    table.showMove(entry);
    this.tell(entry.version);
    const time = entry.outcome && entry.by !== BOT ? 2 * PACE : PACE;
    await Promise.race([pause(time), new Promise((pass) => (this.pass = pass))]);
  }

  /** Announces the events up to a version, after the earlier announcements. */
  tell(version, more) {
    const { telling, table: { announcer, seats: { listener } } } = this;
    this.telling = (async () => {
      await telling;
      await announcer.foretell(version, listener, more);
    })();
  }

  skip() {
    this.skipped = true;
    this.pass();
  }

  /** Draws the current entry instead of a position. */
  draw() {
    const { table, entry } = this;
    const { event, rules, outcome } = entry;
    const { said, more } = line(table, entry);
    const kind = outcome ? (outcome.points === 0 ? "bad" : "good") : "";
    return {
      felt: [
        banner(table, said, { kind, note: more, rules, whose: false }),
        h("div", { class: "spread" },
          h("div", { class: "spot" }, this.card ? card(this.card, table.term(this.card)) : null),
          h("div", { class: "play" },
            event.dice
              ? h("div", { class: "slots", key: entry.version }, dice(event.dice, { kind: table.fresh ? "fresh" : "" }))
              : null)),
      ],
      dock: button(table.say("pass_on"), () => this.skip(), { key: "skip", first: true }),
    };
  }

  /** Lists the moves shown last. */
  recent() {
    if (this.busy || !this.last.length) return null;
    return h("section", { class: "meanwhile" },
      h("h2", {}, this.table.say("meanwhile")),
      h("ol", {}, this.last.map((entry) => h("li", {}, words(this.table, entry)))));
  }
}
