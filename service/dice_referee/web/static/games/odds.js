// Odds beside the choices, for those who ask for them: how risky each one is, what it is worth, and
// which is the best. All numbers are the service's.

import { h } from "../shared/dom.js";
import { written } from "../shared/words.js";
import { button, few } from "./parts.js";

const MARK = "★";

/** The words of luck in the units that people are shown; POT's pips with nothing to beat are left out. */
const LUCK = { points: "luck", chance: "luck_beaten" };

/** A chance in per cent, to three figures. */
export const percent = ({ api }, { value }) =>
  written(api.language, value, { style: "percent", maximumFractionDigits: undefined, maximumSignificantDigits: 3 });

/** A number to one decimal. */
export const number = ({ api }, value, how) => written(api.language, value, how);

/** The value of a turn of Tutto: points, or with the aim `win` a chance. */
export const worthWords = (table, value) =>
  table.odds.found.asked.aim === "win" ? table.say("win_chance", { n: percent(table, { value }) }) : table.say("odds_value", { n: number(table, value, { maximumFractionDigits: 0 }) });

/** Tells if people are shown luck in this unit of a review. */
export const isShown = ({ unit }) => unit in LUCK;

/** The gain by dice and cards over their expectation: points or takeovers of the POT. */
export const luckWords = (table, { unit, luck }) =>
  table.say(LUCK[unit], { n: number(table, luck, { maximumFractionDigits: unit === "points" ? 0 : 1, signDisplay: "exceptZero" }) });

/** The chance of a bust of these dice. */
export const bustWords = (table, { niete }) => `${table.term("niete")} ${percent(table, niete)}`;

/** The facts about a choice of Tutto, a text each; empty without odds. */
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
