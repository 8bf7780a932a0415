import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";

import { element, later, page, parts, tableOf } from "./stubs.mjs";
import { Lobby } from "../../service/dice_referee/web/static/table/lobby.js";
import { EVERYBODY } from "../../service/dice_referee/web/static/shared/seats.js";

const OWN = { who: 0, token: "a", host: "h", seats: { 0: "a", 1: "b", 2: "c" } };

let lobby;
let table;
let arrivals;
let requests;

/** Creates a table of Ada, Ben and Cleo. `arrived` are the seats whose players have arrived. */
function createLobby({ seats = OWN, kept = {}, ...more } = {}) {
  arrivals = new Set([0]);
  requests = 0;
  const players = ["Ada", "Ben", "Cleo"];
  const read = async () => {
    requests += 1;
    return { ok: true, document: { seats: list() } };
  };
  table = tableOf({
    players, seats, entries: new Map(), session: { read }, resume: mock.fn(),
    kept: { id: "one", status: "running", player: 0, version: 0, players, ...kept }, ...more,
  });
  lobby = new Lobby(table, { place: element(), status: element("p") });
}

const list = (bots = {}) =>
  [0, 1, 2].map((seat) => ({ seat, bot: bots[seat] ?? null, arrived: arrivals.has(seat) || seat in bots }));
const arrive = (...places) => {
  places.forEach((place) => arrivals.add(place));
  lobby.take(list());
};
const states = () => lobby.place.querySelectorAll(".come li").map(({ textContent }) => textContent);
const invitation = () => lobby.place.querySelector("h2")?.textContent ?? null;
const announcement = () => lobby.status.textContent;
const move = (by = "seat", type = "draw") => {
  table.kept = { ...table.kept, version: table.kept.version + 1 };
  table.entries.set(table.kept.version, { by, event: { type } });
};

beforeEach(() => {
  page();
  mock.timers.enable({ apis: ["setTimeout"] });
  createLobby();
});

afterEach(() => {
  lobby.close();
  mock.timers.reset();
});

test("the lobby waits for missing players, and invites the next", () => {
  arrive();
  assert.deepEqual([states(), invitation(), announcement()],
    [["Ada you", "Ben not here yet", "Cleo not here yet"], "Invite Ben", "Waiting for Ben, Cleo."]);
  arrive(1);
  assert.deepEqual([states(), invitation(), announcement()],
    [["Ada you", "Ben here", "Cleo not here yet"], "Invite Cleo", "Ben is here. Waiting for Cleo."]);
  arrive(2);
  assert.deepEqual([lobby.place.hidden, announcement()], [true, "Cleo is here. Everybody is here."]);
  move();
  lobby.show();
  assert.equal(announcement(), "");
});

for (const [language, invite, waiting, all] of [
  ["de", "Ben einladen", "Warten auf Ben, Cleo.", "Ben ist da. Cleo ist da. Alle sind da."],
  ["fr", "Inviter Ben", "En attente de Ben, Cleo.", "Ben est là. Cleo est là. Tout le monde est là."],
  ["it", "Invita Ben", "In attesa di Ben, Cleo.", "Ben è qui. Cleo è qui. Ci sono tutti."],
])
  test(`the lobby is in ${language}`, () => {
    createLobby({ language });
    arrive();
    assert.deepEqual([invitation(), announcement()], [invite, waiting]);
    arrive(1, 2);
    assert.equal(announcement(), all);
  });

test("guests invite only by their own links", () => {
  createLobby({ seats: { who: 1, token: "b", host: null, seats: { 1: "b" } } });
  arrive(1);
  assert.deepEqual([invitation(), states(), announcement()],
    [null, ["Ada here", "Ben you", "Cleo not here yet"], "Waiting for Cleo."]);
});

test("bots are present from the beginning, with their level", () => {
  lobby.take(list({ 1: "best", 2: "careful" }));
  assert.deepEqual([lobby.place.hidden, announcement()], [true, ""]);
  arrivals.delete(0);
  createLobby({ seats: { ...OWN, who: 1 } });
  arrivals.delete(0);
  lobby.take(list({ 2: "careful" }));
  assert.deepEqual(states(), ["Ada not here yet", "Ben you", "Cleo Bot, careful"]);
});

