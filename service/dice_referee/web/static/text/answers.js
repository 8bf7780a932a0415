// Answers to questions about a live table, in the service's own sentences, and to input that is typed too early.

import { ranked } from "../games/keeps.js";

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

// Early input ---------------------------------------------------------------------------------------

/** Choices that are named. */
const MOST = 3;

/** The lines that say what comes before an event of this type; null where the service is to judge it. */
export function early(table, { type }) {
  const { kept: { status, player, legal_events: legal }, seats } = table;
  // The referee itself explains why a card forbids banking.
  if (status !== "running" || !seats.actsFor(player) || legal.includes(type) || (type === "bank" && table.judged)) return null;
  return [due(table, legal)];
}

/** The next event in this position. */
function due(table, legal) {
  const { say, turn, judged } = table;
  if (legal.includes("keep")) {
    const dice = ranked(table).keeps.slice(0, MOST).map((keep) => keep.dice.join(" ")).sort((one, other) => one.length - other.length);
    const last = dice.pop();
    return say("keep_first", { dice: dice.length ? say("one_of", { some: dice.join(", "), last }) : last });
  }
  if (legal.includes("draw")) return say("draw_first");
  if (legal.includes("accept")) return say("accept_now");
  if (legal.includes("write") || legal.includes("strike")) return say(judged?.categories.some(({ open, satisfied }) => open && satisfied) ? "write_now" : "strike_now");
  if (legal.includes("roll")) return `${say(turn.dice_to_roll === 1 ? "throw_die" : "throw_dice", { n: turn.dice_to_roll })}.`;
  return `${say("roll_again")}.`;
}
