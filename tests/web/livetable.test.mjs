import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";

import { Stream, element, later, page, settled, tableOf } from "./stubs.mjs";
import { SessionAnnouncer } from "../../service/dice_referee/web/static/games/announcer.js";
import { Connection, explained } from "../../service/dice_referee/web/static/table/connection.js";
import { Feed } from "../../service/dice_referee/web/static/shared/feed.js";
import { Follower } from "../../service/dice_referee/web/static/shared/follower.js";
import { LiveTable } from "../../service/dice_referee/web/static/table/livetable.js";
import { sayer } from "../../service/dice_referee/web/static/shared/words.js";
import { EVERYBODY, Places } from "../../service/dice_referee/web/static/shared/seats.js";

const TURN = { phase: "draw" };
const stateAt = (version, more = {}) => ({
  id: "one", game: "tutto", version, status: "running", player: 0, dice: "service", players: ["Ada", "Ben"], bots: [],
  ruleset: "official", options: {},
  table: { scores: [0, 0] }, turn: TURN, winners: [], legal_events: ["draw"], adjudication: null, standings: [],
  ...more,
});
const entry = (version, event = { type: "draw" }, more = {}) => ({
  version, by: "seat", player: 0, event, effects: [], rules: [], outcome: null,
  at: "2026-11-26T12:00:00Z", ...more,
});
const ok = (document) => ({ ok: true, status: 200, document });
const refusal = (code, status = 409) =>
  ({ ok: false, status, document: { type: `/problems/${code}`, title: code, detail: "", findings: [], errors: [] } });

let table;
let sent;
let read;
let replies;

/** Creates a live table for Ada without a drawing. `replies` are the answers to changes, in order. */
function createTable({ places = new Places(0, "mine"), state = stateAt(3), ...more } = {}) {
  [sent, read, replies] = [[], [], []];
  const session = Object.assign(new EventTarget(), {
    api: { language: "en" },
    change: async (part, body, how) => (sent.push([part, body, how]), replies.shift()),
    stream: Stream.request,
    read: async (part = "") => (read.push(part), ok(part.startsWith("/events") ? { events: [] } : session.state)),
    hear: async () => ({ ok: true, version: 0, lines: [] }),
  });
  table = new LiveTable(session.api, { board: element(), status: element("p"), notes: element() }, session, places);
  Object.assign(table, {
    session, say: sayer("en"), game: "tutto",
    view: { forced: ({ turn }, type) => (["draw", "roll"].includes(turn.phase) ? { type } : null) }, show: mock.fn(),
    learn: async () => () => {}, ...more,
  });
  session.state = state;
  table.lay(state, null);
}

beforeEach(() => {
  page();
  mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"] });
  createTable();
});

afterEach(() => mock.timers.reset());

// Rights of a player ----------------------------------------------------------------------------------

test("players may act in their own turn, but not during a request", () => {
  const mine = (fields) => {
    createTable({ state: stateAt(3, fields) });
    return table.mine;
  };
  assert.deepEqual([mine({}), mine({ player: 1 }), mine({ status: "over" })], [true, false, false]);
  createTable({ places: new Places(EVERYBODY, "host"), state: stateAt(3, { player: 1 }) });
  assert.equal(table.mine, true);
  table.pending = true;
  assert.equal(table.mine, false);
  createTable({ places: new Places() });
  assert.equal(table.mine, false);
});

test("the turn of the reader is in the second person", () => {
  assert.equal(table.whose(), "Your turn");
  createTable({ state: stateAt(3, { player: 1 }) });
  assert.equal(table.whose(), "Ben to play");
  createTable({ places: new Places(EVERYBODY, "host") });
  assert.equal(table.whose(), "Ada to play");
});

test("the last card and dice are those of the log, without undone events", () => {
  table.catalogue = { dice: [[1], [1], [1]] };
  const last = (...events) => {
    table.entries.clear();
    events.forEach((event, at) => table.entries.set(at + 1, entry(at + 1, event)));
    return table.last;
  };
  const rollEvent = { type: "roll", held: [5], dice: [1, 2] };
  assert.deepEqual(last(), { card: undefined, dice: undefined });
  assert.deepEqual(last({ type: "draw", card: "stop" }, rollEvent, { type: "write", category: "ones" }),
    { card: "stop", dice: [5, 1, 2] });
  const drawn = ["stop", "clover"].map((card) => ({ type: "draw", card }));
  assert.deepEqual(last(...drawn, { type: "undone", version: 2 }).card, "stop");
  // The bound dice are missing in the event, so the dice of the previous state remain.
  table.lastStep = { turn: { roll: [4, 4, 4] } };
  assert.deepEqual(last({ type: "roll", dice: [1] }).dice, [4, 4, 4]);
});

