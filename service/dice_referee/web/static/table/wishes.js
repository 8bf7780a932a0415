// The players of a table before it is opened, and the changes when a player is added or removed. By place, `players`
// holds names, and `bots` holds the levels of bots and "" for a person. `here` is the place that is played on this
// device, as text, or a value of `EVERY`. `starter` is the place that begins. Equal names are refused, because nobody
// could distinguish the players.

import { EVERYBODY } from "../shared/seats.js";
import { plain } from "../shared/words.js";

/** Values of `here` besides a place: everybody, or nobody. */
const EVERY = [EVERYBODY, ""];

/** Returns the first place without a bot, or "" if bots take all places. */
const somebody = (bots) => (bots.includes("") ? String(bots.indexOf("")) : "");

/** Returns the changes after the removal of a place. All other choices remain. */
export function leftOut({ players, bots, here, starter }, place) {
  const without = (all) => all.filter((_, each) => each !== place);
  const moved = (seat) => Number(seat) - (Number(seat) > place ? 1 : 0);
  const rest = { players: without(players), bots: without(bots), starter: starter === place ? 0 : moved(starter) };
  if (EVERY.includes(here)) return { ...rest, here };
  return { ...rest, here: here === String(place) ? somebody(rest.bots) : String(moved(here)) };
}

/** Returns the changes after a place is given to a person or to a bot. */
export function given({ bots: before, here }, place, level) {
  const bots = before.with(place, level);
  const free = here === String(place) || (here === "" && !before.includes(""));
  return { bots, here: free ? somebody(bots) : here };
}

/** Limits the wish to the maximum number of players. The other players wait for another game. */
export function seatedOf({ here, starter, ...wish }, { maximum }) {
  const [players, bots] = [wish.players.slice(0, maximum), wish.bots.slice(0, maximum)];
  const absent = !EVERY.includes(here) && Number(here) >= players.length;
  return { players, bots, here: absent ? somebody(bots) : here, starter: starter < players.length ? starter : 0 };
}

/** Returns the player here: a number, everybody, or null for nobody. */
export const whoOf = ({ here }) => (EVERY.includes(here) ? here || null : Number(here));

/** Returns the place of the first name that equals an earlier name, or -1. */
export const twin = (names) => names.map(plain).findIndex((name, place, all) => all.indexOf(name) < place);
