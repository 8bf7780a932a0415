// A session of each game, played to its end with the dice of the service.

import { chosen, ending, line } from "./chosen.js";
import { client } from "./client/client.gen.js";
import { createSession, getSessionLog, makeMove, type SessionRequest } from "./client/index.js";

declare const process: { argv: string[] };

client.setConfig({ baseUrl: process.argv[2]!, throwOnError: true });
const throwOnError = true;
const players = ["Ada", "Ben"];
const GAMES: SessionRequest[] = [
  { game: "tutto", players, options: { target: 1000 } },
  { game: "yatzee", players },
  { game: "pot", players, options: { target: 6 } },
];

for (const body of GAMES) {
  const begun = await createSession({ body, throwOnError });
  let { session, seat_tokens } = begun.data;
  const path = { session_id: session.id };
  while (session.player !== null) {
    const headers = { "If-Match": `"${session.version}"` };
    const auth = seat_tokens[session.player];
    const moved = await makeMove({ path, headers, auth, body: chosen(session), throwOnError });
    session = moved.data.session;
  }
  const log = await getSessionLog({ path, throwOnError });
  const lines = log.data.events.map(line);
  console.log(`${session.game}: ${session.status}, ${lines.length} entries, ${lines[0]}, ${ending(session)}`);
}
