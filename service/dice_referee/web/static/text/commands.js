// The typed commands: a line of text becomes an event of the game, or a question.

import { eventOf } from "../shared/linewords.js";
import { sayer } from "../shared/words.js";

const CHANCE = ["draw", "roll", "throw"];
const DICE = /^[\dpot\s,]*$/i;
const BARE = /^\d[\d\s,]*$/;

/** The commands, in the order of the help. */
const COMMANDS = ["roll", "keep", "write", "strike", "accept", "bank", "what", "score", "last", "rules", "odds", "line", "undo", "check", "again", "table", "help"];
/** Commands that not every game has. */
const MOVES = { tutto: ["keep", "bank"], yatzee: ["keep", "write", "strike"], pot: ["keep", "accept"] };
const SOME = Object.values(MOVES).flat();

/** The commands of a game, each with what may be typed for it in this language, the first to be shown; English holds in all. */
export const commandsOf = (game, language) =>
  COMMANDS.filter((name) => MOVES[game].includes(name) || !SOME.includes(name))
    .map((name) => ({ name, words: sayer(language)(`command_${name}`).split(/\s/u) }));

/** Letters and digits alone: without accents, case and spaces. */
const plain = (text) => text.normalize("NFD").replace(/[^\p{L}\d]/gu, "").toLowerCase().replaceAll("ß", "ss");

/** Returns the id of the piece with this name, or of the only piece whose name begins or ends with the text; else null. */
function idOf(text, pieces) {
  const typed = plain(text);
  if (!typed) return null;
  const names = pieces.flatMap(({ id, title }) => [{ id, name: plain(id) }, { id, name: plain(title) }]);
  const exact = names.find(({ name }) => name === typed);
  const ids = new Set(names.filter(({ name }) => name.startsWith(typed) || name.endsWith(typed)).map(({ id }) => id));
  return exact?.id ?? (ids.size === 1 ? [...ids][0] : null);
}

/** The dice in a text, `1 5`, `15` or `P 3 4`; null if there are none, or anything else. */
function diceOf(text) {
  const faces = DICE.test(text) ? text.toUpperCase().match(/[\dPOT]/g) : null;
  return faces?.map((face) => (/\d/.test(face) ? Number(face) : face)) ?? null;
}

/**
 * Reads a line. `table` says what it is typed at: `{ game, language, legal_events, dice, deck, categories,
 * players, choices }`, as a session and the catalogue have them. Gives `{ event }`, `{ ask, about }` for
 * a command that is no move, `{ needs, pieces }` for one that lacks dice or a name, or `{ unknown }`.
 */
export function parse(line, table) {
  const [, typed, rest] = line.trim().match(/^(\?|\p{L}*)[\s:,]*(.*)$/u);
  const word = plain(typed) || typed;
  const command = word && commandsOf(table.game, table.language).find(({ words }) => words.some((one) => (plain(one) || one) === word));
  // Dice alone can only be meant to be set aside.
  if (!typed && BARE.test(rest) && table.legal_events.includes("keep")) return EVENTS.keep(rest, table);
  const event = command && !rest ? null : inLine(line.trim(), table);
  if (event) return { event };
  if (!command) return { unknown: line.trim() };
  return EVENTS[command.name]?.(rest, table) ?? { ask: command.name, about: rest };
}

/** The event of a word of a line; of a word with dice or a card, only where people roll. */
function inLine(text, table) {
  const event = eventOf(text, table);
  return event && (table.dice === "client" || !CHANCE.includes(event.type)) ? event : null;
}

const EVENTS = {
  roll(rest, { game, legal_events: legal, dice, deck }) {
    const type = legal.find((one) => CHANCE.includes(one)) ?? (game === "tutto" ? "roll" : "throw");
    if (dice === "service") return { event: { type } };
    if (type === "draw") return named(rest, deck, "which_card", (card) => ({ type, card }));
    return withDice(rest, (thrown) => ({ type, dice: thrown }));
  },

  /** Tutto sets dice aside; the other games throw the rest again: `hold 2 2`, with people's dice `hold 2 2 roll 1 3 4 6`. */
  keep(rest, table) {
    if (table.game === "tutto") return withDice(rest, (dice) => ({ type: "keep", dice }));
    const [kept, again] = rest.split(/\s(?=\p{L}{2,})/u);
    return withDice(kept, (held) => {
      if (table.dice === "service") return { type: "throw", held };
      const { event } = again ? parse(again, table) : {};
      return event?.type === "throw" ? { ...event, held } : null;
    });
  },

  write: (rest, { categories }) => named(rest, categories, "which_category", (category) => ({ type: "write", category })),
  strike: (rest, { categories }) => named(rest, categories, "which_category", (category) => ({ type: "strike", category })),
  bank: () => ({ event: { type: "bank" } }),

  /** Players are named, or told by their number; where there is one choice it is taken. */
  accept(rest, { players, choices }) {
    const names = rest.split(rest.includes(",") ? "," : /\s+/).filter(Boolean);
    const pieces = players.map((title, at) => ({ id: String(at + 1), title }));
    const found = names.map((name) => idOf(name, pieces));
    if (found.includes(null)) return { needs: "which_player", pieces };
    const chosen = names.length || choices.length !== 1 ? found.map((id) => Number(id) - 1) : choices[0].players;
    return { event: { type: "accept", ...(chosen.length ? { players: chosen } : {}) } };
  },
};

/** The event of a name, or what may be named. */
function named(text, pieces, needs, event) {
  const id = idOf(text, pieces);
  return id === null ? { needs, pieces } : { event: event(id) };
}

/** The event of dice, or that they are needed. */
function withDice(text, made) {
  const dice = diceOf(text);
  if (dice?.some((face) => face === 0 || face > 6)) return { needs: "dice_show", pieces: [] };
  const event = dice && made(dice);
  return event ? { event } : { needs: "which_dice", pieces: [] };
}
