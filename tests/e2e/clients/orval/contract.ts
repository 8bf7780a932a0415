// The names that chosen.ts uses, as orval makes them.

import type { Session, SessionEntry, SessionMove } from "./client.js";

export interface components {
  schemas: { Session: Session; SessionEntry: SessionEntry; SessionMove: SessionMove };
}
