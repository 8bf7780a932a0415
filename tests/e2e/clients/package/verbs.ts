// Calls the methods without a session, and those of a session that games.ts omits. Turns of answers are valid positions.

import { LogReset, Referee, Refused } from "dice-referee";

declare const process: { argv: string[] };

const referee = new Referee(`${process.argv[2]}/`, { language: "de" });

const rolled = await referee.transition("yatzee", { event: { type: "roll", dice: [3, 3, 4, 5, 5, 6] } });
if (rolled.turn?.phase !== "choose") throw new Error("no dice");
const verdict = await referee.adjudicate("yatzee", rolled.turn);
console.log(verdict.categories.length, verdict.status);
const filled = await referee.transition("yatzee", { ...rolled.turn, event: { type: "write", category: "fives" } });
console.log(filled.legal, filled.effects.map(({ type }) => type).join());
const odds = await referee.odds("tutto", { card: "bonus-300", roll: [2, 3, 4, 5, 6, 6] });
console.log(odds.choices.length > 0);
const { rules } = await referee.rules("pot");
console.log(rules[0]?.number);
const { deck } = await referee.game("tutto");
console.log(deck.length > 0);

const { session, host_token, seat_tokens } = await referee.begin("tutto", { players: ["Ada", "Ben"], dice: "service" });
const [ada = "", ben = ""] = seat_tokens;
const seeded = await referee.seed(session, ada, "a text of Ada's");
const drawn = await referee.play(seeded.session, ada, { type: "draw" }, { key: "one card" });
const again = await referee.play(seeded.session, ada, { type: "draw" }, { key: "one card" });
console.log(drawn.entry.version, again.entry.version, JSON.stringify(drawn.session.turn) === JSON.stringify(again.session.turn));
const abandoned = await referee.abandon(drawn.session, host_token);
console.log(abandoned.session.status);
const record = await referee.record(abandoned.session);
console.log(JSON.stringify(await referee.record(session.id)) === JSON.stringify(record));
console.log((await referee.audit("tutto", record)).legal);
const review = await referee.review("tutto", record);
console.log(review.players.length);
const { seed, ...proof } = abandoned.session.fairness ?? {};
if (!seed) throw new Error("no seed");
const rematch = await referee.rematch(abandoned.session, ben, { starter: 0 });
if (!rematch.session.rematch) throw new Error("no rematch");
const next = await referee.session(rematch.session.rematch);
console.log((await referee.session(next)).id === next.id, (await referee.seats(next)).seats.length);
console.log(next.players.join(), next.starter);
console.log((await referee.log(session.id)).events.map(({ event }) => event.type).join());

const table = await referee.begin("tutto", { players: ["Ada", "Ben"], dice: "client" });
const { id } = table.session;
const card = await referee.play(id, table.host_token, { type: "draw", card: "double" }, { key: "one draw" });
const late = await referee.play(table, { type: "draw", card: "double" }).catch((error: unknown) => error);
console.log(late instanceof Refused && late.problem.code);
const undone = await referee.undo(card.session, table.host_token);
console.log(undone.entry.event.type);
const feed = referee.follow(table.session);
console.log([await feed.next(), await feed.next()].map(({ value }) => value?.entry.event.type).join());
const end = feed.next();
await referee.delete(undone.session, table.host_token);
console.log((await end).done);
console.log(await failure(referee.follow(id).next()), await failure(referee.follow(session.id, 1000).next()));

/** Names the error of a request. */
async function failure(asked: Promise<unknown>): Promise<string> {
  const error = await asked.catch((reason: unknown) => reason);
  return error instanceof Refused ? error.problem.code : error instanceof LogReset ? error.name : "none";
}