test("decisions are undone by their player, rolls by nobody", () => {
  const undoable = (entries, { state = {}, places } = {}) => {
    createTable({ state: stateAt(9, state), ...(places && { places }) });
    entries.forEach((undoneEntry) => table.entries.set(undoneEntry.version, undoneEntry));
    return table.undoable;
  };
  const [bank, draw] = [entry(8, { type: "bank" }), entry(8)];
  assert.deepEqual([undoable([bank]), undoable([draw]), undoable([])], [true, false, false]);
  assert.equal(undoable([{ ...bank, player: 1 }]), false);
  assert.equal(undoable([entry(7), bank, entry(9, { type: "seeded" })]), true);
  assert.equal(undoable([entry(7), bank, entry(9, { type: "undone", version: 8 })]), false);
  for (const status of ["over", "abandoned"]) assert.equal(undoable([bank], { state: { status } }), false);
});

test("entered dice are undone by the host, also after the end", () => {
  const undoable = (places, status = "running") => {
    createTable({ state: stateAt(9, { dice: "client", status }), places });
    table.entries.set(9, entry(9, { type: "roll" }));
    return table.undoable;
  };
  const host = () => new Places(EVERYBODY, "host");
  assert.deepEqual(
    [undoable(host()), undoable(host(), "over"), undoable(host(), "abandoned"), undoable(new Places(0, "mine"))],
    [true, true, false, false],
  );
});

// Changes ----------------------------------------------------------------------------------------------

test("a press is sent once, for the version on the table", async () => {
  replies.push(ok({ entry: entry(4, { type: "bank" }), session: stateAt(4, { player: 1 }) }));
  const request = table.play({ type: "bank" });
  assert.equal(table.pending, true);
  await table.play({ type: "bank" });
  await request;
  assert.deepEqual([sent, table.pending], [[["/events", { type: "bank" }, { token: "mine", match: 3 }]], false]);
});

test("a draw is followed by the roll without a press", async () => {
  replies.push(ok({ entry: entry(4), session: stateAt(4, { turn: { phase: "roll" }, legal_events: ["roll"] }) }),
    ok({
      entry: entry(5, { type: "roll" }),
      session: stateAt(5, { turn: { phase: "keep" }, legal_events: ["keep", "bank"] }),
    }));
  const request = table.play({ type: "draw" });
  await later(1000);
  await request;
  assert.deepEqual(sent.map(([, event, { match }]) => [event.type, match]), [["draw", 3], ["roll", 4]]);
});

for (const [what, more] of [
  ["people's dice", { dice: "client" }], ["another player", { player: 1 }], ["a later state", { version: 5 }],
  ["the end", { status: "over" }], ["a choice", { legal_events: ["roll", "bank"] }],
])
  test(`no event follows without a press with ${what}`, () => {
    const session = stateAt(4, { turn: { phase: "roll" }, legal_events: ["roll"], ...more });
    assert.equal(table.follows({ entry: entry(4), session }), null);
    assert.deepEqual(
      table.follows({ entry: entry(4), session: stateAt(4, { turn: { phase: "roll" }, legal_events: ["roll"] }) }),
      { type: "roll" },
    );
    assert.equal(table.follows({ entry: entry(4, { type: "bank" }, { outcome: {} }), session: stateAt(4) }), null);
    assert.equal(table.follows({ entry: entry(4, { type: "undone" }), session: stateAt(4) }), null);
  });

test("an invalid token is removed, and its link reported as dead", async () => {
  replies.push(refusal("unauthorized", 401));
  await table.play({ type: "draw" });
  assert.deepEqual([table.seats.token, table.seats.who, table.problem.heading, table.mine],
    [null, null, "head_link", false]);
  assert.equal(table.problem.title, "This link is not valid any more. Ask the host for another one.");
});

for (const code of ["precondition-failed", "session-ended", "forbidden"])
  test(`after ${code} the table reads the session again`, async () => {
    table.session.state = stateAt(6, { player: 1 });
    replies.push(refusal(code, 412));
    await table.play({ type: "draw" });
    assert.deepEqual([read, table.kept.version], [[""], 6]);
    assert.ok(table.problem.heading);
  });

