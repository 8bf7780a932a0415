import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { page } from "./stubs.mjs";
import {
  EVERYBODY, Places, Seats, link, reachable, tables,
} from "../../service/dice_referee/web/static/shared/seats.js";

const ADDRESS = "http://service.test/table/one";
const [MINE, OTHER, HOST] = ["a", "b", "h"].map((letter) => letter.repeat(43));
const storedSeats = (store = localStorage) => JSON.parse(store.getItem("table:one"));
const never = () => assert.fail("no token is to be tried");

/** Opens a page at a fragment. Returns its seats, and whether the fragment had a seat. */
async function open(fragment, isKnown = never) {
  location.href = `${ADDRESS}${fragment}`;
  const seats = new Seats("one");
  return { seats, came: await seats.arrive(isKnown) };
}

beforeEach(() => page({ address: ADDRESS }));

test("a link takes its seat, and its token moves from the address to storage", async () => {
  const { seats, came } = await open(`#seat=1&token=${MINE}`);
  assert.deepEqual([came, seats.who, seats.token, seats.broken], [true, 1, MINE, false]);
  assert.equal(location.href, ADDRESS);
  assert.deepEqual([storedSeats().seats, storedSeats().host, storedSeats(sessionStorage)],
    [{ 1: MINE }, null, { who: 1 }]);
});

test("the host's link plays for all players", async () => {
  const { seats } = await open(`#seat=host&token=${HOST}`);
  assert.deepEqual([seats.who, seats.host, seats.token, seats.listener], [EVERYBODY, HOST, HOST, null]);
  assert.deepEqual([0, 1, null].map((player) => seats.actsFor(player)), [true, true, false]);
});

const BROKEN = [MINE.slice(0, 30), MINE.slice(1), `${MINE}x`, `${MINE.slice(1)}.`, ""];
for (const token of BROKEN)
  for (const seat of ["0", "host"])
    test(`“${token}” is no valid token of seat ${seat}`, async () => {
      const { seats, came } = await open(`#seat=${seat}&token=${token}`);
      assert.deepEqual([came, seats.broken, seats.who, seats.token], [false, true, null, null]);
      assert.deepEqual([location.href, storedSeats(), storedSeats(sessionStorage)], [ADDRESS, null, null]);
    });

for (const token of BROKEN)
  test(`the invalid token “${token}” replaces no seat`, async () => {
    await open(`#seat=0&token=${MINE}`);
    const { seats, came } = await open(`#seat=0&token=${token}`);
    assert.deepEqual([came, seats.broken, seats.who, seats.token], [false, false, 0, MINE]);
    assert.deepEqual(storedSeats().seats, { 0: MINE });
  });

for (const fragment of ["", `#seat=x&token=${MINE}`, `#token=${MINE}`, "#seat=0"])
  test(`“${fragment}” takes no seat`, async () => {
    const { seats, came } = await open(fragment);
    assert.deepEqual([came, seats.who, storedSeats()], [false, null, null]);
  });

for (const [seat, field] of [["host", "host"], ["0", "seats"]])
  test(`the stored token of ${seat} is replaced only if invalid`, async () => {
    await open(`#seat=${seat}&token=${MINE}`);
    const tokens = [];
    const check = (answer) => async (token) => {
      tokens.push(token);
      return answer;
    };
    const { seats, came } = await open(`#seat=${seat}&token=${OTHER}`, check(true));
    assert.deepEqual([came, seats.token], [true, MINE]);
    assert.ok(!JSON.stringify(localStorage).includes(OTHER));
    assert.equal((await open(`#seat=${seat}&token=${OTHER}`, check(false))).seats.token, OTHER);
    assert.deepEqual(tokens, [MINE, MINE]);
    assert.deepEqual(storedSeats()[field], seat === "host" ? OTHER : { 0: OTHER });
  });

test("a reload keeps the seat of its tab, a new tab takes the likely seat", async () => {
  await open(`#seat=1&token=${MINE}`);
  await open(`#seat=host&token=${HOST}`);
  new Seats("one").sit(1);
  assert.equal(new Seats("one").who, 1);
  sessionStorage.removeItem("table:one");
  assert.equal(new Seats("one").who, EVERYBODY);
  new Seats("one").sit(null);
  assert.deepEqual([new Seats("one").who, new Seats("one").token, new Seats("one").host], [null, null, HOST]);
});

