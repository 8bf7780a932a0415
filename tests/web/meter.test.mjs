import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { control, drawing, page, settled, tableOf } from "./stubs.mjs";
import { Meter } from "../../service/dice_referee/web/static/table/meter.js";

const CARD = { phase: "roll", card: "double", scores: [0, 0] };

let requests;
let reply;
let table;

/** Creates a live table for two players with a meter. `reply` answers the requests for chances. */
function createTable(more = {}) {
  requests = [];
  const session = { read: async (part) => (requests.push(part), reply) };
  table = tableOf({
    game: "tutto", turn: { phase: "draw", scores: [0, 0] }, kept: { odds: true, version: 1, player: 0 }, session,
    ...more,
  });
  table.meter = new Meter(table);
}

/** Draws the meter after all answers, and returns its label, its text or null. */
async function drawn() {
  for (let round = 0; round < 3; round += 1) {
    table.meter.update();
    await settled();
  }
  const place = drawing(table.meter.draw());
  return place.querySelector(".meter")?.getAttribute("aria-label") ?? (place.textContent || null);
}

beforeEach(() => {
  page();
  reply = { ok: true, document: { value: 0.5123 } };
  createTable();
});

test("a meter that is off sends no requests", async () => {
  assert.deepEqual([await drawn(), requests, table.meter.words()], [null, [], []]);
});

test("chances are those at the start of the turn, in order of players", async () => {
  table.meter.toggle();
  const label = "Chances of winning: Ada 51.2%, Ben 48.8%";
  assert.deepEqual([await drawn(), requests, table.meter.words()], [label, ["/odds?aim=win"], [label]]);
  Object.assign(table, { turn: CARD, kept: { ...table.kept, version: 2 } });
  assert.deepEqual([await drawn(), requests.length], [label, 1]);
  Object.assign(table, { turn: { phase: "draw", scores: [250, 0] }, kept: { ...table.kept, version: 4, player: 1 } });
  assert.deepEqual([await drawn(), requests.length], ["Chances of winning: Ada 48.8%, Ben 51.2%", 2]);
});

test("POT for two has chances at the start of a turn", async () => {
  createTable({ game: "pot", turn: { phase: "roll", coins: [3, 3] } });
  table.meter.toggle();
  assert.equal(await drawn(), "Chances of winning: Ada 51.2%, Ben 48.8%");
});

test("the switch of the meter is stored", () => {
  assert.equal(control(table.meter.control(() => {}), "meter").checked, false);
  table.meter.toggle();
  createTable();
  assert.equal(control(table.meter.control(() => {}), "meter").checked, true);
});

for (const [what, more] of [
  ["yatzee", { game: "yatzee" }], ["POT of three", { game: "pot", turn: { phase: "roll", coins: [3, 3, 3] } }],
  ["three players", { turn: { phase: "draw", scores: [0, 0, 0] } }],
  ["a table without odds", { kept: { odds: false, version: 1, player: 0 } }],
])
  test(`${what} has no meter`, async () => {
    createTable(more);
    table.meter.toggle();
    assert.deepEqual([await drawn(), requests, table.meter.control(() => {}), table.meter.words()],
      [null, [], null, []]);
  });

test("a table without published chances shows the reason in the reader's language", async () => {
  reply = { ok: false, document: { findings: [{ detail: "Not published." }] } };
  table.meter.toggle();
  assert.deepEqual([await drawn(), table.meter.words()], ["Not published.", ["Not published."]]);
  reply = { ok: false, document: { detail: "Nicht veröffentlicht." } };
  table.api.language = "de";
  assert.equal(await drawn(), "Nicht veröffentlicht.");
});

test("chances are not requested within a turn or during a request", async () => {
  table.meter.toggle();
  for (const more of [{ turn: CARD }, { pending: true }, { replay: { busy: true } }]) {
    Object.assign(table, { turn: { phase: "draw", scores: [0, 0] }, pending: false, replay: null }, more);
    assert.deepEqual([await drawn(), requests], [null, []]);
  }
});
