import assert from "node:assert/strict";
import { test } from "node:test";

import { tableOf } from "./stubs.mjs";
import {
  categoryWords, spokenOdds, isShown, luckWords, number, oddsWords, potWords,
} from "../../service/dice_referee/web/static/games/odds.js";

const LANGUAGES = ["en", "de", "fr", "it"];
const withPlainSpaces = (text) => text.replace(/[\u00a0\u202f]/g, " ");
const translations = (act) => LANGUAGES.map((language) => withPlainSpaces(act(tableOf({ language }))));

test("odds have at most one decimal", () => {
  assert.deepEqual(translations((table) => number(table, 1234.56, { signDisplay: "exceptZero" })),
    ["+1234.6", "+1234,6", "+1234,6", "+1234,6"]);
});

test("choices of Tutto have chance of a bust and value", () => {
  const choiceOdds = { value: 814.4, next_roll: { niete: { value: 0.0309 } }, best: true };
  const table = tableOf({ odds: { turnAnswer: { question: {} }, of: () => choiceOdds } });
  assert.deepEqual(oddsWords(table, {}), ["niete 3.09%", "814 expected"]);
  assert.equal(spokenOdds(table, {}), ", niete 3.09%, 814 expected, Best");
  table.odds.of = () => ({ ...choiceOdds, next_roll: null, best: false });
  assert.equal(spokenOdds(table, {}), ", 814 expected");
  assert.deepEqual([oddsWords(tableOf(), {}), spokenOdds(tableOf(), {})], [[], ""]);
});

test("categories of Yatzee and choices of POT have their odds", () => {
  assert.deepEqual(categoryWords(tableOf(), { chance: { value: 0.5 }, gain: { value: -3.25 } }),
    ["probability 50%", "gain −3.3"]);
  assert.deepEqual(potWords(tableOf({ language: "de" }), { beats: { value: 0.417 }, sum: null }).map(withPlainSpaces),
    ["schlägt den Inhaber: 41,7 %"]);
  assert.deepEqual(potWords(tableOf(), { beats: null, sum: { value: 8.25 } }), ["sum 8.3 expected"]);
});

test("luck is in points and takeovers, not in pips", () => {
  assert.deepEqual(["points", "chance", "sum"].map((unit) => isShown({ unit })), [true, true, false]);
  assert.deepEqual(translations((table) => luckWords(table, { unit: "points", luck: 1049.6 })),
    ["Luck +1050", "Glück +1050", "Chance +1050", "Fortuna +1050"]);
  assert.equal(luckWords(tableOf(), { unit: "chance", luck: -0.42 }), "Luck −0.4 takeovers");
});
