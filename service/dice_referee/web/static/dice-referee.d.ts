// Types of the element <dice-referee> and of its module, /dice-referee.js.

declare global {
  interface HTMLElementTagNameMap {
    "dice-referee": DiceReferee;
  }
  /** Types of the documents in events: `adjudication`, `audit`, `event`, `problem`, `session`, `step`, `turn`. */
  interface DiceRefereeDocuments {}
}

type Known<Name extends string> = DiceRefereeDocuments extends Record<Name, infer Document> ? Document : unknown;

/** Attributes, as HTML and JSX write them. */
export interface DiceRefereeAttributes extends Partial<Record<Texts, string>> {
  compact?: boolean;
  seat?: number | string;
}
type Texts = "game" | "lang" | "options" | "players" | "position" | "ruleset" | "service" | "session" | "token";

/** Events; all bubble, and cross shadow roots. */
export interface DiceRefereeEventMap extends HTMLElementEventMap {
  /** The table has moved on: the state of its session, or what lies there. */
  change: CustomEvent<Known<"session"> | { position: string; turn: Known<"turn"> }>;
  /** A game has ended: the state of its session, or the audit. */
  over: CustomEvent<Known<"session"> | Known<"audit">>;
  /** A position, an event or a request was refused; null where no answer came. */
  refusal: CustomEvent<Known<"problem"> | null>;
  /** An event was played without a session, legal or not. */
  step: CustomEvent<{ event: Known<"event">; answer: Known<"step"> }>;
  /** Dice lie on the table and were judged. */
  verdict: CustomEvent<Known<"adjudication">>;
}

export class DiceReferee extends HTMLElement {
  /** Shows the verdict alone. */
  compact: boolean;
  game: string | null;
  get options(): object;
  set options(value: object | string | null);
  /** The players of a whole game at this element, without a session. */
  get players(): string[] | null;
  set players(value: string[] | string | null);
  /** The position on the table, in the parameters of a `GET` adjudication; takes a turn of the API, too. */
  get position(): string;
  set position(value: object | string | null);
  ruleset: string | null;
  /** The index of the player that the token is for; null for the host's. */
  get seat(): number | null;
  set seat(value: number | string | null);
  /** The origin that is asked; without it, the one that the script came from. */
  service: string | null;
  session: string | null;
  /** The token to play with; null to watch. It is never written into the page. */
  token: string | null;

  addEventListener<K extends keyof DiceRefereeEventMap>(type: K, listener: (this: DiceReferee, event: DiceRefereeEventMap[K]) => unknown, options?: boolean | AddEventListenerOptions): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
}
