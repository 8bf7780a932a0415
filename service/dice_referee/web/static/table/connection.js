// The progress of requests in words: the state of the connection, long waits, and problems. A short interruption is not
// reported.

import { code } from "../shared/session.js";
import { sentence } from "../shared/words.js";

const BRIEFLY = 1200;
const WORDS = {
  opening: "line_opening", live: "line_live", asking: "line_asking", lost: "line_lost", again: "line_again",
  over: "ended",
};

export class Connection {
  // True while a change is repeated, and after the game.
  again = false;
  over = false;
  say = null;
  // The next state, and the timer of its display.
  coming = null;
  timer = null;

  /** Shows the state of `feed`, and of the changes of `session`, in `place`. */
  constructor(place, feed, session) {
    this.place = place;
    this.feed = feed;
    const sending = (again) => () => {
      this.again = again;
      this.show();
    };
    session.addEventListener("again", sending(true));
    session.addEventListener("answered", sending(false));
    feed.addEventListener("line", () => this.show());
  }

  get state() {
    if (this.again) return "again";
    return this.feed.line === "live" && this.over ? "over" : this.feed.line;
  }

  show() {
    const { state } = this;
    if (state === this.coming) return;
    this.coming = state;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.write(), ["live", "over"].includes(state) ? 0 : BRIEFLY);
  }

  write() {
    const { state } = this;
    const text = this.say(WORDS[state]);
    this.coming = null;
    this.place.className = `connection ${state}`;
    if (this.place.textContent !== text) this.place.textContent = text;
  }

  /** Stops the feed and clears the line. */
  end() {
    this.feed.stop();
    clearTimeout(this.timer);
    this.place.textContent = "";
    this.place.className = "connection";
  }
}

// Slow answers --------------------------------------------------------------------------------------

/** Milliseconds after which a pending request is shown and announced. */
const SLOW = 300;
const timers = new WeakMap();

/** Starts or ends the wait for an answer. A long wait is announced. */
export function waits({ announcer, say, place: { board } }, busy) {
  clearTimeout(timers.get(board));
  if (!busy) board.classList.remove("slow");
  else timers.set(board, setTimeout(() => {
    announcer.tell([say("under_way")]);
    board.classList.add("slow");
  }, SLOW));
}

// Problems ------------------------------------------------------------------------------------------

/** Keys of the page's own texts about problems, or null for the service's detail. Other problems stay as they are. */
const SAID = {
  unauthorized: "bad_link", forbidden: "not_yours", "precondition-failed": "overtaken", "session-ended": "ended",
  gone: "deleted", "not-found": "no_table", "cannot-undo": null, "sessions-away": "away",
};
/** Keys of the headings over these texts. The default heading says that it is too late. */
const HEADS = { bad_link: "head_link", not_yours: "head_not_yours", overtaken: "head_overtaken", away: "no_answer" };

/** Returns a problem for display, in the page's own words where they exist. Problem null means no answer. */
export function inWords(problem, say) {
  const key = problem ? SAID[code(problem)] : "away";
  if (key === undefined) return problem;
  const title = key ? sentence(say(key)) : problem.detail;
  return { heading: HEADS[key] ?? "head_late", title, detail: "", findings: [], errors: [] };
}

/** Returns a problem as a line of text. */
export function explained(problem, say) {
  const { title, detail, errors } = inWords(problem, say);
  return [title, ...(errors?.length ? new Set(errors.map((error) => error.detail)) : [detail])].filter(Boolean)
    .join(" ");
}
