// Plays a turn and a session of Tutto with the types of openapi-typescript.

import createClient from "openapi-fetch";
import type { components, paths } from "./contract.js";

declare const process: { argv: string[] };

type Position = components["schemas"]["TuttoPosition"];
type Turn = components["schemas"]["TuttoTurn"];
type Event = components["schemas"]["TuttoEvent"];
type Step = components["schemas"]["TuttoStep"];

// A batch can also be NDJSON, so the program requests the typed document.
type Json = "application/json" | "application/problem+json";
const referee = createClient<paths, Json>({ baseUrl: process.argv[2]! });

/** Returns the document of an answer. Throws the problem of a refusal. */
function answered<Answer>(reply: { data?: Answer; error?: components["schemas"]["Problem"] }): Answer {
  if (reply.error !== undefined) throw new Error(`${reply.error.title}: ${reply.error.detail}`);
  return reply.data!;
}

/** Plays an event by sending a turn back. */
async function step(turn: Partial<Turn>, event: Event): Promise<Step> {
  return answered(await referee.POST("/v1/tutto/transitions", { body: { ...turn, event } }));
}

/** Returns the end of a turn. */
function end(turn: Turn | null | undefined): components["schemas"]["TuttoOverTurn"] {
  if (turn?.phase !== "over") throw new Error("the turn goes on");
  return turn;
}

const last: Position = { card: "bonus-600", keeps: [[1], [2, 2, 2]], roll: [1, 5] };
const verdict = answered(await referee.POST("/v1/tutto/adjudications", { body: last }));
console.log(verdict.status, verdict.bank?.turn_points, end(verdict.bank?.next).outcome.reason);

const drawn = await step({}, { type: "draw", card: "double" });
console.log(drawn.turn?.phase, drawn.legal_events.join());

const rolled = await step(drawn.turn!, { type: "roll", dice: [1, 2, 4, 4, 4, 6] });
console.log(rolled.turn?.phase, rolled.legal_events.join());

const illegal = await step(rolled.turn!, { type: "keep", dice: [4, 4, 4, 6] });
for (const finding of illegal.findings) console.log(finding.code, finding.rule, finding.pointer);

const banked = await step(rolled.turn!, { type: "bank" });
console.log(banked.turn?.phase, end(banked.turn).outcome.points);

const positions: Position[] = [last, { card: "clover", roll: [1] }];
const batch = answered(await referee.POST("/v1/tutto/adjudications/batch", { body: { positions } }));
for (const answer of batch.answers) {
  console.log("type" in answer ? answer.findings[0]?.code : answer.status);
}

type Move = components["schemas"]["PostedEvent"];

const table = answered(
  await referee.POST("/v1/sessions", { body: { game: "tutto", players: ["Ada", "Ben"], dice: "client" } }),
);
const { id, status, version, legal_events } = table.session;
const [ada, ben] = table.seat_tokens as [string, string];
console.log(status, version, legal_events.join());

const at = { path: { session_id: id } };
const as = (token: string) => ({ Authorization: `Bearer ${token}` });
const move = (token: string, body: Move, conditions = {}) =>
  referee.POST("/v1/sessions/{session_id}/events", {
    params: { ...at, header: conditions },
    headers: as(token),
    body,
  });

answered(await move(ada, { type: "draw", card: "double" }, { "Idempotency-Key": "draw" }));
const moved = answered(await move(ada, { type: "roll", dice: [1, 2, 4, 4, 4, 6] }, { "If-Match": '"1"' }));
if (moved.session.game !== "tutto") throw new Error("not of Tutto");
const { adjudication, turn } = moved.session;
console.log(moved.entry.version, adjudication?.status, turn?.dice_to_roll, turn?.phase);

const refused = await move(ben, { type: "keep", dice: [1] });
console.log(refused.error?.status, refused.error?.type);

const undone = answered(
  await referee.POST("/v1/sessions/{session_id}/undo", { params: at, headers: as(table.host_token) }),
);
const { event } = undone.entry;
if (event.type !== "undone") throw new Error(event.type);
console.log(event.type, event.version);

const log = answered(
  await referee.GET("/v1/sessions/{session_id}/events", { params: { ...at, query: { after: 0 } } }),
);
console.log(log.events.map((entry) => entry.event.type).join());

const deleted = answered(
  await referee.DELETE("/v1/sessions/{session_id}", { params: at, headers: as(table.host_token) }),
);
console.log(deleted.session.status);
const gone = await referee.GET("/v1/sessions/{session_id}", { params: at });
console.log(gone.error?.status, gone.error?.type);
