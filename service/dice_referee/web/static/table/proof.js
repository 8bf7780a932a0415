// The proof of fair dice: the commitment before the first roll, the players' seeds, and the check at the end. The
// service recomputes the dice, and this module finds the words.

import { h } from "../shared/dom.js";
import { line } from "./logbook.js";

const fact = (term, text, { code = false } = {}) => [h("dt", {}, term), h("dd", {}, code ? h("code", {}, text) : text)];

/**
 * Returns the panel about fair dice. `seed` adds a player's text. `verify` checks the game, and `verdict` is the
 * result.
 */
export function proof(table, { seed, verify, verdict }) {
  const { kept, say } = table;
  const { fairness } = kept;
  const ended = kept.status !== "running";
  const heading = h("h2", {}, say("fair_dice"));
  const check = ended
    ? h("div", { class: "tools" },
      h("button", { type: "button", class: "quiet strong", "data-key": "verify", onclick: verify },
        say(fairness ? "verify" : "audit")))
    : null;
  const result = h("div", { id: "verdict" }, verdict ? found(table, verdict) : null);
  if (!fairness) return [heading, h("p", { class: "hint" }, say("own_dice")), check, result];
  const seeds = fairness.seeds.map((text, at) => text !== null && [table.name(at), text].join(table.say("colon")))
    .filter(Boolean);
  return [
    heading,
    h("p", { class: "hint" }, say(ended ? "seed_is_out" : "promised")),
    h(
      "details",
      { id: "facts" },
      h("summary", { "data-key": "facts" }, say("details")),
      h(
        "dl",
        { class: "facts" },
        fact(say("commitment"), fairness.commitment, { code: true }),
        fact(say("their_seeds"), seeds.join(", ") || say("none")),
        fact(say("chances"), String(fairness.draws)),
        fairness.seed ? fact(say("seed"), fairness.seed, { code: true }) : null,
      ),
    ),
    seeding(table, seed),
    check,
    result,
  ];
}

/** Returns the form for a player's own seed, until the first roll. */
function seeding({ kept, seats, say }, seed) {
  if (kept.status !== "running" || kept.fairness.draws || !seats.seats[seats.who]) return null;
  const submit = (event) => {
    event.preventDefault();
    const { value } = event.target.elements.seed;
    if (value) seed(value);
  };
  return h(
    "form",
    { class: "seeding", onsubmit: submit },
    h("label", { for: "seed" }, say("add_seed")),
    h("input", {
      id: "seed", name: "seed", "data-key": "seed", maxlength: 64, autocomplete: "off",
      defaultValue: kept.fairness.seeds[seats.who] ?? "",
    }),
    h("button", { class: "quiet", "data-key": "add-seed" }, say("add")),
    h("p", { class: "hint" }, say("seed_hint")),
  );
}

/** Describes the result of the check. */
function found(table, { problem, fairness, audit }) {
  const { say } = table;
  if (problem) return h("p", { class: "found bad" }, problem.title, " ", problem.detail);
  const illegal = (fairness ?? audit).first_illegal;
  const wrong = fairness?.first_mismatch;
  const good = fairness ? fairness.fair : !illegal;
  const lines = fairness
    ? [
      say(fairness.commitment_holds ? "promise_held" : "promise_broken"),
      say("recomputed", { n: fairness.chances.length }), say(fairness.complete ? "complete" : "incomplete"),
    ]
    : [];
  return [
    h("p", { class: `found ${good ? "good" : "bad"}` },
      say(fairness ? (good ? "fair" : "unfair") : good ? "all_legal" : "not_all_legal")),
    h("ul", {}, lines.map((text) => h("li", {}, text)),
      wrong
        ? h("li", {},
          say("differs", { n: wrong.index + 1 }), say("colon"),
          line(table, { player: null, event: wrong.expected, effects: [], outcome: null }).said)
        : null,
      illegal
        ? illegal.findings.map(({ detail, rule }) =>
          h("li", {}, `${illegal.index + 1}${say("colon")}${detail} `, rule ? table.book.chip(rule) : null))
        : null),
  ];
}

/** Has the service check the game: its dice, or its moves if the players rolled. */
export async function checked(api, session, { game, fairness }) {
  const record = await session.read("/game");
  if (!record.ok) return { problem: record.document };
  const { ok, document } = fairness
    ? await api.ask("/v1/fairness/verify", { game, record: record.document, fairness })
    : await api.ask(`/v1/${game}/audits`, record.document);
  if (!ok) return { problem: document };
  return fairness ? { fairness: document } : { audit: document };
}
