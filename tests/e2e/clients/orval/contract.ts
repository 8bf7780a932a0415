// Exports the types of orval by the names in chosen.ts.

import type { PotSession, PostedEvent, Session, SessionEntry, TuttoSession, YatzeeSession } from "./client.js";

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
