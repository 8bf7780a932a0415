import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { page, tableOf } from "./stubs.mjs";
import { outline } from "../../service/dice_referee/web/static/table/outline.js";

const ROLL = { version: 3, player: 0, event: { type: "roll", dice: [1] } };

beforeEach(() => page());

/** Returns the outline of a roll of Yatzee for Ada. Each of `points` is that of a category that the dice satisfy. */
function after({ last = ROLL, player = 0, status = "running", who = 0, points = {}, may_roll = true, ...more } = {}) {
  const categories = Object.entries(points).map(([category, n]) =>
    ({ category, points: n, open: true, satisfied: n > 0 }));
  return outline(tableOf({
    game: "yatzee", kept: { status, version: 3 }, log: [last], mine: who === player, player, seats: { who },
    turn: { rolls_made: 1 }, judged: { may_roll, categories }, ...more,
  }))?.filter(Boolean) ?? null;
}

test("watchers hear the next player only if the turn has passed", () => {
  assert.deepEqual([after({ who: null }), after({ who: null, player: 1 })], [[], ["whose turn"]]);
});

test("entries that are no roll here are described by the service", () => {
  const undone = { ...ROLL, event: { type: "undone", version: 2 } };
  const described = [
    { last: { ...ROLL, version: 2 } }, { status: "over" }, { last: undone }, { player: 1 }, { game: "tutto" },
    { last: undefined, log: [] },
  ];
  assert.deepEqual(described.map(after), described.map(() => null));
});

test("a roll is followed by three choices, their rest, and crossing out", () => {
  const points = { ones: 2, chance: 19, fives: 5, royal: 30, yatzee: 4 };
  assert.deepEqual(after({ points, may_roll: false }), [
    "Roll 1 of 3", "Score 30 in royal", "Score 19 in chance", "Score 5 in fives", "And 2 more",
    "Cross out a category instead",
  ]);
  assert.deepEqual(after({ points: { ones: 2 } }), ["Roll 1 of 3", "Score 2 in ones"]);
  const none = { royal: 0 };
  assert.deepEqual(after({ points: none }), ["Roll 1 of 3", "Hold dice and roll again, or cross out a category."]);
  assert.deepEqual(after({ points: none, may_roll: false }), ["Roll 1 of 3", "Cross out a category."]);
  assert.equal(after({ points, language: "fr" }).at(-1).replaceAll("\u00a0", " "), "Autres choix : 2");
});
