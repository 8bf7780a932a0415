// Plays a session of each game to its end with dice of the service.

import createClient from "openapi-fetch";
import { chosen, ending, line } from "./chosen.js";
import type { components, paths } from "./contract.js";

declare const process: { argv: string[] };

type Schemas = components["schemas"];

const referee = createClient<paths, "application/json" | "application/problem+json">({
  baseUrl: process.argv[2]!,
});
const players = ["Ada", "Ben"];
const GAMES: Schemas["SessionRequest"][] = [
  { game: "tutto", players, options: { target: 1000 } },
  { game: "yatzee", players },
  { game: "pot", players, options: { target: 6 } },
];

/** Returns the document of an answer. Throws the problem of a refusal. */
function answered<Answer>(reply: { data?: Answer; error?: Schemas["Problem"] }): Answer {
  if (reply.error !== undefined) throw new Error(`${reply.error.title}: ${reply.error.detail}`);
  return reply.data!;
}

/** Adjudicates the turn of a session again, and expects the session's verdict. */
async function judgeAgain(session: Schemas["Session"]): Promise<void> {
  if (!session.adjudication) return;
  const verdict = await judged(session);
  if (JSON.stringify(verdict) !== JSON.stringify(session.adjudication)) throw new Error("another verdict");
}

async function judged(session: Schemas["Session"]): Promise<unknown> {
  if (session.game === "tutto" && session.turn?.phase === "keep") {
    return answered(await referee.POST("/v1/tutto/adjudications", { body: session.turn }));
  }
  if (session.game === "yatzee" && session.turn?.phase === "choose") {
    return answered(await referee.POST("/v1/yatzee/adjudications", { body: session.turn }));
  }
  if (session.game === "pot" && session.turn?.phase === "choose") {
    return answered(await referee.POST("/v1/pot/adjudications", { body: session.turn }));
  }
  throw new Error("no dice to judge");
}

/** Tells if the audit of an exported game finds no illegal event. */
async function legal(body: Schemas["SessionGame"]): Promise<boolean> {
  switch (body.game) {
    case "tutto":
      return answered(await referee.POST("/v1/tutto/audits", { body })).legal;
    case "yatzee":
      return answered(await referee.POST("/v1/yatzee/audits", { body })).legal;
    case "pot":
      return answered(await referee.POST("/v1/pot/audits", { body })).legal;
  }
}

for (const body of GAMES) {
  let { session, seat_tokens } = answered(await referee.POST("/v1/sessions", { body }));
  const path = { session_id: session.id };
  while (session.player !== null) {
    await judgeAgain(session);
    const moved = await referee.POST("/v1/sessions/{session_id}/events", {
      params: { path, header: { "If-Match": `"${session.version}"` } },
      headers: { Authorization: `Bearer ${seat_tokens[session.player]}` },
      body: chosen(session),
    });
    session = answered(moved).session;
  }
  const log = answered(await referee.GET("/v1/sessions/{session_id}/events", { params: { path } }));
  const game = answered(await referee.GET("/v1/sessions/{session_id}/game", { params: { path } }));
  if (!(await legal(game))) throw new Error("the audit finds an illegal event");
  const lines = log.events.map(line);
  console.log(`${session.game}: ${session.status}, ${lines.length} entries, ${lines[0]}, ${ending(session)}`);
}
