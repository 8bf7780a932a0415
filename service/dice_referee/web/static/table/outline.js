// The sentences after an event that replace the service's description of the position.

import { writable, writeWords } from "../games/yatzee.js";

/** Rolls of a turn of Yatzee, and choices that are announced after a roll. */
const [ROLLS, MOST_SAID] = [3, 3];

/** Returns the number of a roll of Yatzee and its choices. */
function yatzee(table) {
  const { judged: { may_roll: rolls }, say, turn } = table;
  const scores = writable(table);
  const unsaid = scores.length - MOST_SAID;
  return [
    say("roll_of", { n: turn.rolls_made, rolls: ROLLS }),
    ...scores.slice(0, MOST_SAID).map((score) => writeWords(table, score)),
    unsaid > 0 ? say("and_more", { n: unsaid }) : null,
    rolls ? (scores.length ? null : say("roll_or_strike")) : say(scores.length ? "strike_instead" : "strike_now"),
  ];
}

/**
 * Returns the sentences, or null for the service's description. Watchers hear what rivals hear, and players of Yatzee
 * hear the dice of a roll once.
 */
export function outline(table) {
  const { game, kept: { status, version }, log: [last], mine, player, seats: { who } } = table;
  if (status !== "running" || last?.version !== version) return null;
  if (who === null) return last.player === player ? [] : [table.whose()];
  return game === "yatzee" && mine && last.event.type === "roll" ? yatzee(table) : null;
}
