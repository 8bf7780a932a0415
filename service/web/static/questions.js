// What can be asked about a live table, answered in the service's own sentences: a list of lines each.

/** What the service says of the session to who plays here; as `Session.hear`. */
export function hear({ seats: { who }, session }, part = "", query = {}) {
  const seat = Number.isInteger(who) ? { seat: who } : {};
  return session.hear(`${part}?${new URLSearchParams({ ...query, ...seat })}`);
}

const linesOf = async (table, ...question) => {
  const { lines } = await hear(table, ...question);
  return lines.length ? lines : [table.say("away")];
};

export const QUESTIONS = {
  /** How it stands, and what can be done. */
  what: (table) => linesOf(table, "/events", { after: table.kept.version }),
  /** What everybody has: the first line of what is said of a session, and their chances if they are shown. */
  score: async (table) => [...(await linesOf(table)).slice(0, 1), ...(table.meter?.words() ?? [])],
  /** What happened last, and how it stands. */
  last: (table) => linesOf(table, "/events", { after: Math.max(0, table.kept.version - 1) }),
  odds: (table) => linesOf(table, "/odds", table.odds?.asking(table)),
};
