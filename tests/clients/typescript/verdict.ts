// A turn of Tutto through the types that openapi-typescript makes of the contract.

import createClient from "openapi-fetch";
import type { components, paths } from "./contract.js";

declare const process: { argv: string[] };

type Position = components["schemas"]["TuttoPosition"];
type Turn = components["schemas"]["TuttoTurn"];
type Event = components["schemas"]["TuttoEvent"];
type Step = components["schemas"]["TuttoStep"];

// A batch can be NDJSON too; who wants the typed document says so.
type Json = "application/json" | "application/problem+json";
const referee = createClient<paths, Json>({ baseUrl: process.argv[2]! });

/** The answer, or the problem as an exception. */
function answered<Answer>(reply: { data?: Answer; error?: components["schemas"]["Problem"] }): Answer {
  if (reply.error !== undefined) throw new Error(`${reply.error.title}: ${reply.error.detail}`);
  return reply.data!;
}

/** The turn posted back with an event. */
async function step(turn: Partial<Turn>, event: Event): Promise<Step> {
  return answered(await referee.POST("/v1/tutto/transitions", { body: { ...turn, event } }));
}

const last: Position = { card: "bonus-600", keeps: [[1], [2, 2, 2]], roll: [1, 5] };
const verdict = answered(await referee.POST("/v1/tutto/adjudications", { body: last }));
console.log(verdict.status, verdict.bank?.turn_points, verdict.bank?.next.outcome?.reason);

const drawn = await step({}, { type: "draw", card: "double" });
console.log(drawn.turn?.phase, drawn.legal_events.join());

const rolled = await step(drawn.turn!, { type: "roll", dice: [1, 2, 4, 4, 4, 6] });
console.log(rolled.turn?.phase, rolled.legal_events.join());

const illegal = await step(rolled.turn!, { type: "keep", dice: [4, 4, 4, 6] });
for (const finding of illegal.findings) console.log(finding.code, finding.rule, finding.pointer);

const banked = await step(rolled.turn!, { type: "bank" });
console.log(banked.turn?.phase, banked.turn?.outcome?.points);

const positions: Position[] = [last, { card: "clover", roll: [1] }];
const batch = answered(await referee.POST("/v1/tutto/adjudications/batch", { body: { positions } }));
for (const answer of batch.answers) {
  console.log("type" in answer ? answer.findings[0]?.code : answer.status);
}
