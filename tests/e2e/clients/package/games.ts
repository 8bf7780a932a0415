// Plays a session of each game with the package, follows it, audits it and verifies its dice. Also prints two refusals.

import { Referee, Refused, type Begun, type Game } from "dice-referee";
import { chosen, ending, line } from "./chosen.js";

/** Plays a session to its end, and prints the entries that followers get. */
async function played(referee: Referee, begun: Begun<Game>): Promise<string> {
  let table = begun;
  while (table.session.player !== null) table = await referee.play(table, chosen(table.session));
  const { session } = table;
  const lines: string[] = [];
  for await (const { entry } of referee.follow(session.id)) {
    lines.push(line(entry));
    if (entry.over) break;
  }
  const audit = await referee.audit(session.game, await referee.record(session.id));
  if (!audit.legal || !audit.over) throw new Error("the audit does not confirm it");
  return `${session.game}: ${session.status}, ${lines.length} entries, ${lines[0]}, ${ending(session)}`;
}

/** Prints the reason of a refusal. */
async function refusal(asked: Promise<unknown>): Promise<string> {
  const error = await asked.catch((reason: unknown) => reason);
  if (!(error instanceof Refused)) throw new Error(`no refusal: ${error}`);
  const { problem, message } = error;
  return `${problem.status} ${problem.code} ${problem.findings.map(({ rule }) => rule)}: ${message}`;
}

export async function games(address: string, say: (text: string) => void): Promise<void> {
  const referee = new Referee(address, { language: "en", fetch });
  const players = ["Ada", "Ben"];
  const tutto = await referee.begin("tutto", { players, options: { target: 1000 } });
  const yatzee = await referee.begin("yatzee", { players });
  const pot = await referee.begin("pot", { players, options: { target: 6 } });
  for (const begun of [tutto, yatzee, pot]) say(await played(referee, begun));
  say(await refusal(referee.play(tutto.session, tutto.host_token, { type: "draw" })));
  say(await refusal(referee.adjudicate("tutto", { card: "clover", roll: [1] })));
}
