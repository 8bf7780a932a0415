// Plays a game over a connection that loses answers and breaks streams. Every move happens once and arrives once.

import { Referee, Refused, type Entry, type Session } from "dice-referee";
import { chosen } from "./chosen.js";

declare const process: { argv: string[] };

const MOVES = 8;

const waits = new Set<string>();
const referee = new Referee(process.argv[2] ?? "", {
  onWait: (_, reason) => waits.add(reason instanceof Refused ? reason.problem.code : reason.name),
});
const begun = await referee.begin("yatzee", { players: ["Ada", "Ben"] });

/** Follows the session for a number of entries. */
async function readEntries(): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const { entry } of referee.follow(begun.session.id)) {
    entries.push(entry);
    if (entry.version === MOVES) break;
  }
  return entries;
}

const reading = readEntries();
const played = (session: Session) => referee.play(session, begun.host_token, chosen(session));
let session: Session = begun.session;
for (let move = 1; move <= MOVES; move++) ({ session } = await played(session));
console.log(session.version);
const entries = await reading;
console.log(entries.map(({ version }) => version).join());
const log = await referee.log(session.id);
console.log(JSON.stringify(log.events) === JSON.stringify(entries));
console.log([...waits].sort().join());

const leave = new AbortController();
const followed = referee.follow(session.id, MOVES, leave).next();
leave.abort(new Error("left"));
console.log(await followed.then(() => "heard", (error: Error) => error.message));

const impatient = new Referee("http://127.0.0.1:1", { patience: 0 });
console.log(await impatient.rules("pot").then(() => "answered", (error: Error) => error.name));
