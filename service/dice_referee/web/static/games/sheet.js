// The score sheet of Yatzee: a column for each player, what the dice would bring to the one whose turn it is,
// and the list of categories to strike.

import { few } from "./parts.js";
import { h, picture, svg } from "../shared/dom.js";

/** More players than this are wider than a phone, and make of the sheet a window with a fixed edge. */
const MANY = 3;

/** The place to which a new sheet has to be scrolled; it may be drawn again before it is. */
const waiting = new WeakMap();

/** The catalogue's categories in blocks; a block is what one rule lists (upper and lower). */
function blocks(categories) {
  const found = new Map();
  for (const category of categories) found.set(category.rule, [...(found.get(category.rule) ?? []), category]);
  return [...found.values()];
}

/** The sheet; what the dice bring is written at a press, but for the categories that are `near`: these have their buttons. */
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
  // Drawn anew it shows what it showed before, as soon as it is on the page.
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

// Striking ------------------------------------------------------------------------------------------
// Apart from writing, for it is seldom what one wants. Nobody strikes by one press what could have been another: the
// list is folded, or what is pressed in it is asked back.

/** The stroke that stands for no points. */
export const stroke = () => picture("0 0 24 12", "struck-mark", "", svg("path", { d: "M2 9L22 3" }));

/** The categories to strike; folded while something can be written. */
export function strikes(table) {
  const { judged, mine, say, sure } = table;
  const open = judged && mine ? judged.categories.filter((one) => one.open) : [];
  if (!open.length) return null;
  const ask = (category) => {
    table.sure = category;
    table.show();
    table.place.board.querySelector(`[data-key="${category ? "strike-no" : "strike"}"]`).focus();
  };
  const name = (category) => say("strike", { category: table.term(category) });
  const due = judged.status === "strike-only";
  const strike = (category) => table.play({ type: "strike", category });
  const press = (category) => (due && open.length > 1 ? ask(category) : strike(category));
  const list = h("div", { class: "strikes" }, open.map(({ category }) =>
    h("button", { type: "button", class: "strike", "data-key": `strike-${category}`, "aria-label": name(category), onclick: () => press(category) }, stroke(), " ", table.term(category))));
  const question = sure && h("div", { class: "refusal sure", role: "group", "aria-labelledby": "strike-text" },
    h("p", { id: "strike-text" }, say("really_strike", { category: table.term(sure) })),
    h("div", { class: "actions" },
      h("button", { type: "button", "data-key": "strike-yes", onclick: () => strike(sure) }, say("strike_it")),
      h("button", { type: "button", "data-key": "strike-no", onclick: () => ask(null) }, say("not_that"))));
  const unfold = ({ target }) => (table.striking = target.open);
  return h("details", { class: "striking", open: Boolean(table.striking || due), ontoggle: unfold },
    h("summary", { "data-key": "strike" }, say(due ? "strike_now" : "strike_instead")), question, list);
}
