// Problems of a session as its page shows them.

import { code } from "../shared/session.js";

/** The page's own texts about problems; the others come in the service's words. */
const SAID = {
  unauthorized: "bad_link", forbidden: "not_yours", "precondition-failed": "overtaken", "session-ended": "ended",
  gone: "deleted", "not-found": "no_table", "cannot-undo": "cannot_undo", "sessions-away": "away",
};
/** The headings over them; over the others that it is too late. */
const HEADS = { bad_link: "head_link", not_yours: "head_not_yours", overtaken: "head_overtaken", away: "no_answer" };

/** A problem as it is shown: in this page's words where it has some. Null: there was no answer. */
export function inWords(problem, say) {
  const key = problem ? SAID[code(problem)] : "away";
  return key ? { heading: HEADS[key] ?? "head_late", title: say(key), detail: "", findings: [], errors: [] } : problem;
}
