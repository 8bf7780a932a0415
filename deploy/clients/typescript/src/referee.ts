// The verbs of the referee.

import type * as Docs from "./documents.js";
import type { Accepted, Begun, Entry, Game, Move, Plan, Schemas, Session } from "./documents.js";
import { LogReset, Refused } from "./failures.js";
import { Requests, secondsToWait, type Settings } from "./requests.js";
import { frames } from "./stream.js";

/** Choices about one change of a session. */
export interface Change {
  /** The `Idempotency-Key`. Keep one of your own to send the same change again, after a reload say. */
  key?: string;
  signal?: AbortSignal;
}

const STREAM_PAUSE_SECONDS = 1;

/** A referee at an address, such as `http://localhost:8000`. */
export class Referee {
  readonly #requests: Requests;

  constructor(address: string, settings: Settings = {}) {
    this.#requests = new Requests(address, settings);
  }

  /** Returns all that the dice of a position allow. */
  adjudicate<G extends Game>(game: G, position: Docs.Position<G>): Promise<Docs.Adjudication<G>> {
    return this.#post(`/v1/${game}/adjudications`, position);
  }

  /** Returns the turn after the `event` of the document; an illegal one is an answer, `legal: false`. */
  transition<G extends Game>(game: G, position: Docs.Transition<G>): Promise<Docs.Step<G>> {
    return this.#post(`/v1/${game}/transitions`, position);
  }

  /** Returns the odds of the choices in a position. */
  odds<G extends Game>(game: G, position: Docs.OddsPosition<G>): Promise<Docs.Odds<G>> {
    return this.#post(`/v1/${game}/odds`, position);
  }

  /** Says whether a whole game was played by the rules. */
  audit<G extends Game>(game: G, log: Docs.GameLog<G>): Promise<Docs.Audit<G>> {
    return this.#post(`/v1/${game}/games`, log);
  }

  /** Measures the decisions of a whole game by the odds. */
  review<G extends Game>(game: G, log: Docs.GameLog<G>): Promise<Docs.Review<G>> {
    return this.#post(`/v1/${game}/games/review`, log);
  }

  /** Proves that the dice of a game were those of its seed. */
  verify(claim: Schemas["FairnessClaim"]): Promise<Schemas["FairnessVerdict"]> {
    return this.#post("/v1/fairness/verify", claim);
  }

  /** Returns a game with its dice, cards and options. */
  game(game: Game): Promise<Schemas["Game"]> {
    return this.#get(`/v1/games/${game}`);
  }

  /** Returns the rules of a game. */
  rules(game: Game): Promise<Schemas["RuleList"]> {
    return this.#get(`/v1/games/${game}/rules`);
  }

  /** Begins a session. Is not sent again when its answer is lost: nobody could read the tokens of the first. */
  begin<G extends Game>(game: G, plan: Plan<G>): Promise<Begun<G>> {
    return this.#requests.ask({ method: "POST", path: "/v1/sessions", body: { game, ...plan }, repeatable: false });
  }

  /** Returns the state of a session. */
  session(id: string): Promise<Session> {
    return this.#get(at(id));
  }

  /** Returns entries of the log after a version, at most 1000. */
  log(id: string, after = 0): Promise<Schemas["SessionLog"]> {
    return this.#get(at(id, `/events?after=${after}`));
  }

  /** Returns the game of a session in the form that `audit` takes. */
  record<S extends Session>(session: S): Promise<Docs.GameLog<S["game"]>> {
    return this.#get(at(session.id, "/game"));
  }

  /**
   * Plays a move with the token of a seat or of the host. The move happens once, however often it has to be sent,
   * and only if nothing has happened since `session`: else Refused has the code `precondition-failed`.
   */
  play<S extends Session>(session: S, token: string, move: Move<S["game"]>, change?: Change): Promise<Accepted<S>> {
    return this.#change(session, token, "events", move, change);
  }

  /** Takes back the last decision. */
  undo<S extends Session>(session: S, token: string, change?: Change): Promise<Accepted<S>> {
    return this.#change(session, token, "undo", undefined, change);
  }

  /** Adds a text of a seat to the seed of the dice, before the first of them falls. */
  seed<S extends Session>(session: S, token: string, seed: string, change?: Change): Promise<Accepted<S>> {
    return this.#change(session, token, "seeds", { seed }, change);
  }

  /** Gives a game up; only the host may. */
  abandon<S extends Session>(session: S, token: string, change?: Change): Promise<Accepted<S>> {
    return this.#change(session, token, "abandon", undefined, change);
  }

  /** Begins the next game of the same people; its id is `session.rematch` of the answer. */
  rematch<S extends Session>(session: S, token: string, change?: Change): Promise<Accepted<S>> {
    return this.#change(session, token, "rematch", undefined, change);
  }

  /** Deletes a session; only the host may. */
  delete(session: Session, token: string): Promise<Schemas["SessionDeleted"]> {
    return this.#requests.ask({ method: "DELETE", path: at(session.id), headers: { Authorization: `Bearer ${token}` }, repeatable: false });
  }

  /**
   * Yields each entry of a session's log after a version once, and those to come; a broken line is no end, a deleted or
   * expired session is one. Throws LogReset when the service has lost entries, and the reason of the signal.
   */
  async *follow(id: string, after = 0, signal?: AbortSignal): AsyncGenerator<Entry, void> {
    let last = after;
    let connected = false;
    for (let attempts = 1; ; attempts++) {
      let seconds: number | null = STREAM_PAUSE_SECONDS;
      let reason: unknown;
      try {
        const headers = { Accept: "text/event-stream", "Last-Event-ID": String(last) };
        const request = { method: "GET", path: at(id, "/stream"), headers, repeatable: true, signal } as const;
        const stream = await this.#requests.send(request, ({ body }) => body);
        connected = true;
        for await (const { event, data } of stream ? frames(stream) : []) {
          attempts = 0;
          if (event === "gone") return;
          if (event === "reset") throw new LogReset(`the log of session ${id} has lost entries`);
          const entry: Entry = JSON.parse(data);
          if (entry.version <= last) continue;
          last = entry.version;
          yield entry;
        }
      } catch (error) {
        signal?.throwIfAborted();
        if (connected && error instanceof Refused && [404, 410].includes(error.problem.status)) return;
        seconds = secondsToWait(error, attempts);
        if (seconds === null) throw error;
        reason = error;
      }
      await this.#requests.wait(seconds, reason, signal);
    }
  }

  #get<Answer>(path: string): Promise<Answer> {
    return this.#requests.ask({ method: "GET", path, repeatable: true });
  }

  #post<Answer>(path: string, body: unknown): Promise<Answer> {
    return this.#requests.ask({ method: "POST", path, body, repeatable: true });
  }

  #change<S extends Session>(session: S, token: string, verb: string, body: unknown, change: Change = {}): Promise<Accepted<S>> {
    const { key = once(), signal } = change;
    const headers = { Authorization: `Bearer ${token}`, "Idempotency-Key": key, "If-Match": `"${session.version}"` };
    return this.#requests.ask({ method: "POST", path: at(session.id, `/${verb}`), body, headers, repeatable: true, signal });
  }
}

/** Returns the path of a session, or of something below it. */
function at(id: string, below = ""): string {
  return `/v1/sessions/${encodeURIComponent(id)}${below}`;
}

/** Returns a text that is used once; `crypto.randomUUID` is not there on pages over plain http, as phones open them. */
function once(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
