import assert from "node:assert/strict";
import { test } from "node:test";

import { read, written } from "../../service/dice_referee/web/static/shared/address.js";

const STATES = [
  ["tutto", { game: "tutto", options: {}, position: {} }],
  [
    "tutto?card=bonus-600&keeps=1,222&roll=15&carried=400",
    {
      game: "tutto", options: {}, position: { card: "bonus-600", keeps: [[1], [2, 2, 2]], roll: [1, 5], carried: 400 },
    },
  ],
  [
    "tutto?ruleset=volle-lotte&card=firework&roll=115622",
    { game: "tutto", options: {}, ruleset: "volle-lotte", position: { card: "firework", roll: [1, 1, 5, 6, 2, 2] } },
  ],
  [
    "tutto?double_scope=card&card=double&keeps=1444&roll=55&event=bank",
    {
      game: "tutto", options: { double_scope: "card" },
      position: { card: "double", keeps: [[1, 4, 4, 4]], roll: [5, 5] }, event: { type: "bank" },
    },
  ],
  [
    "tutto?plus_minus_ties=true&target=-50&tuttos=2&pending_deductions=1&scores=5000,-100"
      + "&player=1&phase=roll&dice_to_roll=6",
    {
      game: "tutto", options: { plus_minus_ties: true, target: -50 },
      position: { phase: "roll", dice_to_roll: 6, scores: [5000, -100], player: 1, tuttos: 2, pending_deductions: 1 },
    },
  ],
  [
    "tutto?ruleset=braillespiel&carried=1000&scores=5050,4000&player=1&last_round=true",
    {
      game: "tutto", options: {}, ruleset: "braillespiel",
      position: { carried: 1000, scores: [5050, 4000], player: 1, last_round: true },
    },
  ],
  [
    "yatzee?throw_bonus=20,5,0&roll=123456&rolls_made=2&scorecard=fives:15,house:32",
    {
      game: "yatzee", options: { throw_bonus: [20, 5, 0] },
      position: { roll: [1, 2, 3, 4, 5, 6], rolls_made: 2, scorecard: { fives: 15, house: 32 } },
    },
  ],
  [
    "yatzee?roll=123456&event=write:large-straight",
    {
      game: "yatzee", options: {}, position: { roll: [1, 2, 3, 4, 5, 6] },
      event: { type: "write", category: "large-straight" },
    },
  ],
  [
    "pot?roll=34O&rolls_made=2&player=0&coins=5,3,2&pot=2&bank=43&holder=1&to_beat=9",
    {
      game: "pot", options: {},
      position: {
        roll: [3, 4, "O"], rolls_made: 2, coins: [5, 3, 2], pot: 2, bank: 43, player: 0, holder: 1, to_beat: 9,
      },
    },
  ],
  [
    "pot?phase=sudden-death&tied=0,2&sums=4,9",
    { game: "pot", options: {}, position: { phase: "sudden-death", tied: [0, 2], sums: [4, 9] } },
  ],
  ["tutto?players=Ada,Ben&log=", { game: "tutto", options: {}, position: {}, players: ["Ada", "Ben"], log: [] }],
  [
    "tutto?target=50&players=Zo%C3%AB,B%2C%20%26%20C%3D1&log=draw:stop.draw:bonus-200.roll:123466.keep:1.bank",
    {
      game: "tutto", options: { target: 50 }, position: {}, players: ["Zoë", "B, & C=1"],
      log: [
        { type: "draw", card: "stop" }, { type: "draw", card: "bonus-200" }, { type: "roll", dice: [1, 2, 3, 4, 6, 6] },
        { type: "keep", dice: [1] }, { type: "bank" },
      ],
    },
  ],
  [
    "pot?players=Ada,Ben&log=roll:13P.roll:P:24.accept:0,1.accept:",
    {
      game: "pot", options: {}, position: {}, players: ["Ada", "Ben"],
      log: [
        { type: "roll", dice: [1, 3, "P"] }, { type: "roll", held: ["P"], dice: [2, 4] },
        { type: "accept", players: [0, 1] }, { type: "accept" },
      ],
    },
  ],
];

for (const [fragment, state] of STATES)
  test(`#${fragment} survives reading and writing`, () => {
    assert.deepEqual(read(`#${fragment}`), state);
    assert.equal(written(state), `#${fragment}`);
  });

const OLD = [
  ["yatzee?dice=123456&throw=2&event=throw:44:1236", "yatzee?roll=123456&rolls_made=2&event=roll:44:1236"],
  ["pot?dice=34O&throws=2&player=0&event=throw::1PT", "pot?roll=34O&rolls_made=2&player=0&event=roll:1PT"],
  ["pot?players=Ada,Ben&log=throw::13P.throw:P:24.accept:0,1", "pot?players=Ada,Ben&log=roll:13P.roll:P:24.accept:0,1"],
];

for (const [old, now] of OLD)
  test(`#${old}, saved before 0.11.0, is read`, () => assert.equal(written(read(`#${old}`)), `#${now}`));

test("a line in an address keeps letters and spaces of names", () => {
  const line = "tutto: Zoë, Ada B: stop";
  assert.equal(read(new URL(`http://service.test/#tutto?line=${line}`).hash).line, line);
});

for (const fragment of ["tutto?card=%E0%A4%A", "tutto?players=%zz&log=bank", "tutto?", "tutto?&=&"])
  test(`#${fragment} begins a game`, () =>
    assert.deepEqual(read(`#${fragment}`), { game: "tutto", options: {}, position: {} }));

test("unknown fields are house rules, unknown games keep their name", () => {
  assert.deepEqual(read("#chess?bogus=1&roll=1"), { game: "chess", options: { bogus: 1 }, position: { roll: [1] } });
});

test("fields without a value are omitted", () => {
  assert.equal(
    written({ game: "pot", ruleset: null, options: {}, position: { holder: null, coins: [], player: 0 }, event: null }),
    "#pot?player=0",
  );
});
