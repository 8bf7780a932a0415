// Tests the options of all calls: fetch, headers, language and signal, and requests without a method of their own.

import { Referee, Refused, type Answer, type Call, type Path, type Session } from "dice-referee";
import type { paths } from "dice-referee/contract";

declare const process: { argv: string[] };

const address = process.argv[2] ?? "";
const headers = new Set<string>();
const own: typeof fetch = (input, init) => {
  const sent = new Headers(init?.headers);
  headers.add(`${sent.get("Accept-Language")} ${sent.get("X-Tenant")} ${sent.get("Authorization")?.replace(/Bearer .+/, "Bearer")}`);
  return fetch(input, init);
};
const referee = new Referee(address, { fetch: own, headers: { "X-Tenant": "ours", Authorization: "Basic gate" } });

const { session, seat_tokens } = await referee.begin("tutto", { players: ["Ada", "Ben"] });
const [ada = "", ben = ""] = seat_tokens;
console.log((await referee.arrive(session.id, 1, ben)).by, (await referee.seats(session.id)).seats.map(({ arrived }) => arrived).join());
const wrong: unknown = await referee.arrive(session.id, 1, ada).catch((error: unknown) => error);
console.log(wrong instanceof Refused ? `${wrong.status} ${wrong.problem.code}` : wrong);
const odds = await referee.sessionOdds(session);
const winning = await referee.sessionOdds(session, { aim: "win" });
console.log(odds.aim, winning.aim);
console.log([...headers].join());

const path = { session_id: session.id };
const { events } = await referee.request("GET", "/v1/sessions/{session_id}/events", { path, query: { after: 0, wait: 0 } });
console.log(events.length);
const { rules } = await referee.request("POST", "/v1/tutto/comparisons", { body: { card: "double", roll: [1, 1, 1, 5, 5, 5] } });
console.log(rules.length > 0);
console.log((await referee.request("POST", "/v1/tutto/adjudications", { body: { card: "double", roll: [1, 1, 1, 5, 5, 5] } })).ruleset);
console.log((await referee.request("GET", "/v1/{game}/rules/{number}", { path: { game: "pot", number: "P1.1" } })).number);
console.log((await referee.request("GET", "/v1")).games.length);
const table = await referee.begin("pot", { players: ["Ada", "Ben"] });
const seat = { session_id: table.session.id, number: 0 };
const tag = { "If-Match": `"${table.session.version}"` };
const reissued = await referee.request("POST", "/v1/sessions/{session_id}/seats/{number}/token", { path: seat, token: table.host_token, headers: tag });
console.log(reissued.entry.event.type);
// @ts-expect-error: only these settings of the compiler refuse `undefined`
console.log((await referee.request("GET", "/v1/sessions/{session_id}/odds", { path, query: { aim: undefined } })).aim);

const { host_token: token } = table;
/** Describes the entry of a seat. */
const seated = ({ entry: { event } }: Answer<"POST", "/v1/sessions/{session_id}/seats/{number}/bot">): string =>
  event.type === "substituted" ? `${event.type} ${event.level}` : event.type;
const given = await referee.request("POST", "/v1/sessions/{session_id}/seats/{number}/bot", { path: seat, token, body: { level: "best" }, headers: { "Idempotency-Key": "one" } });
const called = await referee.request("POST", "/v1/sessions/{session_id}/seats/{number}/nudge", { path: { ...seat, number: 1 }, token });
const back = await referee.request("DELETE", "/v1/sessions/{session_id}/seats/{number}/bot", { path: seat, token });
console.log(seated(given), called.seats.map(({ bot }) => bot).join(), seated(back));
const hosted = await referee.request("POST", "/v1/sessions/{session_id}/host", { path: { session_id: seat.session_id }, token, body: { seat: 1 } });
console.log(hosted.entry.event.type, hosted.session.host_seat);
const mistaken: unknown = await referee.request("POST", "/v1/tutto/adjudications", { body: { card: "double", roll: [7] } }).catch((error: unknown) => error);
const illegal: unknown = await referee.play(session, ada, { type: "bank" }).catch((error: unknown) => error);
for (const error of [mistaken, illegal]) console.log(error instanceof Refused ? error.message.split(". ")[0] : error);

