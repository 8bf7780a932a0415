// Types of the element <dice-referee> and of its module, /dice-referee.js.

declare global {
  interface HTMLElementTagNameMap {
    "dice-referee": DiceReferee;
  }
  /** Types of the documents in events: `adjudication`, `audit`, `event`, `problem`, `session`, `step`, `turn`. */
  interface DiceRefereeDocuments {}
}

type Known<Name extends string> = DiceRefereeDocuments extends Record<Name, infer Document> ? Document : unknown;

/** Attributes in HTML and JSX. */
export interface DiceRefereeAttributes extends Partial<Record<Texts, string>> {
  compact?: boolean;
  seat?: number | string;
}
type Texts = "game" | "lang" | "options" | "players" | "position" | "ruleset" | "service" | "session" | "token";

/** Events of the element. All bubble and are composed. */
export interface DiceRefereeEventMap extends HTMLElementEventMap {
  /** Fires at a new position: the state of the session, or without a session the position. */
  change: CustomEvent<Known<"session"> | { position: string; turn: Known<"turn"> }>;
  /** Fires at the end of a game: the state of the session, or without a session the audit. */
  over: CustomEvent<Known<"session"> | Known<"audit">>;
  /** Fires when a position, an event or a request is refused; null without an answer. */
  refusal: CustomEvent<Known<"problem"> | null>;
  /** Fires at every event without a session, legal or illegal. */
  step: CustomEvent<{ event: Known<"event">; answer: Known<"step"> }>;
  /** Fires at every verdict on the dice on the table. */
  verdict: CustomEvent<Known<"adjudication">>;
}

export class DiceReferee extends HTMLElement {
  /** Shows only the verdict. */
  compact: boolean;
  game: string | null;
  get options(): object;
  set options(value: object | string | null);
  /** Players of a whole game without a session. */
  get players(): string[] | null;
  set players(value: string[] | string | null);
  /** Position on the table, in the parameters of a `GET` adjudication. Also accepts a turn of the API. */
  get position(): string;
  set position(value: object | string | null);
  ruleset: string | null;
  /** Index of the player of the token; null for the host's token. */
  get seat(): number | null;
  set seat(value: number | string | null);
  /** Origin of the service; null for the origin of the script. */
  service: string | null;
  session: string | null;
  /** Token of a player or the host; null for spectators. Never reflected to the attribute. */
  token: string | null;

  addEventListener<K extends keyof DiceRefereeEventMap>(type: K, listener: (this: DiceReferee, event: DiceRefereeEventMap[K]) => unknown, options?: boolean | AddEventListenerOptions): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
}
