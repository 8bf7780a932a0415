import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";

import { Stream, later, nobody, page, settled } from "./stubs.mjs";
import { Feed } from "../../service/dice_referee/web/static/shared/feed.js";

const AWAY = nobody();
const entry = (version) => ({ version, event: { type: "roll" } });
const news = (...entries) =>
  ({ ok: true, status: 200, document: { events: entries.map((each) => ({ entry: each, session: null })) } });
const refusal = (status) => ({ ok: false, status, document: { type: `/problems/${status}` } });

let feed;
let reports;
let requests;
let replies;
let token;

/** Creates a session that answers with `replies` in order, then without new entries. */
const session = () => ({
  stream: Stream.request,
  async read(part) {
    requests.push(part);
    const reply = replies.shift() ?? news();
    if (reply instanceof Error) throw reply;
    return reply;
  },
});

const last = () => Stream.all.at(-1);
const streams = () => Stream.all.map(({ after }) => after);
const entries = () => reports.filter(([kind]) => kind === "entry").map(([, { version }]) => version);
const lines = () => reports.filter(([kind]) => kind === "line").map(([, line]) => line);
const show = () => document.dispatchEvent(new Event("visibilitychange"));

/** Acts on the last stream, and waits for the reaction. */
async function act(...steps) {
  for (const step of steps) step(last());
  await settled();
}

/** Follows the entries after a version on an open stream. */
async function follow(after = 0) {
  feed.start(after);
  await settled();
  await act((stream) => stream.open());
}

beforeEach(() => {
  page();
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  [reports, requests, replies, token] = [[], [], [], null];
  feed = new Feed(session(), () => token);
  for (const kind of ["entry", "reset", "gone", "nudge", "line"])
    feed.addEventListener(kind, ({ detail }) => reports.push([kind, detail]));
});

afterEach(async () => {
  feed.close();
  await settled();
  mock.timers.reset();
});

test("entries arrive once and in order", async () => {
  await follow(3);
  assert.deepEqual(streams(), [3]);
  await act(...[4, 5, 5, 4, 6].map((version) => (stream) => stream.send(entry(version))));
  assert.deepEqual(entries(), [4, 5, 6]);
});

test("a state arrives after its entry, by stream and by poll", async () => {
  feed.addEventListener("state", ({ detail }) => reports.push(["state", detail]));
  await follow();
  const sendSecond = (stream) => stream.send(entry(2), { version: 2 });
  await act((stream) => stream.send(entry(1)), sendSecond, sendSecond);
  replies.push({ ok: true, status: 200, document: { events: [{ entry: entry(3), session: { version: 3 } }] } });
  show();
  await settled();
  assert.deepEqual(reports.slice(1),
    [
      ["entry", entry(1)], ["entry", entry(2)], ["state", { version: 2 }],
      ["entry", entry(3)], ["state", { version: 3 }],
    ]);
});

test("events arrive over any chunks, and heartbeats are no events", async () => {
  await follow();
  const data = JSON.stringify({ entry: { ...entry(1), text: "é: \u2028" }, session: null });
  const text = `: heartbeat\nid: 1\ndata: ${data}\n\nevent: nudge\ndata: {"player":1}\n\n: heartbeat\n`;
  for (const byte of new TextEncoder().encode(text)) last().queue.enqueue(Uint8Array.of(byte));
  await settled();
  assert.deepEqual(reports.slice(1), [["entry", { ...entry(1), text: "é: \u2028" }], ["nudge", { player: 1 }]]);
});

test("connected seats arrive by streams and by polls", async () => {
  const seen = [];
  feed.addEventListener("connected", ({ detail: { connected } }) => seen.push(connected));
  await follow();
  last().queue.enqueue(new TextEncoder().encode('event: connected\ndata: {"connected":[1]}\n\n'));
  await settled();
  replies.push({ ok: true, status: 200, document: { events: [], connected: [0, 1] } });
  show();
  await settled();
  assert.deepEqual(seen, [[1], [0, 1]]);
});

test("an entry in both request and stream arrives once", async () => {
  await follow();
  replies.push(news(entry(1), entry(2)));
  show();
  await settled();
  await act((stream) => stream.send(entry(2)), (stream) => stream.send(entry(3)));
  assert.deepEqual(entries(), [1, 2, 3]);
});

test("after a gap without a reset the feed continues with the later entry", async () => {
  await follow(1);
  await act((stream) => stream.send(entry(4)), (stream) => stream.send(entry(3)));
  assert.deepEqual(entries(), [4]);
  await act((stream) => stream.end());
  await later(1000);
  assert.deepEqual([streams(), requests], [[1, 4], []]);
  assert.deepEqual(reports.filter(([kind]) => kind === "reset"), []);
});

