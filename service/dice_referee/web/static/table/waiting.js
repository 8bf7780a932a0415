// An idle seat: shows how long the others have waited, and lets them call its player or give the seat to a bot.

import { h } from "../shared/dom.js";
import { button } from "../games/parts.js";
import { duration } from "../shared/words.js";
import { hasSubstitute, replaced } from "./seated.js";

const MINUTE = 60_000;
const OFTEN = 15_000;

/** Tells if the player here may give the idle seat to a bot: the host always, others after the session's time. */
function mayGiveToBot({ kept, seats }) {
  const idle = kept.idle_seconds && Date.now() - Date.parse(kept.updated_at) >= 1000 * kept.idle_seconds;
  return Boolean(seats.rights || (idle && seats.token)) && hasSubstitute(kept);
}

export class Waiting {
  // The version at which the player here was called, and the last announcement.
  call = null;
  told = null;

  /** Takes the `table`, whose `changes` send requests, and `show`, which redraws the page. */
  constructor(table, show) {
    this.table = table;
    this.ticking = setInterval(() => this.minutes && show(), OFTEN);
  }

  /** Returns the whole minutes since the last entry while a person elsewhere is awaited, else 0. */
  get minutes() {
    const { awaits, kept } = this.table;
    return awaits ? Math.max(0, Math.floor((Date.now() - Date.parse(kept.updated_at)) / MINUTE)) : 0;
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

  /** Returns how long the others have waited, and what a press has done, in sentences. */
  get sentences() {
    const { table: { api, changes: { notes, rung }, kept, say }, minutes } = this;
    const name = kept.players[kept.player];
    return [
      say("away_for", { name, time: duration(api.language, minutes) }),
      rung === kept.version ? say("was_called", { name }) : null, notes.waiting,
    ].filter(Boolean);
  }

  /** Announces the wait once, and what each press has done. */
  tell() {
    const { table: { announcer, kept, text }, minutes } = this;
    if (!minutes || !(text.on || announcer.isAt(kept.version))) return;
    const { length, [length - 1]: sentence } = this.sentences;
    const told = [kept.version, length, length > 1 && sentence].join();
    if (told === this.told) return;
    this.told = told;
    if (text.mode) text.mode.tell([sentence]);
    else announcer.tell([sentence]);
  }

  /** Draws the notice and the buttons of the bar. */
  draw() {
    const { table, minutes } = this;
    const { changes, kept, say, seats, replay } = table;
    const notice = (text, role = null) => h("p", { class: "notice", role }, text);
    if (this.call === kept.version && !replay.busy) return notice(say("called"), "alert");
    if (!minutes) return replaced(kept, seats.who) ? notice(say("replaced")) : null;
    const { player } = kept;
    const name = kept.players[player];
    return [
      notice(this.sentences.join(" ")),
      changes.rung === kept.version
        ? null
        : button(say("call_player", { name }), () => changes.nudge(player), { key: "nudge" }),
      mayGiveToBot(table)
        ? button(say("let_computer", { name }), () => changes.bot(player, "best", "waiting"), { key: "substitute" })
        : null,
    ];
  }

  end() {
    clearInterval(this.ticking);
  }
}
