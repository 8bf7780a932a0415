// Ranks the keeps of a roll of Tutto, and draws them as a list of choices.

import { MOST_SHOWN, amount, blankDice, button, choiceList, distinct, effects, refusal, smallDice } from "./parts.js";
import { h } from "../shared/dom.js";
import { oddsLine, oddsWords, spokenOdds } from "./odds.js";

/** Returns the points that a keep adds to the turn, with a sign, or an empty text on cards that count no points. */
export const gain = (table, { points, bonus }) => (points + bonus ? `+${amount(table, points + bonus)}` : "");

const keepEvent = ({ dice }) => ({ type: "keep", dice });
const BANK = { type: "bank" };

/** Returns points and odds of a keep for screen readers, to follow the keep's name. */
const worth = (table, keep) =>
  (keep.points + keep.bonus ? `, ${gain(table, keep)}` : "") + spokenOdds(table, keepEvent(keep));

/** Names a keep by its dice and its consequence. */
export function keepWords({ say }, { dice, next }) {
  const faces = dice.join(" ");
  if (next.phase === "roll") return say("keep_roll", { dice: faces, n: next.dice_to_roll });
  return say(next.phase === "draw" ? "keep_draw" : next.outcome?.wins_game ? "keep_win" : "set_aside_these",
    { dice: faces });
}

/**
 * Ranks the keeps, the best first: by their odds, or else by the points of the turn, then by the dice left to roll. On
 * cards that count no points, the keeps with the most dice lead, because they are closest to a Tutto. `most` is the
 * number of keeps to show: those that no other keep dominates.
 */
export function ranking({ judged: { legal_keeps: keeps }, odds }) {
  if (odds?.turnAnswer) {
    const value = new Map(keeps.map((keep) => [keep, odds.of(keepEvent(keep))?.value]));
    return { keeps: [...keeps].sort((a, b) => value.get(b) - value.get(a)), most: Math.min(MOST_SHOWN, keeps.length) };
  }
  const diceLeft = ({ next }) => (next.phase === "roll" ? next.dice_to_roll : 0);
  const counts = keeps.some(({ points }) => points);
  const sorted = [...keeps].sort((a, b) =>
    b.turn_points - a.turn_points || (counts ? diceLeft(b) - diceLeft(a) : b.dice.length - a.dice.length));
  const undominated = sorted.filter((keep) => !isDominated(keep, keeps));
  return {
    keeps: [...undominated, ...sorted.filter((keep) => !undominated.includes(keep))],
    most: Math.min(MOST_SHOWN, undominated.length),
  };
}

/** Tells if another keep has at least as many points and dice left, and more of either. */
const isDominated = (keep, keeps) =>
  keep.next.phase === "roll" && keep.points > 0 && keeps.some((rival) => rival.next.phase === "roll"
  && rival.turn_points >= keep.turn_points && rival.next.dice_to_roll >= keep.next.dice_to_roll
  && (rival.turn_points > keep.turn_points || rival.next.dice_to_roll > keep.next.dice_to_roll));

/** Returns the faces of the chosen dice, sorted. */
export const chosenOf = ({ turn, chosen }) => [...chosen].map((at) => turn.roll[at]).sort();

/**
 * Returns the keep of the chosen dice, or without chosen dice the best keep, or undefined if no keep has the chosen
 * dice.
 */
export function atHand(table) {
  const set = chosenOf(table);
  return set.length
    ? table.judged.legal_keeps.find(({ dice }) => String(dice) === String(set))
    : ranking(table).keeps[0];
}

/** Tells if the dice of `set` are among those of a keep. */
const begins = (set, { dice }) => {
  const remainder = [...dice];
  return set.every((face) => remainder.includes(face) && remainder.splice(remainder.indexOf(face), 1));
};

/**
 * Asks the service why the chosen dice are not a keep, then shows and announces the reason. Skips dice that can become
 * a keep.
 */
export async function doubt(table) {
  const { turn, judged, api } = table;
  const set = chosenOf(table);
  if (!set.length || judged.legal_keeps.some((keep) => begins(set, keep))) return;
  const { outcome: _, ...position } = turn;
  const answer = await api.ask(`/v1/${table.game}/transitions`,
    { ...table.rules, ...position, event: { type: "keep", dice: set } })
    .catch(() => null);
  if (!answer?.ok || table.turn !== turn || String(chosenOf(table)) !== String(set)) return;
  table.doubt(distinct(answer.document.findings));
  table.announcer.repeat(table.doubts.map(({ detail }) => detail));
}

