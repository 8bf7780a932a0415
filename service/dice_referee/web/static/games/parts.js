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

/**
 * Draws a list of choices, folded after the first `most`, or null without choices. The choice at `barAt` is in the bar:
 * its row is hidden, so that no row is made anew when another choice takes its place.
 */
export function choiceList(table, { title, before = null, rows, most, barAt = -1 }) {
  if (!rows.length && !before) return null;
  const isInBar = barAt >= 0;
  const listed = rows.length - isInBar;
  const open = table.unfolded || listed <= most;
  const drawn = open ? rows : rows.slice(0, most + isInBar);
  const hiddenAt = Math.min(barAt, drawn.length - 1);
  return h(
    "section",
    { class: "choices", hidden: !listed && !before },
    h("h2", {}, title),
    h("ul", {}, before, drawn.map((row, at) => {
      const place = isInBar && at > hiddenAt ? at - 1 : at;
      return withState(row, at === hiddenAt, place >= most);
    })),
    open
      ? null
      : h("p", { class: "actions" },
        button(table.say("all_choices", { n: listed }), () => table.unfold(), { key: "unfold" })),
  );
}

/** Hides a row, or marks a row that was folded. */
const withState = (row, hidden, more) => (hidden || more
  ? { ...row, attributes: { ...row.attributes, class: `${row.attributes.class}${more ? " more" : ""}`, hidden } }
  : row);

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

/** Texts of effects by type, and of those about a player. */
const EFFECT_TEXTS = { bonus: "gets_bonus", lost: "lost", staked: "staked" };
const PLAYER_EFFECT_TEXTS = {
  "roll-paid": "roll_paid", "fine-paid": "fine_paid", "bank-paid": "bank_paid", "control-taken": "takes_pot",
  "round-won": "wins_round", "played-off": "played_off",
};
/** Rule by which no score falls below zero. */
const FLOOR = "T5.5e";

/**
 * Returns the sentence of an effect without its full stop, or null for effects that are shown otherwise. `rules` are
 * those behind the event.
 */
export function effect(table, { type, player = null, players = [], to, card, points, coins, sum }, rules = []) {
  const { say } = table;
  const values = {
    card: table.term(card), points: points === undefined ? "" : amount(table, points), sum,
    coins: coins === undefined ? "" : coinWords(table, coins),
  };
  if (type === "handed-over") {
    const key = table.own(player) ? "hands_over_from-you" : table.own(to) ? "hands_over_to-you" : "hands_over";
    return say(key, { name: table.name(player), to: table.name(to), ...values });
  }
  if (type === "deducted")
    return player === null
      ? say(rules.includes(FLOOR) ? "loses_leaders-floor" : "loses_leaders", values)
      : about(table, "loses", player, values);
  if (type === "target-reached")
    return say(players.length > 1 ? "target_reached_many" : "target_reached_one",
      { names: listed(table, players.map((at) => (table.own(at) ? say("you") : table.name(at)))) });
  if (EFFECT_TEXTS[type]) return say(EFFECT_TEXTS[type], values);
  return PLAYER_EFFECT_TEXTS[type] ? about(table, PLAYER_EFFECT_TEXTS[type], player, values) : null;
}

/** Joins names as a sentence does: "Ada, Ben and Cleo". */
const listed = ({ say }, [...first]) => {
  const last = first.pop();
  return first.length ? say("all_of", { first: first.join(", "), last }) : last;
};

/** Returns the sentences of all effects, in order. */
export const effects = (table, list, rules) => list.map((entry) => effect(table, entry, rules)).filter(Boolean);

/** Returns a number of coins in words. */
export const coinWords = ({ say, api: { language } }, n) =>
  say(n === 1 || (n === 0 && language === "fr") ? "coins_one" : "coins_many", { n });
