// Answers questions about a live table in the service's sentences, and input that is typed too early.

import { ranking } from "../games/keeps.js";

/** Requests the service's sentences about a session for the reader's seat, as `Session.hear` does. */
export function hear({ seats: { who }, session }, part = "", query = {}) {
  const seat = Number.isInteger(who) ? { seat: who } : {};
  return session.hear(`${part}?${new URLSearchParams({ ...query, ...seat })}`);
}

const linesOf = async (table, ...question) => {
  const { lines } = await hear(table, ...question);
  return lines.length ? lines : [table.say("away")];
};

export const QUESTIONS = {
  /** Returns the state of the game, and the choices. */
  what: (table) => linesOf(table, "/events", { after: table.kept.version }),
  /** Returns the points of all players, from the first line about a session, and their chances if shown. */
  score: async (table) => [...(await linesOf(table)).slice(0, 1), ...(table.meter?.words() ?? [])],
  /** Returns the last event, and the state afterwards. */
  last: (table) => linesOf(table, "/events", { after: Math.max(0, table.kept.version - 1) }),
  /** Returns the game line. */
  line: async (table) => {
    const { ok, document } = await table.session.read("/game");
    return [ok ? document.line : table.say("away")];
  },
  odds: (table) => linesOf(table, "/odds", table.odds?.aimFields(table)),
};

// Early input ---------------------------------------------------------------------------------------

/** Keeps in an explanation. */
const MOST = 3;

/**
 * Returns the lines that explain which event precedes an event of this type, or null if the service has to judge the
 * event.
 */
export function early(table, { type }) {
  const { kept: { status, player, legal_events: legal }, seats } = table;
  // The referee itself explains why a card forbids banking.
  if (status !== "running" || !seats.actsFor(player) || legal.includes(type) || (type === "bank" && table.judged))
    return null;
  return [explanation(table, legal)];
}

/** Names the next event. */
function explanation(table, legal) {
  const { say, turn, judged } = table;
  if (legal.includes("keep")) {
    const dice = ranking(table).keeps.slice(0, MOST).map((keep) => keep.dice.join(" "))
      .sort((a, b) => a.length - b.length);
    const last = dice.pop();
    return say("keep_first", { dice: dice.length ? say("one_of", { some: dice.join(", "), last }) : last });
  }
  if (legal.includes("draw")) return say("draw_first");
  if (legal.includes("accept")) return say("accept_now");
  if (legal.includes("write") || legal.includes("strike"))
    return say(judged?.categories.some(({ open, satisfied }) => open && satisfied) ? "write_now" : "strike_now");
  const number = turn.dice_to_roll;
  return `${number ? say(number === 1 ? "roll_die" : "roll_dice", { n: number }) : say("roll_again")}.`;
}
