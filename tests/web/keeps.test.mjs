import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { control, page, parts, tableOf, texts } from "./stubs.mjs";
import {
  atHand, choices, chosenOf, doubt, gain, keepWords, ranking, reason,
} from "../../service/dice_referee/web/static/games/keeps.js";

/** Creates a keep that leaves dice to roll, or no dice and the next card. */
const keep = (dice, points, diceLeft, more = {}) => ({
  dice, points, bonus: 0, turn_points: points, lines: [], effects: [], tutto: !diceLeft,
  next: diceLeft ? { phase: "roll", dice_to_roll: diceLeft } : { phase: "draw" }, ...more,
});
/** Keeps of the roll 1 1 5 5 5 6, in an arbitrary order. */
const KEEPS = [
  keep([1], 100, 5), keep([5], 50, 5), keep([1, 1], 200, 4), keep([1, 5], 150, 4), keep([5, 5, 5], 500, 3),
  keep([5, 5], 100, 4), keep([1, 5, 5, 5], 600, 2), keep([1, 1, 5, 5, 5], 700, 1), keep([1, 1, 5], 250, 3),
  keep([1, 1, 5, 5], 300, 2), keep([1, 5, 5], 200, 3),
];
const tutto = (keeps = KEEPS, more = {}) =>
  tableOf(
    { judged: { legal_keeps: keeps }, turn: { roll: [1, 5, 5, 1, 6, 5], card: "bonus-300" }, player: 0, ...more });
const names = (keeps) => keeps.map(({ dice }) => dice.join(""));
/** Creates odds from values by the dice of each keep, or "bank". */
const oddsOf = (values) => ({ turnAnswer: { question: {} }, of: ({ type, dice }) => {
  const key = type === "bank" ? type : dice.join("");
  return key in values
    ? { value: values[key], next_roll: null, best: values[key] === Math.max(...Object.values(values)) }
    : null;
} });

beforeEach(() => page());

test("keeps are ranked by points, dominated keeps last", () => {
  const { keeps, most } = ranking(tutto());
  assert.deepEqual(names(keeps), ["11555", "1555", "555", "11", "1", "1155", "115", "155", "15", "55", "5"]);
  assert.equal(most, 5);
});

test("more dice or more points dominate a keep", () => {
  const [more, dice, equal] = [
    [keep([1], 100, 5), keep([5], 50, 5)], [keep([2, 2, 2], 200, 3), keep([1, 1], 200, 4)],
    [keep([1], 100, 5), keep([5, 5], 100, 5)],
  ];
  assert.deepEqual(ranking(tutto(more)).most, 1);
  assert.deepEqual([names(ranking(tutto(dice)).keeps), ranking(tutto(dice)).most], [["11", "222"], 1]);
  assert.equal(ranking(tutto(equal)).most, 2);
  const mixed = [keep([5, 5], 100, 4), keep([1, 1, 1], 300, 5), keep([1], 100, 5)];
  assert.deepEqual(names(ranking(tutto(mixed)).keeps), ["111", "1", "55"]);
});

test("a Tutto neither dominates nor is dominated", () => {
  assert.deepEqual(ranking(tutto([keep([1], 100, 5), keep([1, 1, 1, 5, 5, 5], 600, 0)])).most, 2);
});

test("on cards without points keeps with the most dice are first", () => {
  const straight = [keep([1], 0, 5), keep([1, 2, 3], 0, 3), keep([1, 2], 0, 4)];
  const { keeps, most } = ranking(tutto(straight));
  assert.deepEqual([names(keeps), most], [["123", "12", "1"], 3]);
});

test("odds rank keeps by value", () => {
  const { keeps, most } = ranking(tutto(KEEPS.slice(0, 3), { odds: oddsOf({ 1: 420, 5: 310, 11: 400 }) }));
  assert.deepEqual([names(keeps), most], [["1", "11", "5"], 3]);
});

test("the bar has the chosen dice in order, or the best keep", () => {
  assert.deepEqual(atHand(tutto()).dice, [1, 1, 5, 5, 5]);
  const chosen = tutto(KEEPS, { chosen: new Set([5, 0]) });
  assert.deepEqual([chosenOf(chosen), atHand(chosen).dice], [[1, 5], [1, 5]]);
  assert.equal(atHand(tutto(KEEPS, { chosen: new Set([4]) })), undefined);
});

