// An idle seat: shows how long the others have waited, and lets them call its player or the host replace him by a bot.

import { h } from "../shared/dom.js";
import { button } from "../games/parts.js";
import { hasSubstitute, replaced } from "./seated.js";

const MINUTE = 60_000;
const OFTEN = 15_000;

export class Waiting {
  // The version at which the player here was called.
  call = null;

  /** Takes the `changes` that send requests, and `show`, which redraws the page. */
  constructor(table, changes, show) {
    this.table = table;
    this.changes = changes;
    this.ticking = setInterval(() => this.minutes && show(), OFTEN);
  }

  /**
   * Returns the whole minutes since the last entry if a player elsewhere has to move, else 0. Moves of bots are not
   * awaited.
   */
  get minutes() {
    const { kept, seats } = this.table;
    return kept && seats.token !== null && this.table.waits
      ? Math.max(0, Math.floor((Date.now() - Date.parse(kept.updated_at)) / MINUTE))
      : 0;
  }

  /** Shows and announces a call to the player here. Returns false for other players. */
  take(player) {
    const { seats, kept, sound, text, say } = this.table;
    if (player !== seats.who) return false;
    this.call = kept.version;
    sound.play("turn");
    text.mode?.tell([say("called")]);
    return true;
  }

  draw(note) {
    const { table: { kept, say, seats }, minutes } = this;
    if (this.call === kept.version && !this.table.replay.busy)
      return h("p", { class: "found", role: "alert" }, say("called"));
    if (!minutes) return replaced(kept, seats.who) ? h("p", {}, say("replaced")) : note;
    const { player } = kept;
    const values = { name: kept.players[player] };
    const time = new Intl.NumberFormat(this.table.api.language, { style: "unit", unit: "minute", unitDisplay: "long" })
      .format(minutes);
    const rung = this.changes.rung === kept.version;
    return h("div", { class: "waiting" }, h("p", {}, say("away_for", { ...values, time })), note,
      h("p", { class: "actions" },
        rung
          ? say("was_called", values)
          : button(say("call_player", values), () => this.changes.nudge(player), { key: "nudge", kind: "quiet" }),
        this.replaceable
          ? button(say("let_computer", values), () => this.changes.bot(player, "best"),
            { key: "substitute", kind: "quiet" })
          : null));
  }

  /** Tells if the player here may let a bot replace the awaited player: the host always, others after a time. */
  get replaceable() {
    const { kept, seats } = this.table;
    const idle = kept.idle_seconds && Date.now() - Date.parse(kept.updated_at) >= 1000 * kept.idle_seconds;
    return Boolean(seats.host || (idle && seats.token)) && hasSubstitute(kept);
  }

  end() {
    clearInterval(this.ticking);
  }
}
