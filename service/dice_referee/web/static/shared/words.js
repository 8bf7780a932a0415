// The words of a page in its reader's language: its own texts, numbers and names. The words of
// a game (cards, categories, rules, findings) are the API's.

/** Texts of the pages by language and key, which the service fills in from `words.toml`. */
export const TEXTS = {};

/** Names of languages, links of the head, and parents of pages, which the service fills in from `site.toml`. */
export const SITE = {};

/** Returns the first known language of these tags, else English. */
export const spoken = (tags) =>
  tags.map((tag) => tag?.slice(0, 2).toLowerCase()).find((tag) => tag in SITE.languages) ?? "en";

/** Words that change before a placeholder's value. A null character marks the value, as in the service's sentences. */
const SEAMS = {
  fr: [
    [/(?<!\p{L})(d|qu)e \0(?=[aeiouàáâãäåæèéêëìíîïòóôõöøùúûüœ])/giu, "$1’"],
    [/\0Joueur(?= \d+(?:[^,\d]|$))/gu, "\0le joueur"],
    [/^\0le joueur/u, "Le joueur"],
    [/(?<!\p{L})À \0le joueur/gu, "Au joueur"],
    [/(?<!\p{L})à \0le joueur/gu, "au joueur"],
    [/(?<!\p{L})de \0le joueur/gu, "du joueur"],
  ],
  it: [
    [/(?<!\p{L})(a) \0(?=[aàáâãäå])/giu, "$1d "],
    [/\0Giocatore(?= \d+(?:[^,\d]|$))/gu, "\0il giocatore"],
    [/^\0il giocatore/u, "Il giocatore"],
    [/(?<!\p{L})(a|da) \0il giocatore/gu, "$1l giocatore"],
    [/(?<!\p{L})di \0il giocatore/gu, "del giocatore"],
  ],
};

const join = (tag, text) =>
  (SEAMS[tag] ?? []).reduce((sentence, [seam, word]) => sentence.replace(seam, word), text).replaceAll("\0", "");

/** Returns the page's texts in a language: `say("roll", { n: 5 })`. */
export const sayer = (tag) => (key, values = {}) =>
  join(tag, (TEXTS[tag]?.[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => `\0${values[name] ?? ""}`));

/** Formats a number in a language, by default with at most one decimal. Thousands are separated from five digits on. */
export const written = (language, value, how = {}) =>
  new Intl.NumberFormat(language, { useGrouping: "min2", signDisplay: "negative", maximumFractionDigits: 1, ...how })
    .format(value).replace("-", "−");

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

/** Returns a sentence about a player, or to the player here. */
export const about = (table, key, player, values = {}) =>
  table.own(player) ? table.say(`${key}_you`, values) : table.say(key, { name: table.name(player), ...values });