for (const [whose, seats] of [
  ["a watcher", { who: null, token: null, host: null, seats: {} }],
  ["one device for all", { ...OWN, who: EVERYBODY, token: "h" }],
])
  test(`${whose} has no lobby and sends no requests`, async () => {
    createLobby({ seats });
    await lobby.watch();
    await later(60_000, 3000);
    assert.deepEqual([requests, lobby.place.hidden, announcement()], [0, true, ""]);
  });

test("a host without a seat invites all players", () => {
  createLobby({ seats: { ...OWN, who: null, token: null } });
  arrivals.delete(0);
  arrive();
  assert.equal(invitation(), "Invite Ada");
  arrive(0);
  assert.deepEqual([invitation(), states()[0]], ["Invite Ben", "Ada here"]);
});

test("the bar has a button to invite, until the host begins", () => {
  const keys = () => parts(lobby.ways(), "[data-key]").map((way) => way.getAttribute("data-key"));
  assert.deepEqual([keys(), table.shown], [[], 0]);
  arrive();
  assert.deepEqual([keys(), table.shown, lobby.place.querySelector("[data-key=copy-invite-1]")],
    [["copy-invite-1"], 1, null]);
  move();
  lobby.show();
  assert.deepEqual([lobby.place.hidden, invitation(), keys(), table.shown], [true, null, [], 2]);
  table.kept = { ...table.kept, player: 1 };
  lobby.show();
  assert.deepEqual([lobby.place.hidden, invitation(), keys(), announcement()],
    [false, "Invite Ben", ["copy-invite-1"], "Waiting for Ben."]);
});

test("the lobby ends only with a person's move", () => {
  arrive();
  for (const [by, type] of [["bot", "roll"], ["host", "seeded"], ["host", "reissued"]]) {
    move(by, type);
    assert.equal(lobby.begun, false);
  }
  move();
  assert.equal(lobby.begun, true);
});

test("a new link empties its seat", () => {
  arrive(1, 2);
  arrivals.delete(1);
  lobby.take(list());
  assert.deepEqual([invitation(), announcement()], ["Invite Ben", "Waiting for Ben."]);
});

test("arrivals are requested every three seconds until all are present", async () => {
  await lobby.watch();
  await later(9100, 1000);
  assert.equal(requests, 4);
  arrivals = new Set([0, 1, 2]);
  await later(3100, 1000);
  assert.equal(requests, 5);
  await later(60_000, 3000);
  assert.equal(requests, 5);
});

test("arrivals are requested every fifteen seconds during a game, never when hidden", async () => {
  move();
  await lobby.watch();
  await later(14_000, 1000);
  assert.equal(requests, 1);
  await later(2000, 1000);
  assert.equal(requests, 2);
  document.hidden = true;
  await later(60_000, 3000);
  assert.equal(requests, 2);
});

test("a finished game has no lobby", async () => {
  createLobby({ kept: { status: "over" } });
  await lobby.watch();
  assert.deepEqual([requests, lobby.place.hidden], [0, true]);
});

test("the elements of the lobby stay in another language", () => {
  arrive();
  const [drawn] = lobby.place.children;
  arrive();
  assert.equal(lobby.place.children[0], drawn);
  table.api.language = "de";
  lobby.show();
  assert.deepEqual([lobby.place.children[0], invitation()], [drawn, "Ben einladen"]);
});

test("links are needed until everybody is here, or until a move", () => {
  assert.equal(lobby.gathers, true);
  move();
  assert.equal(lobby.gathers, false);
  arrive();
  assert.equal(lobby.gathers, true);
  arrive(1, 2);
  assert.equal(lobby.gathers, false);
  createLobby({ seats: { ...OWN, who: EVERYBODY } });
  assert.equal(lobby.gathers, false);
});
