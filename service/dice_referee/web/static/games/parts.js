// Draws the parts that the tables of all games share.

import { h } from "../shared/dom.js";
import { choosable, dice, die } from "../shared/dice.js";
import { about, written } from "../shared/words.js";

/** Formats a number in the reader's language. */
export const amount = (table, number) => written(table.api.language, number);

/** Draws a verdict in large letters, with the rules that decided it. */
export const banner = (table, word, { kind = "", note = "", rules = [], rolled = null, whose = true } = {}) =>
  h(
    "div",
    { class: `verdict ${kind}` },
    h("p", { class: "verdict-word", lang: table.catalogue.spoken }, word),
    rolled ? smallDice(rolled) : null,
    note ? h("p", { class: "verdict-note" }, note) : null,
    why(table, rules),
    whose && table.players && !table.standing?.over && table.turn.phase !== "over" ? turnOf(table) : null,
  );

/** Draws the rules behind a verdict, folded in each position. */
const why = (table, rules) =>
  rules.length
    ? h("details", { class: "why", key: `why-${table.positions}` },
      h("summary", { "data-key": "why" }, table.say("why")), table.book.chips(rules))
    : null;

/** Draws the name of the player whose turn it is. */
export const turnOf = (table) => h("p", { class: "turn-of" }, table.whose());

/** Draws dice on the table with a heading. A player who may act chooses dice, as `label` describes. */
export function diceRow(table, values, label, toggle = (at) => table.toggle(at)) {
  return [
    h("h2", {}, table.say("rolled")),
    h("div", {
      class: "slots", key: `dice-${table.positions}`, role: "group",
      "aria-label": table.mine ? label : table.say("rolled"),
    },
      table.mine
        ? choosable(values, table.chosen, { name: (face) => table.say("die", { face }), toggle, fresh: table.fresh })
        : dice(values, { kind: table.fresh ? "fresh" : "" })),
  ];
}

/** Creates a button. The button marked `first` gets the focus when the table changes. */
export const button = (text, onclick, { key, kind = "", label = null, first = false } = {}) =>
  h("button", { type: "button", class: kind, "data-key": key, "aria-label": label, "data-first": first, onclick },
    text);

/**
 * Emphasizes the first action of a bar, unless another is loud already: the best by the odds, or an invitation. A move
 * that would be refused is not emphasized.
 */
export function emphasized(actions) {
  const kinds = actions.map(({ name, attributes }) => (name === "p" ? "notice" : attributes.class));
  if (kinds.some((kind) => ["gold", "loud"].includes(kind))) return actions;
  const first = kinds.findIndex((kind) => !["notice", "refused"].includes(kind));
  const loud = (action) => ({ ...action, attributes: { ...action.attributes, class: "loud" } });
  return actions.map((action, at) => (at === first ? loud(action) : action));
}

/** Choices shown and announced while the list is folded. */
export const MOST_SHOWN = 5;

/** Draws a list of choices, folded after the first `most`, or null without choices. */
export function choiceList(table, { title, before = null, rows, most }) {
  if (!rows.length && !before) return null;
  const open = table.unfolded || rows.length <= most;
  return h(
    "section",
    { class: "choices" },
    h("h2", {}, title),
    h("ul", {}, before, open ? rows.map((row, at) => markRow(row, at >= most)) : rows.slice(0, most)),
    open
      ? null
      : h("p", { class: "actions" },
        button(table.say("all_choices", { n: rows.length }), () => table.unfold(), { key: "unfold" })),
  );
}

/** Marks a row that was folded. */
const markRow = (row, more) =>
  (more ? { ...row, attributes: { ...row.attributes, class: `${row.attributes.class} more` } } : row);

/** Draws the points or coins of all players, and marks the player whose turn it is. */
export function standings(table, numbers, player, { winners = [] } = {}) {
  return h(
    "section",
    { class: "standings", "aria-label": table.say("standings") },
    h("h2", {}, table.say("standings")),
    h(
      "ol",
      {},
      numbers.map((number, at) =>
        h(
          "li",
          {
            class: `${at === player ? "now" : ""} ${winners.includes(at) ? "won" : ""}`,
            "aria-current": at === player ? "true" : null,
          },
          h("span", {}, table.name(at)), " ",
          h("strong", {}, amount(table, number)),
        ),
      ),
    ),
    winners.length
      ? h("p", { class: "winners" },
        table.say(winners.length > 1 ? "won_together" : "won",
          { names: winners.map((at) => table.name(at)).join(", ") }))
      : null,
  );
}

/** Draws a row of small dice, with a single label for screen readers. */
export const smallDice = (values) => dice(values, { kind: "few" });

/** Draws a number of dice without faces. */
export const blankDice = (number) =>
  h("span", { class: "dice few", "aria-hidden": "true" }, Array.from({ length: number }, () => die(0)));

/** Returns reasons without repeated sentences: dice of the same face have the same reason. */
export const distinct = (reasons) => [...new Map(reasons.map((reason) => [reason.detail, reason])).values()];

/** Draws every reason with its rule, or null without a refusal, or after a change of the chosen dice. */
export function refusal({ problem, findings, doubts, say, book }) {
  if (!problem && (!findings.length || doubts)) return null;
  const reasons = distinct(problem ? [...problem.findings, ...problem.errors] : findings);
  return h(
    "div",
    { class: "refusal" },
    h("strong", {}, say(problem ? problem.heading ?? "impossible" : "refused")),
    h("ul", {},
      problem && !reasons.length ? h("li", {}, `${problem.title} ${problem.detail}`) : null,
      reasons.map(({ detail, rule, pointer }) =>
        h("li", {}, detail, " ", rule ? book.chip(rule) : h("code", {}, pointer)))),
  );
}

// Effects -------------------------------------------------------------------------------------------

const SAID = {
  bonus: "gets_bonus", lost: "lost", deducted: "loses",
  staked: "staked", "roll-paid": "roll_paid", "fine-paid": "fine_paid", "bank-paid": "bank_paid",
  "handed-over": "handed_over",
  "control-taken": "takes_pot", "round-won": "wins_round", "played-off": "played_off",
};

/**
 * Returns the sentence of an effect, or null for effects that other sentences already contain, such as dice set aside.
 */
export function effect(table, { type, player = null, to, category, card, points, coins, sum }) {
  const { say } = table;
  if (category)
    return [table.term(category), type === "written" ? amount(table, points) : table.term(type)].join(say("colon"));
  if (!SAID[type]) return null;
  const number = points ?? coins;
  const n = number === undefined ? "" : amount(table, number);
  const values = {
    to: to === undefined ? "" : table.name(to), card: table.term(card), n, sum,
    coins: coins === undefined ? "" : coinWords(table, coins),
  };
  if (player === null) return say(SAID[type], { name: say("leaders"), ...values });
  return table.own(to)
    ? say("handed_to_you", { name: table.name(player), ...values })
    : about(table, SAID[type], player, values);
}

/** Returns the sentences of all effects, in order. */
export const effects = (table, list) =>
  list.map((entry) => effect(table, entry)).filter(Boolean).join(table.say("semicolon"));

/** Returns a number of coins in words. */
export const coinWords = ({ say, api: { language } }, n) =>
  say(n === 1 || (n === 0 && language === "fr") ? "one_coin" : "coins", { n });
