import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { page, tableOf, texts } from "./stubs.mjs";
import { effects } from "../../service/dice_referee/web/static/games/parts.js";
import { line, logbook } from "../../service/dice_referee/web/static/table/logbook.js";

const entry = (event, more = {}) => ({
  version: 1, player: 0, by: "seat", event, effects: [], rules: [], outcome: null,
  at: "2026-11-26T12:00:00Z", ...more,
});
const sentence = (event, more, table = tableOf()) => line(table, entry(event, more)).said;
const translations = (event) => ["en", "de", "fr", "it"].map((language) => sentence(event, {}, tableOf({ language })));

const BANKED = { effects: [{ type: "written", points: 350 }], outcome: { reason: "banked", points: 350 } };

beforeEach(() => page());

test("each event has a sentence, with its dice and held dice", () => {
  assert.deepEqual(translations({ type: "draw", card: "Stop" }),
    ["Ada draws a Stop.", "Ada zieht die Karte Stop.", "Ada pioche la carte Stop.", "Ada pesca la carta Stop."]);
  assert.equal(sentence({ type: "roll", held: [1, 1], dice: [3, 4] }), "Ada holds 1 1 and rolls 3 4.");
  assert.equal(sentence({ type: "roll", held: [], dice: [3, 4] }), "Ada rolls 3 4.");
  const kept = (points) => ({ effects: [{ type: "kept", dice: [1, 5], points }] });
  assert.deepEqual([0, 150].map((points) => sentence({ type: "keep", dice: [1, 5] }, kept(points))),
    ["Ada sets aside 1 5.", "Ada sets aside 1 5 for 150."]);
  assert.equal(sentence({ type: "accept" }), "Ada accepts.");
  assert.deepEqual([
    { type: "undone", version: 2 }, { type: "seeded", seed: "lucky" }, { type: "reissued", player: 1 },
    { type: "substituted", player: 1, level: "best" }, { type: "substituted", player: 1, level: null },
    { type: "hosted", player: 1 }, { type: "rematch" }, { type: "abandoned" },
  ].map((event) => sentence(event)),
  [
    "Ada undoes move 2.", "Ada adds “lucky” to the seed.", "Ben has a new link; the old one no longer works.",
    "The computer now plays for Ben.", "Ben plays again.", "Ben is now the host.",
    "Ada opens another game with the same players.", "The game was abandoned.",
  ]);
});

test("a scored category is named once, with its points", () => {
  const sentenceOf = (type, effect) => line(tableOf(), entry({ type, category: "house" }, {
    effects: [{ type: effect, category: "house", points: 28 }], outcome: { reason: effect, points: 28 },
  }));
  assert.deepEqual(["said", "more"].map((part) => sentenceOf("write", "written")[part]),
    ["Ada scores 28 in house.", ""]);
  assert.deepEqual(["said", "more"].map((part) => sentenceOf("strike", "struck")[part]),
    ["Ada crosses out house.", ""]);
});

test("the reader is addressed, and the host named without a player", () => {
  assert.equal(sentence({ type: "bank" }, BANKED, tableOf({ own: () => true })), "You bank 350.");
  assert.equal(sentence({ type: "rematch" }, { player: null, by: "host" }),
    "The host opens another game with the same players.");
  assert.deepEqual(
    [{ by: "host" }, {}].map((more) => line(tableOf(), entry({ type: "accept" }, more)).forHim),
    [true, false],
  );
});

test("the end of a turn has a sentence unless the event has", () => {
  const more = (event, fields) => line(tableOf(), entry(event, fields)).more;
  const roll = { type: "roll", dice: [2] };
  assert.equal(more(roll, { outcome: { reason: "niete", points: 0 } }), "Bust: nothing to set aside.");
  assert.equal(more({ type: "bank" }, BANKED), "");
  assert.equal(more({ type: "draw", card: "stop" }, { outcome: { reason: "stop", points: 0 } }), "The turn is over.");
  assert.equal(more(roll, { outcome: { reason: "niete", points: 0 }, effects: [{ type: "lost", points: 200 }] }),
    "Bust: nothing to set aside. 200 lost.");
});

test("sentences of effects name payer and receiver", () => {
  const sentenceOf = (list, table = tableOf(), rules = []) => effects(table, list, rules).join("; ");
  assert.equal(sentenceOf([{ type: "kept", points: 100 }, { type: "written", category: "house", points: 28 }]), "");
  assert.equal(sentenceOf([{ type: "handed-over", player: 0, to: 1, coins: 1 }]), "Ada gives 1 coin to Ben");
  const giving = { type: "handed-over", player: 0, to: 1, coins: 2 };
  assert.deepEqual([0, 1].map((own) => sentenceOf([giving], tableOf({ own: (player) => player === own }))),
    ["You give 2 coins to Ben", "Ada gives you 2 coins"]);
  assert.equal(sentenceOf([{ type: "roll-paid", player: 0, coins: 0 }], tableOf({ language: "fr" })),
    "Ada paie 0 pièce pour le lancer");
  const deducted = { type: "deducted", player: null, points: 1000 };
  assert.equal(sentenceOf([deducted]), "Each leader loses 1000");
  assert.equal(sentenceOf([deducted], tableOf(), ["T5.5e"]), "Each leader loses 1000, but no more than they have");
});

test("the log is latest first, strikes undone events, and links to earlier ones", () => {
  const log = [
    entry({ type: "undone", version: 4 }, { version: 5 }),
    entry({ type: "bank" }, { version: 4, by: "host", rules: ["T2.5"], ...BANKED }),
  ];
  const drawn = logbook(tableOf({ log, undone: new Set([4]), locale: "en-GB" }), () => {});
  assert.deepEqual([texts(drawn, "s"), texts(drawn, ".log-said")],
    [["Ada banks 350."], ["Ada undoes move 4.", "Ada banks 350. undone"]]);
  assert.deepEqual([texts(drawn, ".log-foot span"), texts(drawn, "[data-key=earlier]").length],
    [["entered by the host"], 1]);
  assert.deepEqual(texts(logbook(tableOf({ log: [], undone: new Set() }), () => {}), "p"), ["Nothing yet."]);
});
