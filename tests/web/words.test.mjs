import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { page } from "./stubs.mjs";
import { choose, language, sayer, spoken } from "../../service/dice_referee/web/static/shared/words.js";

const ADDRESS = "http://service.test/?lang=it#tutto?roll=1";

beforeEach(() => page());

test("a text is said with its gaps filled, an unknown one by its key", () => {
  assert.equal(sayer("de")("throw_dice", { n: 5 }), "5 Würfel werfen");
  assert.equal(sayer("en")("no such text"), "no such text");
  assert.equal(sayer("fr")("banks", { name: "Ada" }), "Ada s’arrête");
  assert.equal(sayer("en")("turn_of"), " to play");
});

test("the first language of a reader that the pages speak is spoken, else English", () => {
  assert.deepEqual([["de-CH"], ["es", "FR-fr", "de"], ["es"], [null, undefined, "it"], []].map(spoken), ["de", "fr", "en", "it", "en"]);
});

test("the address comes before what was chosen, and that before the browser's languages", () => {
  page({ address: ADDRESS, languages: ["fr-FR"] });
  localStorage.setItem("language", "de");
  assert.equal(language(), "it");
  choose("en");
  assert.equal(location.href, "http://service.test/#tutto?roll=1");
  assert.equal(language(), "en");
  localStorage.removeItem("language");
  assert.equal(language(), "fr");
});
