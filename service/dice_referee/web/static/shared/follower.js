// Keeps a live table in step with its session: own moves are shown at once, and the moves of others as soon as the feed
// reports them.

import { Feed } from "./feed.js";
import { insist, pause } from "./session.js";

const RECENT = 200;
const AGAIN = 2000;

/**
 * Fires `begun` after the first state, `moved` after each change (detail: true if the board is out of date), and
 * `ended` (detail: the problem, if known) when the table is gone.
 */
export class Follower extends EventTarget {
  closed = false;

  constructor(table) {
    super();
    const { entries, replay, session } = table;
    const feed = new Feed(session, () => table.seats.token);
    this.table = table;
    this.feed = feed;
    feed.addEventListener("gone", async ({ detail }) =>
      this.tell("ended", detail ?? (await session.read().catch(() => null))?.document));
    feed.addEventListener("reset", () => {
      entries.clear();
      replay.end();
      table.text?.reset();
      table.outdate();
      this.begin();
    });
    feed.addEventListener("entry", ({ detail }) => this.take(detail));
    feed.addEventListener("state", ({ detail }) => replay.take(detail));
    table.addEventListener("entered", ({ detail: { entry, session: kept } }) => {
      entries.set(entry.version, entry);
      if (kept.version < table.kept.version) return undefined;
      if (replay.delays(kept)) return replay.take(kept);
      replay.last = [];
      // The feed may have brought this state before.
      if (kept.version > table.kept.version || !table.lastStep) table.lay(kept, entry);
      return this.tell("moved", false);
    });
  }

  tell(kind, detail) {
    if (!this.closed) this.dispatchEvent(new CustomEvent(kind, { detail }));
  }

  /** Takes an entry of the log: reads its state unless the feed brings it, or explains the current state. */
  take(entry) {
    const { table } = this;
    const { entries, kept: { version } } = table;
    const fresh = entry.version > version || !entries.has(entry.version);
    entries.set(entry.version, entry);
    const explains = fresh && entry.version === version && !table.lastStep;
    if (entry.version > version) table.replay.catchUp(entry.version);
    else if (explains) table.explain(entry);
    this.tell("moved", explains);
  }

  /** Shows the session as soon as the service answers, and follows it from there. */
  async begin() {
    const { table } = this;
    const { ok, status, document } = await insist(() => table.session.read());
    if (this.closed) return undefined;
    if (status === 404 || status === 410) return this.tell("ended", document);
    if (!ok) return pause(AGAIN).then(() => this.closed || this.begin());
    const learnt = await insist(() => table.learn(document.game));
    if (this.closed) return undefined;
    learnt();
    table.lay(document, null);
    this.tell("begun", document);
    return this.feed.start(Math.max(0, document.version - RECENT));
  }

  /** Stops following. */
  close() {
    this.closed = true;
    this.feed.close();
    this.table.replay.end();
  }
}
