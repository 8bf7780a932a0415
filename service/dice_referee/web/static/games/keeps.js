// The keeps of a roll of Tutto: sorted, the best first, and drawn as a list of choices.

import { effects } from "./effects.js";
import { h } from "../shared/dom.js";
import { heard, oddsLine, oddsWords } from "./odds.js";
import { refusal } from "./refusal.js";
import { MOST_SHOWN, amount, blank, button, few, folded } from "./parts.js";

/** The points that a keep adds to the turn; none on cards that count no points. */
export const gain = (table, { points, bonus }) => (points + bonus ? `+${amount(table, points + bonus)}` : "");

const kept = ({ dice }) => ({ type: "keep", dice });
const BANKED = { type: "bank" };

/** The same behind the keep's name, and its odds. */
const worth = (table, keep) => (keep.points + keep.bonus ? `, ${gain(table, keep)}` : "") + heard(table, kept(keep));

/** The name of a keep: its dice, and its consequence. */
export function keepWords({ say }, { dice, next }) {
  const named = dice.join(" ");
  if (next.phase === "roll") return say("keep_roll", { dice: named, n: next.dice_to_roll });
  return say(next.phase === "draw" ? "keep_draw" : next.outcome?.wins_game ? "keep_win" : "set_aside_these", { dice: named });
}

/**
 * The keeps, the best first: by their odds, or else by the points that the turn then holds, then by the
 * dice left. Where the card counts no points, the most dice aside are closest to the Tutto. `most` of
 * them are worth a look: those that no other keep beats in points and dice at once.
 */
export function ranked({ judged: { legal_keeps: keeps }, odds }) {
  if (odds?.found) {
    const value = new Map(keeps.map((keep) => [keep, odds.of(kept(keep))?.value]));
    return { keeps: [...keeps].sort((one, other) => value.get(other) - value.get(one)), most: Math.min(MOST_SHOWN, keeps.length) };
  }
  const left = ({ next }) => (next.phase === "roll" ? next.dice_to_roll : 0);
  const counts = keeps.some(({ points }) => points);
  const sorted = [...keeps].sort((one, other) => other.turn_points - one.turn_points || (counts ? left(other) - left(one) : other.dice.length - one.dice.length));
  const good = sorted.filter((keep) => !dominated(keep, keeps));
  return { keeps: [...good, ...sorted.filter((keep) => !good.includes(keep))], most: Math.min(MOST_SHOWN, good.length) };
}

/** True if another keep leaves as many dice for as many points, and more of one of them. */
const dominated = (keep, keeps) => keep.next.phase === "roll" && keep.points > 0 && keeps.some((other) => other.next.phase === "roll"
  && other.turn_points >= keep.turn_points && other.next.dice_to_roll >= keep.next.dice_to_roll
  && (other.turn_points > keep.turn_points || other.next.dice_to_roll > keep.next.dice_to_roll));

/** The dice that are chosen, in order; none if none are. */
export const chosenOf = ({ turn, chosen }) => [...chosen].map((at) => turn.roll[at]).sort();

/** The keep in the bar: of the dice that are chosen, or else the best; none if those may not be kept. */
export function atHand(table) {
  const set = chosenOf(table);
  return set.length ? table.judged.legal_keeps.find(({ dice }) => String(dice) === String(set)) : ranked(table).keeps[0];
}

/** Tells if these dice are among those of a legal keep: more of them are still to be chosen. */
const begins = (set, { dice }) => {
  const left = [...dice];
  return set.every((face) => left.includes(face) && left.splice(left.indexOf(face), 1));
};

/** Asks the service why the dice that are chosen may not be set aside, and says the reason under them. */
export async function doubt(table) {
  const { turn, judged, api } = table;
  const set = chosenOf(table);
  if (!set.length || judged.legal_keeps.some((keep) => begins(set, keep))) return;
  const { outcome: _, ...position } = turn;
  const answer = await api.ask(`/v1/${table.game}/transitions`, { ...table.rules, ...position, event: { type: "keep", dice: set } }).catch(() => null);
  if (!answer?.ok || table.turn !== turn || String(chosenOf(table)) !== String(set)) return;
  table.doubts = answer.document.findings;
  table.show();
  table.announcer.repeat(table.doubts.map(({ detail }) => detail));
}