test("an illegal event shows its findings, and changes nothing", async () => {
  replies.push({
    ...refusal("illegal-event", 409),
    document: { ...refusal("illegal-event").document, findings: [{ detail: "No 6." }] },
  });
  table.entered.push(1, 2);
  await table.play({ type: "draw" });
  assert.deepEqual([table.findings, table.problem, table.entered, read], [[{ detail: "No 6." }], null, [], []]);
});

test("a change without an answer is reported", async () => {
  replies.push({ ok: false, status: 0, document: null });
  await table.play({ type: "draw" });
  assert.deepEqual([table.problem.heading, explained(null, table.say)], ["no_answer", table.say("away")]);
  assert.equal(
    explained({ type: "x", title: "Too many.", errors: [{ detail: "One." }, { detail: "Two." }] }, table.say),
    "Too many. One. Two.",
  );
});

test("an earlier state does not replace a later state", () => {
  table.lay(stateAt(2, { player: 1 }), null);
  assert.deepEqual([table.kept.version, table.player], [3, 0]);
});

test("entries without a move keep the chosen dice and the recap", () => {
  table.chosen.add(1);
  table.recalled = { sheet: [] };
  for (const type of ["seeded", "reissued", "rematch"]) table.lay(stateAt(4), entry(4, { type }));
  assert.deepEqual([table.chosen.size, table.recalled], [1, { sheet: [] }]);
  table.lay(stateAt(5, { turn: { phase: "roll" } }), entry(5));
  assert.deepEqual([table.chosen.size, table.recalled], [0, null]);
});

// Synchronization with the session --------------------------------------------------------------------

/** Follows the table's session. */
async function follow() {
  const reports = [];
  const follower = new Follower(table);
  for (const kind of ["begun", "moved", "ended"])
    follower.addEventListener(kind, ({ detail }) => reports.push([kind, detail]));
  await follower.begin();
  await settled();
  return { follower, reports };
}

test("the log begins some entries before the state", async () => {
  createTable({ state: stateAt(450) });
  const { follower } = await follow();
  assert.deepEqual([Stream.all[0].after, Stream.all[0].token], [250, "mine"]);
  follower.close();
});

test("an entry of another player makes the table read the state", async () => {
  const { follower } = await follow();
  table.session.state = stateAt(4, { player: 1 });
  Stream.all[0].send(entry(4));
  await settled();
  await later(10);
  assert.deepEqual([table.kept.version, table.kept.player, table.entries.has(4)], [4, 1, true]);
  follower.close();
});

test("after a gap the table reads the state until it has the version", async () => {
  const { follower } = await follow();
  const [first] = read.splice(0);
  assert.equal(first, "");
  table.session.state = stateAt(5);
  Stream.all[0].send(entry(7));
  await settled();
  await later(10);
  assert.equal(table.kept.version, 5);
  table.session.state = stateAt(7);
  await later(2100);
  assert.equal(table.kept.version, 7);
  follower.close();
});

for (const place of ["behind", "ahead"])
  test(`a move is one request with the stream ${place}`, async () => {
    const { follower, reports } = await follow();
    const [moved, after] = [entry(4, { type: "bank" }), stateAt(4, { player: 1 })];
    const stream = () => (Stream.all[0].send(moved, after), settled());
    let answer;
    replies.push(new Promise((resolve) => (answer = () => resolve(ok({ entry: moved, session: after })))));
    const played = table.play({ type: "bank" });
    if (place === "ahead") await stream();
    answer();
    await played;
    if (place === "behind") await stream();
    await later(3000);
    // The table reads the session at its beginning only.
    assert.deepEqual([sent.length, read], [1, [""]]);
    assert.deepEqual([table.log.length, table.kept.version, table.lastStep.turn], [1, 4, TURN]);
    assert.deepEqual(reports.filter(([kind]) => kind === "moved").map(([, board]) => board), [false, false]);
    follower.close();
  });

test("a state on the stream is shown without a read", async () => {
  const { follower } = await follow();
  Stream.all[0].send(entry(4, { type: "bank" }));
  Stream.all[0].send(entry(5, { type: "draw" }, { player: 1 }), stateAt(5, { player: 1 }));
  await settled();
  await later(3000);
  assert.deepEqual([table.kept.version, table.lastStep.event.type, read], [5, "draw", [""]]);
  follower.close();
});

