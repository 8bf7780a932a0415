import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";

import { Stream, later, nobody, page, settled } from "./stubs.mjs";
import { Feed } from "../../service/dice_referee/web/static/shared/feed.js";

const AWAY = nobody();
const entry = (version) => ({ version, event: { type: "roll" } });
const news = (...events) => ({ ok: true, status: 200, document: { events } });
const refusal = (status) => ({ ok: false, status, document: { type: `/problems/${status}` } });

let feed;
let reports;
let requests;
let replies;

/** Creates a session that answers with `replies` in order, then without new entries. */
const session = () => ({
  address: "http://service.test/v1/sessions/one",
  async read(part) {
    requests.push(part);
    const reply = replies.shift() ?? news();
    if (reply instanceof Error) throw reply;
    return reply;
  },
});

const last = () => Stream.all.at(-1);
const streams = () => Stream.all.map(({ address }) => address.split("?")[1]);
const entries = () => reports.filter(([kind]) => kind === "entry").map(([, { version }]) => version);
const lines = () => reports.filter(([kind]) => kind === "line").map(([, line]) => line);

/** Follows the entries after a version on an open stream. */
async function follow(after = 0) {
  feed.start(after);
  await settled();
  last().open();
}

beforeEach(() => {
  page();
  mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"] });
  [reports, requests, replies] = [[], [], []];
  feed = new Feed(session());
  for (const kind of ["entry", "reset", "gone", "line"]) feed.addEventListener(kind, ({ detail }) => reports.push([kind, detail]));
});

afterEach(async () => {
  feed.close();
  await settled();
  mock.timers.reset();
});

test("entries arrive once and in order", async () => {
  await follow(3);
  assert.deepEqual(streams(), ["after=3"]);
  for (const version of [4, 5, 5, 4, 6]) last().send(entry(version));
  assert.deepEqual(entries(), [4, 5, 6]);
});

test("an entry in both request and stream arrives once", async () => {
  await follow();
  replies.push(news(entry(1), entry(2)));
  document.dispatchEvent(new Event("visibilitychange"));
  await settled();
  last().send(entry(2));
  last().send(entry(3));
  assert.deepEqual(entries(), [1, 2, 3]);
});

test("after a gap without a reset the feed continues with the later entry", async () => {
  await follow(1);
  last().send(entry(4));
  last().send(entry(3));
  assert.deepEqual(entries(), [4]);
  last().fail(true);
  await settled();
  assert.deepEqual(requests, ["/events?after=4&wait=0"]);
  assert.deepEqual(reports.filter(([kind]) => kind === "reset"), []);
});

test("a reset is reported, and its stream closed", async () => {
  await follow(7);
  const stream = last();
  stream.tell("reset");
  assert.deepEqual(reports.at(-1), ["reset", null]);
  assert.equal(stream.readyState, Stream.CLOSED);
  await later(60_000, 1000);
  assert.deepEqual(streams(), ["after=7"]);
  await follow(0);
  last().send(entry(1));
  assert.deepEqual([streams(), entries()], [["after=7", "after=0"], [1]]);
});

test("a reset is reported without a stream", async () => {
  await follow(7);
  replies.push(refusal(429), { ok: true, status: 200, document: { reset: true, events: [] } });
  last().fail(true);
  await later(3000);
  last().fail(true);
  await settled();
  assert.deepEqual(reports.filter(([kind]) => kind === "reset").length, 1);
  await later(60_000, 1000);
  assert.equal(requests.length, 2);
});

test("a deleted session ends the feed", async () => {
  await follow();
  last().tell("gone");
  assert.deepEqual(reports.at(-1), ["gone", null]);
  assert.equal(last().readyState, Stream.CLOSED);
  await later(60_000, 1000);
  assert.equal(Stream.all.length, 1);
});

for (const status of [404, 410])
  test(`a request answered by ${status} ends the feed with the problem`, async () => {
    await follow();
    replies.push(refusal(status));
    last().fail(true);
    await later(60_000, 1000);
    assert.deepEqual(reports.find(([kind]) => kind === "gone"), ["gone", refusal(status).document]);
    assert.deepEqual([requests.length, Stream.all.length], [1, 1]);
  });

