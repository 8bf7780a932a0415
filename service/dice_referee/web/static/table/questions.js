// The questions about a live table, answered in the service's own sentences: a list of lines each.

/** The service's sentences about the session, for the player here; as `Session.hear`. */
export function hear({ seats: { who }, session }, part = "", query = {}) {
  const seat = Number.isInteger(who) ? { seat: who } : {};
  return session.hear(`${part}?${new URLSearchParams({ ...query, ...seat })}`);
}

const linesOf = async (table, ...question) => {
  const { lines } = await hear(table, ...question);
  return lines.length ? lines : [table.say("away")];
};

export const QUESTIONS = {
  /** The state of the game, and the choices. */
  what: (table) => linesOf(table, "/events", { after: table.kept.version }),
  /** The points of all: the first line about a session, and their chances if they are shown. */
  score: async (table) => [...(await linesOf(table)).slice(0, 1), ...(table.meter?.words() ?? [])],
  /** The last event, and the state after it. */
  last: (table) => linesOf(table, "/events", { after: Math.max(0, table.kept.version - 1) }),
  /** The whole game in a line. */
  line: async (table) => {
    const { ok, document } = await table.session.read("/game");
    return [ok ? document.line : table.say("away")];
  },
  odds: (table) => linesOf(table, "/odds", table.odds?.asking(table)),
};
