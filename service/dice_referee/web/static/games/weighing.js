// The odds that a table asks for while they are switched on, of the turn or of what is beyond it.

import { h } from "../shared/dom.js";
import { below, choice, furtherAim, tell } from "./aims.js";
import { Preference } from "../shared/storage.js";
import { pause } from "../shared/session.js";

/** Milliseconds for which a table waits for its odds before it is drawn without them. */
const PATIENCE = 400;

export class Odds extends Preference {
  // The answers by the names of their questions; that to the position on the table; the odds of its turn.
  answers = new Map();
  answer = null;
  found = null;
  further = new Preference("further");
  // True after the aim was chosen, until the answer to it has come.
  telling = false;

  /** `key(table)` names the position that can be weighed, null for none; `ask(table, aim)` has it weighed. */
  constructor(key, ask) {
    super("odds");
    this.key = key;
    this.ask = ask;
  }

  /** The fields of a question that name its aim. */
  asking(table) {
    const aim = this.further.on ? furtherAim(table) : null;
    return aim ? { aim } : {};
  }

  /** The name of the question about this position; null without one. */
  named(table) {
    const key = this.on ? this.key(table) : null;
    const { aim } = this.asking(table);
    return key && aim ? `${aim} ${table.api.language} ${key}` : key;
  }

  /** Takes up the odds of the position on the table; true if they are asked for, and draw it when they come. */
  pending(table) {
    const key = this.named(table);
    this.answer = this.answers.get(key) ?? null;
    // The odds of a whole game stand apart from those of the turn.
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
    tell(table);
  }

  /** The answer, with its choices by their events; null if there is none. Without that of a further aim it is the turn's, with a `note` why. */
  async weigh(table) {
    const asked = this.asking(table);
    try {
      const answer = await this.ask(table, asked);
      if (answer.ok || !asked.aim) return told(answer, { asked });
      const { findings, detail } = answer.document;
      return told(await this.ask(table, {}), { asked: {}, note: findings[0]?.detail ?? detail });
    } catch (error) {
      if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error;
      return null;
    }
  }

  /** Draws the choices by the aim beyond the turn. */
  below(table) {
    return below(table);
  }

  /** The odds of this event's choice, and whether it is the best. */
  of(event) {
    return this.found?.events.get(JSON.stringify(event)) ?? null;
  }
}

const told = ({ ok, document }, more) => (ok ? { ...document, events: byEvent(document), ...more } : null);

const bare = ({ outcome: _, ...turn }) => turn;

/** The odds of a turn that stands in every question; none when it is over. */
export const oddsOfTurn = (api) => new Odds(
  ({ game, turn, problem }) => (!turn || problem || ["over", "refused"].includes(turn.phase) ? null : JSON.stringify([game, bare(turn)])),
  ({ game, turn }, aim) => api.ask(`/v1/${game}/odds`, { ...bare(turn), ...aim }),
);

/** The odds of the position that a session has come to, if its host allows them. */
export const oddsOfSession = (session) => new Odds(
  ({ kept, pending, replay }) => (kept.status === "running" && kept.odds && !pending && !replay?.busy ? JSON.stringify([kept.version, kept.turn]) : null),
  (_, aim) => session.read(`/odds${aim.aim ? `?${new URLSearchParams(aim)}` : ""}`),
);

const byEvent = ({ choices = [], best }) =>
  new Map(choices.map((each, at) => [JSON.stringify(each.event), { ...each, best: at === best }]));

/** The switch of a table, and while it is on what its odds are about. */
export const oddsSwitch = (table, changed) => {
  const { odds, say } = table;
  return [
    h("label", { class: "switch" },
      h("input", { type: "checkbox", "data-key": "odds", checked: odds.on, onchange: () => {
        odds.toggle();
        changed();
      } }),
      " ", say("odds")),
    odds.on ? choice(table, changed) : null,
  ];
};
