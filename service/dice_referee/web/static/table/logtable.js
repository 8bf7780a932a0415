// A table with the log of its session: what it shows, and what may be undone.

import { NO_EVENTS } from "./logbook.js";
import { Table } from "../games/table.js";

const CHANCE = ["draw", "roll"];

export class LogTable extends Table {
  // The state of the session, and the entries of its log by version.
  kept = null;
  entries = new Map();
  // True while a change is pending.
  pending = false;

  /** Returns the visible entries of the log, the latest first. */
  get log() {
    return [...this.entries.values()].filter(({ version }) => version <= this.replay.shown)
      .sort((first, second) => second.version - first.version);
  }

  /** Returns the versions of the events that were undone. */
  get undone() {
    return new Set(this.log.filter(({ event }) => event.type === "undone").map(({ event }) => event.version));
  }

  /** Returns the last card and the last dice by the log, which survives a reload. */
  get last() {
    const { catalogue, log, lastStep, undone } = this;
    const events = log.filter(({ version }) => !undone.has(version)).map(({ event }) => event);
    const { held = [], dice = [] } = events.find((event) => event.dice) ?? {};
    return {
      card: events.find(({ card }) => card)?.card,
      dice: held.length + dice.length === catalogue.dice.length ? [...held, ...dice] : lastStep?.turn.roll,
    };
  }

  /** Tells if the player here may undo the last event, by the rules of the contract. */
  get undoable() {
    const { kept, seats, undone } = this;
    const last = this.log.find(({ version, event }) => !undone.has(version) && !NO_EVENTS.includes(event.type));
    if (!last || last.by === "bot" || kept.status === "abandoned" || this.pending) return false;
    if (kept.dice === "client") return Boolean(seats.rights) && seats.who !== null;
    return kept.status === "running" && !CHANCE.includes(last.event.type) && seats.actsFor(last.player);
  }

  /** Returns the locale of dates: the browser's own variant of the page's language. */
  get locale() {
    return navigator.languages.find((tag) => tag.startsWith(this.api.language)) ?? this.api.language;
  }
}
