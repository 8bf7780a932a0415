import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";

import { answer, answers, later, nobody, page, settled } from "./stubs.mjs";
import { Session, code, insist } from "../../service/dice_referee/web/static/shared/session.js";

const ADDRESS = "http://service.test/v1/sessions/one%2Ftwo";
const ROLL = { type: "roll" };
const DONE = { session: { version: 4 } };
const busy = (status, seconds = null) =>
  answer({ title: "Too many" }, { status, headers: seconds === null ? {} : { "Retry-After": String(seconds) } });

let session;
let reports;

beforeEach(() => {
  page();
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  session = new Session({ base: "http://service.test", language: "de" }, "one/two");
  reports = [];
  for (const kind of ["again", "answered"]) session.addEventListener(kind, () => reports.push(kind));
});

afterEach(() => mock.timers.reset());

const change = (how = {}) => session.change("/events", ROLL, { token: "secret", match: 3, ...how });

/** Advances the clock until a change is answered, and returns the answer. */
async function changed(milliseconds, how) {
  const answered = change(how);
  await later(milliseconds);
  return answered;
}

test("a change sends token, version, language and key", async () => {
  const [request] = [answers(answer(DONE)), await change()][0];
  const { "Idempotency-Key": key, ...headers } = request.headers;
  assert.deepEqual({ ...request, headers }, {
    address: `${ADDRESS}/events`, method: "POST", body: JSON.stringify(ROLL),
    headers: {
      Accept: "application/json", "Accept-Language": "de", Authorization: "Bearer secret",
      "Content-Type": "application/json", "If-Match": '"3"',
    },
  });
  assert.match(key, /^[0-9a-f]{32}$/);
});

test("a stream sends the token in a header, and nothing without a token", async () => {
  const [requests, { signal }] = [answers(answer(""), answer("")), new AbortController()];
  await session.stream(7, "secret", signal);
  await session.stream(0, null, signal);
  const headers = { Accept: "text/event-stream", "Accept-Language": "de", "Last-Event-ID": "7" };
  assert.deepEqual(requests.map((request) => [request.address, request.headers]), [
    [`${ADDRESS}/stream?state=true`, { ...headers, Authorization: "Bearer secret" }],
    [`${ADDRESS}/stream?state=true`, { ...headers, "Last-Event-ID": "0" }],
  ]);
});

test("a change without body, version or key omits their headers", async () => {
  const requests = answers(answer(DONE));
  await session.change("/undo", null, { token: "secret", key: false });
  assert.deepEqual(Object.keys(requests[0].headers), ["Accept", "Accept-Language", "Authorization"]);
  assert.equal(requests[0].body, null);
});

test("a change is repeated with its key until the answer arrives", async () => {
  const requests = answers(nobody(), answer("half an ans"), busy(503), answer(DONE));
  const { ok, document } = await changed(4000);
  assert.deepEqual([ok, document], [true, DONE]);
  assert.equal(requests.length, 4);
  assert.equal(new Set(requests.map(({ headers }) => headers["Idempotency-Key"])).size, 1);
  assert.deepEqual(reports, ["again", "again", "again", "answered"]);
});

test("each change has its own key", async () => {
  const requests = answers(answer(DONE), answer(DONE));
  await change();
  await change();
  assert.notEqual(requests[0].headers["Idempotency-Key"], requests[1].headers["Idempotency-Key"]);
});

test("the pauses between attempts grow from half a second to four", async () => {
  const times = [];
  const lost = () => {
    times.push(Date.now());
    throw nobody();
  };
  answers(lost, lost, lost, lost, lost, answer(DONE));
  const start = Date.now();
  await changed(12_000);
  assert.deepEqual(times.map((time) => time - start), [0, 500, 1500, 3500, 7500]);
});

