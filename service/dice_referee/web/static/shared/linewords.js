// A game in a line as events, which can be typed at a table, or opened by an address.

import { option } from "./address.js";

const QUOTED = /"(?:[^"\\]|\\.)*"?/gsu;
const BLANKS = /[_\s\u00A0\u202F\uFEFF]+/gu;
/** Words of a line. After a verb, blanks may replace hyphens. */
const TOKENS = /keep +[1-6]+(?![^ ,])|strike +[a-z-]+(?![^ ,])|accept(?: +[1-5](?![^ ,]))+|[^ ,]+/giu;
const TUTTO = /^(?:-|(keep-)?([1-6]{0,6}))$/;
const ROLLS = { yatzee: /^(?:([1-6]{0,6})-)?([1-6]{0,6})$/, pot: /^(?:([1-5POT]{0,3})-)?([1-5POT]{0,3})$/ };
const ACCEPT = /^accept(?:-[1-5]){0,5}$/;

const faces = (run = "") => [...run].map((face) => (/\d/.test(face) ? Number(face) : face));
const has = (pieces, word) => pieces.some(({ id }) => id === word);

/** Returns the event of a word, with its dice or its card, or null if the game has no such word. */
export function eventOf(text, { game, deck, categories }) {
  if (!/^[\dA-Za-z-]+$/.test(text)) return null;
  const word = text.toLowerCase();
  if (game === "tutto") return tuttoEvent(word, deck);
  if (game === "yatzee" && has(categories, word)) return { type: "write", category: word };
  const struck = word.replace(/^strike-/, "");
  if (struck !== word && has(categories, struck)) return { type: "strike", category: struck };
  if (game === "pot" && ACCEPT.test(word)) {
    const players = word.split("-").slice(1).map((number) => Number(number) - 1);
    return { type: "accept", ...(players.length ? { players } : {}) };
  }
  const rolled = text.toUpperCase().match(ROLLS[game]);
  return rolled && { type: "roll", ...(rolled[1] ? { held: faces(rolled[1]) } : {}), dice: faces(rolled[2]) };
}

function tuttoEvent(word, deck) {
  if (word === "bank") return { type: "bank" };
  if (has(deck, word)) return { type: "draw", card: word };
  const rolled = word.match(TUTTO);
  return rolled && { type: rolled[1] ? "keep" : "roll", dice: faces(rolled[2]) };
}

/** Returns the state of a line, in the form of `address.js`. The service has accepted the line before. */
export function stateOf(line, catalogue) {
  const names = [];
  const masked = line.replace(QUOTED, (text) => `"${names.push(JSON.parse(text)) - 1}"`).replace(BLANKS, " ");
  const [words, people, rules = ""] = masked.split(":").reverse();
  const state = { game: catalogue.game, options: {}, position: {} };
  for (const setting of rules.trim().split(" ").slice(1)) {
    const [name, value] = setting.toLowerCase().split("=");
    if (value === undefined) state.ruleset = name;
    else if (name === "starter") state.starter = Number(value) - 1;
    else if (name !== "aim") state.options[name.replaceAll("-", "_")] = option.read(value);
  }
  state.players = people.split(",").map((name) => name.trim())
    .map((name) => (name.startsWith('"') ? names[Number(name.slice(1, -1))] : name));
  const tokens = words.replace(/(?<![ .,;])[ .,;]+$/u, "").match(TOKENS) ?? [];
  state.log = tokens.map((token) => eventOf(token.replaceAll(/ +/gu, "-"), catalogue));
  return state;
}
