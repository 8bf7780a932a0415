import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { page } from "./stubs.mjs";
import { choose, language } from "../../service/dice_referee/web/static/shared/page.js";
import { TEXTS, sayer, spoken } from "../../service/dice_referee/web/static/shared/words.js";

const ADDRESS = "http://service.test/?lang=it#tutto?roll=1";

beforeEach(() => page());

test("texts fill their placeholders, unknown texts are their key", () => {
  assert.equal(sayer("de")("throw_dice", { n: 5 }), "5 Würfel werfen");
  assert.equal(sayer("en")("no such text"), "no such text");
  assert.equal(sayer("fr")("banks", { name: "Ada" }), "Ada s’arrête");
  assert.equal(sayer("en")("turn_of"), " to play");
});

test("words before a name are contracted with it", () => {
  Object.assign(TEXTS.fr, { to: "à {name}", of: "de {name}", that: "que {name}", whose: "pseudode {name}" });
  Object.assign(TEXTS.it, { to: "a {name}", of: "da {name}" });
  const sentence = (tag, key, name) => sayer(tag)(key, { name });
  assert.deepEqual(["Ada", "Zoé", "Élodie"].map((name) => sentence("fr", "of", name)), ["d’Ada", "de Zoé", "d’Élodie"]);
  assert.deepEqual([sentence("fr", "that", "Ada"), sentence("fr", "whose", "Ada")], ["qu’Ada", "pseudode Ada"]);
  assert.deepEqual([sentence("fr", "to", "Joueur 2"), sentence("fr", "of", "Joueur 2")], ["au joueur 2", "du joueur 2"]);
  assert.deepEqual([sentence("it", "to", "Ada"), sentence("it", "to", "Ben"), sentence("it", "to", "Giocatore 2"), sentence("it", "of", "Giocatore 2")], ["ad Ada", "a Ben", "al giocatore 2", "dal giocatore 2"]);
});

test("the reader's first known language is used, else English", () => {
  assert.deepEqual([["de-CH"], ["es", "FR-fr", "de"], ["es"], [null, undefined, "it"], []].map(spoken), ["de", "fr", "en", "it", "en"]);
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
