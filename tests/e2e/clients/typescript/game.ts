// Plays whole games of Tutto: by verdicts only, with the program's own dice, and in a session.

import createClient from "openapi-fetch";
import type { components, paths } from "./contract.js";

declare const process: { argv: string[] };

type Schemas = components["schemas"];
type Event = Schemas["TuttoEvent"];

const referee = createClient<paths, "application/json" | "application/problem+json">({
  baseUrl: process.argv[2]!,
});
const players = ["Ada", "Ben"];
const options = { target: 1500 };

/** Returns the document of an answer. Throws the problem of a refusal. */
function answered<Answer>(reply: { data?: Answer; error?: Schemas["Problem"] }): Answer {
  if (reply.error !== undefined) throw new Error(`${reply.error.title}: ${reply.error.detail}`);
  return reply.data!;
}

let last = 2026;

/** Returns a pseudo-random number below k, equal in every run (Lehmer's generator). */
function below(k: number): number {
  last = (last * 16807) % 2147483647;
  return last % k;
}

/** Stops with 300 points, or else keeps the dice with the most points. */
function decision(verdict: Schemas["TuttoAdjudication"], legal: string[]): Event {
  const { bank, legal_keeps } = verdict;
  if (bank !== null && legal.includes("bank") && (bank.turn_points >= 300 || !legal.includes("keep"))) {
    return { type: "bank" };
  }
  const best = legal_keeps.reduce((one, other) => (other.points > one.points ? other : one));
  return { type: "keep", dice: best.dice };
}

const summary = (winners: number[], scores: number[]) => `${winners} won, ${scores}`;

/** Prints the audit of a recorded game. */
async function audit(record: Schemas["TuttoGameLog"]): Promise<void> {
  const verdict = answered(await referee.POST("/v1/tutto/audits", { body: record }));
  const state = `${verdict.legal ? "legal" : "illegal"}, ${verdict.over ? "over" : "unfinished"}`;
  console.log(`audit: ${state}, ${summary(verdict.winners, verdict.scores)}`);
}

async function withoutSession(): Promise<void> {
  const game = answered(await referee.GET("/v1/{game}", { params: { path: { game: "tutto" } } }));
  const deck = game.deck.flatMap((card) => Array(card.copies!).fill(card.id) as Schemas["TuttoCard"][]);
  let pile: typeof deck = [];
  const card = () => {
    if (pile.length === 0) {
      pile = [...deck];
      for (let i = pile.length - 1; i > 0; i--) {
        const j = below(i + 1);
        [pile[i], pile[j]] = [pile[j]!, pile[i]!];
      }
    }
    return pile.pop()!;
  };

  const chosen = async (turn: Schemas["TuttoRunningTurn"], legal: string[]): Promise<Event> => {
    switch (turn.phase) {
      case "draw":
        return { type: "draw", card: card() };
      case "roll":
        return { type: "roll", dice: Array.from({ length: turn.dice_to_roll }, () => below(6) + 1) };
      case "keep":
        return decision(answered(await referee.POST("/v1/tutto/adjudications", { body: turn })), legal);
    }
  };

  const log: Event[] = [];
  let scores = [0, 0];
  for (let player = 0; ; player = 1 - player) {
    const ruleset = "abacus-2013";
    let turn: Schemas["TuttoTurn"] = { ruleset, options, phase: "draw", dice_to_roll: 6, scores, player };
    let legal: string[] = ["draw"];
    while (turn.phase !== "over") {
      const event = await chosen(turn, legal);
      log.push(event);
      const step: Schemas["TuttoStep"] = answered(await referee.POST("/v1/tutto/transitions", { body: { ...turn, event } }));
      turn = step.turn!;
      legal = step.legal_events;
    }
    scores = turn.scores!;
    if (turn.outcome.wins_game) {
      console.log(`without a session: ${log.length} events, ${summary([player], scores)}`);
      return audit({ options, players, log });
    }
  }
}

async function withSession(): Promise<void> {
  const { session, seat_tokens } = answered(
    await referee.POST("/v1/sessions", { body: { game: "tutto", players, options, dice: "service" } }),
  );
  const path = { session_id: session.id };
  let now = session;
  while (now.game === "tutto" && now.player !== null) {
    const { adjudication, legal_events } = now;
    const body: Schemas["PostedEvent"] = adjudication
      ? decision(adjudication, legal_events)
      : { type: legal_events.includes("draw") ? "draw" : "roll" };
    const moved = await referee.POST("/v1/sessions/{session_id}/events", {
      params: { path, header: { "If-Match": `"${now.version}"` } },
      headers: { Authorization: `Bearer ${seat_tokens[now.player]}` },
      body,
    });
    now = answered(moved).session;
  }
  if (now.game !== "tutto") throw new Error("not of Tutto");
  console.log(`with a session: ${now.version} events, ${summary(now.winners, now.table.scores)}`);

  const answer = await referee.GET("/v1/sessions/{session_id}/game", { params: { path } });
  const record = answered(answer);
  if (record.game !== "tutto") throw new Error("not of Tutto");
  await audit(record);
  const { seed, ...proof } = now.fairness!;
  const claim: Schemas["FairnessClaim"] = { game: "tutto", record, fairness: { ...proof, seed: seed! } };
  const verdict = answered(await referee.POST("/v1/fairness/verify", { body: claim }));
  console.log(verdict.fair ? "fair" : "unfair");
}

await withoutSession();
await withSession();
