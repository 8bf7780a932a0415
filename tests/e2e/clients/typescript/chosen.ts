// Chooses a move for any session, by types that narrow on `game`, `phase` and `type`, without a cast.

import type { components } from "./contract.js";

type Schemas = components["schemas"];

// @ts-expect-error: bank has no category
export const refused: Schemas["PostedEvent"] = { type: "bank", category: "house" };

/** Fails to compile where a game or a phase is missing. At run time, a later release has added it. */
function unknown(value: never): never {
  throw new Error(`unknown: ${JSON.stringify(value)}`);
}

/** Returns a legal move of a running session. */
export function chosen(session: Schemas["Session"]): Schemas["PostedEvent"] {
  switch (session.game) {
    case "tutto":
      return chosenInTutto(session);
    case "yatzee":
      return chosenInYatzee(session);
    case "pot":
      return chosenInPot(session);
    default:
      return unknown(session);
  }
}

function chosenInTutto({ turn, legal_events, adjudication }: Schemas["TuttoSession"]): Schemas["PostedEvent"] {
  if (!turn) throw new Error("the game is over");
  switch (turn.phase) {
    case "draw":
      return { type: "draw" };
    case "roll":
      return { type: "roll" };
    case "keep": {
      const keep = adjudication?.legal_keeps[0];
      return keep && !legal_events.includes("bank") ? { type: "keep", dice: keep.dice } : { type: "bank" };
    }
    default:
      return unknown(turn);
  }
}

function chosenInYatzee({ turn, adjudication }: Schemas["YatzeeSession"]): Schemas["PostedEvent"] {
  if (!turn) throw new Error("the game is over");
  switch (turn.phase) {
    case "roll":
      return { type: "roll" };
    case "choose": {
      const open = adjudication?.categories.filter((row) => row.open) ?? [];
      const row = open.find(({ satisfied }) => satisfied) ?? open[0];
      if (!row) throw new Error("every category is used");
      return { type: row.satisfied ? "write" : "strike", category: row.category };
    }
    default:
      return unknown(turn);
  }
}

function chosenInPot({ turn, adjudication }: Schemas["PotSession"]): Schemas["PostedEvent"] {
  if (!turn) throw new Error("the game is over");
  switch (turn.phase) {
    case "roll":
    case "reroll":
    case "sudden-death":
      return { type: "roll" };
    case "choose": {
      const choice = adjudication?.choices[0];
      return choice ? { type: "accept", players: choice.players } : { type: "roll" };
    }
    default:
      return unknown(turn);
  }
}

/** Describes an entry of the log by the fields of its type. */
export function line({ event }: Schemas["SessionEntry"]): string {
  switch (event.type) {
    case "draw":
      return event.card;
    case "roll":
    case "keep":
      return event.dice.join("");
    case "write":
    case "strike":
      return event.category;
    case "undone":
      return String(event.version);
    case "rematch":
      return event.session;
    default:
      return event.type;
  }
}

/** Describes the table of a finished game. */
export function ending(session: Schemas["Session"]): string {
  switch (session.game) {
    case "tutto":
      return session.table.scores.join();
    case "yatzee":
      return session.table.totals.map(({ total }) => total).join();
    case "pot":
      return session.table.coins.join();
  }
}