test("a reset clears the log and reads the session again", async () => {
  table.text = { on: true, reset: mock.fn() };
  const { follower, reports } = await follow();
  Stream.all[0].send(entry(4));
  table.session.state = stateAt(1, { player: 1 });
  Stream.all[0].tell("reset");
  await settled();
  assert.deepEqual([table.kept.version, table.kept.player, table.entries.size, table.text.reset.mock.callCount()],
    [1, 1, 0, 1]);
  assert.deepEqual(Stream.all.map(({ after }) => after), [0, 0]);
  assert.equal(reports.filter(([kind]) => kind === "begun").length, 2);
  Stream.all[1].send(entry(1));
  await settled();
  assert.equal(table.entries.size, 1);
  follower.close();
});

test("a deleted session ends", async () => {
  const { follower, reports } = await follow();
  table.session.read = async () => refusal("gone", 410);
  Stream.all[0].tell("gone");
  await settled();
  assert.deepEqual(reports.at(-1), ["ended", refusal("gone").document]);
  follower.close();
});

test("an unknown session ends at once, a busy service is asked again", async () => {
  const answers = [refusal("busy", 503), refusal("not-found", 404)];
  table.session.read = async () => answers.shift();
  const reports = [];
  const follower = new Follower(table);
  follower.addEventListener("ended", ({ detail }) => reports.push(detail.title));
  follower.begin();
  await later(2100);
  assert.deepEqual([reports, answers, Stream.all.length], [["not-found"], [], 0]);
});

// The turns of bots -----------------------------------------------------------------------------------

const BOTS = { bots: [{ seat: 1, level: "bold" }] };

test("moves of bots are delayed, those of people and in text mode are not", () => {
  createTable({ state: stateAt(3, BOTS) });
  assert.deepEqual(
    [table.replay.delays(stateAt(5, BOTS)), table.replay.delays(stateAt(4, BOTS)), table.replay.delays(stateAt(5))],
    [true, false, false],
  );
  table.text = { on: true };
  assert.equal(table.replay.delays(stateAt(5, BOTS)), false);
});

test("moves of a bot are shown in order, and block the table", async () => {
  page({ motion: true });
  createTable({ state: stateAt(3, BOTS) });
  const events = [
    entry(4, { type: "bank" }), entry(5, { type: "draw" }, { by: "bot", player: 1 }),
    entry(6, { type: "roll", dice: [1] }, { by: "bot", player: 1 }),
  ];
  table.session.read = async () => ok({ events });
  table.announcer.foretell = mock.fn(async () => {});
  table.replay.take(stateAt(6, BOTS));
  await settled();
  const drawings = [];
  for (let step = 0; step < 3; step += 1) {
    drawings.push([table.replay.entry.version, table.replay.shown, table.mine]);
    await later(900);
  }
  assert.deepEqual(drawings, [[4, 4, false], [5, 5, false], [6, 6, false]]);
  assert.deepEqual([table.kept.version, table.replay.busy, table.mine, table.replay.last.length], [6, false, true, 3]);
  assert.deepEqual(table.announcer.foretell.mock.calls.map(({ arguments: [version, , more] }) => [version, more]),
    [[4, ["Ben is playing"]], [4, undefined], [5, undefined], [6, undefined]]);
});

test("a skipped playback ends at once", async () => {
  page({ motion: true });
  createTable({ state: stateAt(3, BOTS) });
  const events = [4, 5, 6].map((version) => entry(version, { type: "roll", dice: [1] }, { by: "bot", player: 1 }));
  table.session.read = async () => ok({ events });
  table.replay.take(stateAt(6, BOTS));
  await settled();
  assert.equal(table.replay.entry.version, 4);
  table.replay.skip();
  await settled();
  assert.deepEqual([table.kept.version, table.replay.busy], [6, false]);
});

// The line and the live region -------------------------------------------------------------------------

test("a short loss of connection is not announced", async () => {
  const feed = Object.assign(new EventTarget(), { line: "live", stop: mock.fn() });
  const place = element("p");
  const connection = Object.assign(new Connection(place, feed, table.session), { say: table.say });
  const is = async (line, time) => {
    feed.line = line;
    feed.dispatchEvent(new Event("line"));
    await later(time);
    return place.textContent;
  };
  assert.equal(await is("live", 100), "Live");
  assert.equal(await is("lost", 1000), "Live");
  assert.equal(await is("live", 1000), "Live");
  assert.equal(await is("lost", 1300), "Connection lost, reconnecting …");
  assert.equal(await is("asking", 1300), "Asking every few seconds");
  table.session.dispatchEvent(new Event("again"));
  await later(1300);
  assert.deepEqual([place.textContent, place.className], ["No answer yet, sending once more …", "connection again"]);
  table.session.dispatchEvent(new Event("answered"));
  connection.over = true;
  assert.equal(await is("live", 100), "The game is over");
  connection.end();
  assert.deepEqual([place.textContent, feed.stop.mock.callCount()], ["", 1]);
});

