// What has happened at the table, in words, the latest first; each line with the rules behind it.

import { h } from "./dom.js";
import { amount, effects, few } from "./parts.js";

/** What there is to say of an entry: `{ text, dice }`; the text is whole without the picture of the dice. */
export function line(table, { player, by, event, effects: caused, outcome }) {
  const name = player === null ? table.say("the_host") : table.name(player);
  const held = event.held?.length ? ` (${table.say("holds", { dice: event.held.join(" ") })})` : "";
  const dice = event.dice?.join(" ") ?? "";
  const said = {
    draw: () => table.say("draws", { name, card: table.term(event.card) }),
    roll: () => table.say("rolls", { name, dice }),
    throw: () => table.say("rolls", { name, dice }) + held,
    keep: () => table.say("keeps", { name, dice }),
    bank: () => table.say("banks", { name }),
    write: () => table.say("writes", { name, category: table.term(event.category) }),
    strike: () => table.say("strikes", { name, category: table.term(event.category) }),
    accept: () => table.say("accepts", { name }),
    undone: () => table.say("takes_back", { name, n: event.version }),
    seeded: () => table.say("seeds_dice", { name, seed: event.seed }),
    reissued: () => table.say("new_link_for", { name: table.name(event.player) }),
    abandoned: () => table.say("abandoned"),
  }[event.type]();
  const ended = outcome?.reason ? `${table.term(outcome.reason)}: ${table.say("points", { n: amount(table, outcome.points) })}` : "";
  const text = [said, ended, effects(table, caused)].filter(Boolean).join("; ");
  return { text, said, more: [ended, effects(table, caused)].filter(Boolean).join("; "), forHim: by === "host" && player !== null };
}

/** The log. `entries` is a map from versions to entries; `earlier` brings those before the first. */
export function logbook(table, entries, earlier) {
  const shown = [...entries.values()].sort((one, other) => other.version - one.version);
  const undone = new Set(shown.filter(({ event }) => event.type === "undone").map(({ event }) => event.version));
  const first = shown.at(-1)?.version ?? 1;
  return [
    h("h2", { id: "log-title" }, table.say("log")),
    shown.length
      ? h("ol", { class: "log", tabindex: "0", "aria-labelledby": "log-title", "data-key": "log" }, shown.map((entry) => item(table, entry, undone.has(entry.version))))
      : h("p", { class: "hint" }, table.say("nothing_yet")),
    first > 1 ? h("button", { type: "button", class: "quiet", "data-key": "earlier", onclick: earlier }, table.say("earlier")) : null,
  ];
}

function item(table, entry, struck) {
  const { said, more, forHim } = line(table, entry);
  const at = new Date(entry.at);
  const time = new Intl.DateTimeFormat(table.api.language, { timeStyle: "short" }).format(at);
  const { type, dice } = entry.event;
  return h(
    "li",
    { "data-version": entry.version, class: struck ? "struck" : "" },
    h("span", { class: "log-said" }, struck ? [h("s", {}, said), h("span", { class: "unseen" }, ` ${table.say("taken_back")}`)] : said, dice && !struck && type !== "keep" ? [" ", h("span", { class: "log-dice", "aria-hidden": "true" }, few(dice))] : null),
    more ? h("span", { class: "log-more" }, more) : null,
    h("span", { class: "log-foot" }, h("time", { datetime: entry.at }, time), forHim ? h("span", {}, table.say("by_host")) : null, table.book.chips(entry.rules)),
  );
}
