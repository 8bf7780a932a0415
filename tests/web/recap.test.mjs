import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { page, parts, tableOf, texts } from "./stubs.mjs";
import { lucky, recall, recap, victory } from "../../service/dice_referee/web/static/table/recap.js";

const turn = (version, player, reason, points) => ({ version, player, outcome: { reason, points } });
const EVENTS = [
  { version: 1, player: 0, outcome: null }, turn(2, 0, "banked", 250), turn(3, 1, "niete", 0), turn(4, 0, "stop", 0),
  turn(5, 1, "banked", 1000), turn(6, 0, "stop", 0),
];
const KEPT = { standings: [{ player: 1, points: 1000 }, { player: 0, points: 250 }], winners: [1] };
const SHEET = [[250, 0], [250, 0], [250, 1000]];
const tutto = (more = {}) => tableOf({ kept: KEPT, undone: new Set([6]), term: (id) => id, ...more });
const victoryWords = (winners, standings = KEPT.standings, more = {}) =>
  victory(tutto({ kept: { standings }, players: ["Ada", "Ben", "Cleo"], ...more }), winners);

beforeEach(() => page());

test("the winner is named with the lead", () => {
  assert.equal(victoryWords([1]), "Ben won by 750");
  assert.equal(victoryWords([1], KEPT.standings, { own: (player) => player === 1 }), "You won by 750");
  assert.equal(victoryWords([1], [{ player: 1, coins: 6 }, { player: 0, coins: 5 }]), "Ben won by 1 coin");
  assert.equal(victoryWords([1], [{ player: 1, coins: 8 }, { player: 0, coins: 5 }], { language: "de" }),
    "Ben hat mit 3 Münzen Vorsprung gewonnen");
});

test("only a win by points over others has a lead", () => {
  assert.equal(victoryWords([0, 1]), "Ada, Ben won");
  assert.equal(victoryWords([0, 1], KEPT.standings, { own: (player) => player === 0 }), "You and Ben won");
  assert.equal(victoryWords([0]), "Ada won");
  assert.equal(victoryWords([0], [{ player: 0, points: 10 }]), "Ada won");
});

test("the recap has points, turns without points by reason, and the best turn", () => {
  const drawn = recap(tutto(), { sheet: SHEET, events: EVENTS });
  assert.deepEqual(texts(drawn, "li"), ["Ben 1000 Niete × 1", "Ada 250 Stop × 1"]);
  assert.deepEqual(texts(drawn, "p"), ["Best turn of 3: Ben, +1000"]);
});

test("the reader's best turn is in the second person", () => {
  const drawn = recap(tutto({ own: (player) => player === 1 }), { sheet: SHEET, events: [] });
  assert.deepEqual([texts(drawn, "p"), texts(drawn, "li")],
    [["Best turn of 3: yours, +1000"], ["You 1000", "Ada 250"]]);
});

test("initial coins are no gain, and a loss is no best turn", () => {
  const best = (sheet, players = ["Ada", "Ben"]) => texts(recap(tutto({ players }), { sheet, events: [] }), "p");
  assert.deepEqual(best([[-100, 0], [-300, 0]]), []);
  assert.deepEqual(best([[-100, 0], [200, 0]]), ["Best turn of 2: Ada, +300"]);
  // The last column of POT belongs to the bank.
  assert.deepEqual(best([[1, 0, 40], [1, 2, 90]]), ["Best turn of 2: Ben, +2"]);
});

test("luck is shown by player, with its meaning", () => {
  const luck = new Map([[1, [{ unit: "points", luck: 150.4 }]], [0, [{ unit: "points", luck: -20 }]]]);
  const drawn = recap(tutto(), { sheet: SHEET, events: EVENTS, luck });
  assert.deepEqual(texts(drawn, "small"), [" Niete × 1 · Luck +150", " Stop × 1 · Luck −20"]);
  assert.deepEqual(texts(drawn, "p").at(-1),
    "Luck: how many more points the dice brought than average, for the choices made.");
  const pot = recap(tutto(), { sheet: SHEET, events: [], luck: new Map([[1, [{ unit: "chance", luck: 0.46 }]]]) });
  assert.deepEqual([texts(pot, "small"), texts(pot, "p").at(-1)],
    [[" Luck +0.5 takeovers"], "Luck: how many more takeovers of the POT the dice brought than average."]);
  assert.equal(texts(recap(tutto(), { sheet: SHEET, events: [], luck: new Map() }), "p").length, 1);
});

test("each player's line has its own mark in chart and legend", () => {
  const players = Array.from({ length: 10 }, (_, at) => `Player ${at}`);
  const drawn = recap(tutto({ players, kept: { standings: players.map((_, player) => ({ player, points: 0 })) } }),
    { sheet: [players.map(() => 0), players.map(() => 1)], events: [] });
  const marks = (selector) =>
    parts(drawn, selector).flatMap((element) => element.querySelectorAll(".curve-line")).map((line) => {
    const [dashes] = line.querySelectorAll("polyline");
    return [dashes.getAttribute("stroke-dasharray"), line.querySelectorAll("path")[0].getAttribute("d")];
  });
  assert.equal(new Set(marks(".curve").map(([, mark]) => mark)).size, 10);
  assert.deepEqual(marks(".curve"), marks("li"));
});

test("the recap reads the whole log", async () => {
  const asked = [];
  const session = { read: async (part) => {
    asked.push(part);
    const after = Number(part.split("after=")[1]);
    return {
      ok: true, document: part === "/game" ? { log: [] } : { events: [{ version: after + 1 }, { version: after + 2 }] },
    };
  } };
  const api = { ask: async (path) => ({ ok: true, document: { sheet: [path] } }) };
  const game = await recall({ api, session, kept: { game: "tutto", version: 4 } });
  assert.deepEqual([asked, game.sheet, game.events.length],
    [["/game", "/events?after=0", "/events?after=2"], ["/v1/tutto/audits"], 4]);
  const recallFrom = (ok, events) =>
    recall({ api, session: { read: async () => ({ ok, document: { events } }) }, kept: { game: "tutto", version: 4 } });
  assert.deepEqual([await recallFrom(false, []), await recallFrom(true, [])], [null, null]);
});

test("luck needs a review with a unit that is shown", async () => {
  const players = [
    { player: 0, unit: "sum", luck: 3 }, { player: 0, unit: "chance", luck: 1 }, { player: 1, unit: "points", luck: 5 },
  ];
  const review = (ok) =>
    lucky({ api: { ask: async () => ({ ok, document: { players } }) }, kept: { game: "pot" } }, {});
  assert.deepEqual([...(await review(true))].map(([player, sums]) => [player, sums.map(({ luck }) => luck)]),
    [[0, [1]], [1, [5]]]);
  assert.equal((await review(false)).size, 0);
});
