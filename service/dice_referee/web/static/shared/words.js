// The words of a page in its reader's language: its own texts, numbers and names. The words of
// a game (cards, categories, rules, findings) are the API's.

/** Texts of the pages by language and key, which the service fills in from `words.toml`. */
export const TEXTS = {};

/** Names of languages, links of the head, parents of pages and seams of words, which the service fills in. */
export const SITE = {};

/** Returns the first known language of these tags, else English. */
export const spoken = (tags) =>
  tags.map((tag) => tag?.slice(0, 2).toLowerCase()).find((tag) => tag in SITE.languages) ?? "en";

/** A player without a name in a sentence: pages call this player as in a list. */
const NUMBERED = {
  fr: [/\0Joueur(?= \d+(?:[^,\d]|$))/gu, "\0le joueur"],
  it: [/\0Giocatore(?= \d+(?:[^,\d]|$))/gu, "\0il giocatore"],
};

/** Pattern of a word before a value, and of the value if it can be a player without a name. \0 marks the value. */
const SEAM = /(?:^|(?<!\p{L})(\p{L}+) )\0(\p{L}+ \p{L}+(?= \d))?/gu;

/** Changes the words before the values of placeholders, as the service does. */
function join(tag, text) {
  const seams = SITE.seams?.[tag];
  return (seams ? text.replace(...NUMBERED[tag]).replace(SEAM, (match, word = "", player = "", at, whole) => {
    const both = seams.joined[`${word} ${player}`.trim()];
    if (both) return both;
    const short = seams.elided[word.toLowerCase()];
    const [first] = player || whole.slice(at + match.length);
    return short && seams.vowels.includes(first?.toLowerCase()) ? word[0] + short.slice(1) + player : match;
  }) : text).replaceAll("\0", "");
}

/** Returns the page's texts in a language: `say("roll", { n: 5 })`. */
export const sayer = (tag) => (key, values = {}) =>
  join(tag, (TEXTS[tag]?.[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => `\0${values[name] ?? ""}`));

/** Formats a number in a language, by default with at most one decimal. Thousands are separated from five digits on. */
export const written = (language, value, how = {}) =>
  new Intl.NumberFormat(language, { useGrouping: "min2", signDisplay: "negative", maximumFractionDigits: 1, ...how })
    .format(value).replace("-", "−");

/** Formats a duration in a language. */
export const duration = (language, minutes) =>
  written(language, minutes, { style: "unit", unit: "minute", unitDisplay: "long" });

// Names ---------------------------------------------------------------------------------------------
// People write from left to right, from right to left, and with characters that reverse the direction of the following
// text. A name never changes the order of the words beside it.

const TURNING = /[\u202a-\u202e\u2066-\u2069]/gu;
/** Blanks and characters without ink, except those that join several characters into one sign. */
const UNPRINTABLE = /(?:(?![\u200c\u200d])[\p{C}\p{Z}])+/gu;
const VISIBLE = /(?![\u115f\u1160\u2800\u3164\uffa0])[\p{L}\p{N}\p{P}\p{S}]/u;
const RIGHT_TO_LEFT = /(?=\p{L})[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Removes the characters that reverse the direction of the following text. */
export const straight = (text) => text.replace(TURNING, "");

/** Normalizes a name: composed characters, on one line. */
export const plain = (name) => name.replace(UNPRINTABLE, " ").trim().normalize();

/** Formats a name for any place in a sentence. Isolates a name that is written from right to left. */
export function shown(name) {
  const line = plain(name);
  return RIGHT_TO_LEFT.test(line) ? `\u2068${line}\u2069` : line;
}

/** Shortens the title of a game by its other name: `Tutto (Volle Lotte)`. */
export const short = (title) => title.replace(/ \([^(]*\)$/u, "");

/** Returns a player's name, or null without a visible name. Adds the seat to names that look alike. */
export function nameOf(players, player) {
  const name = players?.[player];
  if (!VISIBLE.test(name ?? "")) return null;
  const alike = players.filter((each) => plain(each) === plain(name)).length > 1;
  return alike ? `${shown(name)} (${player + 1})` : shown(name);
}

/** Names a player outside of sentences: the name, or "You" for the player here. */
export const called = (table, player) => (table.own(player) ? table.say("you_there") : table.name(player));

/** Returns a sentence about a player, to the player here, or about the host for null. */
export function about(table, key, player, values = {}) {
  if (player === null) return table.say(`${key}_host`, values);
  return table.own(player) ? table.say(`${key}_you`, values) : table.say(key, { name: table.name(player), ...values });
}

/** Capitalizes a text, and adds a full stop unless the text ends with punctuation. */
export const sentence = (text) => text[0].toUpperCase() + text.slice(1) + (/[.!?:…]$/.test(text) ? "" : ".");
