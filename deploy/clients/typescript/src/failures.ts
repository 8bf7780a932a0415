// Errors that a client throws: the referee has refused, it has not answered, or its log has lost something.

import type { Problem } from "./documents.js";

/** The service has refused a request. `problem` says why; decide by its `code`. */
export class Refused extends Error {
  override readonly name = "Refused";
  readonly status: number;

  /** `retryAfter`: seconds to wait before the same request is worth sending again; null where it never is. */
  constructor(readonly problem: Problem, readonly retryAfter: number | null) {
    super(`${problem.title}: ${problem.detail}`);
    this.status = problem.status;
  }
}

/** No answer of the service has come: the outcome of the request is unknown. `cause` has the reason. */
export class Unanswered extends Error {
  override readonly name = "Unanswered";

  /** `status`: of an answer that is none of the referee's, null without an answer. `retryAfter`: as in Refused. */
  constructor(message: string, cause: unknown, readonly status: number | null = null, readonly retryAfter: number | null = 0) {
    super(message, { cause });
  }
}

/** The service has lost entries of a log: read the session again, and follow it from its version. */
export class LogReset extends Error {
  override readonly name = "LogReset";
}
