// A session of the service: read, and changed exactly once however often a change has to be sent.

import { straight } from "./words.js";

const PAUSES = [500, 1000, 2000, 4000];
const PATIENCE = 60_000;
const LONGEST_PAUSE = 10;

/** Milliseconds to wait. */
export const pause = (time) => new Promise((done) => setTimeout(done, time));

/** A text that is used once; `crypto.randomUUID` is not there on a page without TLS. */
const once = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** The seconds after which an answer asks to be asked again, if it does and they are few. */
const later = (answer) => {
  const seconds = Number(answer.headers.get("Retry-After"));
  return [429, 502, 503, 504].includes(answer.status) && seconds <= LONGEST_PAUSE ? seconds || 1 : null;
};

/** Fires `again` while a change that was not answered is sent once more, and `answered` thereafter. */
export class Session extends EventTarget {
  constructor(api, id) {
    super();
    this.api = api;
    this.id = id;
  }

  get address() {
    return `${this.api.base}/v1/sessions/${encodeURIComponent(this.id)}`;
  }

  /** `{ ok, status, document }`; throws a TypeError when nobody answers. */
  async read(part = "") {
    const answer = await fetch(this.address + part, { headers: { Accept: "application/json", "Accept-Language": this.api.language } });
    return { ok: answer.ok, status: answer.status, document: await answer.json() };
  }

  /**
   * The same in sentences: `{ ok, version, lines }`, `version` being that which they reach to. Without
   * lines nobody answered.
   */
  async hear(part = "") {
    try {
      const answer = await fetch(this.address + part, { headers: { Accept: "text/plain", "Accept-Language": this.api.language } });
      const lines = straight(await answer.text()).split("\n").filter(Boolean);
      return { ok: answer.ok, version: parseInt(answer.headers.get("ETag")?.slice(1), 10), lines };
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      return { ok: false, version: null, lines: [] };
    }
  }

  /**
   * Sends a change until it is answered. With a key the service does it once and gives the first answer
   * again; `match` is the version that the change is meant for. Document null: nobody answered.
   */
  async change(part, body, { token, match = null, key = true, method = "POST" }) {
    const headers = { Accept: "application/json", "Accept-Language": this.api.language, Authorization: `Bearer ${token}` };
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

  /** True if a token belongs to this session: tried by a change without a body, which changes nothing. */
  async knows(token) {
    const { status } = await this.change("/seeds", {}, { token, key: false });
    return status !== 401;
  }

  /** Says that who plays here has come: `{ valid, list }`, whether the token is the one of this place, and all seats. */
  async come({ who, host, token }) {
    if (token === null) return { valid: true, list: null };
    const by = token === host ? "host" : "seat";
    const { ok, status, document } = await this.change(`/seats/${by === "host" ? 0 : who}/arrival`, null, { token, key: false });
    return ok ? { valid: document.by === by, list: document.seats } : { valid: ![401, 403, 404].includes(status), list: null };
  }

  async attempt(address, question) {
    try {
      const answer = await fetch(address, question);
      const seconds = later(answer);
      return seconds ? { seconds } : { ok: answer.ok, status: answer.status, document: await answer.json() };
    } catch (error) {
      // No answer, or half of one.
      if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error;
      return {};
    }
  }
}

/** Asks until there is an answer: the service may just be starting. */
export async function insist(question) {
  for (;;) {
    try {
      return await question();
    } catch (error) {
      if (!(error instanceof TypeError || error instanceof SyntaxError || error.problem)) throw error;
      await pause(PAUSES.at(-2));
    }
  }
}

/** The code of a problem: the end of its `type`. */
export const code = (problem) => problem?.type?.split("/").at(-1) ?? "";
