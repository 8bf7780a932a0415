import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { tableOf } from "./stubs.mjs";
import { percent } from "../../service/dice_referee/web/static/games/odds.js";
import { TEXTS, nameOf, sayer, written } from "../../service/dice_referee/web/static/shared/words.js";

const LANGUAGES = ["en", "de", "fr", "it"];
// The service's own tests read the same rows.
const { numbers, percents, names, sentences } = JSON.parse(
  readFileSync(new URL("../sentences/spelling.json", import.meta.url), "utf-8"));

for (const [value, decimals, ...spelt] of numbers)
  test(`${value} is spelt as in sentences, to ${decimals} decimals`, () => {
    assert.deepEqual(LANGUAGES.map((language) => written(language, value, { maximumFractionDigits: decimals })), spelt);
  });

for (const [value, ...spelt] of percents)
  test(`the chance ${value} is spelt as in sentences`, () => {
    assert.deepEqual(LANGUAGES.map((language) => percent(tableOf({ language }), { value })), spelt);
  });

for (const [players, spelt] of names)
  test(`${players.join()} are spelt as in sentences`, () => {
    assert.deepEqual(players.map((_, player) => nameOf(players, player) ?? ""), spelt);
  });

for (const [language, template, name, sentence] of sentences)
  test(`words sound together in “${sentence}”`, () => {
    TEXTS[language].row = template;
    const say = sayer(language);
    assert.equal(say("row", { name: typeof name === "string" ? name : say("player", { n: name }) }), sentence);
  });
