// Names the documents of the contract, by game.

import type { components } from "./contract.js";

export type Schemas = components["schemas"];
/** Ids of the games. */
export type Game = Schemas["Session"]["game"];
type Named<G extends Game, Kind extends string> = Schemas[`${Capitalize<G>}${Kind}` & keyof Schemas];

export type Turn<G extends Game> = Named<G, "Turn">;
export type RunningTurn<G extends Game> = Named<G, "RunningTurn">;
export type Event<G extends Game> = Named<G, "Event">;
export type Position<G extends Game> = Named<G, "Position"> | Extract<RunningTurn<G>, { phase: "keep" | "choose" }>;
export type Adjudication<G extends Game> = Named<G, "Adjudication">;
export type Transition<G extends Game> = Named<G, "Transition"> | (RunningTurn<G> & { event: Event<G> });
export type Step<G extends Game> = Named<G, "Step">;
export type OddsPosition<G extends Game> = Named<G, "OddsPosition"> | RunningTurn<G>;
export type Odds<G extends Game> = Named<G, "Odds">;
/** Whole game: the argument of `audit` and `review`. */
export type GameLog<G extends Game> = Named<G, "GameLog">;
export type SessionGame<G extends Game> = Named<G, "SessionGame">;
export type Aim<G extends Game> = NonNullable<Extract<GameLog<G>, { aim?: unknown }>["aim"]>;
export type Audit<G extends Game> = Named<G, "Audit">;
export type Review<G extends Game> = Named<G, "Review">;

export type Session<G extends Game = Game> = Extract<Schemas["Session"], { game: G }>;
/** Event as a client posts it to a session: without dice and cards that the service rolls and draws. */
export type PostedEvent<G extends Game = Game> = Schemas[`Posted${Capitalize<G>}${Capitalize<Named<G, "EventType">>}Event` & keyof Schemas];
/** A session: its state, or its id. */
export type SessionOrId = Session | string;
/** State of a session: of the given game, or of any game for an id. */
export type SessionOf<S extends SessionOrId> = S extends Session ? S : Session;
export type Entry = Schemas["SessionEntry"];
/** Entry of a feed, and the session afterwards, or `null` where a later entry is known. */
export type News = { entry: Entry; session: Session | null };
/** Request for a session, without its `game`. */
export type Plan<G extends Game> = Omit<Named<G, "SessionRequest">, "game">;
/** New session with its tokens, which no later answer contains. */
export type Begun<G extends Game> = Omit<Schemas["SessionCreated"], "session"> & { session: Session<G> };
/** Entry of a change, and the session afterwards. */
export type Changed<S extends Session> = Omit<Schemas["SessionChanged"], "session"> & { session: S };
/** Reason of a refusal (RFC 9457), identified by `code`. */
export type Problem = Schemas["Problem"] | Schemas["GoneProblem"];
