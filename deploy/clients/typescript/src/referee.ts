// Sends the requests of the referee, a method for each verb.

import type * as Docs from "./documents.js";
import type { Begun, Changed, Game, News, Plan, PostedEvent, Schemas, Session, SessionOf, SessionOrId } from "./documents.js";
import { LogReset, Refused } from "./failures.js";
import type { Answer, Choices, Method, Options, Path } from "./operations.js";
import { backoff, foreignAnswer, mediaType, Requests, secondsToWait, textOf, type Call, type Settings } from "./requests.js";
import { frames } from "./stream.js";

/** Options of a change of a session. */
export interface Change extends Call {
  /** `Idempotency-Key`, random by default. Store your own key to repeat a change, for example after a reload. */
  key?: string;
}

/** Options of following a session. */
export interface Following extends Call {
  /** Token of a player or of the host, whose stream displaces a stream without a token at a crowded table. */
  token?: string | undefined;
  /** Reacts to the call of a player. Polls bring no calls. */
  onNudge?: (player: number) => void;
  /** Takes the connected seats at the beginning and after each change. */
  onConnected?: (seats: number[]) => void;
}

/** Milliseconds of polling after a refused and after a displaced stream. */
const POLLS = { refused: 30_000, displaced: 300_000 };

/** Calls a referee at an address such as `http://localhost:8000`. An argument of another type is a TypeError. */
export class Referee {
  readonly #requests: Requests;

  /** Throws a TypeError for an address other than http or https. */
  constructor(address: string, settings: Settings = {}) {
    this.#requests = new Requests(address, settings);
  }

  /** Returns the verdict on the dice of a position. */
  adjudicate<G extends Game>(game: G, position: Docs.Position<G>, call?: Call): Promise<Docs.Adjudication<G>> {
    return this.#ask("POST", [game, "adjudications"], { body: position, ...call });
  }

  /** Returns the turn after the `event` of a document. The answer to an illegal event is `legal: false`. */
  transition<G extends Game>(game: G, position: Docs.Transition<G>, call?: Call): Promise<Docs.Step<G>> {
    return this.#ask("POST", [game, "transitions"], { body: position, ...call });
  }

  /** Returns the odds of the choices in a position. */
  odds<G extends Game>(game: G, position: Docs.OddsPosition<G>, call?: Call): Promise<Docs.Odds<G>> {
    return this.#ask("POST", [game, "odds"], { body: position, ...call });
  }

  /** Checks whether a whole game was played by the rules. */
  audit<G extends Game>(game: G, log: Docs.GameLog<G>, call?: Call): Promise<Docs.Audit<G>> {
    return this.#ask("POST", [game, "audits"], { body: log, ...call });
  }

  /** Measures the decisions of a whole game by the odds. */
  review<G extends Game>(game: G, log: Docs.GameLog<G>, call?: Call): Promise<Docs.Review<G>> {
    return this.#ask("POST", [game, "reviews"], { body: log, ...call });
  }

  /** Checks whether the dice of a game result from its seed. */
  verify(claim: Schemas["FairnessClaim"], call?: Call): Promise<Schemas["FairnessVerdict"]> {
    return this.#ask("POST", ["fairness", "verify"], { body: claim, ...call });
  }

  /** Returns a game with its dice, cards and options. */
  game(game: Game, call?: Call): Promise<Schemas["Game"]> {
    return this.#ask("GET", [game], call);
  }

  /** Returns the rules of a game. */
  rules(game: Game, call?: Call): Promise<Schemas["RuleList"]> {
    return this.#ask("GET", [game, "rules"], call);
  }

  /** Begins a session. The request is never repeated, because the tokens in a lost answer cannot be read again. */
  begin<G extends Game>(game: G, plan: Plan<G>, call?: Call): Promise<Begun<G>> {
    return this.#ask("POST", ["sessions"], { body: { game, ...plan }, ...call });
  }

  /** Returns the state of a session. */
  session<S extends SessionOrId>(session: S, call?: Call): Promise<SessionOf<S>> {
    return this.#ask("GET", ["sessions", session], call);
  }

  /** Returns entries of the log after a version, at most 200. */
  log(session: SessionOrId, after = 0, call?: Call): Promise<Schemas["SessionLog"]> {
    return this.#ask("GET", ["sessions", session, "events"], { query: { after }, ...call });
  }