test("a broken connection is lost until it opens again", async () => {
  await follow();
  last().fail();
  assert.equal(feed.line, "lost");
  last().open();
  assert.deepEqual(lines(), ["live", "lost", "live"]);
  assert.deepEqual(requests, []);
});

test("a refused stream is retried at once, then after half a minute of long polling", async () => {
  await follow();
  last().fail(true);
  await settled();
  assert.deepEqual([requests, streams().length], [["/events?after=0&wait=0"], 2]);
  last().fail(true);
  await later(29_000, 500);
  assert.equal(feed.line, "asking");
  assert.equal(streams().length, 2);
  // After an immediate answer without entries, the next request follows a pause.
  assert.equal(requests.length, 11);
  assert.deepEqual([...new Set(requests.slice(1))], ["/events?after=0&wait=20"]);
  await later(2000, 500);
  assert.equal(streams().length, 3);
  last().open();
  assert.equal(feed.line, "live");
});

test("requests with new entries follow without a pause", async () => {
  await follow();
  last().fail(true);
  await settled();
  replies.push(news(entry(1)), news(entry(2)), news(entry(3)));
  last().fail(true);
  await settled();
  assert.deepEqual(entries(), [1, 2, 3]);
});

test("a request without an answer is repeated after a pause", async () => {
  await follow();
  replies.push(AWAY, AWAY, new SyntaxError("half an answer"), news(entry(1)));
  last().fail(true);
  await settled();
  assert.deepEqual([feed.line, requests.length], ["lost", 1]);
  await later(2900);
  assert.equal(requests.length, 1);
  await later(200);
  last().fail(true);
  await later(3100);
  assert.equal(requests.length, 3);
  await later(3100);
  assert.deepEqual([feed.line, entries()], ["asking", [1]]);
});

test("a hidden page sends no requests, a page shown again does", async () => {
  await follow();
  document.hidden = true;
  document.dispatchEvent(new Event("visibilitychange"));
  await later(60_000, 5000);
  assert.deepEqual(requests, []);
  document.hidden = false;
  replies.push(news(entry(1)));
  document.dispatchEvent(new Event("visibilitychange"));
  await settled();
  // The stream has missed an entry, so the feed opens another stream.
  assert.deepEqual([entries(), streams()], [[1], ["after=0", "after=1"]]);
});

test("a silent connection is checked every twenty seconds", async () => {
  await follow();
  await later(19_000, 1000);
  assert.deepEqual(requests, []);
  await later(2000, 1000);
  assert.deepEqual([requests, streams().length], [["/events?after=0&wait=0"], 1]);
  replies.push(AWAY);
  await later(20_000, 1000);
  assert.deepEqual([lines(), streams().length], [["live", "lost"], 2]);
});

test("an offline browser is reported, and reconnects online", async () => {
  await follow(5);
  dispatchEvent(new Event("offline"));
  assert.equal(feed.line, "lost");
  dispatchEvent(new Event("online"));
  await settled();
  assert.deepEqual(streams(), ["after=5", "after=5"]);
  assert.equal(Stream.all[0].readyState, Stream.CLOSED);
});

test("four feeds of a page have streams, others use long polling", async () => {
  const feeds = Array.from({ length: 5 }, () => new Feed(session()));
  feeds.forEach((instance) => instance.start(0));
  await settled();
  assert.deepEqual([Stream.all.length, requests], [4, ["/events?after=0&wait=0"]]);
  feeds[0].close();
  await later(31_000, 500);
  assert.equal(Stream.all.length, 5);
  feeds.forEach((instance) => instance.close());
  await settled();
});

test("pages of a browser share its streams by locks", async () => {
  const held = new Set(["dice-referee-stream-1", "dice-referee-stream-2", "dice-referee-stream-3"]);
  const request = (name, _how, act) => {
    if (held.has(name)) return act(null);
    held.add(name);
    return act({ name }).then(() => held.delete(name));
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
  assert.deepEqual([requests, lines(), stream.readyState], [[], ["live"], Stream.CLOSED]);
});

test("an interrupted opening gives its place back", async () => {
  const held = new Set();
  const request = (name, _how, act) => {
    held.add(name);
    return act({ name }).then(() => held.delete(name));
  };
  navigator.locks = { request };
  feed.start(0);
  feed.stop();
  await settled();
  assert.deepEqual([...held], []);
});
