// Plays a session of each game to its end with dice of the service.

import { chosen, ending, line } from "./chosen.js";
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
} from "./client.js";

const players = ["Ada", "Ben"];
const GAMES: SessionRequest[] = [
  { game: "tutto", players, options: { target: 1000 } },
  { game: "yatzee", players },
  { game: "pot", players, options: { target: 6 } },
];

/** Adjudicates the turn of a session again, and expects the session's verdict. */
async function judgeAgain(session: Session): Promise<void> {
  if (!session.adjudication) return;
  const { data } = await judged(session);
  if (JSON.stringify(data) !== JSON.stringify(session.adjudication)) throw new Error("another verdict");
}

async function judged(session: Session): Promise<{ data: unknown }> {
  if (session.game === "tutto" && session.turn?.phase === "keep") return adjudicateTutto(session.turn);
  if (session.game === "yatzee" && session.turn?.phase === "choose") return adjudicateYatzee(session.turn);
  if (session.game === "pot" && session.turn?.phase === "choose") return adjudicatePot(session.turn);
  throw new Error("no dice to judge");
}

/** Tells if the audit of an exported game finds no illegal event. */
async function legal(game: SessionGame): Promise<boolean> {
  const audit = await audited(game);
  return audit.status === 200 && audit.data.legal;
}

async function audited(game: SessionGame) {
  switch (game.game) {
    case "tutto":
      return auditTutto(game);
    case "yatzee":
      return auditYatzee(game);
    case "pot":
      return auditPot(game);
  }
}

for (const request of GAMES) {
  const begun = await createSession(request);
  if (begun.status !== 201) throw new Error(begun.data.detail);
  let { session, seat_tokens } = begun.data;
  while (session.player !== null) {
    await judgeAgain(session);
    const headers = { "If-Match": `"${session.version}"`, Authorization: `Bearer ${seat_tokens[session.player]}` };
    const moved = await addEvent(session.id, chosen(session), {}, { headers });
    if (moved.status !== 200) throw new Error(moved.data.detail);
    session = moved.data.session;
  }
  const game = await getSessionGame(session.id);
  if (game.status !== 200) throw new Error("no game");
  if (!(await legal(game.data))) throw new Error("the audit finds an illegal event");
  const log = await getSessionLog(session.id);
  if (log.status !== 200) throw new Error(log.data.detail);
  const lines = log.data.events.map(line);
  console.log(`${session.game}: ${session.status}, ${lines.length} entries, ${lines[0]}, ${ending(session)}`);
}
