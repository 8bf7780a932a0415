// Parses typed commands: a line of text is an event of the game, or a question.

import { eventOf } from "../shared/linewords.js";
import { sayer } from "../shared/words.js";

const CHANCE = ["draw", "roll"];
const DICE = /^[\dpot\s,]*$/i;
const BARE = /^\d[\d\s,]*$/;

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
  const [, typed, rest] = line.trim().match(/^(\?|\p{L}*)[\s:,]*(.*)/su);
  const word = normalize(typed) || typed;
  const command = word
    && commandsOf(table.game, table.language).find(({ words }) =>
      words.some((name) => (normalize(name) || name) === word));
  // Dice without a command are to be set aside.
  if (!typed && BARE.test(rest) && table.legal_events.includes("keep")) return EVENTS.keep(rest, table);
  const event = command && !rest ? null : inLine(line.trim(), table);
  if (event) return { event };
  if (!command) return { unknown: line.trim() };
  return EVENTS[command.name]?.(rest, table) ?? { ask: command.name, about: rest };
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

  /** Accepts a reward for players, given by name or number, or without players the only reward. */
  accept(rest, { players, choices }) {
    const names = rest.split(rest.includes(",") ? "," : /\s+/).filter(Boolean);
    const pieces = players.map((title, at) => ({ id: String(at + 1), title }));
    const ids = names.map((name) => idOf(name, pieces));
    if (ids.includes(null)) return { needs: "which_player", pieces };
    const chosen = names.length || choices.length !== 1 ? ids.map((id) => Number(id) - 1) : choices[0].players;
    return { event: { type: "accept", ...(chosen.length ? { players: chosen } : {}) } };
  },
};

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