const left: Call = { signal: AbortSignal.abort(new Error("left")) };
const record = await referee.record(session);
const { fairness } = session;
if (!fairness) throw new Error("no fairness");
const calls = {
  adjudicate: () => referee.adjudicate("tutto", { card: "double", roll: [1, 1, 1, 5, 5, 5] }, left),
  transition: () => referee.transition("yatzee", { event: { type: "roll", dice: [3, 3, 4, 5, 5, 6] } }, left),
  odds: () => referee.odds("tutto", { card: "double", roll: [1, 1, 1, 5, 5, 5] }, left),
  audit: () => referee.audit("tutto", record, left),
  review: () => referee.review("tutto", record, left),
  verify: () => referee.verify({ game: "tutto", record, fairness: { ...fairness, seed: "0" } }, left),
  game: () => referee.game("pot", left),
  rules: () => referee.rules("pot", left),
  begin: () => referee.begin("pot", { players: ["Ada"] }, left),
  session: () => referee.session(session.id, left),
  log: () => referee.log(session.id, 0, left),
  record: () => referee.record(session, left),
  sessionOdds: () => referee.sessionOdds(session, left),
  seats: () => referee.seats(session.id, left),
  arrive: () => referee.arrive(session.id, 0, ada, left),
  play: () => referee.play(session, ada, { type: "draw" }, left),
  undo: () => referee.undo(session, ada, left),
  seed: () => referee.seed(session, ada, "a text", left),
  abandon: () => referee.abandon(session, ada, left),
  rematch: () => referee.rematch(session, ada, left),
  delete: () => referee.delete(session, ada, left),
  follow: () => referee.follow(session.id, 0, left).next(),
  request: () => referee.request("GET", "/v1", left),
} satisfies Record<Exclude<keyof Referee, symbol>, () => Promise<unknown>>;
const reasons = Object.values(calls).map((call) => call().then(() => "answered", (error: Error) => error.message));
console.log(new Set(await Promise.all(reasons)));
const untouched = await referee.session(session.id);
console.log(untouched.version === session.version);

type Having<Method extends string> = { [P in keyof paths]: paths[P] extends Record<Method, object> ? P : never }[keyof paths];
type Methods = "put" | "patch" | "head" | "options" | "trace";
type Unreached = Exclude<Having<"get">, Path<"GET">> | Exclude<Having<"post">, Path<"POST">> | Exclude<Having<"delete">, Path<"DELETE">> | Having<Methods>;
export const stream: Unreached = "/v1/sessions/{session_id}/stream";
/** Compiles only while `request` accepts every operation except the stream. */
export const others = (path: Exclude<Unreached, typeof stream>): never => path;
export const begun = (answer: Answer<"POST", "/v1/sessions">): Session => answer.session;

/** Compiles only while each of these mistakes is an error. */
export async function refused(): Promise<void> {
  // @ts-expect-error: a path without its parameters
  await referee.request("GET", "/v1/sessions/{session_id}/odds");
  // @ts-expect-error: an unknown parameter of the path
  await referee.request("GET", "/v1/sessions/{session_id}/odds", { path: { ...path, id: "one" } });
  // @ts-expect-error: an unknown parameter of the query
  await referee.request("GET", "/v1/sessions/{session_id}/odds", { path, query: { amm: "win" } });
  // @ts-expect-error: a query without its parameters
  await referee.request("GET", "/v1/tutto/adjudications");
  // @ts-expect-error: an unknown method of the path
  await referee.request("DELETE", "/v1");
  // @ts-expect-error: a missing body
  await referee.request("POST", "/v1/tutto/comparisons", {});
  // @ts-expect-error: an unexpected body
  await referee.request("GET", "/v1", { body: {} });
  // @ts-expect-error: a stream has no document
  await referee.request("GET", "/v1/sessions/{session_id}/stream", { path });
  // @ts-expect-error: an aim of another game
  await referee.sessionOdds(session, { aim: "category" });
}
