// Names as they are shown. People write them from left to right, from right to left, and with characters
// that turn what comes after them around; whatever a name is, the words beside it stay in their order.

const TURNING = /[\u202a-\u202e\u2066-\u2069]/gu;
/** Blanks and characters without ink, but for those that join several into one sign. */
const UNPRINTABLE = /(?:(?![\u200c\u200d])[\p{C}\p{Z}])+/gu;
const VISIBLE = /(?![\u115f\u1160\u2800\u3164\uffa0])[\p{L}\p{N}\p{P}\p{S}]/u;
const RIGHT_TO_LEFT = /(?=\p{L})[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** A text without characters that turn what comes after them around. */
export const straight = (text) => text.replace(TURNING, "");

/** A name as it looks: composed, in a line. */
export const plain = (name) => name.replace(UNPRINTABLE, " ").trim().normalize();

/** A name to stand anywhere, in a sentence or alone: one that is read from right to left stands apart there. */
export function shown(name) {
  const line = plain(name);
  return RIGHT_TO_LEFT.test(line) ? `\u2068${line}\u2069` : line;
}

/** The title of a game without its other name: `Tutto (Volle Lotte)`. */
export const short = (title) => title.replace(/ \(.*\)$/u, "");

/** The name of one of these players, null if it has none that can be seen; with the seat where two look alike. */
export function nameOf(players, player) {
  const name = players?.[player];
  if (!VISIBLE.test(name ?? "")) return null;
  const alike = players.filter((other) => plain(other) === plain(name)).length > 1;
  return alike ? `${shown(name)} (${player + 1})` : shown(name);
}

/** A player as a word that stands alone: the name, or "You" for who plays here. */
export const called = (table, player) => (table.own?.(player) ? table.say("you_there") : table.name(player));

/** A sentence about a player, or to the player who plays here. */
export const about = (table, key, player, values = {}) =>
  table.own?.(player) ? table.say(`${key}_you`, values) : table.say(key, { name: table.name(player), ...values });
