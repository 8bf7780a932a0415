// The log of the table in words, the latest entry first, with the rules behind each entry.

import { h } from "../shared/dom.js";
import { amount, effect, smallDice } from "../games/parts.js";
import { about, sentence } from "../shared/words.js";

/** Types of log entries that leave the table unchanged, and of all entries that are no events of the game. */
export const NO_MOVES = ["seeded", "reissued", "substituted", "hosted", "rematch"];
export const NO_EVENTS = [...NO_MOVES, "undone", "abandoned"];
const HERE = "\u2063";

/** Reasons for the end of a turn that have a sentence, and sentences of dice that end a turn or a round of POT. */
const ENDINGS = ["niete", "firework", "stop", "sat-out", "clover"];
const FALLEN = { "1 1 1": "fallen_bust", "O P T": "fallen_pot" };
/** Sentences of events. The effects of other events tell what was done. */
const TOLD = {
  draw: "draws", roll: "rolls", accept: "accepts", undone: "takes_back", seeded: "seeds_dice",
  reissued: "new_link_for", hosted: "new_host", rematch: "wants_again",
};

/**
 * Describes an entry in the sentences of text answers: `said` is the first, and `more` the others. `dice` is the text
 * that replaces the dice.
 */
export function line(table, { player, by, event, effects: caused, outcome, rules }, dice = event.dice?.join(" ")) {
  const { type, held = [], level, version, seed } = event;
  const tell = (key, values) => about(table, key, event.player ?? player, values);
  const tellEffect = (each) => {
    const values = {
      dice: event.dice ? dice : each.dice?.join(" "), category: table.term(each.category),
      points: amount(table, each.points ?? 0),
    };
    if (each.type === "kept") return tell(each.points ? "earns" : "keeps", values);
    if (each.category) return tell(each.type === "written" ? "writes" : "strikes", values);
    if (each.type === "written") return type === "bank" ? tell("banks", values) : table.say("scored", values);
    return each.type === "upper-bonus" ? table.say("upper_bonus", values) : effect(table, each, rules);
  };
  const key = type === "substituted" ? (level ? "computer_plays" : "person_plays") : held.length ? "holds" : TOLD[type];
  const end = [ENDINGS.includes(outcome?.reason) && table.say(["turn_ends", outcome.reason].join("_"))];
  const consequences = caused.map(tellEffect);
  const fallen = table.game === "pot" && FALLEN[[...held, ...(event.dice ?? [])].sort().join(" ")];
  if (fallen && !caused.some((each) => each.type === "played-off"))
    consequences.splice(caused[0]?.type === "roll-paid" ? 1 : 0, 0, table.say(fallen));
  const [said = "", ...more] = [
    key && tell(key, { dice, held: held.join(" "), card: table.term(event.card), n: version, seed }),
    type === "abandoned" && table.say("abandoned"),
    ...(type === "keep" ? [...consequences, ...end] : [...end, ...consequences]),
  ].filter(Boolean).map(sentence);
  return { said, more: more.join(" "), forHim: by === "host" && player !== null };
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
