// Parts that the tables of all games are made of.

import { h } from "./dom.js";
import { dice, die } from "./dice.js";

/** A number as the reader writes it. */
export const amount = (table, number) => new Intl.NumberFormat(table.api.language).format(number);

/** The verdict in large letters, with the rules that decided it. */
export const banner = (table, word, { kind = "", note = "", rules = [], thrown = null, whose = true } = {}) =>
  h(
    "div",
    { class: `verdict ${kind}` },
    h("p", { class: "verdict-word", lang: table.catalogue.spoken }, word),
    thrown ? few(thrown) : null,
    note ? h("p", { class: "verdict-note" }, note) : null,
    table.book.chips(rules),
    whose && table.players && !table.standing?.over && table.turn.phase !== "over" ? turnOf(table) : null,
  );

/** Whose turn it is, where several play. */
export const turnOf = (table) => h("p", { class: "turn-of" }, table.say("turn_of", { name: table.name(table.player) }));

/** A plain button; the first of several gets the focus when the table changes. */
export const button = (text, onclick, { key, kind = "", label = null, first = false } = {}) =>
  h("button", { type: "button", class: kind, "data-key": key, "aria-label": label, "data-first": first, onclick }, text);

/** What an event has caused, in the table's words: points, coins and who they concern. */
export function effects(table, list) {
  const named = (player) => (player === undefined || player === null ? null : table.name(player));
  const said = list.map(({ type, player, to, category, points, coins }) => {
    const number = points ?? coins;
    if (type === "deducted") return table.say("loses", { name: named(player) ?? table.say("leaders"), n: amount(table, number) });
    if (!table.terms.has(type)) return null;
    const who = [named(player), named(to)].filter(Boolean).join(" → ");
    const what = [table.term(type), category && table.term(category)].filter(Boolean).join(" ");
    const much = number === undefined ? "" : ` ${amount(table, number)}`;
    return who ? `${who}:${much || ""} ${what}` : `${what}${much}`;
  });
  return said.filter(Boolean).join("; ");
}

/** Everybody's points or coins, and whose turn it is. */
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
          { class: `${at === player ? "now" : ""} ${winners.includes(at) ? "won" : ""}`, "aria-current": at === player ? "true" : null },
          h("span", {}, table.name(at)),
          h("strong", {}, amount(table, number)),
        ),
      ),
    ),
    winners.length ? h("p", { class: "winners" }, table.say("won", { names: winners.map((at) => table.name(at)).join(", ") })) : null,
  );
}

/** Some small dice; a row for the eye, one text for the ear. */
export const few = (values) => dice(values, { kind: "few" });

/** So many dice whose faces do not matter. */
export const blank = (number) =>
  h("span", { class: "dice few", "aria-hidden": "true" }, Array.from({ length: number }, () => die(0)));
