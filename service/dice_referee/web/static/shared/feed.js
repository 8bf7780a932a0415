// The log of a session as it grows, over an event stream. Without a free stream the page polls. After an interruption
// the feed resumes after the last entry.

import { pause, unanswered } from "./session.js";

// A browser opens six connections to a host (HTTP/1.1), and a stream holds one for as long as it is open.
// The tables of all pages share four streams, so that a page can still send requests.
const PLACES = ["1", "2", "3", "4"].map((number) => `dice-referee-stream-${number}`);
const taken = new Set();

/** Takes a place for a stream. Returns the function that releases it, or null if all places are taken. */
async function takePlace() {
  for (const name of PLACES.filter((each) => !taken.has(each))) {
    taken.add(name);
    const release = await acquire(name);
    if (release) {
      return () => {
        taken.delete(name);
        release();
      };
    }
    taken.delete(name);
  }
  return null;
}

/** Holds a lock that all pages of the browser share. Over plain http, without locks, each page counts alone. */
function acquire(name) {
  if (!navigator.locks) return () => {};
  return new Promise((answer) => {
    navigator.locks.request(name, { ifAvailable: true }, (lock) => lock
      ? new Promise((release) => answer(release))
      : answer(null));
  });
}

const WAIT = 20;
const BETWEEN = 3000;
const STREAM_AGAIN = 30_000;
const LOOK = 20_000;

/**
 * Fires `entry` (detail: the entry) once for each log entry, in order. Fires `reset` when the log has changed before
 * the last entry, `nudge` (detail: the `player` who is called) and `gone` (detail: the problem, if known). Fires
 * `line` (detail: "live", "asking" or "lost") for each state of the connection after "opening".
 */
export class Feed extends EventTarget {
  constructor(session) {
    super();
    this.session = session;
    this.line = "opening";
    this.refused = 0;
    this.round = 0;
    this.listening = new AbortController();
    const { signal } = this.listening;
    addEventListener("online", () => this.source && this.stream(), { signal });
    addEventListener("offline", () => this.is("lost"), { signal });
    document.addEventListener("visibilitychange", () => this.look(), { signal });
    const looking = setInterval(() => this.look(), LOOK);
    signal.addEventListener("abort", () => clearInterval(looking));
  }

  /** Follows the session from the entry after this version. */
  start(after) {
    this.after = after;
    this.refused = 0;
    this.stream();
  }

  stop() {
    this.round += 1;
    this.source?.close();
    this.source = null;
    this.leave?.();
    this.leave = null;
  }

  /** Stops the feed for good. */
  close() {
    this.stop();
    this.listening.abort();
  }

  is(line) {
    if (this.line === line) return;
    this.line = line;
    this.dispatchEvent(new CustomEvent("line", { detail: line }));
  }

  async stream() {
    this.stop();
    const { round } = this;
    const leave = await takePlace();
    if (round !== this.round) return leave?.();
    if (!leave) return this.ask(0);
    this.leave = leave;
    const source = new EventSource(`${this.session.address}/events?after=${this.after}`);
    this.source = source;
    source.onopen = () => {
      this.refused = 0;
      this.is("live");
    };
    source.onmessage = ({ data }) => this.take(JSON.parse(data));
    source.addEventListener("reset", () => this.reset());
    source.addEventListener("nudge", ({ data }) => this.dispatchEvent(new CustomEvent("nudge", { detail: JSON.parse(data) })));
    source.addEventListener("gone", () => this.end(null));
    source.onerror = () => {
      if (round !== this.round) return;
      if (source.readyState === EventSource.CLOSED) this.ask();
      else this.is("lost");
    };
    return undefined;
  }

  take(entry) {
    if (entry.version <= this.after) return;
    this.after = entry.version;
    this.dispatchEvent(new CustomEvent("entry", { detail: entry }));
  }

  reset() {
    this.stop();
    this.dispatchEvent(new CustomEvent("reset"));
  }

  end(problem) {
    this.stop();
    this.dispatchEvent(new CustomEvent("gone", { detail: problem }));
  }

  /** Polls while no stream is available, and retries the stream after a while. Long polls hold a connection too. */
  async ask(wait = WAIT) {
    this.stop();
    const { round } = this;
    this.refused += 1;
    const until = this.refused > 1 || !wait ? Date.now() + STREAM_AGAIN : 0;
    do {
      const [start, { after }] = [Date.now(), this];
      const success = await this.news(until ? wait : 0);
      if (round !== this.round) return;
      if (success) this.is("asking");
      if (!success) this.is("lost");
      // A poll that returns at once without news means that the service has no place for it.
      if (!success || (until && this.after === after && Date.now() - start < BETWEEN)) await pause(BETWEEN);
      if (round !== this.round) return;
    } while (Date.now() < until);
    this.stream();
  }

  /** Reads the new entries. Returns true if the service has answered. */
  async news(wait) {
    const { round } = this;
    try {
      const { ok, status, document } = await this.session.read(`/events?after=${this.after}&wait=${wait}`);
      if (round !== this.round) return true;
      if (status === 404 || status === 410) this.end(document);
      else if (ok && document.reset) this.reset();
      else if (ok) document.events.forEach((entry) => this.take(entry));
      return ok;
    } catch (error) {
      return unanswered(error) ?? false;
    }
  }

  /** Checks for missed entries, because a connection can break without notice. */
  async look() {
    if (document.hidden || !this.source) return;
    const { round, after } = this;
    const success = await this.news(0);
    if (round !== this.round) return;
    if (!success) this.is("lost");
    if (!success || this.after !== after) this.stream();
  }
}
