// The names that chosen.ts uses, as @hey-api/openapi-ts makes them.

import type { Session, SessionEntry, SessionMove } from "./client/index.js";

export interface components {
  schemas: { Session: Session; SessionEntry: SessionEntry; SessionMove: SessionMove };
}