test("a reset is reported, and its stream closed", async () => {
  await follow(7);
  await act((stream) => stream.tell("reset", { version: 0 }));
  assert.deepEqual(reports.at(-1), ["reset", null]);
  assert.ok(last().closed);
  await later(60_000, 1000);
  assert.deepEqual(streams(), [7]);
  await follow(0);
  await act((stream) => stream.send(entry(1)));
  assert.deepEqual([streams(), entries()], [[7, 0], [1]]);
});

test("a reset is reported without a stream", async () => {
  feed.start(7);
  await settled();
  replies.push(news(), { ok: true, status: 200, document: { reset: true, events: [] } });
  await act((stream) => stream.refuse(429));
  await later(60_000, 1000);
  assert.deepEqual(reports.filter(([kind]) => kind === "reset").length, 1);
  assert.deepEqual([requests.length, streams()], [2, [7]]);
});

test("a deleted session ends the feed", async () => {
  await follow();
  await act((stream) => stream.tell("gone"));
  assert.deepEqual(reports.at(-1), ["gone", null]);
  assert.ok(last().closed);
  await later(60_000, 1000);
  assert.deepEqual([requests, streams()], [[], [0]]);
});

for (const status of [404, 410])
  test(`a stream answered by ${status} ends the feed with the problem`, async () => {
    await follow();
    await act((stream) => stream.end());
    await later(1000);
    await act((stream) => stream.refuse(status, { type: "/problems/x" }));
    await later(60_000, 1000);
    assert.deepEqual(reports.find(([kind]) => kind === "gone"), ["gone", { type: "/problems/x" }]);
    assert.deepEqual([requests.length, Stream.all.length], [0, 2]);
  });

test("a poll answered by 410 ends the feed with the problem", async () => {
  feed.start(0);
  await settled();
  replies.push(refusal(410));
  await act((stream) => stream.refuse(429));
  await later(60_000, 1000);
  assert.deepEqual(reports.at(-1), ["gone", refusal(410).document]);
  assert.deepEqual([requests.length, Stream.all.length], [1, 1]);
});

test("a broken connection is lost until it opens again", async () => {
  await follow();
  await act((stream) => stream.fail());
  assert.equal(feed.line, "lost");
  await later(1000);
  await act((stream) => stream.open());
  assert.deepEqual([lines(), requests], [["live", "lost", "live"], []]);
});

test("the pauses between attempts grow with jitter to eight seconds", async () => {
  const chance = mock.method(Math, "random", () => 0.5);
  feed.start(0);
  await settled();
  const waits = [];
  for (let attempt = 0; attempt < 6; attempt += 1) {
    const [count, start] = [Stream.all.length, Date.now()];
    await act((stream) => (attempt % 2 ? stream.fail() : stream.refuse(503)));
    while (Stream.all.length === count) await later(50, 50);
    waits.push(Date.now() - start);
  }
  assert.deepEqual(waits, [750, 1500, 3000, 6000, 6000, 6000]);
  assert.equal(feed.line, "lost");
  // An open stream resets the backoff.
  await act((stream) => stream.open(), (stream) => stream.end());
  chance.mock.mockImplementation(() => 0);
  await act();
  await later(750);
  assert.equal(Stream.all.length, 8);
});

test("the stream has the token of the player here until the service refuses it", async () => {
  token = "void";
  feed.start(0);
  await settled();
  await act((stream) => stream.refuse(401));
  await later(1000);
  await act((stream) => stream.open(), (stream) => stream.end());
  token = "new";
  await later(1000);
  assert.deepEqual(Stream.all.map((stream) => stream.token), ["void", null, "new"]);
});

test("a refused stream is retried after half a minute of long polling", async () => {
  feed.start(0);
  await settled();
  await act((stream) => stream.refuse(429));
  await later(29_000, 500);
  assert.deepEqual([feed.line, Stream.all.length], ["asking", 1]);
  // After an immediate answer without entries, the next request follows a pause.
  assert.equal(requests.length, 10);
  assert.deepEqual([...new Set(requests)], ["/events?after=0&wait=20&state=true"]);
  await later(2000, 500);
  await act((stream) => stream.open());
  assert.deepEqual([Stream.all.length, feed.line], [2, "live"]);
});

test("a displaced stream is retried after five minutes of long polling", async () => {
  await follow();
  replies.push(news(entry(1), entry(2)));
  await act((stream) => stream.send(entry(1)), (stream) => stream.tell("crowded"));
  assert.ok(last().closed);
  assert.deepEqual([feed.line, entries(), requests],
    ["asking", [1, 2], ["/events?after=1&wait=20&state=true", "/events?after=2&wait=20&state=true"]]);
  await later(299_000, 1000);
  assert.deepEqual(streams(), [0]);
  await later(3000, 1000);
  assert.deepEqual(streams(), [0, 2]);
});

test("requests with new entries follow without a pause", async () => {
  feed.start(0);
  await settled();
  replies.push(news(entry(1)), news(entry(2)), news(entry(3)));
  await act((stream) => stream.refuse(429));
  assert.deepEqual(entries(), [1, 2, 3]);
});

