// Exports the types of @hey-api/openapi-ts by the names in chosen.ts.

import type { Session, SessionEntry, PostedEvent } from "./client/index.js";

export interface components {
  schemas: { Session: Session; SessionEntry: SessionEntry; PostedEvent: PostedEvent };
}
