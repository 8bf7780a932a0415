// Requests the odds of a position while they are switched on, for the turn or for an aim beyond.

import { h } from "../shared/dom.js";
import { furtherAim } from "./furtheraim.js";
import { Preference } from "../shared/preference.js";
import { pause } from "../shared/session.js";

/** Milliseconds until a table without odds is drawn. */
const PATIENCE = 400;

export class Odds extends Preference {
  /** Requests odds by `ask(table, aim)`, once for each `key(table)`; a null key is a position without odds. */
  constructor(key, ask) {
    super("odds");
    Object.assign(this, { key, ask, answers: new Map(), answer: null, found: null, further: new Preference("further"), aims: null });
  }

  /** Returns the fields of a request that name its aim. */
  asking(table) {
    const aim = this.further.on ? furtherAim(table) : null;
    return aim ? { aim } : {};
  }

  /** Returns the key of the request for this position and aim; null for a position without odds. */
  named(table) {
    const key = this.on ? this.key(table) : null;
    const { aim } = this.asking(table);
    return key && aim ? `${aim} ${table.api.language} ${key}` : key;
  }

  /** Loads the odds of the position. Returns true if they are requested: then their arrival draws the table. */
  pending(table) {
    const key = this.named(table);
    this.answer = this.answers.get(key) ?? null;
    // The odds of a whole game have no choices of the turn.
    this.found = this.answer?.game ? null : this.answer;
    if (key === null || this.answers.has(key)) return false;
    this.answers.set(key, null);
    this.learn(key, table);
    return true;
  }

  async learn(key, table) {
    const asked = this.weigh(table).then((found) => this.answers.set(key, found));
    await Promise.race([asked, pause(PATIENCE)]);
    const late = !this.answers.get(key);
    if (this.named(table) === key) table.show();
    await asked;
    if (late && this.named(table) === key && !table.busy) table.show();
    this.aims?.tell(table);
  }

  /** Requests odds. Returns the answer with its choices by event, or null. If the odds of the aim are unknown, returns those of the turn, with the reason in `note`. */
  async weigh(table) {
    const asked = this.asking(table);
    try {
      const [answer, aims] = await Promise.all([this.ask(table, asked), furtherAim(table) && import("./aims.js")]);
      this.aims = aims;
      if (answer.ok || !asked.aim) return told(answer, { asked });
      const { findings, detail } = answer.document;
      return told(await this.ask(table, {}), { asked: {}, note: findings[0]?.detail ?? detail });
    } catch (error) {
      if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error;
      return null;
    }
  }

  /** Returns the odds of an event, with `best` for the best choice; null if unknown. */
  of(event) {
    return this.found?.events.get(JSON.stringify(event)) ?? null;
  }
}

const told = ({ ok, document }, more) => (ok ? { ...document, events: byEvent(document), ...more } : null);

const bare = ({ outcome: _, ...turn }) => turn;

/** Creates the odds of a table without a session. A turn that is over has none. */
export const oddsOfTurn = (api) => new Odds(
  ({ game, turn, problem }) => (!turn || problem || ["over", "refused"].includes(turn.phase) ? null : JSON.stringify([game, bare(turn)])),
  ({ game, turn }, aim) => api.ask(`/v1/${game}/odds`, { ...bare(turn), ...aim }),
);

/** Creates the odds of a session, which its host can forbid. */
export const oddsOfSession = (session) => new Odds(
  ({ kept, pending, replay }) => (kept.status === "running" && kept.odds && !pending && !replay?.busy ? JSON.stringify([kept.version, kept.turn]) : null),
  (_, aim) => session.read(`/odds${aim.aim ? `?${new URLSearchParams(aim)}` : ""}`),
);

const byEvent = ({ choices = [], best }) =>
  new Map(choices.map((choice, at) => [JSON.stringify(choice.event), { ...choice, best: at === best }]));

/** Draws the switch for odds and, while odds are shown, the choice of their aim. */
export const oddsSwitch = (table, changed) => {
  const { odds, say } = table;
  return [
    h("label", { class: "switch" },
      h("input", { type: "checkbox", "data-key": "odds", checked: odds.on, onchange: () => {
        odds.toggle();
        changed();
      } }),
      " ", say("odds")),
    odds.on ? odds.aims?.choice(table, changed) : null,
  ];
};
