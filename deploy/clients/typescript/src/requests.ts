// One request at a time: sends it, reads its answer, and sends it again where that is safe.

import { Refused, Unanswered } from "./failures.js";

/** Settings of a client; all have defaults. */
export interface Settings {
  /** Language of the texts in answers: `en` (the default), `de`, `fr` or `it`. */
  language?: string;
  /** Seconds for which a request is sent again while the service is busy or away; 60 by default. */
  patience?: number;
  /** Is called before each wait; tell people when it takes longer than a few seconds. */
  onWait?: (seconds: number, reason: Refused | Unanswered) => void;
}

/** A request to the service. */
export interface Request {
  method: "GET" | "POST" | "DELETE";
  /** Path and query, from `/v1` on. */
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** Says that a second request does no harm, though the outcome of the first is unknown. */
  repeatable: boolean;
  signal?: AbortSignal | undefined;
}

const ANSWER_SECONDS = 30;
const LATER_STATUSES = [429, 503];
const LONGEST_BACKOFF_SECONDS = 8;

/** Sends requests to one service. */
export class Requests {
  /** `address`: the origin of the service, and the path before `/v1` if there is one. */
  constructor(readonly address: string, readonly settings: Settings) {}

  /** Returns the document of the answer. Throws Refused and Unanswered when no patience is left. */
  async ask<Answer>(request: Request): Promise<Answer> {
    const { patience = 60 } = this.settings;
    const deadline = Date.now() + patience * 1000;
    for (let attempts = 1; ; attempts++) {
      try {
        return await this.send<Answer>(request, (response) => response.json());
      } catch (error) {
        const seconds = secondsToWait(error, attempts);
        const harmless = request.repeatable || (error instanceof Refused && error.problem.status === 429);
        if (seconds === null || !harmless || Date.now() + seconds * 1000 > deadline) throw error;
        await this.wait(seconds, error, request.signal);
      }
    }
  }

  /** Sends a request once. Throws Refused and Unanswered, and the reason of its signal. */
  async send<Answer>({ method, path, body, headers, signal }: Request, read: (response: Response) => Answer | Promise<Answer>) {
    const { language } = this.settings;
    const expiry = new AbortController();
    const timer = setTimeout(() => expiry.abort(new Error(`no answer within ${ANSWER_SECONDS} s`)), ANSWER_SECONDS * 1000);
    try {
      const response = await fetch(this.address.replace(/\/+$/, "") + path, {
        method,
        headers: {
          ...(language === undefined ? {} : { "Accept-Language": language }),
          ...(body === undefined ? {} : { "Content-Type": "application/json" }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: signal ? AbortSignal.any([signal, expiry.signal]) : expiry.signal,
      });
      if (response.ok) return await read(response);
      const { headers: told, status } = response;
      if (!told.get("Content-Type")?.startsWith("application/problem+json")) throw new Error(`status ${status}`);
      throw new Refused(await response.json(), LATER_STATUSES.includes(status) ? Number(told.get("Retry-After")) || 1 : null);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof Refused) throw error;
      throw new Unanswered(`no answer of the referee to ${method} ${path}`, { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }

  /** Tells of a wait, and waits. Throws the reason of the signal as soon as there is one. */
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
}

/** Returns the seconds after which another attempt makes sense, or null where none does. */
export function secondsToWait(error: unknown, attempts: number): number | null {
  if (error instanceof Refused) return error.retryAfter;
  return error instanceof Unanswered ? Math.min(2 ** (attempts - 1), LONGEST_BACKOFF_SECONDS) : null;
}
