// Draws the score sheet of Yatzee, with a column for each player and the points of the dice in each category, and the
// list of categories to cross out.

import { button, smallDice } from "./parts.js";
import { h, picture } from "../shared/dom.js";

/** Players that fit on a phone. For more players the sheet scrolls, with a fixed first column. */
const MANY = 3;

/** Groups the categories by rule: the upper section, then those of the lower. */
function blocks(categories) {
  const groups = new Map();
  for (const category of categories) groups.set(category.rule, [...(groups.get(category.rule) ?? []), category]);
  return [...groups.values()];
}

/** Draws the sheet, with a button to score the dice in each category that they satisfy. */
export function sheet(table) {
  const { catalogue, judged, standing, turn } = table;
  const cards = standing?.scorecards ?? [turn.scorecard ?? {}];
  const totals = standing?.totals ?? [table.lastStep?.step.totals ?? judged?.totals ?? {}];
  const player = standing ? standing.player : 0;
  const [upper, ...lower] = blocks(catalogue.categories);
  const rows = (list) => list.map((category) => row(table, category, cards, player));
  const sum = (id, key) =>
    h("tr", { class: "sum" },
      h("th", { scope: "row" }, table.term(id)),
      totals.map((total) => h("td", {}, String(total[key] ?? 0))),
      h("td"));
  const scroller = h(
    "div",
    {
      class: `sheet-scroll ${cards.length > MANY ? "many" : ""}`, tabindex: "0", role: "region",
      "aria-label": table.say("sheet"),
    },
    h(
      "table",
      {},
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, table.say("category")),
        cards.map((_, at) =>
          h("th", { scope: "col", class: at === player ? "now" : "" }, standing ? table.name(at) : table.say("sheet"))),
        h("th", { scope: "col" }, table.say("choices")))),
      h("tbody", {}, rows(upper), sum("upper", "upper"), sum("upper-bonus", "upper_bonus")),
      h("tbody", {}, lower.map(rows), sum("lower", "lower"), sum("total", "total")),
    ),
  );
  // Whoever only watches has no choices, nor has anybody after the end.
  const chooses = turn.phase !== "over" && !standing?.over && (!table.seats || Boolean(table.seats.token));
  return h(
    "section",
    { class: `sheet ${chooses ? "" : "watched"}`, key: "sheet" },
    h("h2", {}, table.say("sheet")),
    scroller,
    standing?.winners.length && !table.seated
      ? h("p", { class: "winners" },
        table.say("won", { names: standing.winners.map((at) => table.name(at)).join(", ") }))
      : null,
  );
}

function row(table, category, cards, player) {
  const judged = table.judged?.categories.find((entry) => entry.category === category.id);
  return h(
    "tr",
    { class: judged?.open ? (judged.satisfied ? "open satisfied" : "open") : "" },
    h("th", { scope: "row" }, h("span", {}, category.title), " ", table.book.chip(judged?.rule ?? category.rule)),
    cards.map((card, at) => h("td", { class: at === player ? "now" : "" }, cell(card[category.id]))),
    h("td", { class: "offer" }, judged?.open && judged.satisfied ? offer(table, category, judged) : null),
  );
}

const cell = (points) =>
  (points === undefined ? "" : points === 0 ? [stroke(), h("span", { class: "unseen" }, "0")] : String(points));

function offer(table, { id, title }, { dice, points, face_value: plain, throw_bonus: bonus }) {
  const write = h(
    "button",
    {
      type: "button", class: "write", "data-key": `write-${id}`,
      "aria-label": table.say("write", { category: title, points }),
      onclick: () => table.play({ type: "write", category: id }),
    },
    String(points),
  );
  return h("span", { class: "offer-line" },
    smallDice(dice), bonus ? h("small", {}, `${plain} + ${bonus}`) : null,
    table.mine ? write : h("b", {}, String(points)));
}

// Striking ------------------------------------------------------------------------------------------
// Apart from scoring, since players seldom want to cross out. Crossing out always takes two presses: to unfold the
// list, or to confirm the category that the odds name.

/** Draws the stroke of a crossed out category. */
export const stroke = () => picture("0 0 24 12", "struck-mark", "", h("path", { d: "M2 9L22 3" }));

/** Draws the folded categories to cross out. */
export function strikes(table) {
  const { judged, mine, say } = table;
  const open = judged && mine ? judged.categories.filter((entry) => entry.open) : [];
  if (!open.length) return null;
  const name = (category) => say("strike", { category: table.term(category) });
  const list = h("div", { class: "strikes" }, open.map(({ category }) =>
    h("button", {
      type: "button", class: "strike", "data-key": `strike-${category}`, "aria-label": name(category),
      onclick: () => table.play({ type: "strike", category }),
    }, stroke(), " ", table.term(category))));
  return h("details", { class: "striking", key: `strikes-${table.positions}` },
    h("summary", { "data-key": "strike" }, say(judged.status === "strike-only" ? "strike_now" : "strike_instead")),
    list);
}

/** Draws the question before a category is crossed out. */
export function strikeQuestion(table) {
  const { say, sure: category } = table;
  return category && h("div", { class: "refusal sure", role: "group", "aria-labelledby": "strike-text" },
    h("p", { id: "strike-text" }, say("really_strike", { category: table.term(category) })),
    h("div", { class: "actions" },
      button(say("strike_it"), () => table.play({ type: "strike", category }), { key: "strike-yes" }),
      button(say("not_that"), () => table.confirm(null), { key: "strike-no" })));
}

/**
 * Draws the button to cross out for the bar. If the best choice by the odds is to cross out, the button names the
 * category and asks for a confirmation, else it unfolds the list.
 */
export function strikeButton(table) {
  const { odds, say } = table;
  const { game, best } = odds?.answer ?? {};
  const { type, category } = (game ? game.choices[game.best] : best)?.event ?? {};
  if (type !== "strike") return button(say("strike_some"), () => table.unfoldStrikes(), { key: "cross-out" });
  return button(say("strike", { category: table.term(category) }), () => table.confirm(category),
    { key: "cross-out", kind: "gold" });
}
