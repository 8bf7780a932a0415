// The log of a session as it grows, over an event stream. Without a free stream the page polls. After an interruption
// the feed resumes after the last entry.

import { pause, unanswered } from "./session.js";
import { events } from "./stream.js";

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
const LONGEST_BACKOFF = 8000;
/** Milliseconds of silence after which a stream is broken. The service sends a heartbeat every 15 seconds. */
const SILENCE = 35_000;
/** Milliseconds of polling after a refused, a silent or a displaced stream. */
const POLLS = { refused: 30_000, silent: 30_000, displaced: 300_000 };

/** Returns milliseconds of exponential backoff with jitter. */
const backoff = (failures) => Math.min(1000 * 2 ** failures, LONGEST_BACKOFF) * (0.5 + Math.random() / 2);

/**
 * Fires `entry` (detail: the entry) once for each log entry, in order, and `state` (detail: the session) after an entry
 * that arrived with the state. Fires `reset` when the log has changed before
 * the last entry, `nudge` (detail: the `player` who is called), `connected` (detail: the `connected` seats) and `gone`
 * (detail: the problem, if known). Fires
 * `line` (detail: "live", "asking" or "lost") for each state of the connection after "opening".
 */
export class Feed extends EventTarget {
  line = "opening";
  // Token that the service does not accept any more.
  void = null;
  // Consecutive attempts without an open stream.
  failures = 0;
  // Controller of the present round of streams and polls, and its end.
  round = null;
  ended = Promise.resolve();

  /** `token()` returns the token of the player here, or null for spectators. */
  constructor(session, token = () => null) {
    super();
    this.session = session;
    this.token = token;
    this.listening = new AbortController();
    const { signal } = this.listening;
    addEventListener("online", () => this.round && this.resume(), { signal });
    addEventListener("offline", () => this.is("lost"), { signal });
    document.addEventListener("visibilitychange", () => this.look(), { signal });
  }

  /** Follows the session from the entry after this version. */
  start(after) {
    this.after = after;
    this.resume();
  }

  /** Begins a new round at once. */
  resume() {
    this.stop();
    this.failures = 0;
    const { signal } = (this.round = new AbortController());
    this.ended = this.ended.then(() => this.follow(signal));
  }

  stop() {
    this.round?.abort();
    this.round = null;
  }

  /** Stops the feed for good. */
  close() {
    this.stop();
    this.listening.abort();
  }

  is(line) {
    if (this.line === line) return;
    this.line = line;
    this.tell("line", line);
  }

  tell(kind, detail = null) {
    this.dispatchEvent(new CustomEvent(kind, { detail }));
  }

  /** Follows by streams, and by polls while no stream is available, until the round ends. */
  async follow(signal) {
    while (!signal.aborted) {
      const leave = await takePlace();
      let reason = null;
      try {
        if (leave && !signal.aborted) reason = await this.listen(signal);
      } finally {
        leave?.();
      }
      if (signal.aborted) return;
      if (!leave) await this.ask(0, POLLS.refused, signal);
      else if (reason) await this.ask(WAIT, POLLS[reason], signal);
      else {
        this.is("lost");
        await pause(backoff(this.failures), signal);
        this.failures += 1;
      }
    }
  }

  /**
   * Takes the events of a stream until its end. Returns null if another stream may follow, else the reason: "refused",
   * "silent" or "displaced".
   */
  async listen(signal) {
    const connection = new AbortController();
    const leave = () => connection.abort();
    let silence = setTimeout(leave, SILENCE);
    const heard = () => {
      clearTimeout(silence);
      silence = setTimeout(leave, SILENCE);
    };
    signal.addEventListener("abort", leave);
    try {
      const token = this.token() === this.void ? null : this.token();
      const answer = await this.session.stream(this.after, token, connection.signal);
      if (!answer.ok) return await this.refuse(answer, token);
      this.failures = 0;
      this.is("live");
      for await (const event of events(answer.body, heard)) {
        if (event.event === "crowded") return "displaced";
        this.hear(event);
      }
      return null;
    } catch (error) {
      return connection.signal.aborted ? "silent" : unanswered(error);
    } finally {
      clearTimeout(silence);
      signal.removeEventListener("abort", leave);
      leave();
    }
  }

  /** Reacts to the refusal of a stream. Returns "refused" if the service has no place. */
  async refuse(answer, token) {
    if (answer.status === 429) return "refused";
    if (answer.status === 401) this.void = token;
    if (answer.status === 404 || answer.status === 410) this.end(await answer.json());
    return null;
  }

  hear({ event, data }) {
    if (event === "reset") this.reset();
    else if (event === "gone") this.end(null);
    else if (["nudge", "connected"].includes(event)) this.tell(event, JSON.parse(data));
    else if (event === undefined) this.take(JSON.parse(data));
  }

  take({ entry, session }) {
    if (!this.round || entry.version <= this.after) return;
    this.after = entry.version;
    this.tell("entry", entry);
    if (session) this.tell("state", session);
  }

  reset() {
    this.stop();
    this.tell("reset");
  }

  end(problem) {
    this.stop();
    this.tell("gone", problem);
  }

  /** Polls for some time. Long polls hold a connection too. */
  async ask(wait, time, signal) {
    const until = Date.now() + time;
    do {
      const [start, { after }] = [Date.now(), this];
      const success = await this.news(wait, signal);
      if (signal.aborted) return;
      this.is(success ? "asking" : "lost");
      // A poll that returns at once without news means that the service has no place for it.
      if (!success || (this.after === after && Date.now() - start < BETWEEN)) await pause(BETWEEN, signal);
    } while (!signal.aborted && Date.now() < until);
  }

  /** Reads the new entries. Returns true if the service has answered. */
  async news(wait, signal) {
    try {
      const { ok, status, document } = await this.session.read(`/events?after=${this.after}&wait=${wait}&state=true`,
        signal);
      if (signal.aborted) return true;
      if (status === 404 || status === 410) this.end(document);
      else if (ok && document.reset) this.reset();
      else if (ok) {
        this.tell("connected", document);
        document.events.forEach((news) => this.take(news));
      }
      return ok;
    } catch (error) {
      return signal.aborted || (unanswered(error) ?? false);
    }
  }

  /** Checks for missed entries when the page is shown again, because a connection can break without notice. */
  async look() {
    if (document.hidden || !this.round) return;
    const { after, round: { signal } } = this;
    const success = await this.news(0, signal);
    if (signal.aborted) return;
    if (!success) this.is("lost");
    if (!success || this.after !== after) this.resume();
  }
}
