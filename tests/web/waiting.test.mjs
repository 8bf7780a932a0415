import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";

import { control, page, tableOf } from "./stubs.mjs";
import { Waiting } from "../../service/dice_referee/web/static/table/waiting.js";

const NOW = Date.parse("2026-11-28T12:00:00Z");

let waiting;

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
  const seats = { token: "token", host, who: 0 };
  waiting = new Waiting(tableOf({ kept, seats, waits: true, replay: { busy: false } }), { rung: null }, () => {});
  return waiting.draw(null);
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
