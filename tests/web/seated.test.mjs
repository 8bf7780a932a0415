import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { control, page, parts, tableOf, texts } from "./stubs.mjs";
import { seated } from "../../service/dice_referee/web/static/table/seated.js";

beforeEach(() => page());

/** Draws the people of a table for Ada, who is its host. Ben's seat is a bot's. */
function people({ gathers = true, status = "running", seats = {} } = {}) {
  const players = ["Ada", "Ben", "Cleo"];
  const standings = players.map((_, player) => ({ player, place: 1, points: 0 }));
  const kept = { id: "one", players, standings, status, player: 0, winners: [], bots: [{ seat: 1, level: "best" }] };
  const own = { who: 0, host: "h", seats: { 0: "a", 2: "c" }, ...seats };
  const calls = [];
  const table = tableOf({ players, kept, seats: own, lobby: { gathers }, log: [] });
  const pass = (name) => (at) => calls.push([name, at]);
  return { calls, drawn: seated(table, { reissue: pass("reissue"), giveBack: pass("giveBack"), sit: pass("sit") }) };
}

test("links are unfolded until everybody is here", () => {
  const open = (gathers) => parts(people({ gathers }).drawn, "details")[0].hasAttribute("open");
  assert.deepEqual([open(true), open(false)], [true, false]);
});

test("the links are those of persons, of watchers and of the host", () => {
  const names = (how) => texts(people(how).drawn, ".links li").map((line) => line.split(" ")[0]);
  assert.deepEqual(names(), ["Ada", "Cleo", "To", "The"]);
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
