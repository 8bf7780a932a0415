// A session of each game, played to its end with the dice of the service.

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

/** The answer, or the problem as an exception. */
function answered<Answer>(reply: { data?: Answer; error?: Schemas["Problem"] }): Answer {
  if (reply.error !== undefined) throw new Error(`${reply.error.title}: ${reply.error.detail}`);
  return reply.data!;
}

for (const body of GAMES) {
  let { session, seat_tokens } = answered(await referee.POST("/v1/sessions", { body }));
  const path = { session_id: session.id };
  while (session.player !== null) {
    const moved = await referee.POST("/v1/sessions/{session_id}/events", {
      params: { path, header: { "If-Match": `"${session.version}"` } },
      headers: { Authorization: `Bearer ${seat_tokens[session.player]}` },
      body: chosen(session),
    });
    session = answered(moved).session;
  }
  const log = answered(await referee.GET("/v1/sessions/{session_id}/events", { params: { path } }));
  const lines = log.events.map(line);
  console.log(`${session.game}: ${session.status}, ${lines.length} entries, ${lines[0]}, ${ending(session)}`);
}
