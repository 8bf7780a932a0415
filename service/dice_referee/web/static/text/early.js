// Answers input that is typed too early: the table explains which event is next.

import { ranked } from "../games/keeps.js";

/** Keeps in an explanation. */
const MOST = 3;

/** Returns the lines that explain which event precedes an event of this type; null if the service has to judge the event. */
export function early(table, { type }) {
  const { kept: { status, player, legal_events: legal }, seats } = table;
  // The referee itself explains why a card forbids banking.
  if (status !== "running" || !seats.actsFor(player) || legal.includes(type) || (type === "bank" && table.judged)) return null;
  return [due(table, legal)];
}

/** Names the next event. */
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
