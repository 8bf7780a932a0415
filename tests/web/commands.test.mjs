import assert from "node:assert/strict";
import { test } from "node:test";

import "./stubs.mjs";
import { commandsOf, parse } from "../../service/dice_referee/web/static/text/commands.js";

const TUTTO = {
  game: "tutto", language: "en", legal_events: ["keep", "bank"], dice: "service", players: ["Ada", "Ben", "Bea Day"],
  deck: [{ id: "bonus-300", title: "Bonus 300" }, { id: "plus-minus", title: "Plus/Minus" }], categories: [],
  choices: [],
};
const YATZEE = {
  ...TUTTO, game: "yatzee", legal_events: ["roll", "write", "strike"],
  categories: [
    { id: "large-straight", title: "Große Straße" }, { id: "house", title: "Haus" },
    { id: "one-pair", title: "1 Paar" }, { id: "ones", title: "Einsen" },
  ],
};
const POT = { ...TUTTO, game: "pot", legal_events: ["roll", "accept"] };
const GERMAN = { language: "de" };
const PEOPLE = { dice: "client" };
const draws = { legal_events: ["draw"] };

const EVENTS = [
  ["keep 1 5", TUTTO, { type: "keep", dice: [1, 5] }],
  ["k15", TUTTO, { type: "keep", dice: [1, 5] }],
  ["KEEP 5, 1", TUTTO, { type: "keep", dice: [5, 1] }],
  ["1 1", TUTTO, { type: "keep", dice: [1, 1] }],
  ["5", { ...TUTTO, legal_events: ["keep"] }, { type: "keep", dice: [5] }],
  ["4,2", { ...TUTTO, ...GERMAN }, { type: "keep", dice: [4, 2] }],
  ["behalten 1", { ...TUTTO, ...GERMAN }, { type: "keep", dice: [1] }],
  ["keep 1", { ...TUTTO, ...GERMAN }, { type: "keep", dice: [1] }],
  ["bank", TUTTO, { type: "bank" }],
  ["aufhören", { ...TUTTO, ...GERMAN }, { type: "bank" }],
  ["aufhoren", { ...TUTTO, ...GERMAN }, { type: "bank" }],
  ["roll", TUTTO, { type: "roll" }],
  ["roll", { ...TUTTO, ...draws }, { type: "draw" }],
  ["r", YATZEE, { type: "roll" }],
  ["roll", { ...YATZEE, legal_events: ["write", "strike"] }, { type: "roll" }],
  ["draw plus", { ...TUTTO, ...PEOPLE, ...draws }, { type: "draw", card: "plus-minus" }],
  ["roll 115", { ...TUTTO, ...PEOPLE, legal_events: ["roll"] }, { type: "roll", dice: [1, 1, 5] }],
  ["hold 2 2", YATZEE, { type: "roll", held: [2, 2] }],
  ["h 2 2 roll 1 3 4 6", { ...YATZEE, ...PEOPLE }, { type: "roll", held: [2, 2], dice: [1, 3, 4, 6] }],
  ["write grosse straße", YATZEE, { type: "write", category: "large-straight" }],
  ["write straight", YATZEE, { type: "write", category: "large-straight" }],
  ["w ones", YATZEE, { type: "write", category: "ones" }],
  ["streichen Haus", { ...YATZEE, ...GERMAN }, { type: "strike", category: "house" }],
  ["hold p t", POT, { type: "roll", held: ["P", "T"] }],
  ["throw 3P4", { ...POT, ...PEOPLE }, { type: "roll", dice: [3, "P", 4] }],
  ["accept", POT, { type: "accept" }],
  ["accept", { ...POT, choices: [{ players: [1] }] }, { type: "accept", players: [1] }],
  ["a ben 3", POT, { type: "accept", players: [1, 2] }],
  ["keep-15", TUTTO, { type: "keep", dice: [1, 5] }],
  ["KEEP-15", TUTTO, { type: "keep", dice: [1, 5] }],
  ["bonus-300", { ...TUTTO, ...PEOPLE, ...draws }, { type: "draw", card: "bonus-300" }],
  ["115234", { ...TUTTO, ...PEOPLE, legal_events: ["roll"] }, { type: "roll", dice: [1, 1, 5, 2, 3, 4] }],
  ["house", YATZEE, { type: "write", category: "house" }],
  ["strike-house", YATZEE, { type: "strike", category: "house" }],
  ["22-1346", { ...YATZEE, ...PEOPLE }, { type: "roll", held: [2, 2], dice: [1, 3, 4, 6] }],
  ["P34", { ...POT, ...PEOPLE }, { type: "roll", dice: ["P", 3, 4] }],
  ["accept-2-3", POT, { type: "accept", players: [1, 2] }],
  ["accept Bea Day, Ben", POT, { type: "accept", players: [2, 1] }],
];
const OTHERS = [
  ["?", TUTTO, { ask: "what", about: "" }],
  ["was", { ...TUTTO, ...GERMAN }, { ask: "what", about: "" }],
  ["rules t5.4", TUTTO, { ask: "rules", about: "t5.4" }],
  ["s", POT, { ask: "score", about: "" }],
  ["write house", TUTTO, { unknown: "write house" }],
  ["bank", YATZEE, { unknown: "bank" }],
  ["42", YATZEE, { unknown: "42" }],
  ["5", { ...TUTTO, legal_events: ["roll"] }, { unknown: "5" }],
  ["1 x", TUTTO, { unknown: "1 x" }],
  ["was", TUTTO, { unknown: "was" }],
  [" drow ", TUTTO, { unknown: "drow" }],
];
const LACKING = [
  ["keep", TUTTO, "which_dice", []],
  ["keep all", TUTTO, "which_dice", []],
  ["7 7", TUTTO, "dice_show", []],
  ["keep 1 0", TUTTO, "dice_show", []],
  ["hold 2 2", { ...YATZEE, ...PEOPLE }, "which_dice", []],
  ["write o", YATZEE, "which_category", YATZEE.categories],
  ["draw", { ...TUTTO, ...PEOPLE, ...draws }, "which_card", TUTTO.deck],
  [
    "accept b", POT, "which_player",
    [{ id: "1", title: "Ada" }, { id: "2", title: "Ben" }, { id: "3", title: "Bea Day" }],
  ],
];
const title = ([line, { game, language, dice }]) => `“${line}” at ${game} in ${language} with the dice of the ${dice}`;