test("the name of a keep has its dice and its consequence", () => {
  const over = { phase: "over", outcome: { reason: "tutto", points: 600 } };
  const titles = [
    keep([1, 5], 150, 4), keep([1, 1, 1, 5, 5, 5], 600, 0), keep([1], 100, 0, { next: over }),
  ].map((example) => keepWords(tutto(), example));
  assert.deepEqual(titles, ["Set aside 1 5 and roll\u00a04", "Set aside 1 1 1 5 5 5 and draw a card", "Set aside 1"]);
  assert.deepEqual([
    gain(tutto(), { points: 900, bonus: 300 }), gain(tutto([], { language: "de" }), { points: 10_000, bonus: 0 }),
    gain(tutto(), { points: 0, bonus: 0 }),
  ],
  ["+1200", "+10.000", ""]);
});

test("the list omits the keep in the bar, and folds dominated keeps", () => {
  const table = tutto();
  const drawn = choices(table, {
    bank: {
      dice: [], lines: [], effects: [], turn_points: 700,
      next: { phase: "over", outcome: { reason: "banked", points: 700 } },
    },
  });
  const shown = (list) => parts(list, ".choice").filter((row) => !row.hasAttribute("hidden"));
  assert.deepEqual(shown(drawn).map((row) => row.querySelector("button").textContent), [
    "Set aside 1 5 5 5 and roll\u00a02", "Set aside 5 5 5 and roll\u00a03", "Set aside 1 1 and roll\u00a04",
    "Set aside 1 and roll\u00a05",
  ]);
  assert.deepEqual(texts(drawn, "[data-key=unfold]"), ["All 10"]);
  control(drawn, "keep-1").click();
  assert.deepEqual(table.plays, [{ type: "keep", dice: [1, 5, 5, 5] }]);
  control(drawn, "unfold").click();
  assert.deepEqual(
    [table.unfolded, shown(choices(table, {})).length, texts(choices(table, {}), ".more").length],
    [true, 10, 6],
  );
});

test("spectators see all keeps and stopping, without buttons", () => {
  const bank = {
    dice: [], lines: [], effects: [], turn_points: 700,
    next: { phase: "over", outcome: { reason: "banked", points: 700 } },
  };
  const kinds = (drawn) => texts(drawn, ".total");
  const plain = choices(tutto(KEEPS.slice(0, 3), { mine: false }), { bank });
  assert.deepEqual([kinds(plain).map((text) => parseInt(text, 10)), texts(plain, "[data-key]"), texts(plain, "h2")],
    [[700, 200, 100], ["All 3"], ["What Ada can do"]]);
  const odds = choices(tutto(KEEPS.slice(0, 3), { mine: false, odds: oddsOf({ 1: 420, 5: 310, 11: 400, bank: 405 }) }),
    { bank });
  assert.deepEqual(kinds(odds).map((text) => parseInt(text, 10)), [100, 700, 200, 50]);
});

test("equal lines of a keep are grouped, with points and rules", () => {
  const lines = [
    { kind: "single", points: 50, rule: "T1.2" }, { kind: "single", points: 50, rule: "T1.2" },
    { kind: "straight", points: 0, rule: "T5" },
  ];
  const long = keep([5, 5], 100, 4, { lines, bonus: 300, next: { phase: "roll", dice_to_roll: 1 } });
  const drawn = choices(tutto([keep([1], 900, 5), long]), {});
  assert.deepEqual(texts(drawn, ".line"), ["2 × single 50 T1.2", "bonus-300 +300 "]);
  assert.equal(texts(drawn, ".leads").at(-1), "→ Roll one die ");
});

test("the space below the dice tells how to choose, or each reason once", async () => {
  const detail = "The 2 does not score here.";
  const table = tutto(KEEPS, { game: "tutto", turn: { roll: [1, 2, 2, 5, 4, 4] } });
  assert.deepEqual(texts(reason(table), ".hint"), ["Press dice to choose others."]);
  table.chosen = new Set([1, 2]);
  table.announcer.repeat = table.announcer.tell;
  table.api.ask = async () =>
    ({ ok: true, document: { findings: [{ detail, rule: "T1.3" }, { detail, rule: "T1.3" }] } });
  await doubt(table);
  assert.deepEqual([texts(reason(table), "p"), texts(reason(table), ".hint"), table.announcer.said],
    [[`${detail} T1.3`], [], [detail]]);
});