  /** Returns the game of a session in the form that `audit` takes. */
  record<S extends SessionOrId>(session: S, call?: Call): Promise<Docs.SessionGame<SessionOf<S>["game"]>> {
    return this.#ask("GET", ["sessions", session, "game"], call);
  }

  /** Returns the odds of the choices on the table, for an aim in games with several. */
  sessionOdds<S extends SessionOrId>(session: S, call: Call & { aim?: Docs.Aim<SessionOf<S>["game"]> } = {}): Promise<Docs.Odds<SessionOf<S>["game"]>> {
    const { aim, signal } = call;
    return this.#ask("GET", ["sessions", session, "odds"], { query: { aim }, signal });
  }

  /** Returns the seats of a session, and whether their players have arrived. */
  seats(session: SessionOrId, call?: Call): Promise<Schemas["SessionSeats"]> {
    return this.#ask("GET", ["sessions", session, "seats"], call);
  }

  /** Reports the arrival at a seat with its token. Throws Refused with `unauthorized` or `forbidden` for another token. */
  arrive(session: SessionOrId, seat: number, token: string, call?: Call): Promise<Schemas["SessionArrival"]> {
    const number = Number.isInteger(seat) ? String(seat) : null;
    return this.#ask("POST", ["sessions", session, "seats", number, "arrival"], { token, ...call });
  }

  /**
   * Plays a move with the token of a seat or of the host. Repetitions of the request play the move only once. The session is
   * the known state or, to play whatever has changed, its id. A state that is no longer the present one is refused with
   * `precondition-failed`.
   */
  play<S extends SessionOrId>(session: S, token: string, event: PostedEvent<SessionOf<S>["game"]>, change?: Change): Promise<Changed<SessionOf<S>>>;
  /** Plays a move with the token of the player to move. Returns the tokens with the session, ready for the next move. */
  play<G extends Game>(created: Begun<G>, event: PostedEvent<G>, change?: Change): Promise<Begun<G> & Changed<Session<G>>>;
  async play(table: SessionOrId | Begun<Game>, first: string | PostedEvent, second?: PostedEvent | Change, change?: Change): Promise<unknown> {
    if (typeof table === "string" || !("seat_tokens" in table)) return this.#change(table, textOf(first, "a token"), "events", second, change);
    if (typeof first === "string") throw new TypeError("play finds the token in what begin has returned");
    const { session, seat_tokens, host_token } = table;
    const token = seat_tokens[session.player ?? seat_tokens.length] ?? host_token;
    const changed: Changed<Session> = await this.#change(session, token, "events", first, second && "type" in second ? {} : second);
    return { ...table, ...changed };
  }

  /** Undoes the last decision. */
  undo<S extends SessionOrId>(session: S, token: string, change?: Change): Promise<Changed<SessionOf<S>>> {
    return this.#change(session, token, "undo", undefined, change);
  }

  /** Adds a text of a seat to the seed of the dice, before the first roll. */
  seed<S extends SessionOrId>(session: S, token: string, seed: string, change?: Change): Promise<Changed<SessionOf<S>>> {
    return this.#change(session, token, "seeds", { seed }, change);
  }

  /** Abandons a game. Requires the host's token. */
  abandon<S extends SessionOrId>(session: S, token: string, change?: Change): Promise<Changed<SessionOf<S>>> {
    return this.#change(session, token, "abandon", undefined, change);
  }

  /** Begins the next game of the same players, with the next or another `starter`. The answer has its id in `session.rematch`. */
  rematch<S extends SessionOrId>(session: S, token: string, { starter, ...change }: Change & { starter?: number } = {}): Promise<Changed<SessionOf<S>>> {
    return this.#change(session, token, "rematch", { starter }, change);
  }

  /** Deletes a session. Requires the host's token. Throws Refused with `gone` if an earlier attempt, whose answer was lost, has deleted the session. */
  delete(session: SessionOrId, token: string, call?: Call): Promise<Schemas["SessionDeleted"]> {
    return this.#ask("DELETE", ["sessions", session], { token, ...call });
  }

