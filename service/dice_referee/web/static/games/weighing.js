// Requests the odds of a position while they are switched on, for the turn or for an aim beyond.

import { below, choice, furtherAim, switchOf, tell } from "./aims.js";
import { Preference } from "../shared/storage.js";
import { pause, unanswered } from "../shared/session.js";

/** Milliseconds until a table without odds is drawn. */
const PATIENCE = 400;

export class Odds extends Preference {
  // Answers by request key, the answer about the position on the table, and the same answer if it is about the turn.
  answers = new Map();
  answer = null;
  turnAnswer = null;
  further = new Preference("further");
  // True after the choice of an aim, until its answer arrives.
  telling = false;

  /** Requests odds by `ask(table, aim)`, once for each `key(table)`. A null key is a position without odds. */
  constructor(key, ask) {
    super("odds");
    this.key = key;
    this.ask = ask;
  }

  /** Returns the fields of a request that name its aim. */
  aimFields(table) {
    const aim = this.further.on ? furtherAim(table) : null;
    return aim ? { aim } : {};
  }

  /** Returns the key of the request for this position and aim, or null for a position without odds. */
  requestKey(table) {
    const key = this.on ? this.key(table) : null;
    const { aim } = this.aimFields(table);
    return key && aim ? `${aim} ${table.api.language} ${key}` : key;
  }

  /** Loads the odds of the position. Returns true if they are requested: then their arrival draws the table. */
  pending(table) {
    const key = this.requestKey(table);
    this.answer = this.answers.get(key) ?? null;
    // The odds of a whole game have no choices of the turn.
    this.turnAnswer = this.answer?.game ? null : this.answer;
    if (key === null || this.answers.has(key)) return false;
    this.answers.set(key, null);
    this.learn(key, table);
    return true;
  }

  async learn(key, table) {
    const request = this.weigh(table).then((odds) => this.answers.set(key, odds));
    await Promise.race([request, pause(PATIENCE)]);
    const late = !this.answers.get(key);
    if (this.requestKey(table) === key) table.show();
    await request;
    if (late && this.requestKey(table) === key && !table.busy) table.show();
    tell(table);
  }

  /**
   * Requests odds. Returns the answer with its choices by event, or null. If the odds of the aim are unknown, returns
   * those of the turn, with the reason in `note`.
   */
  async weigh(table) {
    const aim = this.aimFields(table);
    const ask = (fields) => this.ask(table, fields).catch(unanswered);
    const answer = await ask(aim);
    if (!answer || answer.ok || !aim.aim) return oddsOf(answer, { question: aim });
    const { findings, detail } = answer.document;
    return oddsOf(await ask({}), { question: {}, note: findings[0]?.detail ?? detail });
  }

  /** Draws the choices by the aim beyond the turn. */
  below(table) {
    return below(table);
  }

  /** Returns the odds of an event, with `best` for the best choice, or null if unknown. */
  of(event) {
    return this.turnAnswer?.events.get(JSON.stringify(event)) ?? null;
  }
}

const oddsOf = (answer, extras) =>
  (answer?.ok ? { ...answer.document, events: byEvent(answer.document), ...extras } : null);

const withoutOutcome = ({ outcome: _, ...turn }) => turn;

/** Creates the odds of a table without a session. A turn that is over has none. */
export const oddsOfTurn = (api) => new Odds(
  ({ game, turn, problem }) =>
    (turn && !problem && !["over", "refused"].includes(turn.phase)
      ? JSON.stringify([game, withoutOutcome(turn)])
      : null),
  ({ game, turn }, aim) => api.ask(`/v1/${game}/odds`, { ...withoutOutcome(turn), ...aim }),
);

/** Creates the odds of a session, which its host can forbid. */
export const oddsOfSession = (session) => new Odds(
  ({ kept, pending, replay }) =>
    (kept.status === "running" && kept.odds && !pending && !replay?.busy
      ? JSON.stringify([kept.version, kept.turn])
      : null),
  (_, aim) => session.read(`/odds${aim.aim ? `?${new URLSearchParams(aim)}` : ""}`),
);

const byEvent = ({ choices = [], best }) =>
  new Map(choices.map((each, at) => [JSON.stringify(each.event), { ...each, best: at === best }]));

/** Draws the switch for odds and, while odds are shown, the choice of their aim. */
export const oddsSwitch = (table, changed) => {
  const { odds, say } = table;
  return [
    switchOf("odds", odds.on, say("odds"), (on) => {
      odds.toggle(on);
      changed();
    }),
    odds.on ? choice(table, changed) : null,
  ];
};
