// Sends requests to servers that fail once, are not a referee or are closed, and invalid requests.

import { Referee, Refused, Unanswered, type Session } from "dice-referee";

declare const process: { argv: string[] };

const [, , address = "", once = "", always = ""] = process.argv;
const session: Session<"pot"> = JSON.parse('{"game":"pot","id":"one","version":1}');

/** Describes the result of a call: an answer, or an error and its status. */
async function ending(call: () => Promise<unknown>): Promise<string> {
  try {
    await call();
    return "answered";
  } catch (error) {
    if (error instanceof Unanswered || error instanceof Refused) return `${error.status} ${error.retryAfter} ${error.message}`;
    return error instanceof TypeError ? "TypeError" : String(error);
  }
}

/** Sends idempotent requests, and others. */
function endings(fate: string): Promise<string[]> {
  const referee = new Referee(`${address}/${fate}/`);
  const path = { session_id: "one", number: 1 };
  return Promise.all([
    ending(() => referee.rules("pot")),
    ending(() => referee.adjudicate("tutto", { card: "double", roll: [1, 1, 1, 5, 5, 5] })),
    ending(() => referee.play(session, "token", { type: "roll" })),
    ending(() => referee.arrive("one", 1, "token")),
    ending(() => referee.delete(session, "token")),
    ending(() => referee.begin("pot", { players: ["Ada", "Ben"] })),
    ending(() => referee.request("POST", "/v1/sessions/{session_id}/seats/{number}/token", { path, token: "token" })),
  ]);
}

const faults = once.split(",").map(async (fate) => `${fate}: ${(await endings(fate)).map((end) => end.split(" ")[0])}`);
for (const line of await Promise.all(faults)) console.log(line);

for (const fate of always.split(",")) {
  const waits: number[] = [];
  const referee = new Referee(`${address}/${fate}`, { onWait: (seconds) => waits.push(seconds) });
  const ends = [await ending(() => referee.rules("pot")), await ending(() => referee.follow("one").next())];
  console.log(fate, waits.length, ...new Set(ends));
}

const closed = await ending(() => new Referee(`${address}/hour`).rules("pot"));
console.log(closed);
const leave = new AbortController();
const waiting = new Referee(`${address}/hour`, { patience: 7200, onWait: () => leave.abort(new Error("left")) });
console.log(await ending(() => waiting.rules("pot", { signal: leave.signal })));

const failed = () => Promise.reject(new TypeError("fetch failed", { cause: new AggregateError([], "", { cause: { code: "ENOTFOUND" } }) }));
console.log(await ending(() => new Referee("http://nowhere.test", { fetch: failed, patience: 0 }).rules("pot")));

const ring: { players: string[]; self?: unknown } = { players: ["Ada"] };
ring.self = ring;
const unsent = new Referee(`${address}/unsent`);
const mistakes = [
  // @ts-expect-error: no session
  () => unsent.record(undefined),
  // @ts-expect-error: a number in place of a session
  () => unsent.session(7),
  () => unsent.session(""),
  // @ts-expect-error: no token
  () => unsent.undo(session),
  // @ts-expect-error: no token and no tokens
  () => unsent.play(session, { type: "roll" }),
  // @ts-expect-error: no seat and no token
  () => unsent.arrive("one"),
  // @ts-expect-error: a position without its game
  () => unsent.adjudicate({ card: "double", roll: [1, 1, 1, 5, 5, 5] }),
  // @ts-expect-error: an object in place of a token
  () => unsent.follow("one", 0, { token: session }).next(),
  () => unsent.delete(session, "a\nb"),
  () => unsent.begin("pot", ring),
  () => new Referee(`${address}/unsent`, { headers: { "X-Tenant": "a\nb" } }).rules("pot"),
  async () => new Referee("localhost:8000"),
  async () => new Referee(`${address}/?tenant=ours`),
  async () => new Referee("a referee"),
];
console.log(...(await Promise.all(mistakes.map(ending))));
