import assert from "node:assert/strict";
import { test } from "node:test";

import { given, leftOut, seatedOf, whoOf } from "../../service/dice_referee/web/static/table/wishes.js";

const WISH = { players: ["Ada", "Ben", "Cleo", "Dan"], bots: ["", "", "", ""], here: "0", starter: 0 };
const wish = (fields) => ({ ...WISH, ...fields });

test("leaving out a player keeps the other choices", () => {
  const first = leftOut(wish({ here: "3", starter: 2 }), 1);
  assert.deepEqual(first, { players: ["Ada", "Cleo", "Dan"], bots: ["", "", ""], here: "2", starter: 1 });
  assert.deepEqual(leftOut(first, 1), { players: ["Ada", "Dan"], bots: ["", ""], here: "1", starter: 0 });
});

test("the first person plays here if the reader is left out", () => {
  assert.equal(leftOut(wish({ bots: ["bold", "", "", ""], here: "2" }), 2).here, "1");
  assert.equal(leftOut(wish({ bots: ["bold", "", "bold", "bold"], here: "1" }), 1).here, "");
});

for (const here of ["everybody", ""])
  test(`“${here}” stays whoever is left out`, () => assert.equal(leftOut(wish({ here }), 0).here, here));

test("a bot at another seat keeps the reader's seat", () => {
  assert.deepEqual(given(wish({ here: "1" }), 2, "bold"), { bots: ["", "", "bold", ""], here: "1" });
  assert.deepEqual(given(wish({ here: "1" }), 1, "bold"), { bots: ["", "bold", "", ""], here: "0" });
});

test("the first person to return plays here, unless nobody was chosen", () => {
  const bots = ["bold", "best", "bold", "best"];
  assert.equal(given(wish({ bots, here: "" }), 1, "").here, "1");
  assert.equal(given(wish({ here: "" }), 1, "bold").here, "");
});

test("players beyond the maximum wait for another game", () => {
  const all = wish({ here: "3", starter: 3 });
  assert.deepEqual(seatedOf(all, { maximum: 3 }),
    { players: ["Ada", "Ben", "Cleo"], bots: ["", "", ""], here: "0", starter: 0 });
  assert.deepEqual(seatedOf(all, { maximum: 4 }), all);
  assert.equal(seatedOf(wish({ here: "everybody" }), { maximum: 2 }).here, "everybody");
  assert.equal(seatedOf(wish({ here: "3", bots: ["bold", "", "", ""] }), { maximum: 2 }).here, "1");
});

test("the reader's seat is a number, everybody or nobody", () => {
  assert.deepEqual(["2", "everybody", ""].map((here) => whoOf({ here })), [2, "everybody", null]);
});
