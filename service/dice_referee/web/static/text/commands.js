// Parses typed commands: a line of text is an event of the game, or a question.

import { eventOf } from "../shared/linewords.js";
import { TEXTS, nameOf, sayer } from "../shared/words.js";

const CHANCE = ["draw", "roll"];
const DICE = /^[\dpot\s,]*$/i;
const BARE = /^\d[\d\s,]*$/;
/** Elided words before an apostrophe, such as “s’” in “s’arrêter”. */
const ELIDED = /(?<!\p{L})\p{L}{1,2}['’](?=\p{L}{2})/gu;
/** Rules, points and other remarks of a sentence. */
const REMARK = /\([^)]*\)?/gu;
/** The rules of a sentence. Names may have other parentheses. */
const RULES = /\([A-Z]\d[^()]*\)/gu;
/** What follows from a choice: its points or its price; then also the next roll. */
const PRICE = /[:;.]|,\s*(?=\p{L})/u;
const NEXT = /\s(?:and|und|et|e)\s/iu;
const AND = ["and", "und", "et", "e"];
const NUMBER = /^\d+$/;
/** Commands whose phrases the service speaks. */
const SPOKEN = ["roll", "keep", "write", "strike", "bank"];

/** Commands in the order of the help. */
const COMMANDS = [
  "roll", "keep", "write", "strike", "accept", "bank", "what", "score", "last", "rules", "odds", "line", "undo",
  "check", "again", "table", "help",
];
/** Commands of single games. */
const MOVES = { tutto: ["keep", "bank"], yatzee: ["keep", "write", "strike"], pot: ["keep", "accept"] };
const SOME = Object.values(MOVES).flat();

/** Returns the commands of a game, each with its words in a language, and the English words after them. */
export const commandsOf = (game, language) =>
  COMMANDS.filter((name) => MOVES[game].includes(name) || !SOME.includes(name))
    .map((name) => ({ name, words: sayer(language)(`command_${name}`).split(/\s/u) }));

/** Removes everything except letters and digits, and normalizes accents and case. */
const normalize = (text) => text.normalize("NFD").replace(/[^\p{L}\d]/gu, "").toLowerCase().replaceAll("ß", "ss");

/** Returns the normalized words of a text. */
const wordsOf = (text) => text.normalize("NFC").split(/[^\p{L}\d]+/u).map(normalize).filter(Boolean);

/**
 * Returns the id of the piece with a name, or of the only piece whose name begins or ends with the text, or else null.
 */
function idOf(text, pieces) {
  const key = normalize(text);
  if (!key) return null;
  const names = pieces.flatMap(({ id, title }) => [{ id, name: normalize(id) }, { id, name: normalize(title) }]);
  const exact = names.find(({ name }) => name === key);
  const ids = new Set(names.filter(({ name }) => name.startsWith(key) || name.endsWith(key)).map(({ id }) => id));
  return exact?.id ?? (ids.size === 1 ? [...ids][0] : null);
}

/** Returns the dice of a text, such as `1 5`, `15` or `P 3 4`, or null without dice, or with other words. */
function diceOf(text) {
  const faces = DICE.test(text) ? text.toUpperCase().match(/[\dPOT]/g) : null;
  return faces?.map((face) => (/\d/.test(face) ? Number(face) : face)) ?? null;
}

/**
 * Parses a line. `table` is `{ game, language, legal_events, dice, deck, categories, players, choices }`, with fields
 * of the session and the catalogue. Returns `{ event }`; `{ ask, about }` for a question; `{ needs, pieces }` for a
 * command without its dice or name; or `{ unknown }`.
 */
export function parse(line, table) {
  const text = line.trim().replace(ELIDED, "");
  const [, typed, rest] = text.match(/^(\?|\p{L}*)[\s:,]*(.*)/su);
  const word = normalize(typed) || typed;
  const command = word
    && commandsOf(table.game, table.language).find(({ words }) =>
      words.some((name) => (normalize(name) || name) === word));
  // Dice without a command are to be set aside.
  if (!typed && BARE.test(rest) && table.legal_events.includes("keep")) return EVENTS.keep(rest, table);
  const event = command && !rest ? null : inLine(text, table);
  if (event) return { event };
  const read = command ? EVENTS[command.name]?.(rest, table) ?? { ask: command.name, about: rest } : null;
  const clear = read && (!rest || (!read.ask && DICE.test(rest)));
  return (clear ? read : inSentence(text, table) ?? read) ?? { unknown: line.trim() };
}

/**
 * Parses a choice in the service's words, up to its price or in full: `5 5 liegen lassen`, `Score 32 in Two Pairs`.
 * The pieces may be at any place, and words may be missing. Prefers events, then the phrase with the most words.
 */
function inSentence(text, table) {
  const [head] = text.replace(REMARK, " ").split(PRICE);
  const parts = [head, head.split(NEXT)[0]].map(wordsOf);
  const phrases = SPOKEN.flatMap((name) => said(name, table).map((phrase) => [name, phrase]));
  const found = parts.flatMap((words) => phrases.map(([name, phrase]) => matched(name, phrase, words, table)));
  const [best] = found.filter(Boolean)
    .sort((a, b) => Boolean(b.read.event) - Boolean(a.read.event) || b.length - a.length);
  return best?.read ?? null;
}

/** Returns the service's phrases for a command, with `#` at the place of its pieces. */
function said(name, { game, language }) {
  const key = `said_${game}_${name}`;
  return key in TEXTS[language] ? TEXTS[language][key].split("|") : [];
}

