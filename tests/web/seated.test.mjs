import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { control, page, parts, tableOf, texts } from "./stubs.mjs";
import { EVERYBODY, Places } from "../../service/dice_referee/web/static/shared/seats.js";
import { seated } from "../../service/dice_referee/web/static/table/seated.js";

beforeEach(() => page());

/** Draws the people of a table for Ada, who is its host. Ben's seat is a bot's, and Dan has not arrived. */
function people({ gathers = true, status = "running", seats = {}, asking = null, online = null, ...state } = {}) {
  const players = ["Ada", "Ben", "Cleo", "Dan"];
  const standings = players.map((_, player) => ({ player, place: 1, points: 0 }));
  const bots = [{ seat: 1, level: "best" }];
  const kept = { id: "one", players, standings, status, player: 0, winners: [], bots, ...state };
  const own = Object.assign(new Places(), { who: 0, host: "h", seats: { 0: "a", 2: "c" } }, seats);
  own.hosted(kept.host_seat ?? null);
  const calls = [];
  const list = players.map((_, seat) => ({ arrived: seat !== 3 }));
  const table = tableOf({ players, kept, online, seats: own, lobby: { gathers, list }, log: [] });
  const pass = (name) => (at) => calls.push([name, at]);
  const [reissue, giveBack, sit, become, ask] = ["reissue", "giveBack", "sit", "pass", "ask"].map(pass);
  return { calls, drawn: seated(table, { reissue, giveBack, sit, pass: become, ask, asking }) };
}

test("links are unfolded until everybody is here", () => {
  const open = (gathers) => parts(people({ gathers }).drawn, "details")[0].hasAttribute("open");
  assert.deepEqual([open(true), open(false)], [true, false]);
});

test("the links are those of persons, of watchers and of the host", () => {
  const names = (how) => texts(people(how).drawn, ".links li").map((line) => line.split(" ")[0]);
  assert.deepEqual(names(), ["Ada", "Cleo", "Dan", "To", "The"]);
  assert.deepEqual(names({ seats: { host: null } }), ["Ada", "Cleo", "To"]);
  assert.deepEqual(names({ status: "over" }), ["To", "The"]);
});

test("the host makes a new link, and gives the seat of a bot back", () => {
  const { calls, drawn } = people();
  control(drawn, "reissue-2").click();
  control(drawn, "back-1").click();
  assert.deepEqual(calls, [["reissue", 2], ["giveBack", 1]]);
  assert.equal(control(drawn, "reissue-1"), null);
});

test("the host passes the rights to a person who has arrived, by two presses", () => {
  const first = people();
  const offered = [0, 1, 2, 3].filter((seat) => control(first.drawn, `host-${seat}`));
  assert.deepEqual(offered, [2]);
  control(first.drawn, "host-2").click();
  const second = people({ asking: "host-2" });
  control(second.drawn, "yes").click();
  control(second.drawn, "no").click();
  assert.deepEqual([first.calls, second.calls], [[["ask", "host-2"]], [["pass", 2], ["ask", null]]]);
});

for (const [who, how] of [
  ["a player", { seats: { host: null } }], ["who plays for all", { seats: { who: EVERYBODY } }],
  ["the end", { status: "over" }], ["a former host", { host_seat: 2 }],
])
  test(`${who} has no control that passes the rights`, () => {
    assert.equal(control(people(how).drawn, "host-2"), null);
  });

test("the seat of the new host has the controls and a mark", () => {
  const { drawn } = people({ host_seat: 0, seats: { host: null } });
  assert.ok(control(drawn, "reissue-2"));
  assert.ok(control(drawn, "host-2"));
  assert.match(texts(drawn, ".people li")[0], /The host/);
});

test("the seats of others show if they are connected, while that is known", () => {
  const words = (how) => texts(people(how).drawn, ".online, .offline");
  assert.deepEqual(words({ online: [0, 3] }), ["offline", "online"]);
  assert.deepEqual(words({ online: [0], seats: { who: null } }), ["online", "offline", "offline"]);
  for (const how of [{}, { online: [0], seats: { who: EVERYBODY } }, { online: [0], status: "over" }])
    assert.deepEqual(words(how), []);
});

test("the choice of the host names the seat that the computer plays", () => {
  const options = (how) => texts(people(how).drawn, "option");
  assert.deepEqual(options({ seats: { who: 1 } }).slice(0, 4), ["Ada", "Ben", "Cleo", "Dan"]);
  assert.deepEqual(options().slice(0, 3), ["Ada", "Cleo", "Dan"]);
});