for (const [status, seconds, waited] of [[429, 3, 3000], [503, 2, 2000], [502, null, 1000], [504, 10, 10_000]])
  test(`a ${status} with Retry-After ${seconds} is retried after ${waited} ms`, async () => {
    const requests = answers(busy(status, seconds), answer(DONE));
    const answered = change();
    await later(waited - 100);
    assert.equal(requests.length, 1);
    await later(200);
    assert.equal(requests.length, 2);
    assert.equal((await answered).ok, true);
  });

for (const [status, seconds] of [[429, 60], [401, null], [409, null], [412, null]])
  test(`a ${status} with Retry-After ${seconds} is the answer`, async () => {
    const requests = answers(busy(status, seconds));
    assert.equal((await change()).status, status);
    assert.deepEqual([requests.length, reports], [1, ["answered"]]);
  });

test("a change is abandoned after a minute without an answer", async () => {
  answers(...Array(40).fill(nobody()));
  assert.deepEqual(await changed(70_000), { ok: false, status: 0, document: null });
  assert.equal(reports.at(-1), "answered");
});

test("a fault of the page is not a lost answer", async () => {
  answers(new RangeError("a fault"));
  await assert.rejects(change(), RangeError);
});

test("a token is valid unless the service answers 401", async () => {
  const requests = answers(answer({}, { status: 422 }), answer({}, { status: 401 }));
  assert.deepEqual([await session.knows("mine"), await session.knows("old")], [true, false]);
  assert.equal(requests[1].headers.Authorization, "Bearer old");
});

test("an arrival is valid with the token of its seat", async () => {
  const seats = [{ seat: 0, arrived: true }];
  const requests = answers(answer({ by: "seat", seats }), answer({ by: "host", seats }), answer({ by: "host", seats }));
  assert.deepEqual(await session.come({ who: 2, host: null, token: "mine" }), { valid: true, list: seats });
  assert.deepEqual(await session.come({ who: 2, host: null, token: "mine" }), { valid: false, list: seats });
  assert.deepEqual(await session.come({ who: "everybody", host: "mine", token: "mine" }), { valid: true, list: seats });
  assert.deepEqual(requests.map(({ address }) => address), [2, 2, 0].map((seat) => `${ADDRESS}/seats/${seat}/arrival`));
});

test("spectators arrive without a request", async () => {
  const requests = answers();
  assert.deepEqual(await session.come({ who: null, host: null, token: null }), { valid: true, list: null });
  assert.deepEqual(requests, []);
});

for (const [status, valid] of [[401, false], [403, false], [404, false], [429, true], [500, true]])
  test(`an arrival answered by ${status} is ${valid ? "" : "not "}valid`, async () => {
    answers(answer({}, { status, headers: { "Retry-After": "60" } }));
    assert.deepEqual(await session.come({ who: 0, host: null, token: "old" }), { valid, list: null });
  });

test("sentences arrive as lines with their last version", async () => {
  const requests = answers(answer("Ada \u202erolled.\n\nBen to play.\n", { headers: { ETag: '"7-text-de"' } }),
    nobody());
  assert.deepEqual(await session.hear("/events?after=6"),
    { ok: true, version: 7, lines: ["Ada rolled.", "Ben to play."] });
  assert.equal(requests[0].headers.Accept, "text/plain");
  assert.deepEqual(await session.hear(), { ok: false, version: null, lines: [] });
});

test("a request is repeated until the service has started", async () => {
  let tries = 0;
  const request = insist(async () => {
    tries += 1;
    if (tries === 1) throw nobody();
    if (tries === 2) throw Object.assign(new Error("away"), { problem: {} });
    return "here";
  });
  await later(4100);
  assert.equal(await request, "here");
  await assert.rejects(insist(async () => {
    throw new RangeError("a fault");
  }), RangeError);
  await settled();
});

test("the code of a problem is the end of its type", () => {
  assert.deepEqual([{ type: "/problems/gone" }, { type: "gone" }, {}, null].map(code), ["gone", "gone", "", ""]);
});
