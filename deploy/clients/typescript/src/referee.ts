// The verbs of the referee.

import type * as Docs from "./documents.js";
import type { Accepted, Begun, Entry, Game, Move, Plan, Schemas, Session } from "./documents.js";
import { LogReset, Refused } from "./failures.js";
import type { Answer, Choices, Method, Options, Path } from "./operations.js";
import { backoff, mediaType, Requests, secondsToWait, stranger, type Call, type Settings } from "./requests.js";
import { frames } from "./stream.js";

/** Choices about one change of a session. */
export interface Change extends Call {
  /** The `Idempotency-Key`. Keep one of your own to send the same change again, after a reload say. */
  key?: string;
}

const STREAM_PAUSE_SECONDS = 1;

/** A referee at an address, such as `http://localhost:8000`. */
export class Referee {
  readonly #requests: Requests;

  /** Throws a TypeError for an address that is none of http or https. */
  constructor(address: string, settings: Settings = {}) {
    this.#requests = new Requests(address, settings);
  }

  /** Returns all that the dice of a position allow. */
  adjudicate<G extends Game>(game: G, position: Docs.Position<G>, call?: Call): Promise<Docs.Adjudication<G>> {
    return this.#post(`/v1/${game}/adjudications`, position, call);
  }

  /** Returns the turn after the `event` of the document; an illegal one is an answer, `legal: false`. */
  transition<G extends Game>(game: G, position: Docs.Transition<G>, call?: Call): Promise<Docs.Step<G>> {
    return this.#post(`/v1/${game}/transitions`, position, call);
  }

  /** Returns the odds of the choices in a position. */
  odds<G extends Game>(game: G, position: Docs.OddsPosition<G>, call?: Call): Promise<Docs.Odds<G>> {
    return this.#post(`/v1/${game}/odds`, position, call);
  }

  /** Says whether a whole game was played by the rules. */
  audit<G extends Game>(game: G, log: Docs.GameLog<G>, call?: Call): Promise<Docs.Audit<G>> {
    return this.#post(`/v1/${game}/games`, log, call);
  }

  /** Measures the decisions of a whole game by the odds. */
  review<G extends Game>(game: G, log: Docs.GameLog<G>, call?: Call): Promise<Docs.Review<G>> {
    return this.#post(`/v1/${game}/games/review`, log, call);
  }

  /** Proves that the dice of a game were those of its seed. */
  verify(claim: Schemas["FairnessClaim"], call?: Call): Promise<Schemas["FairnessVerdict"]> {
    return this.#post("/v1/fairness/verify", claim, call);
  }

  /** Returns a game with its dice, cards and options. */
  game(game: Game, call?: Call): Promise<Schemas["Game"]> {
    return this.#get(`/v1/games/${game}`, call);
  }

  /** Returns the rules of a game. */
  rules(game: Game, call?: Call): Promise<Schemas["RuleList"]> {
    return this.#get(`/v1/games/${game}/rules`, call);
  }

  /** Begins a session. Is never repeated: nobody could read the tokens of a session whose answer was lost. */
  begin<G extends Game>(game: G, plan: Plan<G>, call?: Call): Promise<Begun<G>> {
    return this.#post("/v1/sessions", { game, ...plan }, call);
  }

  /** Returns the state of a session. */
  session(id: string, call?: Call): Promise<Session> {
    return this.#get(at(id), call);
  }

  /** Returns entries of the log after a version, at most 1000. */
  log(id: string, after = 0, call?: Call): Promise<Schemas["SessionLog"]> {
    return this.#get(at(id, `/events?after=${after}`), call);
  }

  /** Returns the game of a session in the form that `audit` takes. */
  record<S extends Session>(session: S, call?: Call): Promise<Docs.GameLog<S["game"]>> {
    return this.#get(at(session.id, "/game"), call);
  }

  /** Returns the odds of the choices on the table, for the aim of the game if it has several. */
  sessionOdds<S extends Session>(session: S, choices: Call & { aim?: Docs.Aim<S["game"]> } = {}): Promise<Docs.Odds<S["game"]>> {
    const { aim, signal } = choices;
    return this.#get(at(session.id, aim === undefined ? "/odds" : `/odds?aim=${aim}`), { signal });
  }

  /** Returns the seats of a session, and whether their players have arrived. */
  seats(id: string, call?: Call): Promise<Schemas["SessionSeats"]> {
    return this.#get(at(id, "/seats"), call);
  }

  /** Reports the arrival at a seat with its token. Refused with `unauthorized` or `forbidden` where the token belongs elsewhere. */
  arrive(id: string, seat: number, token: string, call?: Call): Promise<Schemas["SessionArrival"]> {
    return this.#requests.ask({ method: "POST", path: at(id, `/seats/${seat}/arrival`), token, ...call });
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

  /** Deletes a session; only the host may. Refused with `gone` if the first answer was lost: the session is deleted. */
  delete(session: Session, token: string, call?: Call): Promise<Schemas["SessionDeleted"]> {
    return this.#requests.ask({ method: "DELETE", path: at(session.id), token, ...call });
  }

  /**
   * Yields each entry of a session's log after a version once, and those to come; a broken line is no end, a deleted or
   * expired session is one. Throws LogReset when the service has lost entries, and the reason of the signal.
   */
  async *follow(id: string, after = 0, { signal }: Call = {}): AsyncGenerator<Entry, void> {
    let last = after;
    let connected = false;
    for (let attempts = 1; ; attempts++) {
      let seconds: number | null = backoff(1, STREAM_PAUSE_SECONDS);
      let reason: unknown;
      try {
        const headers = { Accept: "text/event-stream", "Last-Event-ID": String(last) };
        const request = { method: "GET", path: at(id, "/stream"), headers, signal } as const;
        const stream = await this.#requests.send(request, opened);
        connected = true;
        attempts = 1;
        for await (const { event, data } of frames(stream)) {
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

  /** Sends any request of the contract: `request("GET", "/v1/games/{game}/cases", { path: { game: "pot" } })`. */
  request<M extends Method, P extends Path<M>>(method: M, path: P, ...options: Options<M, P>): Promise<Answer<M, P>>;
  request(method: Method, path: string, { path: names = {}, query = {}, ...rest }: Choices = {}): Promise<unknown> {
    const values = new Map(Object.entries(names));
    const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(values.get(name))));
    const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
    return this.#requests.ask({ method, path: search.size > 0 ? `${filled}?${search}` : filled, ...rest });
  }

  #get<Answer>(path: string, call?: Call): Promise<Answer> {
    return this.#requests.ask({ method: "GET", path, ...call });
  }

  #post<Answer>(path: string, body: unknown, call?: Call): Promise<Answer> {
    return this.#requests.ask({ method: "POST", path, body, ...call });
  }

  #change<S extends Session>(session: S, token: string, verb: string, body: unknown, change: Change = {}): Promise<Accepted<S>> {
    const { key = once(), signal } = change;
    const headers = { "Idempotency-Key": key, "If-Match": `"${session.version}"` };
    return this.#requests.ask({ method: "POST", path: at(session.id, `/${verb}`), body, headers, token, signal });
  }
}

/** Returns the path of a session, or of something below it. */
function at(id: string, below = ""): string {
  return `/v1/sessions/${encodeURIComponent(id)}${below}`;
}

/** Returns the stream of an answer. Throws Unanswered if it is none. */
function opened(response: Response): ReadableStream<Uint8Array> {
  if (response.body === null || mediaType(response) !== "text/event-stream") throw stranger(response);
  return response.body;
}

/** Returns a text that is used once; `crypto.randomUUID` is not there on pages over plain http, as phones open them. */
function once(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
