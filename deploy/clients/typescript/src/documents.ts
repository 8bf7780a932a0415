// Names for the documents of the contract, by game.

import type { components } from "./contract.js";

export type Schemas = components["schemas"];
/** A game that the service knows. */
export type Game = Schemas["Session"]["game"];
type Named<G extends Game, Kind extends string> = Schemas[`${Capitalize<G>}${Kind}` & keyof Schemas];

/** A turn as answers have it, which is a request again. */
export type Turn<G extends Game> = Named<G, "Turn">;
export type Event<G extends Game> = Named<G, "Event">;
export type Position<G extends Game> = Named<G, "Position"> | Turn<G>;
export type Adjudication<G extends Game> = Named<G, "Adjudication">;
export type Transition<G extends Game> = Named<G, "Transition"> | (Turn<G> & { event: Event<G> });
export type Step<G extends Game> = Named<G, "Step">;
export type OddsPosition<G extends Game> = Named<G, "OddsPosition"> | Turn<G>;
export type Odds<G extends Game> = Named<G, "Odds">;
/** A whole game, as `audit` and `review` take it and `record` answers it. */
export type GameLog<G extends Game> = Named<G, "GameLog">;
/** An aim of a session's odds, in games that have several. */
export type Aim<G extends Game> = NonNullable<Extract<GameLog<G>, { aim?: unknown }>["aim"]>;
export type Audit<G extends Game> = Named<G, "Audit">;
export type Review<G extends Game> = Named<G, "Review">;

export type Session<G extends Game = Game> = Extract<Schemas["Session"], { game: G }>;
export type Move<G extends Game = Game> = Named<G, `${Capitalize<Named<G, "EventType">>}Move`>;
export type Entry = Schemas["SessionEntry"];
/** The request for a session, without its `game`. */
export type Plan<G extends Game> = Omit<Named<G, "SessionRequest">, "game">;
/** A new session with its tokens, which are shown this once. */
export type Begun<G extends Game> = Omit<Schemas["SessionCreated"], "session"> & { session: Session<G> };
/** The entry that a change has made, and the session after it. */
export type Accepted<S extends Session> = Omit<Schemas["SessionAccepted"], "session"> & { session: S };
/** The reason of a refusal (RFC 9457); `code` says which. */
export type Problem = Schemas["Problem"] | Schemas["GoneProblem"];
