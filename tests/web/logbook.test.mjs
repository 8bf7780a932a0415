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

beforeEach(() => page());

test("each event has a sentence, with its dice and held dice", () => {
  assert.deepEqual(translations({ type: "draw", card: "Stop" }),
    ["Ada draws Stop", "Ada zieht Stop", "Ada pioche Stop", "Ada pesca Stop"]);
  assert.equal(sentence({ type: "roll", held: [1, 1], dice: [3, 4] }), "Ada rolls 3 4 (holding 1 1)");
  assert.equal(sentence({ type: "roll", held: [], dice: [3, 4] }), "Ada rolls 3 4");
  assert.equal(sentence({ type: "keep", dice: [1, 5] }), "Ada sets aside 1 5");
  assert.deepEqual(
    [{ type: "strike", category: "house" }, { type: "accept" }, { type: "bank" }].map((event) => sentence(event)),
    ["Ada crosses out house", "Ada accepts", "Ada banks"],
  );
  assert.deepEqual([
    { type: "undone", version: 2 }, { type: "seeded", seed: "lucky" }, { type: "reissued", player: 1 },
    { type: "substituted", player: 1, level: "best" }, { type: "substituted", player: 1, level: null },
    { type: "rematch" }, { type: "abandoned" },
  ].map((event) => sentence(event)),
  [
    "Ada takes back move 2", "Ada adds “lucky” to the seed", "A new link for Ben", "The computer now plays for Ben",
    "Ben now plays without the computer", "Ada opens another game with the same players",
    "The host has given the game up",
  ]);
});

test("a scored category is named once, with its points", () => {
  const sentenceOf = (type, effect) => line(tableOf(), entry({ type, category: "house" }, {
    effects: [{ type: effect, category: "house", points: 28 }], outcome: { reason: effect, points: 28 },
  }));
  assert.deepEqual(["said", "more"].map((part) => sentenceOf("write", "written")[part]),
    ["Ada scores 28 in house", ""]);
  assert.deepEqual(["said", "more"].map((part) => sentenceOf("strike", "struck")[part]), ["Ada crosses out house", ""]);
});

test("the reader is addressed, and the host named without a player", () => {
  assert.equal(sentence({ type: "bank" }, {}, tableOf({ own: () => true })), "You bank");
  assert.equal(sentence({ type: "rematch" }, { player: null, by: "host" }),
    "The host opens another game with the same players");
  assert.deepEqual(
    [line(tableOf(), entry({ type: "bank" }, { by: "host" })).forHim, line(tableOf(), entry({ type: "bank" })).forHim],
    [true, false],
  );
});

test("the end of a turn has a sentence unless its effects have", () => {
  const more = (event, fields) => line(tableOf(), entry(event, fields)).more;
  assert.equal(more({ type: "roll", dice: [2] }, { outcome: { reason: "niete", points: 0 } }), "niete");
  assert.equal(more({ type: "bank" }, { outcome: { reason: "banked", points: 350 } }), "350 points");
  assert.equal(more({ type: "draw", card: "stop" }, { outcome: { reason: "stop", points: 0 } }), "");
  assert.equal(more({ type: "roll", dice: [2] },
    { outcome: { reason: "niete", points: 0 }, effects: [{ type: "lost", player: 0, points: 200 }] }),
  "niete; 200 lost");
});

test("sentences of effects name payer and receiver", () => {
  const sentenceOf = (list, table = tableOf()) => effects(table, list);
  assert.equal(sentenceOf([{ type: "kept", points: 100 }, { type: "written", category: "house", points: 28 }]),
    "house: 28");
  assert.equal(sentenceOf([{ type: "struck", category: "house" }]), "house: struck");
  assert.equal(sentenceOf([{ type: "handed-over", player: 0, to: 1, coins: 1 }]), "Ada gives Ben 1 coin");
  assert.equal(
    sentenceOf([{ type: "handed-over", player: 0, to: 1, coins: 2 }], tableOf({ own: (player) => player === 1 })),
    "Ada gives you 2 coins",
  );
  assert.equal(sentenceOf([{ type: "roll-paid", player: 0, coins: 0 }], tableOf({ language: "fr" })),
    "Ada paie 0 pièce pour un lancer");
});

test("the log is latest first, strikes undone events, and links to earlier ones", () => {
  const log = [
    entry({ type: "undone", version: 4 }, { version: 5 }),
    entry({ type: "bank" }, { version: 4, by: "host", rules: ["T2.5"] }),
  ];
  const drawn = logbook(tableOf({ log, undone: new Set([4]), locale: "en-GB" }), () => {});
  assert.deepEqual([texts(drawn, "s"), texts(drawn, ".log-said")],
    [["Ada banks"], ["Ada takes back move 4", "Ada banks taken back"]]);
  assert.deepEqual([texts(drawn, ".log-foot span"), texts(drawn, "[data-key=earlier]").length],
    [["entered by the host"], 1]);
  assert.deepEqual(texts(logbook(tableOf({ log: [], undone: new Set() }), () => {}), "p"), ["Nothing yet."]);
});