/**
 * Creates the announcer of a session that answers with the sentences of `lines`. Returns the announcer and its
 * requests.
 */
function createAnnouncer(...lines) {
  const requests = [];
  const place = element("p");
  const session = { api: { language: "en" }, hear: async (part) => (requests.push(part), lines.shift()) };
  return { requests, place, announcer: new SessionAnnouncer(place, session), session };
}

test("events after the last announced version are announced once", async () => {
  const { requests, place, announcer } = createAnnouncer({ ok: true, version: 3, lines: ["ada to play"] },
    { ok: true, version: 5, lines: ["You roll.", "Your turn."] });
  await announcer.follow(3, 0, []);
  await announcer.follow(3, 0, []);
  assert.deepEqual([requests, place.textContent], [["?seat=0"], "Ada to play."]);
  await announcer.follow(4, 0, []);
  await announcer.follow(5, 0, []);
  assert.deepEqual([requests.slice(1), place.textContent], [["/events?after=3&seat=0"], "You roll. Your turn."]);
});

test("a refusal is announced before new events, without a request", async () => {
  const { requests, place, announcer } = createAnnouncer({ ok: true, version: 3, lines: ["Ada to play."] },
    { ok: true, version: 4, lines: ["Ben rolled."] });
  await announcer.follow(3, null, []);
  await announcer.follow(3, null, ["too late"]);
  assert.deepEqual([requests, place.textContent], [["?"], "Too late."]);
  await announcer.follow(4, null, ["too late"]);
  assert.deepEqual([requests.at(-1), place.textContent], ["/events?after=3", "Too late. Ben rolled."]);
});

test("events without an answer are announced with the next", async () => {
  const { requests, place, announcer } = createAnnouncer({ ok: true, version: 3, lines: ["One."] },
    { ok: false, version: null, lines: [] }, { ok: true, version: 5, lines: ["Two.", "Three."] });
  await announcer.follow(3, null, []);
  await announcer.follow(4, null, []);
  await announcer.follow(5, null, []);
  assert.deepEqual([requests.slice(1), place.textContent], [["/events?after=3", "/events?after=3"], "Two. Three."]);
});

test("events announced early are not announced again", async () => {
  const { requests, place, announcer } = createAnnouncer({ ok: true, version: 3, lines: ["One."] },
    { ok: true, version: 4, lines: ["Two."] }, { ok: true, version: 5, lines: ["Three."] });
  await announcer.follow(3, 0, []);
  await announcer.foretell(4, 0, ["Ben is playing"]);
  assert.deepEqual([requests[1], place.textContent], ["/events?after=3&until=4&seat=0", "Two. Ben is playing."]);
  await announcer.foretell(4, 0, ["Again"]);
  assert.equal(place.textContent, "Again.");
  await announcer.follow(5, 0, []);
  assert.deepEqual([requests.at(-1), place.textContent], ["/events?after=4&seat=0", "Three."]);
});

test("an outline replaces the description of the state after events", async () => {
  const { requests, place, announcer } = createAnnouncer({ ok: true, version: 3, lines: ["Points."] },
    { ok: true, version: NaN, lines: ["You roll 1 1."] }, { ok: true, version: 6, lines: ["Your turn."] });
  await announcer.follow(3, 0, [], ["Roll 1 of 3"]);
  assert.deepEqual([requests[0], place.textContent], ["?seat=0", "Points."]);
  await announcer.follow(4, 0, [], ["Roll 1 of 3", null]);
  assert.deepEqual([requests[1], place.textContent], ["/events?after=3&until=4&seat=0", "You roll 1 1. Roll 1 of 3."]);
  assert.ok(announcer.isAt(4));
  await announcer.follow(4, 0, [], ["Roll 1 of 3", null]);
  await announcer.follow(6, 0, []);
  assert.deepEqual([requests.slice(2), place.textContent], [["/events?after=4&seat=0"], "Your turn."]);
});

test("the follower closes its feed", async () => {
  const { follower } = await follow();
  assert.ok(follower.feed instanceof Feed);
  follower.close();
  Stream.all[0].send(entry(4));
  await later(30_000, 5000);
  assert.deepEqual([table.kept.version, tableOf().shown], [3, 0]);
});
