// What can be asked about a live table, answered in the service's own sentences: a list of lines each.

import { TEXTS } from "./textwords.js";
import { sayer } from "./words.js";

/** What the service says of the session to who plays here; as `Session.hear`. */
export function hear({ seats, session }, part = "", query = {}) {
  const seat = Number.isInteger(seats.who) ? { seat: seats.who } : {};
  return session.hear(`${part}?${new URLSearchParams({ ...query, ...seat })}`);
}

const linesOf = async (table, ...question) => {
  const { lines } = await hear(table, ...question);
  return lines.length ? lines : [table.say("away")];
};

export const QUESTIONS = {
  /** How it stands, and what can be done. */
  what: (table) => linesOf(table, "/events", { after: table.kept.version }),
  /** What everybody has: the first line of what is said of a session. */
  score: async (table) => (await linesOf(table)).slice(0, 1),
  /** What happened last, and how it stands. */
  last: (table) => linesOf(table, "/events", { after: Math.max(0, table.kept.version - 1) }),
  odds: (table) => linesOf(table, "/odds"),

  /** The text of a rule; without a number, of those behind what happened last. */
  async rules({ api, book, log }, about) {
    const numbers = about ? [about.toUpperCase()] : log[0]?.rules ?? [];
    const found = numbers.map((number) => book.rules.get(number)).filter(Boolean);
    return found.length ? found.map(({ number, text }) => `${number}: ${text}`) : [sayer(api.language, TEXTS)("no_rule")];
  },
};
