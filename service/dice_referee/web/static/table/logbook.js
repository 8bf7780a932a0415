// The log of the table in words, the latest entry first, with the rules behind each entry.

import { h } from "../shared/dom.js";
import { amount, effects, smallDice } from "../games/parts.js";
import { about } from "../shared/words.js";

/** Types of log entries that leave the table unchanged, and of all entries that are no events of the game. */
export const NO_MOVES = ["seeded", "reissued", "substituted", "rematch"];
export const NO_EVENTS = [...NO_MOVES, "undone", "abandoned"];
const HERE = "\u2063";

/** Describes an entry: `said` is the event and `more` its effects. `dice` is the text that replaces the dice. */
export function line(table, { player, by, event, effects: caused, outcome }, dice = event.dice?.join(" ") ?? "") {
  const sentence = (key, values) =>
    (player === null ? table.say(key, { name: table.say("the_host"), ...values }) : about(table, key, player, values));
  const held = event.held?.length ? ` (${table.say("holds", { dice: event.held.join(" ") })})` : "";
  const said = {
    draw: () => sentence("draws", { card: table.term(event.card) }),
    roll: () => sentence("rolls", { dice }) + held,
    keep: () => sentence("keeps", { dice }),
    bank: () => sentence("banks"),
    write: () =>
      sentence("writes", {
        category: table.term(event.category),
        n: amount(table, caused.find(({ type }) => type === "written")?.points ?? 0),
      }),
    strike: () => sentence("strikes", { category: table.term(event.category) }),
    accept: () => sentence("accepts"),
    undone: () => sentence("takes_back", { n: event.version }),
    seeded: () => sentence("seeds_dice", { seed: event.seed }),
    substituted: () => about(table, event.level ? "computer_plays" : "person_plays", event.player),
    reissued: () => about(table, "new_link_for", event.player),
    rematch: () => sentence("wants_again"),
    abandoned: () => table.say("abandoned"),
  }[event.type]();
  const more = [ending(table, event, caused, outcome), effects(table, caused.filter(({ category }) => !category))]
    .filter(Boolean).join(table.say("semicolon"));
  return { said, more, forHim: by === "host" && player !== null };
}

/** Describes the end of a turn unless the event or its effects describe it. */
function ending(table, event, caused, outcome) {
  if (!outcome || caused.some(({ type }) => type === outcome.reason)) return "";
  const named = event.type === "bank" || event.card === outcome.reason ? "" : table.term(outcome.reason);
  const points = outcome.points ? table.say("points", { n: amount(table, outcome.points) }) : "";
  return [named, points].filter(Boolean).join(table.say("colon"));
}

/** Returns the log. `earlier` loads the entries before the first known entry. */
export function logbook(table, earlier) {
  const { log: entries, undone } = table;
  const first = entries.at(-1)?.version ?? 1;
  return [
    h("h2", { id: "log-title" }, table.say("log")),
    entries.length
      ? h("ol", { class: "log", tabindex: "0", "aria-labelledby": "log-title", "data-key": "log" },
        entries.map((entry) => item(table, entry, undone.has(entry.version))))
      : h("p", { class: "hint" }, table.say("nothing_yet")),
    first > 1
      ? h("button", { type: "button", class: "quiet", "data-key": "earlier", onclick: earlier }, table.say("earlier"))
      : null,
  ];
}

function item(table, entry, struck) {
  const { said, more, forHim } = line(table, entry, HERE);
  const at = new Date(entry.at);
  const time = new Intl.DateTimeFormat(table.locale, { timeStyle: "short" }).format(at);
  const [before, after] = said.split(HERE);
  const words = [before, entry.event.dice ? smallDice(entry.event.dice) : null, after];
  return h(
    "li",
    { "data-version": entry.version, key: entry.version, class: struck ? "struck" : "" },
    h("span", { class: "log-said" },
      struck ? [h("s", {}, words), h("span", { class: "log-more" }, ` ${table.say("taken_back")}`)] : words),
    more ? h("span", { class: "log-more" }, more) : null,
    h("span", { class: "log-foot" },
      h("time", { datetime: entry.at }, time), forHim ? h("span", {}, table.say("by_host")) : null,
      table.book.chips(entry.rules)),
  );
}
