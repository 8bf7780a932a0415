// Errors of a client: a refusal, a missing answer, or lost entries of a log.

import type { Problem } from "./documents.js";

/** Reports a refusal by the service. `problem.code` identifies the reason. */
export class Refused extends Error {
  override readonly name = "Refused";
  readonly status: number;

  /** Takes `retryAfter`, the seconds until another attempt makes sense, or null if none ever does. */
  constructor(readonly problem: Problem, readonly retryAfter: number | null) {
    const { title, detail, errors = [], findings = [] } = problem;
    const reasons = [...errors, ...findings].map((each) => `${"rule" in each ? each.rule : each.pointer || "/"}: ${each.detail}`);
    super([`${title}: ${detail}`, ...reasons].join("\n"));
    this.status = problem.status;
  }
}

/** Reports a missing answer: the outcome of the request is unknown. `cause` has the reason. */
export class Unanswered extends Error {
  override readonly name = "Unanswered";

  /** Takes `status` from an answer of another server, or null without an answer, and `retryAfter` as Refused does. */
  constructor(message: string, cause: unknown, readonly status: number | null = null, readonly retryAfter: number | null = 0) {
    super(message, { cause });
  }
}

/** Reports lost entries of a log. Read the session again, and follow it from its version. */
export class LogReset extends Error {
  override readonly name = "LogReset";
}