test("a request without an answer is repeated after a pause", async () => {
  feed.start(0);
  await settled();
  replies.push(AWAY, new SyntaxError("half an answer"), news(entry(1)));
  await act((stream) => stream.refuse(429));
  assert.deepEqual([feed.line, requests.length], ["lost", 1]);
  await later(2900);
  assert.equal(requests.length, 1);
  await later(200);
  assert.equal(requests.length, 2);
  await later(3100);
  assert.deepEqual([feed.line, entries()], ["asking", [1]]);
});

test("a hidden page sends no requests, a page shown again does", async () => {
  await follow();
  document.hidden = true;
  show();
  await later(30_000, 5000);
  assert.deepEqual(requests, []);
  document.hidden = false;
  show();
  await settled();
  assert.deepEqual([requests, streams()], [["/events?after=0&wait=0&state=true"], [0]]);
  replies.push(news(entry(1)));
  show();
  await settled();
  // The stream has missed an entry, so the feed opens another stream.
  assert.deepEqual([entries(), streams(), Stream.all[0].closed], [[1], [0, 1], true]);
  replies.push(AWAY);
  show();
  await settled();
  assert.deepEqual([feed.line, streams()], ["lost", [0, 1, 1]]);
});

for (const [when, begin] of [["an open", (stream) => stream.open()], ["an opening", () => undefined]])
  test(`${when} stream without a heartbeat is replaced after 35 seconds`, async () => {
    feed.start(0);
    await settled();
    await act(begin);
    await later(34_000, 1000);
    if (last().answered) {
      last().write(": heartbeat\n");
      await later(34_000, 1000);
    }
    assert.deepEqual([last().closed, requests], [false, []]);
    replies.push(news(entry(1)));
    await later(2000, 1000);
    assert.ok(Stream.all[0].closed);
    assert.deepEqual([feed.line, entries()], ["asking", [1]]);
    await later(32_000, 1000);
    assert.deepEqual(streams(), [0, 1]);
  });

test("an offline browser is reported, and reconnects online", async () => {
  await follow(5);
  dispatchEvent(new Event("offline"));
  assert.equal(feed.line, "lost");
  dispatchEvent(new Event("online"));
  await settled();
  assert.deepEqual(streams(), [5, 5]);
  assert.ok(Stream.all[0].closed);
});

test("four feeds of a page have streams, others use long polling", async () => {
  const feeds = Array.from({ length: 5 }, () => new Feed(session()));
  feeds.forEach((instance) => instance.start(0));
  await settled();
  assert.deepEqual([Stream.all.length, requests], [4, ["/events?after=0&wait=0&state=true"]]);
  feeds[0].close();
  await later(31_000, 500);
  assert.equal(Stream.all.length, 5);
  feeds.forEach((instance) => instance.close());
  await settled();
});

test("a feed gives its place back after a failure, and at each interruption of its opening", async () => {
  await follow();
  for (let turn = 0; turn < 9; turn += 1) {
    await act((stream) => stream.fail());
    await later(10_000, 1000);
    feed.start(0);
    if (turn % 2) await settled();
    feed.stop();
    feed.start(0);
    await settled();
  }
  const neighbours = Array.from({ length: 3 }, () => new Feed(session()));
  neighbours.forEach((instance) => instance.start(0));
  await settled();
  assert.deepEqual([requests, Stream.all.filter(({ closed }) => !closed).length], [[], 4]);
  neighbours.forEach((instance) => instance.close());
  await settled();
});

test("pages of a browser share its streams by locks", async () => {
  const held = new Set(["dice-referee-stream-1", "dice-referee-stream-2", "dice-referee-stream-3"]);
  const request = (name, _how, take) => {
    if (held.has(name)) return take(null);
    held.add(name);
    return take({ name }).then(() => held.delete(name));
  };
  navigator.locks = { request };
  const neighbour = new Feed(session());
  feed.start(0);
  neighbour.start(0);
  await settled();
  assert.deepEqual([Stream.all.length, requests.length], [1, 1]);
  neighbour.close();
  feed.close();
  await settled();
  assert.equal(held.size, 3);
});

test("a closed feed sends and reports nothing", async () => {
  await follow();
  const stream = last();
  feed.close();
  dispatchEvent(new Event("offline"));
  document.dispatchEvent(new Event("visibilitychange"));
  await later(60_000, 5000);
  assert.deepEqual([requests, lines(), stream.closed, Stream.all.length], [[], ["live"], true, 1]);
});

test("an interrupted opening gives its place back", async () => {
  const held = new Set();
  const request = (name, _how, take) => {
    held.add(name);
    return take({ name }).then(() => held.delete(name));
  };
  navigator.locks = { request };
  feed.start(0);
  feed.stop();
  await settled();
  assert.deepEqual([...held], []);
});