test("an invalid token is removed", async () => {
  const { seats } = await open(`#seat=1&token=${MINE}`);
  seats.drop(null);
  assert.equal(seats.who, 1);
  seats.drop(MINE);
  assert.deepEqual([seats.who, seats.token, storedSeats().seats, new Seats("one").who], [null, null, {}, null]);
});

test("the host remains host without an invalid seat token", () => {
  const places = Object.assign(new Places(EVERYBODY, HOST), { seats: { 1: MINE } });
  places.drop(MINE);
  assert.deepEqual([places.who, places.token], [EVERYBODY, HOST]);
});

test("a former host keeps the seat that plays here", async () => {
  const { seats } = await open(`#seat=host&token=${HOST}`);
  [MINE, OTHER].forEach((token, seat) => seats.give(seat, token));
  seats.sit(0);
  seats.hosted(null);
  assert.equal(seats.rights, HOST);
  seats.hosted(1);
  assert.deepEqual([seats.rights, seats.token, seats.who, storedSeats().host, storedSeats().seats],
    [null, MINE, 0, null, { 0: MINE }]);
});

for (const who of [EVERYBODY, null])
  test(`a former host without a seat (${who}) watches`, async () => {
    const { seats } = await open(`#seat=host&token=${HOST}`);
    seats.give(1, OTHER);
    seats.sit(who);
    seats.hosted(1);
    assert.deepEqual([seats.rights, seats.token, seats.who, seats.seats], [null, null, null, {}]);
  });

test("the token of the host's seat has the rights of the host", () => {
  const places = new Places(1, MINE);
  places.hosted(1);
  assert.equal(places.rights, MINE);
  places.hosted(0);
  assert.equal(places.rights, null);
});

test("a rematch has the same seats, and is opened", async () => {
  const { seats } = await open(`#seat=host&token=${HOST}`);
  seats.give(1, MINE);
  seats.called("Tutto · Ada, Ben");
  seats.sit(1);
  seats.goTo("two");
  const { who, host, token, title } = new Seats("two");
  assert.deepEqual({ who, host, token, title }, { who: 1, host: HOST, token: MINE, title: "Tutto · Ada, Ben" });
  assert.deepEqual(location.assign.mock.calls.map(({ arguments: [path] }) => path), ["/table/two"]);
});

test("tables are listed for a month, the latest first", async () => {
  const day = 24 * 3600 * 1000;
  const sat = (id, days, title = id) =>
    localStorage.setItem(`table:${id}`, JSON.stringify({ title, at: Date.now() - days * day, seats: {} }));
  [["old", 31], ["last week", 7], ["today", 0], ["unnamed", 0, null]].forEach((table) => sat(...table));
  localStorage.setItem("odds", "on");
  localStorage.setItem("table:damaged", "{");
  assert.deepEqual(tables().map(({ id }) => id), ["today", "last week"]);
  const { seats } = await open(`#seat=0&token=${MINE}`);
  seats.called("Tutto");
  assert.deepEqual(tables().find(({ id }) => id === "one").title, "Tutto");
  seats.forget();
  assert.deepEqual([tables().length, new Seats("one").who], [2, null]);
});

test("links have the public address, with the token in the fragment", () => {
  assert.equal(link("one"), ADDRESS);
  assert.equal(link("one", 1, MINE), `${ADDRESS}#seat=1&token=${MINE}`);
  document.querySelector = (selector) =>
    (selector === "meta[name=public-url]" ? { content: "http://phones.test:8000" } : null);
  assert.equal(link("one", "host", HOST), `http://phones.test:8000/table/one#seat=host&token=${HOST}`);
});

test("links with a loopback address are local", () => {
  const hosts = [
    "localhost:8000", "x.localhost", "127.0.0.1:8000", "127.1.2.3", "[::1]:80", "192.0.2.2:8000", "referee.example",
    "localhost.example",
  ].filter((host) => {
    page({ address: `http://${host}/table/one` });
    return reachable();
  });
  assert.deepEqual(hosts, ["192.0.2.2:8000", "referee.example", "localhost.example"]);
  page({ address: "http://localhost:8000/table/one" });
  document.querySelector = () => ({ content: "http://192.0.2.2:8000" });
  assert.ok(reachable());
});

test("without storage a seat lasts as long as its page", async () => {
  for (const name of ["localStorage", "sessionStorage"])
    Object.defineProperty(globalThis, name, { configurable: true, get: () => {
      throw new Error("denied");
    } });
  const { seats, came } = await open(`#seat=1&token=${MINE}`);
  assert.deepEqual([came, seats.who, seats.token, tables()], [true, 1, MINE, []]);
  seats.forget();
});
