// Exports the types of @hey-api/openapi-ts by the names in chosen.ts.

import type { PotSession, PostedEvent, Session, SessionEntry, TuttoSession, YatzeeSession } from "./client/index.js";

export interface components {
  schemas: {
    PostedEvent: PostedEvent;
    PotSession: PotSession;
    Session: Session;
    SessionEntry: SessionEntry;
    TuttoSession: TuttoSession;
    YatzeeSession: YatzeeSession;
  };
}
