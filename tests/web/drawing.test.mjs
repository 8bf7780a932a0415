import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { AIMS, element, page } from "./stubs.mjs";
import { pot } from "../../service/dice_referee/web/static/games/pot.js";
import { tutto } from "../../service/dice_referee/web/static/games/tutto.js";
import { oddsOfSession } from "../../service/dice_referee/web/static/games/weighing.js";
import { yatzee } from "../../service/dice_referee/web/static/games/yatzee.js";
import { draw } from "../../service/dice_referee/web/static/shared/patch.js";
import { Places } from "../../service/dice_referee/web/static/shared/seats.js";
import { sayer } from "../../service/dice_referee/web/static/shared/words.js";
import { ending } from "../../service/dice_referee/web/static/table/changes.js";
import { LiveTable } from "../../service/dice_referee/web/static/table/livetable.js";
import { Lobby } from "../../service/dice_referee/web/static/table/lobby.js";
import { logbook } from "../../service/dice_referee/web/static/table/logbook.js";
import { Meter } from "../../service/dice_referee/web/static/table/meter.js";
import { proof } from "../../service/dice_referee/web/static/table/proof.js";
import { seated } from "../../service/dice_referee/web/static/table/seated.js";
import { strip } from "../../service/dice_referee/web/static/table/strip.js";
import { Waiting } from "../../service/dice_referee/web/static/table/waiting.js";

const BOX = Array.from({ length: 6 }, () => [1, 2, 3, 4, 5, 6]);
const CATEGORIES = ["ones", "chance"].map((id) => ({ id, title: id, rule: id === "ones" ? "Y1" : "Y2" }));
const CATALOGUES = {
  tutto: { deck: [{ id: "double", title: "Double", text: "Twice.", rule: "T5", copies: 1 }], dice: BOX },
  yatzee: { deck: [], dice: BOX, categories: CATEGORIES },
  pot: { deck: [], dice: BOX.slice(0, 3), combos: [] },
};
const keep = (dice, points) => ({
  dice, points, bonus: 0, turn_points: points, lines: [{ kind: "single", points, rule: "T1" }], effects: [],
  next: { phase: "roll", dice_to_roll: 6 - dice.length },
});
const open = (category) =>
  ({ category, points: 2, satisfied: true, open: true, dice: [1, 1], rule: "Y1", face_value: 2, throw_bonus: 0 });

/** States of sessions, by their names: `[game, fields]`. */
const STATES = {
  "a draw": ["tutto", { turn: { phase: "draw", scores: [0, 0] } }],
  "a keep": [
    "tutto",
    {
      turn: { phase: "keep", card: "double", roll: [1, 5, 2, 3, 4, 6] },
      adjudication: {
        status: "scoring", legal_keeps: [keep([1, 5], 150), keep([1], 100)], rules: ["T1"], bank: null, next: null,
      },
    },
  ],
  "a choice of categories": [
    "yatzee",
    {
      turn: { phase: "choose", roll: [1, 1, 2, 4, 5, 6], rolls_made: 1 },
      adjudication: { status: "writable", may_roll: true, categories: ["ones", "chance"].map(open), rules: ["Y1"] },
      table: { scorecards: [{}, { ones: 3 }], totals: [{ total: 0 }, { total: 3 }] },
    },
  ],
  "a roll of POT": ["pot", { turn: { phase: "roll", coins: [3, 3], pot: 1, bank: 2, holder: 1, player: 0 } }],
  "the end": [
    "tutto",
    { turn: null, status: "over", winners: [0], standings: [{ player: 0, points: 6000 }, { player: 1, points: 200 }] },
  ],
};

/** Creates the table of a session with all parts of its page. Its requests fail. */
function createTable(game, fields) {
  const forbidden = mock.fn(async () => {
    throw new Error("a drawing sends no request");
  });
  globalThis.fetch = forbidden;
  const session = Object.assign(new EventTarget(),
    { api: { language: "en" }, address: "/v1/sessions/one", read: forbidden, change: forbidden, hear: forbidden });
  const place = { board: element(), status: element("p"), notes: element() };
  const table = new LiveTable(session.api, place, session, new Places(0, "mine"));
  const book = { chip: (number) => number, chips: (numbers) => numbers.join(" ") };
  const catalogue = { ...CATALOGUES[game], spoken: "en", vocabulary: [], rulesets: [{ aims: AIMS[game] }] };
  Object.assign(table, {
    say: sayer("en"), game, view: { tutto, yatzee, pot }[game], terms: new Map(), catalogue, book,
    api: { language: "en", ask: forbidden },
  });
  Object.assign(table, {
    odds: oddsOfSession(session), lobby: new Lobby(table, { place: element(), status: element("p") }),
    meter: new Meter(table), sound: { on: false, toggle() {} }, text: { on: false }, keys: { on: true },
  });
  table.meter.toggle();
  const common = {
    id: "one", game, version: 1, status: "running", player: 0, dice: "service", players: ["Ada", "Ben"], bots: [],
    ruleset: "official", options: {}, odds: true, winners: [], legal_events: [], adjudication: null,
    table: { scores: [0, 0] },
  };
  const standings = [0, 1].map((player) => ({ player, points: 0, place: 1 }));
  table.entries.set(1, {
    version: 1, by: "seat", player: 1, event: { type: game === "tutto" ? "roll" : "roll", dice: [1, 2] }, effects: [],
    rules: ["T1"], outcome: null, at: "2026-11-26T12:00:00Z",
  });
  table.lay({
    ...common, standings, fairness: { commitment: "c0ffee", seeds: [null, null], draws: 0, seed: null },
    updated_at: "2026-11-26T12:00:00Z", expires_at: "2026-11-27T12:00:00Z", ...fields,
  },
  null);
  return { table, forbidden };
}

/** Draws the board and all panels. Returns the places of the drawings. */
function drawAll(table, places) {
  const nothing = () => {};
  table.draw();
  const panels = {
    strip: strip(table), people: seated(table, { reissue: nothing, giveBack: nothing, sit: nothing }),
    waiting: places.idle.draw(null), log: logbook(table, nothing),
    proof: proof(table, { seed: nothing, verify: nothing, verdict: null }),
    ends: ending(table,
      { odds: table.meter.control(nothing), asking: null, ask: nothing, abandon: nothing, remove: nothing }),
  };
  for (const [name, content] of Object.entries(panels)) draw((places[name] ??= element()), content);
  return [table.place.board, ...Object.keys(panels).map((name) => places[name])];
}

beforeEach(() => page());

for (const [name, [game, fields]] of Object.entries(STATES))
  test(`a second drawing of ${name} changes nothing, and no drawing sends a request`, () => {
    const { table, forbidden } = createTable(game, fields);
    const places = { idle: new Waiting(table, {}, () => {}) };
    places.idle.end();
    const elements = () => drawAll(table, places).flatMap((place) => place.querySelectorAll("*"));
    const [first, second] = [elements(), elements()];
    assert.ok(first.length > 20);
    assert.equal(second.length, first.length);
    assert.ok(second.every((each, at) => each === first[at]));
    assert.equal(forbidden.mock.callCount(), 0);
  });
