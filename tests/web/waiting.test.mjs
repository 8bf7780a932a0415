import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";

import { control, page, parts, tableOf, texts } from "./stubs.mjs";
import { Waiting } from "../../service/dice_referee/web/static/table/waiting.js";

const NOW = Date.parse("2026-11-28T12:00:00Z");

let waiting;
let table;

/** Draws an idle seat for the host. `bots` are the seats with bots, and the second player is awaited. */
function drawn(players, ...bots) {
  return idle({}, "host", players, ...bots);
}

/** Draws an idle seat of a session with these fields, for the host or, without a token, for a player. */
function idle(fields, host, players, ...bots) {
  const kept = {
    players, bots: bots.map((seat) => ({ seat, level: "best" })), dice: "service", player: 1, version: 7,
    updated_at: "2026-11-28T11:55:00Z", ...fields,
  };
  const seats = { token: "token", rights: host, who: 0 };
  const changes = { rung: null, notes: {} };
  table = tableOf({ kept, seats, changes, awaits: true, replay: { busy: false }, text: { on: false, mode: null } });
  table.announcer.isAt = (version) => version === 7;
  waiting = new Waiting(table, () => {});
  return waiting.draw();
}

/** Announces the wait twice, and returns the announcements. */
function told() {
  table.announcer.said = [];
  for (let round = 0; round < 2; round += 1) waiting.tell();
  return table.announcer.said;
}

beforeEach(() => {
  page();
  mock.timers.enable({ apis: ["setInterval", "Date"], now: NOW });
});

afterEach(() => {
  waiting.end();
  mock.timers.reset();
});

test("the host may replace an idle player by a bot", () => {
  assert.ok(control(drawn(["Ada", "Ben", "Cleo"], 2), "substitute"));
});

test("the last person has no button for a bot", () => {
  const seat = drawn(["Ada", "Ben", "Cleo"], 0, 2);
  assert.ok(control(seat, "nudge"));
  assert.equal(control(seat, "substitute"), null);
});

test("a player may replace an idle player after the seconds of the session", () => {
  const people = ["Ada", "Ben", "Cleo"];
  assert.ok(control(idle({ idle_seconds: 300 }, null, people), "substitute"));
  waiting.end();
  for (const seconds of [301, null]) {
    assert.equal(control(idle({ idle_seconds: seconds }, null, people), "substitute"), null);
    waiting.end();
  }
});

test("the wait, a call and a refusal are each announced once", () => {
  drawn(["Ada", "Ben"]);
  assert.deepEqual(told(), ["Ben has not moved for 5 minutes."]);
  mock.timers.setTime(NOW + 60_000);
  assert.deepEqual(told(), []);
  table.changes.rung = 7;
  assert.deepEqual(told(), ["Ben was called."]);
  table.changes.notes = { waiting: "Too late." };
  assert.deepEqual(told(), ["Too late."]);
  assert.deepEqual(texts(waiting.draw(), ".notice"), ["Ben has not moved for 6 minutes. Ben was called. Too late."]);
  assert.equal(control(waiting.draw(), "nudge"), null);
});

test("the wait is announced after the moves before it", () => {
  drawn(["Ada", "Ben"]);
  table.announcer.isAt = () => false;
  assert.deepEqual(told(), []);
  table.announcer.isAt = () => true;
  assert.deepEqual(told(), ["Ben has not moved for 5 minutes."]);
});

test("the player who is called is alerted", () => {
  drawn(["Ada", "Ben"]);
  Object.assign(table, { sound: { play: () => {} } });
  assert.deepEqual([waiting.take(1), waiting.take(0)], [false, true]);
  const [notice] = parts(waiting.draw(), "p");
  assert.deepEqual([notice.getAttribute("role"), notice.textContent], ["alert", "The others are calling you."]);
});
