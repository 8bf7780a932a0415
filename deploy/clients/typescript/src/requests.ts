// Sends requests, reads their answers, and repeats idempotent requests.

import type { Problem } from "./documents.js";
import { Refused, Unanswered } from "./failures.js";
import type { Method } from "./operations.js";

/** Settings of a client, all optional. */
export interface Settings {
  /** Language of texts in answers: `en` (the default), `de`, `fr` or `it`. */
  language?: string;
  /** Seconds for which requests are repeated while the service is busy or unavailable; 60 by default. */
  patience?: number;
  /** Replaces the global `fetch`, for example to use a proxy or in tests. */
  fetch?: typeof globalThis.fetch;
  /** Headers of each request. */
  headers?: HeadersInit;
  /** Announces each wait. Show waits of more than a few seconds to people. */
  onWait?: (seconds: number, reason: Refused | Unanswered) => void;
}

/** Options of a call. */
export interface Call {
  /** Ends the call with its repetitions and waits. The call throws the reason of the signal. */
  signal?: AbortSignal | undefined;
}

export interface Message extends Call {
  method: Method;
  /** Path and query, beginning with `/v1`. */
  path: string;
  body?: unknown;
  headers?: HeadersInit | undefined;
  token?: string | undefined;
}

/** Seconds until a request fails: more than the longest `wait` of a log, 30 s. */
const ANSWER_SECONDS = 40;
const LONGEST_BACKOFF_SECONDS = 8;

/** Sends requests to a service. */
export class Requests {
  readonly #root: string;

  /** Takes the address of the service: its origin, and the path before `/v1`, if any. Throws a TypeError for other addresses. */
  constructor(address: string, readonly settings: Settings) {
    this.#root = address.replace(/\/+$/, "");
    const { url } = new Request(`${this.#root}/v1`);
    if (!/^https?:[^?#]+\/v1$/.test(url)) throw new TypeError(`the address of a referee is like http://localhost:8000, not ${address}`);
  }

  /** Returns the document of the answer. Throws Refused and Unanswered after the seconds of `patience`. */
  async ask<Answer>(message: Message): Promise<Answer> {
    const deadline = Date.now() + (this.settings.patience ?? 60) * 1000;
    for (let attempts = 1; ; attempts++) {
      try {
        return await this.send<Answer>(message, document);
      } catch (error) {
        const seconds = idempotent(message) ? secondsToWait(error, attempts) : null;
        if (seconds === null || Date.now() + seconds * 1000 > deadline) throw error;
        await this.wait(seconds, error, message.signal);
      }
    }
  }

  /** Sends a request once. Throws Refused, Unanswered, the reason of the signal, and a TypeError for an invalid request. */
  async send<Answer>(message: Message, read: (response: Response) => Answer | Promise<Answer>): Promise<Answer> {
    const { method, path, signal } = message;
    const { fetch = globalThis.fetch } = this.settings;
    const body = message.body === undefined ? null : JSON.stringify(message.body);
    const init = { method, headers: this.#headers(message), body };
    const { url } = new Request(this.#root + path, init);
    const expiry = new AbortController();
    const timer = setTimeout(() => expiry.abort(new Error(`no answer within ${ANSWER_SECONDS} s`)), ANSWER_SECONDS * 1000);
    try {
      const response = await fetch(url, { ...init, signal: signal ? AbortSignal.any([signal, expiry.signal]) : expiry.signal });
      if (response.ok) return await read(response);
      if (mediaType(response) !== "application/problem+json") throw foreignAnswer(response);
      const problem = await document<Problem | null>(response);
      throw problem?.code ? new Refused(problem, retryAfter(response)) : foreignAnswer(response, problem);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof Refused || error instanceof Unanswered) throw error;
      throw new Unanswered(`no answer to ${method} ${url}: ${reasonOf(Object(error))}`, error);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Announces a wait, and waits. Throws the reason of the signal on its abort. */
  async wait(seconds: number, reason: unknown, signal?: AbortSignal): Promise<void> {
    if (reason instanceof Refused || reason instanceof Unanswered) this.settings.onWait?.(seconds, reason);
    signal?.throwIfAborted();
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", end);
        resolve();
      };
      const timer = setTimeout(end, seconds * 1000);
      signal?.addEventListener("abort", end);
    });
    signal?.throwIfAborted();
  }

  /** Returns the headers of a request. Headers of the message override headers of the settings. */
  #headers({ body, headers, token }: Message): Headers {
    const all = new Headers({ "Accept-Language": this.settings.language ?? "en" });
    for (const source of [this.settings.headers, headers]) new Headers(source).forEach((value, name) => all.set(name, value));
    if (body !== undefined) all.set("Content-Type", "application/json");
    if (token !== undefined) all.set("Authorization", `Bearer ${textOf(token, "a token")}`);
    return all;
  }
}

/** Returns a text that is not empty. Throws a TypeError for any other value. */
export function textOf(value: unknown, name: string): string {
  if (typeof value === "string" && value !== "") return value;
  throw new TypeError(`${name} is a text, not ${value === "" ? "empty" : typeof value}`);
}

/** Returns the seconds until another attempt makes sense, or null if none does. */
export function secondsToWait(error: unknown, attempts: number): number | null {
  if (!(error instanceof Refused || error instanceof Unanswered) || error.retryAfter === null) return null;
  return backoff(attempts, error.retryAfter);
}

/** Returns seconds of exponential backoff with jitter, at least `least`. */
export function backoff(attempts: number, least: number): number {
  const half = Math.min(2 ** (attempts - 1), LONGEST_BACKOFF_SECONDS) / 2;
  return Math.max(least, half) + Math.random() * half;
}

/** Returns an error about the answer of another server. */
export function foreignAnswer(response: Response, cause?: unknown): Unanswered {
  const later = retryAfter(response);
  const question = later === null ? ": is this a Dice Referee?" : "";
  return new Unanswered(`the address answered ${response.status} ${mediaType(response) || "without a type"}${question}`, cause, response.status, later);
}

/** Returns the message of the innermost cause, or its code: `fetch` itself says "fetch failed". */
function reasonOf({ cause, code, message }: { cause?: object; code?: string; message?: string }): string {
  return cause ? reasonOf(cause) : message || code || "no reason";
}

/** Returns the media type of an answer without parameters, or an empty text. */
export function mediaType({ headers }: Response): string {
  return headers.get("Content-Type")?.split(";")[0]?.trim().toLowerCase() ?? "";
}

/** Returns the document of an answer. Throws Unanswered if the answer is not JSON. */
async function document<Answer>(response: Response): Promise<Answer> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw foreignAnswer(response, cause);
  }
}

/** Tells if a request may be repeated after an unknown outcome: any except a change of a session without a key. */
function idempotent({ method, path, headers }: Message): boolean {
  const changes = method === "POST" && path.startsWith("/v1/sessions") && !path.endsWith("/arrival");
  return !changes || new Headers(headers).has("Idempotency-Key");
}

/** Returns the seconds of `Retry-After`, by default 1, or null for a permanent status (RFC 9110, 10.2.3 and 15). */
function retryAfter({ headers, status }: Response): number | null {
  if (status !== 408 && status !== 429 && status < 500) return null;
  const value = headers.get("Retry-After") ?? "";
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Math.max(seconds || 1, 0);
}