/** Tells if all dice together are a keep. */
export const keepsAll = ({ judged, turn }) =>
  Boolean(judged?.legal_keeps.some(({ dice }) => dice.length === turn.roll.length));

/**
 * Draws the reason why the chosen dice are not a keep, or else how to choose dice, unless all dice together are a keep.
 * The space is the same, so that buttons do not move.
 */
export function reason(table) {
  if (keepsAll(table)) return null;
  const refused = table.problem ? null : refusal(table);
  const doubts = table.doubts?.map(({ detail, rule }) => h("p", {}, detail, " ", table.book.chip(rule))) ?? [];
  return h("div", { class: "doubts" }, refused,
    doubts.length || refused || table.chosen.size ? doubts : h("span", { class: "hint" }, table.say("choose_hint")));
}

/**
 * Draws the keeps that the bar does not contain, and folds dominated keeps. Spectators have no bar: their list contains
 * all keeps, and stopping as the first choice or, with odds, in the order of value.
 */
export function choices(table, { bank }) {
  const { say, mine, odds } = table;
  const { keeps, most } = ranking(table);
  const barKeep = mine ? atHand(table) : null;
  const rows = keeps.map((keep, at) =>
    keep === barKeep
      ? null
      : choice(table, keep, keepEvent(keep), button(keepWords(table, keep), () => table.play(keepEvent(keep)), {
        key: `keep-${at}`, label: `${keepWords(table, keep)}${worth(table, keep)}`,
      }), keep.tutto ? "tutto" : "")).filter(Boolean);
  const stop = !mine && bank && choice(table, bank, BANK, null, "bank");
  const place = odds?.of(BANK)
    ? keeps.filter((keep) => odds.of(keepEvent(keep)).value > odds.of(BANK).value).length
    : null;
  if (stop && place !== null) rows.splice(place, 0, stop);
  return choiceList(table, {
    title: mine ? say("choices") : say("choices_of", { name: table.name(table.player) }),
    before: place === null ? stop : null,
    most: place === null ? Math.max(1, most - Boolean(barKeep)) : MOST_SHOWN,
    rows,
  });
}

function choice(table, { dice, lines, bonus, turn_points: total, effects: consequences, next }, event, act, kind) {
  const cardEntry = table.catalogue.deck.find((piece) => piece.id === table.turn.card);
  return h(
    "li",
    { class: `choice ${kind}`, key: JSON.stringify(event) },
    smallDice(dice),
    h(
      "span",
      { class: "lines" },
      groupLines(lines.filter((line) => line.points)).map(([line, times]) =>
        h("span", { class: "line" },
          times > 1 ? `${times} × ` : "", `${table.term(line.kind)} `, h("b", {}, amount(table, line.points)), " ",
          table.book.chip(line.rule))),
      bonus
        ? h("span", { class: "line" },
          `${table.term(table.turn.card)} `, h("b", {}, `+${amount(table, bonus)}`), " ",
          cardEntry ? table.book.chip(cardEntry.rule) : null)
        : null,
      consequences.length ? h("span", { class: "line" }, effects(table, consequences)) : null,
    ),
    h("span", { class: "total" },
      total ? [h("strong", {}, amount(table, total)), " ", h("small", {}, table.say("turn_points"))] : null),
    h("span", { class: "leads" }, leads(table, next)),
    oddsLine(table, oddsWords(table, event), table.odds?.of(event)?.best),
    table.mine ? act : null,
  );
}

/** Groups equal lines: two single fives become a line with the count 2. */
function groupLines(lines) {
  const groups = new Map();
  for (const line of lines) {
    const key = JSON.stringify(line);
    groups.set(key, [line, (groups.get(key)?.[1] ?? 0) + 1]);
  }
  return [...groups.values()];
}

/** Draws the consequence of a choice. */
function leads(table, next) {
  const { say } = table;
  const words =
    next.phase === "over"
      ? [
        next.outcome.reason === "banked" ? say("bank") : table.term(next.outcome.reason),
        say("points", { n: amount(table, next.outcome.points) }),
      ].join(say("colon"))
      : next.phase === "roll"
        ? [
          say(next.dice_to_roll === 1 ? "roll_die" : "roll_dice", { n: next.dice_to_roll }), " ",
          blankDice(next.dice_to_roll),
        ]
        : say("to_draw");
  return [h("span", { class: "arrow", "aria-hidden": "true" }, "→ "), words];
}
