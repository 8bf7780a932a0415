// Chooses a move for any session, by types that narrow on `game` and `type`, without a cast.

import type { components } from "./contract.js";

type Schemas = components["schemas"];

// @ts-expect-error: bank has no category
export const refused: Schemas["PostedEvent"] = { type: "bank", category: "house" };

/** Returns a legal move of a state. */
export function chosen(session: Schemas["Session"]): Schemas["PostedEvent"] {
  switch (session.game) {
    case "tutto": {
      const { legal_events, adjudication } = session;
      const keep = adjudication?.legal_keeps[0];
      if (legal_events.includes("bank")) return { type: "bank" };
      if (keep) return { type: "keep", dice: keep.dice };
      return { type: legal_events.includes("draw") ? "draw" : "roll" };
    }
    case "yatzee": {
      const open = session.adjudication?.categories.filter((row) => row.open) ?? [];
      const row = open.find(({ satisfied }) => satisfied) ?? open[0];
      return row ? { type: row.satisfied ? "write" : "strike", category: row.category } : { type: "roll" };
    }
    case "pot": {
      const choice = session.legal_events.includes("accept") ? session.adjudication?.choices[0] : undefined;
      return choice ? { type: "accept", players: choice.players } : { type: "roll" };
    }
  }
}

/** Describes an entry of the log by the fields of its type. */
export function line({ event }: Schemas["SessionEntry"]): string {
  switch (event.type) {
    case "draw":
      return event.card;
    case "roll":
    case "keep":
    case "roll":
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
