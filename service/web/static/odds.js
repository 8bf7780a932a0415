// Odds beside the choices, for those who ask for them: how risky each one is, what it is worth, and
// which is the best. All numbers are the service's.

import { h } from "./dom.js";
import { button, few } from "./parts.js";
import { Preference } from "./preference.js";
import { pause } from "./session.js";

const MARK = "★";
/** Milliseconds for which a table waits for its odds before it is drawn without them. */
const PATIENCE = 400;

/** The words of luck in the units that people are shown; POT's pips with nothing to beat are left out. */
const LUCK = { points: "luck", chance: "luck_beaten" };

export class Odds extends Preference {
  /** `key(table)` names the position that can be weighed, null for none; `ask(table)` has it weighed. */
  constructor(key, ask) {
    super("odds");
    Object.assign(this, { key, ask, answers: new Map(), found: null });
  }

  /** Takes up the odds of the position on the table; true if they are asked for, and draw it when they come. */
  pending(table) {
    const key = this.on ? this.key(table) : null;
    this.found = this.answers.get(key) ?? null;
    if (key === null || this.answers.has(key)) return false;
    this.answers.set(key, null);
    this.learn(key, table);
    return true;
  }

  async learn(key, table) {
    const asked = this.weigh(table).then((found) => this.answers.set(key, found));
    await Promise.race([asked, pause(PATIENCE)]);
    const late = !this.answers.get(key);
    if (this.key(table) === key) table.show();
    await asked;
    if (late && this.key(table) === key && !table.busy) table.show();
  }

  /** The answer, with its choices by their events; null if there is none. */
  async weigh(table) {
    try {
      const { ok, document } = await this.ask(table);
      return ok ? { ...document, events: byEvent(document) } : null;
    } catch (error) {
      if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error;
      return null;
    }
  }

  /** What is known of the choice of this event: its odds, and whether it is the best. */
  of(event) {
    return this.found?.events.get(JSON.stringify(event)) ?? null;
  }
}

const bare = ({ outcome: _, ...turn }) => turn;

/** The odds of a turn that stands in every question; none when it is over. */
export const oddsOfTurn = (api) => new Odds(
  ({ game, turn, problem }) => (!turn || problem || ["over", "refused"].includes(turn.phase) ? null : JSON.stringify([game, bare(turn)])),
  ({ game, turn }) => api.ask(`/v1/${game}/odds`, bare(turn)),
);

/** The odds of the position that a session has come to, if its host allows them. */
export const oddsOfSession = (session) => new Odds(
  ({ kept, pending, replay }) => (kept.status === "running" && kept.odds && !pending && !replay?.busy ? JSON.stringify([kept.version, kept.turn]) : null),
  () => session.read("/odds"),
);

const byEvent = ({ choices = [], best }) =>
  new Map(choices.map((choice, at) => [JSON.stringify(choice.event), { ...choice, best: at === best }]));

/** The switch of a table. */
export const oddsSwitch = ({ odds, say }, changed) =>
  h("label", { class: "switch" },
    h("input", { type: "checkbox", "data-key": "odds", checked: odds.on, onchange: () => {
      odds.toggle();
      changed();
    } }),
    " ", say("odds"));

/** A chance in per cent, to three figures. */
export const percent = ({ api }, { value }) =>
  new Intl.NumberFormat(api.language, { style: "percent", maximumSignificantDigits: 3 }).format(value);

const number = ({ api }, value, how = {}) => new Intl.NumberFormat(api.language, { maximumFractionDigits: 1, ...how }).format(value);

/** What a turn of Tutto is worth. */
export const worthWords = (table, value) => table.say("odds_value", { n: number(table, value, { maximumFractionDigits: 0 }) });

/** Tells if people are shown luck in this unit of a review. */
export const isShown = ({ unit }) => unit in LUCK;

/** What dice and cards gave beyond what was to be expected: points or results beaten. */
export const luckWords = (table, { unit, luck }) =>
  table.say(LUCK[unit], { n: number(table, luck, { maximumFractionDigits: unit === "points" ? 0 : 1, signDisplay: "exceptZero" }) });

/** The chance of a bust of these dice. */
export const bustWords = (table, { niete }) => `${table.term("niete")} ${percent(table, niete)}`;

/** What is known of a choice of Tutto, a text each; empty without odds. */
export function oddsWords(table, event) {
  const known = table.odds?.of(event);
  return known ? [known.next_roll ? bustWords(table, known.next_roll) : null, worthWords(table, known.value)].filter(Boolean) : [];
}

/** The same for the ear, behind the choice's name. */
export const heard = (table, event) =>
  [...oddsWords(table, event), ...(table.odds?.of(event)?.best ? [table.say("best_choice")] : [])].map((text) => `, ${text}`).join("");

/** These texts beside a choice; the best one has a mark. */
export const oddsLine = (table, texts, best = false) =>
  texts.length ? h("span", { class: "odds" }, best ? [h("strong", {}, `${MARK} ${table.say("best_choice")}`), " "] : null, texts.join(" · ")) : null;

/** A choice in a list of what the odds are about: its name, dice, texts, and what a press does. */
export const weighed = (table, { name, dice = [], texts, best, act = null }) =>
  h("li", { class: "choice accept" },
    h("span", { class: "lines" }, name, dice.length ? few(dice) : null),
    h("span", { class: "leads" }, oddsLine(table, texts, best)),
    table.mine && act ? button(act.text, act.done, { key: act.key, kind: best ? "gold" : "", label: [act.label ?? act.text, ...texts, best ? table.say("best_choice") : null].filter(Boolean).join(", ") }) : null);

/** The words of a category of Yatzee: its chance, and what it is worth beyond an average turn. */
export const categoryWords = (table, { chance, gain }) => [
  table.say("odds_chance", { n: percent(table, chance) }),
  table.say("odds_gain", { n: number(table, gain.value, { signDisplay: "exceptZero" }) }),
];

/** The words of a choice of POT: its chance to beat the holder, or the sum that it can expect. */
export const potWords = (table, { beats, sum }) =>
  [beats ? table.say("odds_beats", { n: percent(table, beats) }) : null, sum ? table.say("odds_sum", { n: number(table, sum.value) }) : null].filter(Boolean);