/** Returns the result of words that are a phrase of a command, and the number of their words, or null. */
function matched(name, phrase, words, table) {
  const all = wordsOf(phrase.replace(ELIDED, ""));
  const [used, rest] = [true, false].map((wanted) => words.filter((word) => all.includes(word) === wanted));
  const found = (read) => ({ read, length: used.length });
  if (!phrase.includes("#")) {
    const whole = rest.every((word) => NUMBER.test(word)) && used.length * 2 >= all.length;
    return whole ? found(EVENTS[name]("", table)) : null;
  }
  if (!used.some((word) => word.length > 3)) return null;
  const read = EVENTS[name](rest.join(" "), table);
  // The points of a category are before its name.
  const [points, ...title] = rest;
  return found(read.needs === "which_category" && NUMBER.test(points) ? EVENTS[name](title.join(" "), table) : read);
}

/**
 * Returns the event of a line in the notation of a game line, or null. Dice and cards are valid only if people roll.
 */
function inLine(text, table) {
  const event = eventOf(text, table);
  return event && (table.dice === "client" || !CHANCE.includes(event.type)) ? event : null;
}

const EVENTS = {
  roll(rest, { legal_events: legal, dice, deck }) {
    const type = legal.find((event) => CHANCE.includes(event)) ?? "roll";
    if (dice === "service") return { event: { type } };
    if (type === "draw") return pieceEvent(rest, deck, "which_card", (card) => ({ type, card }));
    return diceEvent(rest, (faces) => ({ type, dice: faces }));
  },

  /**
   * Sets dice aside in Tutto. In other games holds dice and rolls the rest: `hold 2 2`, with people's dice
   * `hold 2 2 roll 1 3 4 6`.
   */
  keep(rest, table) {
    if (table.game === "tutto") return diceEvent(rest, (dice) => ({ type: "keep", dice }));
    const [heldText, rollText] = rest.split(/\s(?=\p{L}{2,})/u);
    return diceEvent(heldText, (held) => {
      if (table.dice === "service") return { type: "roll", held };
      const { event } = rollText ? parse(rollText, table) : {};
      return event?.type === "roll" ? { ...event, held } : null;
    });
  },

  write: (rest, { categories }) =>
    pieceEvent(rest, categories, "which_category", (category) => ({ type: "write", category })),
  strike: (rest, { categories }) =>
    pieceEvent(rest, categories, "which_category", (category) => ({ type: "strike", category })),
  bank: () => ({ event: { type: "bank" } }),

  /** Accepts a reward for players, given by name, by number or in the service's words. */
  accept(rest, table) {
    const { players, choices } = table;
    const pieces = players.map((_, at) => ({ id: String(at + 1), title: nameOf(players, at) ?? numbered(table, at) }));
    const { ids, spoken } = playersIn(rest, pieces, table);
    if (ids.includes(null)) return { needs: "which_player", pieces };
    if (ids.length) return { event: { type: "accept", players: [...new Set(ids)].map((id) => Number(id) - 1) } };
    // A reward in words that names nobody is the bank's. Without words the rewards must be equal.
    const rewards = new Set(choices.map(({ effects }) => JSON.stringify(effects)));
    const choice = spoken ? choices.find((each) => !each.players.length) : choices[0];
    if (rewards.size > 1 && !(spoken && choice)) return { needs: "which_player", pieces };
    return { event: { type: "accept", ...(choice?.players.length ? { players: choice.players } : {}) } };
  },
};

const numbered = ({ language }, at) => sayer(language)("player", { n: at + 1 });

/**
 * Returns the ids of the players in a reward, with null for an unknown name, and tells if the service speaks its words.
 * In its words other numbers count coins.
 */
function playersIn(text, pieces, table) {
  const phrases = said("accept", table).map((phrase) => wordsOf(phrase.replace(ELIDED, "")));
  const words = new Set(phrases.flat());
  const players = pieces.flatMap(({ id, title }, at) =>
    [title, numbered(table, at)].map((name) => [wordsOf(name), id]));
  // “from the bank” comes before a player of the name “Bank”.
  const banks = phrases.filter((phrase) => phrase.length > 1 && !phrase.some((word) => NUMBER.test(word)))
    .map((phrase) => [phrase, ""]);
  const names = [...players, ...banks].sort(([a], [b]) => b.join().length - a.join().length);
  const mark = (line, [name, id]) => line.replaceAll(` ${name.join(" ")} `, ` =${id} `);
  const parts = text.replace(RULES, " ").split(",")
    .map((part) => names.reduce(mark, ` ${wordsOf(part).join(" ")} `))
    .map((part) => part.split(" ").filter((word) => word && !AND.includes(word)));
  const spoken = parts.flat().some((word) => word === "=" || (words.has(word) && !NUMBER.test(word)));
  const isPart = (word) => word === "=" || (spoken && (words.has(word) || NUMBER.test(word)));
  const idIn = (word) => (word.startsWith("=") ? word.slice(1) : idOf(word, pieces));
  const ids = parts.map((part) => part.filter((word) => !isPart(word))).flatMap((part) => {
    const whole = idOf(part.join(" "), pieces);
    return whole && !part.some((word) => word.startsWith("=")) ? [whole] : part.map(idIn);
  });
  return { ids, spoken };
}

/** Returns the event of a named piece, or the pieces to choose from. */
function pieceEvent(text, pieces, needs, event) {
  const id = idOf(text, pieces);
  return id === null ? { needs, pieces } : { event: event(id) };
}

/** Returns the event of dice, or a request for dice. */
function diceEvent(text, create) {
  const dice = diceOf(text);
  if (dice?.some((face) => face === 0 || face > 6)) return { needs: "dice_show", pieces: [] };
  const event = dice && create(dice);
  return event ? { event } : { needs: "which_dice", pieces: [] };
}
