// Draws odds beside the choices: risk, value and the best choice. The service computes all numbers.

import { h } from "../shared/dom.js";
import { written } from "../shared/words.js";
import { button, smallDice } from "./parts.js";

const MARK = "★";

/** Keys of the words of luck, by unit. Pips, the unit of POT without a holder, have none and are not shown. */
const LUCK = { points: "luck", chance: "luck_beaten" };

/** Formats a chance in per cent, with three significant digits. */
export const percent = ({ api }, { value }) =>
  written(api.language, value, { style: "percent", maximumFractionDigits: undefined, maximumSignificantDigits: 3 });

/** Formats a number, by default with one decimal. */
export const number = ({ api }, value, format) => written(api.language, value, format);

/** Puts the value of a turn of Tutto into words: points, or with the aim `win` a chance. */
export const worthWords = (table, value) =>
  table.odds.turnAnswer.question.aim === "win"
    ? table.say("win_chance", { n: percent(table, { value }) })
    : table.say("odds_value", { n: number(table, value, { maximumFractionDigits: 0 }) });

/** Tells if the page shows luck in this unit of a review. */
export const isShown = ({ unit }) => unit in LUCK;

/** Puts luck into words: the gain by dice and cards over their expectation, in points or takeovers of the POT. */
export const luckWords = (table, { unit, luck }) =>
  table.say(LUCK[unit],
    { n: number(table, luck, { maximumFractionDigits: unit === "points" ? 0 : 1, signDisplay: "exceptZero" }) });

/** Puts the chance of a bust into words. */
export const bustWords = (table, { niete }) => `${table.term("niete")} ${percent(table, niete)}`;

/** Returns texts about the odds of a choice of Tutto: chance of a bust and value. Empty without odds. */
export function oddsWords(table, event) {
  const odds = table.odds?.of(event);
  return odds
    ? [odds.next_roll ? bustWords(table, odds.next_roll) : null, worthWords(table, odds.value)].filter(Boolean)
    : [];
}

/** Returns the odds of a choice for screen readers, to follow the choice's name. */
export const spokenOdds = (table, event) =>
  [...oddsWords(table, event), ...(table.odds?.of(event)?.best ? [table.say("best_choice")] : [])]
    .map((text) => `, ${text}`).join("");

/** Draws texts beside a choice, with a mark for the best choice. */
export const oddsLine = (table, texts, best = false) =>
  texts.length
    ? h("span", { class: "odds" },
      best ? [h("strong", {}, `${MARK} ${table.say("best_choice")}`), " "] : null, texts.join(" · "))
    : null;

/** Draws a choice in a list of odds: name, dice, texts and a button. */
export const oddsRow = (table, { name, dice = [], texts, best, act = null }) =>
  h("li", { class: "choice accept", key: act?.key },
    h("span", { class: "lines" }, name, dice.length ? smallDice(dice) : null),
    h("span", { class: "leads" }, oddsLine(table, texts, best)),
    table.mine && act ? button(act.text, act.done, {
      key: act.key, kind: best ? "gold" : "",
      label: [act.label ?? act.text, ...texts, best ? table.say("best_choice") : null].filter(Boolean).join(", "),
    }) : null);

/** Returns the chance and the gain of a category of Yatzee in words. The gain is the value beyond an average turn. */
export const categoryWords = (table, { chance, gain }) => [
  table.say("odds_chance", { n: percent(table, chance) }),
  table.say("odds_gain", { n: number(table, gain.value, { signDisplay: "exceptZero" }) }),
];

/**
 * Returns the odds of a choice of POT in words: the chance of winning, or the chance to beat the holder and the
 * expected sum.
 */
export const potWords = (table, { beats, sum, win }) =>
  typeof win === "number"
    ? [table.say("win_chance", { n: percent(table, { value: win }) })]
    : [
      beats ? table.say("odds_beats", { n: percent(table, beats) }) : null,
      sum ? table.say("odds_sum", { n: number(table, sum.value) }) : null,
    ].filter(Boolean);
