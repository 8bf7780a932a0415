// Plays a session of each game to its end with dice of the service.

import { chosen, ending, line } from "./chosen.js";
import { client } from "./client/client.gen.js";
import {
  adjudicatePot,
  adjudicateTutto,
  adjudicateYatzee,
  auditPot,
  auditTutto,
  auditYatzee,
  createSession,
  getSessionGame,
  getSessionLog,
  addEvent,
  type Session,
  type SessionGame,
  type SessionRequest,
} from "./client/index.js";

declare const process: { argv: string[] };

client.setConfig({ baseUrl: process.argv[2]!, throwOnError: true });
const throwOnError = true;
const players = ["Ada", "Ben"];
const GAMES: SessionRequest[] = [
  { game: "tutto", players, options: { target: 1000 } },
  { game: "yatzee", players },
  { game: "pot", players, options: { target: 6 } },
];

/** Adjudicates the turn of a session again, and expects the session's verdict. */
async function judgeAgain(session: Session): Promise<void> {
  if (!session.adjudication) return;
  const verdict = await judged(session);
  if (JSON.stringify(verdict) !== JSON.stringify(session.adjudication)) throw new Error("another verdict");
}

async function judged(session: Session): Promise<unknown> {
  if (session.game === "tutto" && session.turn?.phase === "keep") {
    return (await adjudicateTutto({ body: session.turn, throwOnError })).data;
  }
  if (session.game === "yatzee" && session.turn?.phase === "choose") {
    return (await adjudicateYatzee({ body: session.turn, throwOnError })).data;
  }
  if (session.game === "pot" && session.turn?.phase === "choose") {
    return (await adjudicatePot({ body: session.turn, throwOnError })).data;
  }
  throw new Error("no dice to judge");
}

/** Tells if the audit of an exported game finds no illegal event. */
async function legal(body: SessionGame): Promise<boolean> {
  switch (body.game) {
    case "tutto":
      return (await auditTutto({ body, throwOnError })).data.legal;
    case "yatzee":
      return (await auditYatzee({ body, throwOnError })).data.legal;
    case "pot":
      return (await auditPot({ body, throwOnError })).data.legal;
  }
}

for (const body of GAMES) {
  const begun = await createSession({ body, throwOnError });
  let { session, seat_tokens } = begun.data;
  const path = { session_id: session.id };
  while (session.player !== null) {
    await judgeAgain(session);
    const headers = { "If-Match": `"${session.version}"` };
    const auth = seat_tokens[session.player];
    const moved = await addEvent({ path, headers, auth, body: chosen(session), throwOnError });
    session = moved.data.session;
  }
  const log = await getSessionLog({ path, throwOnError });
  const game = await getSessionGame({ path, throwOnError });
  if (!(await legal(game.data))) throw new Error("the audit finds an illegal event");
  const lines = log.data.events.map(line);
  console.log(`${session.game}: ${session.status}, ${lines.length} entries, ${lines[0]}, ${ending(session)}`);
}
