// Types of <dice-referee>, with the documents of the contract in its events.

import type { Adjudication, Audit, Event, Game, Problem, Session, Step, Turn } from "./documents.js";

export type * from "./dice-referee.js";

declare global {
  interface DiceRefereeDocuments {
    adjudication: Adjudication<Game>;
    audit: Audit<Game>;
    event: Event<Game>;
    problem: Problem;
    session: Session;
    step: Step<Game>;
    turn: Turn<Game> | null;
  }
}
