// Requests a verdict, a session and two problems by openapi-fetch's default settings, without a cast.

import createClient from "openapi-fetch";
import type { paths } from "./contract.js";

declare const process: { argv: string[] };

const referee = createClient<paths>({ baseUrl: process.argv[2]! });

const verdict = await referee.POST("/v1/tutto/adjudications", {
  body: { card: "bonus-600", keeps: [[1], [2, 2, 2]], roll: [1, 5] },
});
if (verdict.error) throw new Error(verdict.error.detail);
console.log(verdict.data.status, verdict.data.bank?.turn_points);

const impossible = await referee.POST("/v1/tutto/adjudications", { body: { card: "clover", roll: [1] } });
console.log(impossible.error?.detail, impossible.error?.findings[0]?.rule);

const batch = await referee.POST("/v1/tutto/adjudications/batch", {
  body: { positions: [{ card: "clover", roll: [1, 2, 3, 4, 6, 6] }] },
});
if (batch.error) throw new Error(batch.error.detail);
console.log(batch.data.answers.length);

const begun = await referee.POST("/v1/sessions", {
  body: { game: "tutto", players: ["Ada", "Ben"], dice: "client" },
});
if (begun.error) throw new Error(begun.error.detail);
const path = { session_id: begun.data.session.id };
const moved = await referee.POST("/v1/sessions/{session_id}/events", {
  params: { path },
  headers: { Authorization: `Bearer ${begun.data.seat_tokens[0]}` },
  body: { type: "draw", card: "double" },
});
if (moved.error) throw new Error(moved.error.detail);
console.log(moved.data.entry.version, moved.data.session.legal_events.join());

const log = await referee.GET("/v1/sessions/{session_id}/events", { params: { path, query: { after: 0 } } });
console.log(log.data?.events.length);

const refused = await referee.DELETE("/v1/sessions/{session_id}", { params: { path } });
console.log(refused.error?.status, refused.error?.detail);
