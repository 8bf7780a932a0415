// A session of the service. A change takes effect once, however often it is sent.

import { straight } from "./words.js";

const PAUSES = [500, 1000, 2000, 4000];
const PATIENCE = 60_000;
const LONGEST_PAUSE = 10;

/** Waits for these milliseconds, or until the abort of the signal. */
export function pause(time, signal) {
  return new Promise((done) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      done();
    };
    const timer = setTimeout(end, time);
    signal?.addEventListener("abort", end);
  });
}

/** Returns null for a missing or incomplete answer: `fetch(address).catch(unanswered)`. Throws other errors. */
export function unanswered(error) {
  if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error;
  return null;
}

/** Returns a random idempotency key. Pages without TLS have no `crypto.randomUUID`. */
const once = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** Returns the seconds after which a request may be repeated, or null if the wait is too long. */
const later = (answer) => {
  const seconds = Number(answer.headers.get("Retry-After"));
  return [429, 502, 503, 504].includes(answer.status) && seconds <= LONGEST_PAUSE ? seconds || 1 : null;
};

/** Fires `again` before a change is repeated, and `answered` after its answer. */
export class Session extends EventTarget {
  constructor(api, id) {
    super();
    this.api = api;
    this.id = id;
  }

  get address() {
    return `${this.api.base}/v1/sessions/${encodeURIComponent(this.id)}`;
  }

  /** Reads a part of the session: `{ ok, status, document }`. Throws a TypeError without an answer. */
  async read(part = "", signal = null) {
    const answer = await fetch(this.address + part,
      { headers: { Accept: "application/json", "Accept-Language": this.api.language }, signal });
    return { ok: answer.ok, status: answer.status, document: await answer.json() };
  }

  /**
   * Requests the stream with states after a version, for the player with this token or, without a token, for a
   * spectator.
   */
  stream(after, token, signal) {
    const headers = {
      Accept: "text/event-stream", "Accept-Language": this.api.language, "Last-Event-ID": String(after),
    };
    if (token) headers.Authorization = `Bearer ${token}`;
    return fetch(`${this.address}/stream?state=true`, { headers, signal });
  }

  /**
   * Reads a part in sentences: `{ ok, version, lines }`. The sentences reach up to `version`. Without an answer the
   * list is empty.
   */
  async hear(part = "") {
    try {
      const answer = await fetch(this.address + part,
        { headers: { Accept: "text/plain", "Accept-Language": this.api.language } });
      const lines = straight(await answer.text()).split("\n").filter(Boolean);
      return { ok: answer.ok, version: parseInt(answer.headers.get("ETag")?.slice(1), 10), lines };
    } catch (error) {
      return unanswered(error) ?? { ok: false, version: null, lines: [] };
    }
  }

  /**
   * Repeats a change until it is answered. A key makes the change idempotent. `match` is the version that the change
   * expects. Document null means no answer.
   */
  async change(part, body, { token, match = null, key = true, method = "POST" }) {
    const headers = {
      Accept: "application/json", "Accept-Language": this.api.language, Authorization: `Bearer ${token}`,
    };
    if (body !== null) headers["Content-Type"] = "application/json";
    if (match !== null) headers["If-Match"] = `"${match}"`;
    if (key) headers["Idempotency-Key"] = once();
    const question = { method, headers, body: body === null ? null : JSON.stringify(body) };
    const until = Date.now() + PATIENCE;
    for (let attempt = 0; Date.now() < until; attempt += 1) {
      const answer = await this.attempt(this.address + part, question);
      if (answer.document) {
        this.dispatchEvent(new CustomEvent("answered"));
        return answer;
      }
      this.dispatchEvent(new CustomEvent("again"));
      await pause(answer.seconds ? answer.seconds * 1000 : PAUSES[Math.min(attempt, PAUSES.length - 1)]);
    }
    this.dispatchEvent(new CustomEvent("answered"));
    return { ok: false, status: 0, document: null };
  }

  /** Tells if the service accepts a token. The test sends a change without a body, which has no effect. */
  async knows(token) {
    const { status } = await this.change("/seeds", {}, { token, key: false });
    return status !== 401;
  }

  /**
   * Reports the arrival of the player here. Returns `{ valid, list }`: true if the token is valid for the seat, and
   * all seats.
   */
  async come({ who, host, token }) {
    if (token === null) return { valid: true, list: null };
    const by = token === host ? "host" : "seat";
    const { ok, status, document } = await this.change(`/seats/${by === "host" ? 0 : who}/arrival`, null,
      { token, key: false });
    return ok
      ? { valid: document.by === by, list: document.seats }
      : { valid: ![401, 403, 404].includes(status), list: null };
  }

  async attempt(address, question) {
    try {
      const answer = await fetch(address, question);
      const seconds = later(answer);
      return seconds ? { seconds } : { ok: answer.ok, status: answer.status, document: await answer.json() };
    } catch (error) {
      return unanswered(error) ?? {};
    }
  }
}

/** Repeats a question until it is answered, because the service may be starting. */
export async function insist(question) {
  for (;;) {
    try {
      return await question();
    } catch (error) {
      if (!error.problem) unanswered(error);
      await pause(PAUSES.at(-2));
    }
  }
}

/** Returns the code of a problem: the end of its `type`. */
export const code = (problem) => problem?.type?.split("/").at(-1) ?? "";
