// Draws the score sheet of Yatzee: a column for each player, and the points of the dice in each category.

import { few } from "./parts.js";
import { stroke } from "./strikes.js";
import { h } from "../shared/dom.js";

/** Players that fit on a phone. For more players the sheet scrolls, with a fixed first column. */
const MANY = 3;

/** Positions of sheets that still have to scroll, `[left, top]`. A new drawing can precede the scrolling. */
const waiting = new WeakMap();

/** Groups the categories by rule: the upper section, then those of the lower. */
function blocks(categories) {
  const found = new Map();
  for (const category of categories) found.set(category.rule, [...(found.get(category.rule) ?? []), category]);
  return [...found.values()];
}

/** Draws the sheet, with a button to score the dice in each category except those of `near`, whose buttons are elsewhere. */
export function sheet(table, near = []) {
  const { catalogue, judged, standing, turn } = table;
  const cards = standing?.scorecards ?? [turn.scorecard ?? {}];
  const totals = standing?.totals ?? [table.told?.step.totals ?? judged?.totals ?? {}];
  const player = standing ? standing.player : 0;
  const [upper, ...lower] = blocks(catalogue.categories);
  const rows = (list) => list.map((category) => row(table, category, cards, player, near));
  const sum = (id, key) =>
    h("tr", { class: "sum" }, h("th", { scope: "row" }, table.term(id)), totals.map((total) => h("td", {}, String(total[key] ?? 0))), h("td"));
  const before = table.place.board.querySelector(".sheet-scroll");
  const [left, top] = waiting.get(before) ?? [before?.scrollLeft ?? 0, before?.scrollTop ?? 0];
  const scroller = h(
    "div",
    { class: `sheet-scroll ${cards.length > MANY ? "many" : ""}`, tabindex: "0", role: "region", "aria-label": table.say("sheet") },
    h(
      "table",
      {},
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, table.say("category")),
        cards.map((_, at) => h("th", { scope: "col", class: at === player ? "now" : "" }, standing ? table.name(at) : table.term("scorecard"))),
        h("th", { scope: "col" }, table.say("choices")))),
      h("tbody", {}, rows(upper), sum("upper", "upper"), sum("upper-bonus", "upper_bonus")),
      h("tbody", {}, lower.map(rows), sum("lower", "lower"), sum("total", "total")),
    ),
  );
  // A new drawing keeps the scroll position. Only an element on the page can scroll.
  waiting.set(scroller, [left, top]);
  Promise.resolve().then(() => {
    waiting.delete(scroller);
    scroller.scrollTo(left, top);
  });
  return h(
    "section",
    { class: "sheet" },
    h("h2", {}, table.say("sheet")),
    scroller,
    standing?.winners.length && !table.seated ? h("p", { class: "winners" }, table.say("won", { names: standing.winners.map((at) => table.name(at)).join(", ") })) : null,
  );
}

function row(table, category, cards, player, near) {
  const judged = table.judged?.categories.find((one) => one.category === category.id);
  return h(
    "tr",
    { class: judged?.open ? (judged.satisfied ? "open satisfied" : "open") : "" },
    h("th", { scope: "row" }, h("span", {}, category.title), " ", table.book.chip(judged?.rule ?? category.rule)),
    cards.map((card, at) => h("td", { class: at === player ? "now" : "" }, written(card[category.id]))),
    h("td", { class: "offer" }, judged?.open ? offer(table, category, judged, near) : null),
  );
}

const written = (points) => (points === undefined ? "" : points === 0 ? [stroke(), h("span", { class: "unseen" }, "0")] : String(points));

function offer(table, { id, title }, { satisfied, dice, points, face_value: plain, throw_bonus: bonus }, near) {
  if (!table.mine || near.includes(id)) return h("span", { class: "offer-line" }, satisfied ? [few(dice), h("b", {}, String(points))] : null);
  const write = h(
    "button",
    { type: "button", class: "write", "data-key": `write-${id}`, "aria-label": table.say("write", { category: title, n: points }), onclick: () => table.play({ type: "write", category: id }) },
    String(points),
  );
  return h("span", { class: "offer-line" }, satisfied ? few(dice) : null, satisfied && bonus ? h("small", {}, `${plain} + ${bonus}`) : null, satisfied ? write : null);
}