for (const example of EVENTS)
  test(`${title(example)} is an event`, () => assert.deepEqual(parse(example[0], example[1]), { event: example[2] }));
for (const example of OTHERS)
  test(`${title(example)} is no event`, () => assert.deepEqual(parse(example[0], example[1]), example[2]));
for (const example of LACKING)
  test(`${title(example)} lacks something`, () =>
    assert.deepEqual(parse(example[0], example[1]), { needs: example[2], pieces: example[3] }));

test("words are unique to a command in each game", () => {
  for (const language of ["en", "de", "fr", "it"])
    for (const game of ["tutto", "yatzee", "pot"]) {
      const words = commandsOf(game, language).flatMap((command) => command.words);
      assert.equal(new Set(words).size, words.length, `${game} ${language}`);
    }
  const first = (game, language) => commandsOf(game, language).map(({ words: [word] }) => word).join(" ");
  assert.equal(first("tutto", "en"), "roll keep bank what score last rules odds line undo check again table help");
  assert.equal(first("yatzee", "de"),
    "würfeln behalten anschreiben streichen was stand zuletzt regeln chancen zeile zurück prüfen nochmal tisch hilfe");
  assert.equal(first("pot", "fr"),
    "lancer garder accepter quoi score dernier règles probabilités ligne annuler vérifier rejouer table aide");
});
