import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { page, tableOf } from "./stubs.mjs";
import { about, called, nameOf, shown, straight } from "../../service/dice_referee/web/static/shared/words.js";
import { twin } from "../../service/dice_referee/web/static/table/wishes.js";

beforeEach(() => page());

test("names are isolated from the direction of the text", () => {
  assert.equal(straight("Ada\u202e\u2066Ben"), "AdaBen");
  assert.deepEqual(["עדה", "\u2068עדה\u2069"].map(shown), ["\u2068עדה\u2069", "\u2068עדה\u2069"]);
});

test("players without a name have null", () => {
  assert.deepEqual([nameOf(["Ada"], 0), nameOf(["Ada"], 1), nameOf(null, 0)], ["Ada", null, null]);
});

test("the reader is addressed, others are named", () => {
  const table = tableOf({ own: (player) => player === 0 });
  assert.deepEqual([0, 1].map((player) => called(table, player)), ["You", "Ben"]);
  assert.deepEqual([0, 1].map((player) => about(table, "banks", player)), ["You bank", "Ben banks"]);
});

test("names are equal regardless of spaces and composition", () => {
  for (const [names, place] of [
    [["Ada", " Ada"], 1], [["Zoë", "Ben", "Zoe\u0308"], 2], [["A  b", "A b"], 1], [["Ada\u202e", "Ada"], 1],
    [["Ada", "ada"], -1], [["Ada", "Ben"], -1],
  ])
    assert.equal(twin(names), place, names.join());
});
