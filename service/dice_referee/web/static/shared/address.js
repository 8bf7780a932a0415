// The address of a page holds the position: `#tutto?card=bonus-300&roll=234566`, in the words of the API's GET form. A
// whole game consists of its players and its log.

const die = (text) => (/\d/.test(text) ? Number(text) : text);
const run = { write: (dice) => dice.join(""), read: (text) => [...text].map(die) };
const word = { write: String, read: String };
const number = { write: String, read: Number };
const numbers = { write: (list) => list.join(","), read: (text) => text.split(",").map(Number) };
const runs = { write: (list) => list.map(run.write).join(","), read: (text) => text.split(",").map(run.read) };
const named = {
  write: (map) => Object.entries(map).map((pair) => pair.join(":")).join(","),
  read: (text) =>
    Object.fromEntries(text.split(",").map((pair) => pair.split(":")).map(([name, value]) => [name, Number(value)])),
};
const names = {
  write: (list) => list.map(encodeURIComponent).join(","),
  read: (text) => text.split(",").map(decodeURIComponent),
};

/** Names in addresses that were saved before 0.11.0. */
const OLD_FIELDS = { dice: "roll", throw: "rolls_made", throws: "rolls_made" };
const OLD_EVENTS = { throw: "roll" };

const DETAILS = { card: word, held: run, dice: run, category: word, players: numbers };
const PARTS = {
  draw: ["card"], roll: ["dice"], keep: ["dice"], write: ["category"], strike: ["category"], accept: ["players"],
};

/** Fields of an event with this number of parts. Only a roll beside held dice has two. */
const partsOf = (type, count) => (type === "roll" && count === 2 ? ["held", "dice"] : PARTS[type] ?? []);

const event = {
  write: (move) =>
    [
      move.type,
      ...partsOf(move.type, move.held?.length ? 2 : 1).map(
        (part) => (move[part] ? DETAILS[part].write(move[part]) : ""))
    ].join(":"),
  read: (text) => {
    const [name, ...texts] = text.split(":");
    const type = OLD_EVENTS[name] ?? name;
    const move = { type };
    partsOf(type, texts.length).forEach((part, at) => {
      if (texts[at]) move[part] = DETAILS[part].read(texts[at]);
    });
    return move;
  },
};
const log = {
  write: (events) => events.map(event.write).join("."),
  read: (text) => (text ? text.split(".").map(event.read) : []),
};

const flag = { write: String, read: (text) => text === "true" };

const FIELDS = {
  card: word, keeps: runs, roll: run, rolls_made: number, carried: number, tuttos: number, pending_deductions: number,
  scores: numbers, player: number, last_round: flag, phase: word, dice_to_roll: number, turn_points: number,
  scorecard: named, held: run, coins: numbers, pot: number, bank: number, holder: number, to_beat: number,
  tied: numbers, sums: numbers,
};

/** Values of house rules. */
export const option = {
  write: (value) => (Array.isArray(value) ? value.join(",") : String(value)),
  read: (text) => {
    if (text === "true" || text === "false") return text === "true";
    if (text.includes(",")) return numbers.read(text);
    return /^-?\d+$/.test(text) ? Number(text) : text;
  },
};

/** Returns the fragment for a state: `{ game, ruleset, options, position, event, starter, players, log }`. */
export function written(state) {
  const parts = [];
  const add = (name, codec, value) => {
    if (value === null || value === undefined || value === "") return;
    const text = codec.write(value);
    if (text !== "" || codec === log) parts.push(`${name}=${codec === names ? text : encodeURI(text)}`);
  };
  add("ruleset", word, state.ruleset);
  for (const [name, value] of Object.entries(state.options ?? {})) add(name, option, value);
  for (const [name, codec] of Object.entries(FIELDS)) add(name, codec, state.position?.[name]);
  if (state.event) add("event", event, state.event);
  if (state.players) {
    add("starter", number, state.starter || null);
    add("players", names, state.players);
    add("log", log, state.log);
  }
  return `#${state.game}${parts.length ? `?${parts.join("&")}` : ""}`;
}

/**
 * Parses a fragment into a state, which has a `line` for a game in a line. Treats unknown fields as house rules. A
 * fragment that cannot be decoded is the start of the game.
 */
export function read(fragment) {
  const [game, query = ""] = fragment.replace(/^#/, "").split("?");
  try {
    return parse(game, query);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return { game, options: {}, position: {} };
  }
}

function parse(game, query) {
  const state = { game, options: {}, position: {} };
  for (const part of query.split("&").filter(Boolean)) {
    const at = part.indexOf("=");
    const [field, text] = [part.slice(0, at), part.slice(at + 1)];
    const name = OLD_FIELDS[field] ?? field;
    if (name === "players") state.players = names.read(text);
    else if (name === "line") state.line = decodeURI(text);
    else if (name === "starter") state.starter = number.read(text);
    else if (name === "log") state.log = log.read(decodeURI(text));
    else if (name === "event") state.event = event.read(decodeURI(text));
    else if (name === "ruleset") state.ruleset = decodeURI(text);
    else if (Object.hasOwn(FIELDS, name)) state.position[name] = FIELDS[name].read(decodeURI(text));
    else if (at > 0) state.options[name] = option.read(decodeURI(text));
  }
  return state;
}
