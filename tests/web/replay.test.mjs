import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";

import { control, later, page, parts, tableOf, texts } from "./stubs.mjs";
import { Replay } from "../../service/dice_referee/web/static/table/replay.js";

const PLAYERS = ["Ada", "Bob", "Cleo"];
const BOTS = [1, 2].map((seat) => ({ seat, level: "best" }));
const BEFORE = 3;

/** Entries of a person's last event and of the turns of two bots, with points at the end of each turn. */
const MOVES = [
  [0, { type: "bank" }, 300],
  [1, { type: "draw", card: "bonus-300" }],
  [1, { type: "roll", dice: [1, 2, 2, 3, 4, 6] }],
  [1, { type: "keep", dice: [1] }],
  [1, { type: "roll", dice: [2, 2, 3, 4, 6] }, 0],
  [2, { type: "draw", card: "double" }],
  [2, { type: "roll", dice: [1, 1, 1, 5, 5, 5] }],
  [2, { type: "bank" }, 3000],
];
const ENTRIES = MOVES.map(([player, event, points], at) => ({
  version: BEFORE + 1 + at, player, by: player ? "bot" : "seat", event, effects: [], rules: [],
  outcome: points === undefined ? null : { reason: "turn", points },
}));
const AFTER = { version: BEFORE + MOVES.length, player: 0, bots: BOTS };

let frames;
let replay;
let table;

/** Returns the content of the felt during a replay: player, card, number of dice, mood. */
function felt() {
  const { felt: drawn } = replay.draw();
  const [said] = texts(drawn, ".verdict-word");
  const mood = ["good", "bad"].find((kind) => parts(drawn, `.verdict.${kind}`).length) ?? null;
  return [
    PLAYERS.findIndex((name) => said.startsWith(name)), texts(drawn, ".card-title")[0] ?? null,
    parts(drawn, ".slots svg").length, mood,
  ];
}

function createTable({ motion = true } = {}) {
  page({ motion });
  frames = [];
  table = tableOf({
    players: PLAYERS, kept: { version: BEFORE, player: 0, bots: BOTS },
    entries: new Map(ENTRIES.map((entry) => [entry.version, entry])), seats: { listener: 0 },
    lay: (kept) => (table.kept = kept),
    showMove: () => frames.push(felt()), show: () => {},
  });
  table.announcer = { lastVersion: BEFORE, foretell: async () => {} };
  replay = new Replay(table);
}

beforeEach(() => {
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  createTable();
});

afterEach(() => mock.timers.reset());

test("each move shows its dice beside the card of its turn", async () => {
  replay.take(AFTER);
  await later(20_000);
  const cards = [null, ...Array(4).fill("bonus-300"), ...Array(3).fill("double")];
  const moods = MOVES.map(([, , points]) => (points === undefined ? null : points ? "good" : "bad"));
  assert.deepEqual(frames, MOVES.map(([player, { dice = [] }], at) => [player, cards[at], dice.length, moods[at]]));
  assert.deepEqual([replay.busy, table.kept], [false, AFTER]);
});

test("skipped moves can be read again", async () => {
  replay.take(AFTER);
  await later(0);
  control(replay.draw().dock, "skip").click();
  await later(0);
  assert.deepEqual([frames.length, replay.busy, table.kept], [1, false, AFTER]);
  assert.equal(parts(replay.recent(), "li").length, MOVES.length);
});

test("reduced motion replaces the replay by text", async () => {
  createTable({ motion: false });
  replay.take(AFTER);
  await later(0);
  assert.deepEqual([frames, replay.busy, table.kept], [[], false, AFTER]);
  assert.equal(parts(replay.recent(), "li").length, MOVES.length);
});
