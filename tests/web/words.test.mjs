import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { page } from "./stubs.mjs";
import { choose, language } from "../../service/dice_referee/web/static/shared/page.js";
import { sayer, spoken } from "../../service/dice_referee/web/static/shared/words.js";

const ADDRESS = "http://service.test/?lang=it#tutto?roll=1";

beforeEach(() => page());

test("texts fill their placeholders, unknown texts are their key", () => {
  assert.equal(sayer("de")("roll_dice", { n: 5 }), "5 Würfel werfen");
  assert.equal(sayer("en")("no such text"), "no such text");
  assert.equal(sayer("fr")("banks", { name: "Ada" }), "Ada s’arrête");
  assert.equal(sayer("en")("turn_of"), " to play");
});

test("the reader's first known language is used, else English", () => {
  assert.deepEqual([["de-CH"], ["es", "FR-fr", "de"], ["es"], [null, undefined, "it"], []].map(spoken),
    ["de", "fr", "en", "it", "en"]);
});

test("the address precedes the chosen language, then the browser's", () => {
  page({ address: ADDRESS, languages: ["fr-FR"] });
  localStorage.setItem("language", "de");
  assert.equal(language(), "it");
  choose("en");
  assert.equal(location.href, "http://service.test/#tutto?roll=1");
  assert.equal(language(), "en");
  localStorage.removeItem("language");
  assert.equal(language(), "fr");
});