/** The place under the dice for the reason why they may not be set aside; it is kept free, so that nothing moves, unless all of them may be. */
export const reason = (table) => table.judged?.legal_keeps.some(({ dice }) => dice.length === table.turn.roll.length) ? null : h("div", { class: "doubts" }, table.problem ? null : refusal(table), table.doubts?.map(({ detail, rule }) => h("p", {}, detail, " ", table.book.chip(rule))));

/**
 * The list: what is not in the bar. Those that another keep beats in everything are folded. Who looks on has
 * no bar: there all is listed, to stop first or, with odds, in the place that it is worth.
 */
export function choices(table, { bank }) {
  const { say, mine, odds } = table;
  const { keeps, most } = ranked(table);
  const near = mine ? atHand(table) : null;
  const rows = keeps.map((keep, at) =>
    keep === near ? null : choice(table, keep, kept(keep), button(keepWords(table, keep), () => table.play(kept(keep)), {
      key: `keep-${at}`, label: `${keepWords(table, keep)}${worth(table, keep)}`,
    }), keep.tutto ? "tutto" : "")).filter(Boolean);
  const stop = !mine && bank && choice(table, bank, BANKED, null, "bank");
  const place = odds?.of(BANKED) ? keeps.filter((keep) => odds.of(kept(keep)).value > odds.of(BANKED).value).length : null;
  if (stop && place !== null) rows.splice(place, 0, stop);
  return folded(table, {
    title: mine ? say("choices") : say("choices_of", { name: table.name(table.player) }),
    before: place === null ? stop : null,
    most: place === null ? Math.max(1, most - Boolean(near)) : MOST_SHOWN,
    rows,
  });
}

function choice(table, { dice, lines, bonus, turn_points: total, effects: caused, next }, event, act, kind) {
  const known = table.catalogue.deck.find((piece) => piece.id === table.turn.card);
  return h(
    "li",
    { class: `choice ${kind}` },
    few(dice),
    h(
      "span",
      { class: "lines" },
      alike(lines.filter((line) => line.points)).map(([line, times]) => h("span", { class: "line" }, times > 1 ? `${times} × ` : "", `${table.term(line.kind)} `, h("b", {}, amount(table, line.points)), " ", table.book.chip(line.rule))),
      bonus ? h("span", { class: "line" }, `${table.term(table.turn.card)} `, h("b", {}, `+${amount(table, bonus)}`), " ", known ? table.book.chip(known.rule) : null) : null,
      caused.length ? h("span", { class: "line" }, effects(table, caused)) : null,
    ),
    h("span", { class: "total" }, total ? [h("strong", {}, amount(table, total)), " ", h("small", {}, table.say("turn_points"))] : null),
    h("span", { class: "leads" }, leads(table, next)),
    oddsLine(table, oddsWords(table, event), table.odds?.of(event)?.best),
    table.mine ? act : null,
  );
}

/** Equal lines counted: two single fives are one line. */
function alike(lines) {
  const found = new Map();
  for (const line of lines) {
    const key = JSON.stringify(line);
    found.set(key, [line, (found.get(key)?.[1] ?? 0) + 1]);
  }
  return [...found.values()];
}

/** The consequence of a choice, in the table's words. */
function leads(table, next) {
  const { say } = table;
  const words =
    next.phase === "over" ? [next.outcome.reason === "banked" ? say("bank") : table.term(next.outcome.reason), say("points", { n: amount(table, next.outcome.points) })].join(say("colon"))
      : next.phase === "roll" ? [say(next.dice_to_roll === 1 ? "throw_die" : "throw_dice", { n: next.dice_to_roll }), " ", blank(next.dice_to_roll)]
        : say("to_draw");
  return [h("span", { class: "arrow", "aria-hidden": "true" }, "→ "), words];
}