  /**
   * Yields each entry of a session's log after a version once, with the session after it if that is known, and calls `onNudge` and `onConnected`. Reconnects, and
   * ends when the session is deleted or expired. Polls while streams are refused, and after another has displaced its stream.
   * Throws LogReset if the service has lost entries, Refused with `unauthorized` for a void token, and the signal's reason.
   */
  async *follow(session: SessionOrId, after = 0, { signal, token, onNudge, onConnected }: Following = {}): AsyncGenerator<News, void> {
    const lost = `the log of ${pathOf(["sessions", session])} has lost entries`;
    let last = after;
    let connected = false;
    let polling = 0;
    for (let attempts = 1; ; attempts++) {
      let seconds: number | null = backoff(1, 1);
      let reason: unknown;
      try {
        if (Date.now() < polling) {
          const { events, reset, connected: seats } = await this.#ask<{ events: News[]; reset: boolean; connected: number[] }>("GET", ["sessions", session, "events"], { query: { after: last, wait: 30, state: true }, signal });
          [connected, attempts] = [true, 1];
          if (reset) throw new LogReset(lost);
          onConnected?.(seats);
          yield* events;
          last = events.at(-1)?.entry.version ?? last;
          if (events.length > 0) continue;
        } else {
          const headers = { Accept: "text/event-stream", "Last-Event-ID": String(last) };
          const request = { method: "GET", path: `${pathOf(["sessions", session, "stream"])}?state=true`, headers, token, signal } as const;
          const stream = await this.#requests.send(request, streamOf);
          [connected, attempts] = [true, 1];
          for await (const { event, data } of frames(stream)) {
            if (event === "gone") return;
            if (event === "reset") throw new LogReset(lost);
            if (event === "crowded") polling = Date.now() + POLLS.displaced;
            if (event === "nudge") onNudge?.(JSON.parse(data).player);
            if (event === "connected") onConnected?.(JSON.parse(data).connected);
            if (event !== "message") continue;
            const news: News = JSON.parse(data);
            if (news.entry.version <= last) continue;
            last = news.entry.version;
            yield news;
          }
        }
      } catch (error) {
        signal?.throwIfAborted();
        if (connected && error instanceof Refused && [404, 410].includes(error.problem.status)) return;
        if (error instanceof Refused && error.problem.code === "too-many-streams") polling = Date.now() + POLLS.refused;
        seconds = secondsToWait(error, attempts);
        if (seconds === null) throw error;
        reason = error;
      }
      await this.#requests.wait(seconds, reason, signal);
    }
  }

  /** Sends any request of the contract: `request("GET", "/v1/{game}/cases", { path: { game: "pot" } })`. */
  request<M extends Method, P extends Path<M>>(method: M, path: P, ...options: Options<M, P>): Promise<Answer<M, P>>;
  request(method: Method, path: string, { path: names = {}, query = {}, ...rest }: Choices = {}): Promise<unknown> {
    const values = new Map(Object.entries(names));
    const route = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(values.get(name))));
    return this.#requests.ask({ method, path: route + queryOf(query), ...rest });
  }

  /** Sends a request, with a token if `sent` names it. Throws a TypeError for a missing token or part of the path. */
  async #ask<Answer>(method: Method, path: unknown[], { query = {}, ...sent }: Choices = {}): Promise<Answer> {
    if ("token" in sent) textOf(sent.token, "a token");
    return this.#requests.ask({ ...sent, method, path: pathOf(path) + queryOf(query) });
  }

  /** Changes a session once. Without a known state no version guards the change. */
  #change<Answer>(session: SessionOrId, token: string, verb: string, body?: unknown, { key = nonce(), signal }: Change = {}): Promise<Answer> {
    const { version } = Object(session);
    const headers = { "Idempotency-Key": key, ...(version === undefined ? {} : { "If-Match": `"${version}"` }) };
    return this.#ask("POST", ["sessions", session, verb], { body, headers, token, signal });
  }
}

/** Returns the path of these parts: texts, and sessions. Throws a TypeError for any other part. */
function pathOf(parts: unknown[]): string {
  const texts = parts.map((part) => textOf(Object(part).id ?? part, "a game, the id of a session or a seat"));
  return ["/v1", ...texts.map(encodeURIComponent)].join("/");
}

/** Returns a query without undefined parameters. */
function queryOf(query: object): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : "";
}

/** Returns the stream of an answer. Throws Unanswered for any other media type. */
function streamOf(response: Response): ReadableStream<Uint8Array> {
  if (response.body === null || mediaType(response) !== "text/event-stream") throw foreignAnswer(response);
  return response.body;
}

/** Returns a nonce. `crypto.randomUUID` is unavailable on pages over http. */
function nonce(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
