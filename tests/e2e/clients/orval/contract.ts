// Exports the types of orval by the names in chosen.ts.

import type { Session, SessionEntry, PostedEvent } from "./client.js";

export interface components {
  schemas: { Session: Session; SessionEntry: SessionEntry; PostedEvent: PostedEvent };
}
