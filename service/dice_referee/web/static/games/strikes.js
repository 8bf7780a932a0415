// Draws the categories to cross out, apart from those to score. Crossing out always takes two presses: to unfold the
// list, or to confirm a category.

import { h, picture, svg } from "../shared/dom.js";

/** Draws the stroke of a crossed out category. */
export const stroke = () => picture("0 0 24 12", "struck-mark", "", svg("path", { d: "M2 9L22 3" }));

/** Draws the categories to cross out, folded while a category can be scored. */
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
