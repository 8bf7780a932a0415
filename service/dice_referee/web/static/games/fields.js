// The fields of a table: all that its page, its game and the people at it have told it.

import { nameOf } from "../shared/words.js";

/** Declares the fields of a table; `clear` forgets those that belong to one position. */
export class Fields extends EventTarget {
  // The game: its name, its view, the catalogue, its words and its rules.
  game = null;
  view = null;
  catalogue = null;
  say = null;
  terms = null;
  book = null;
  // The settings, and of a whole game its players, its events and its audit.
  ruleset = null;
  options = {};
  players = null;
  starter = 0;
  events = null;
  standing = null;
  // The position; its first one as text; the last event with its answer; the event that ended a turn of nobody's.
  turn = null;
  start = null;
  told = null;
  before = null;
  // True while an answer is on its way; the number of states that were opened.
  busy = false;
  opened = 0;
  // True at a table that shows its players elsewhere.
  seated = false;
  // The odds and the sounds of a page that has them.
  odds = null;
  sound = null;

  constructor() {
    super();
    this.clear();
  }

  /** Forgets what was said about the last position, and what was done at it. */
  clear() {
    // The service's words: the verdict, the reasons for a refusal, the problem, and the reasons against chosen dice.
    this.judged = null;
    this.findings = [];
    this.problem = null;
    this.doubts = null;
    // The reader's choices: dice put down, dice chosen, if they are to be thrown, and a category to be struck for sure.
    this.entered = [];
    this.chosen = new Set();
    this.throwing = false;
    this.sure = null;
    // The lists that are folded out: choices, categories to strike, and the rules behind a verdict.
    this.unfolded = false;
    this.striking = false;
    this.reasoned = false;
    // The event that led here as a question, its look, and if its dice have just fallen.
    this.news = null;
    this.lively = "";
    this.fresh = false;
  }

  /** Returns the fields that every question has. */
  get rules() {
    return { ruleset: this.ruleset, options: this.options };
  }

  /** Returns the card drawn last, and the dice thrown last, those held among them: `{ card, dice }`. */
  get last() {
    const { event, turn } = this.told ?? {};
    return { card: event?.card ?? turn?.card, dice: event?.dice ? [...(event.held ?? []), ...event.dice] : turn?.dice };
  }

  /** Returns the index of whose turn it is. */
  get player() {
    return this.turn?.player ?? this.standing?.player ?? 0;
  }

  /** Tells if this player alone is addressed here. */
  own() {
    return false;
  }

  term(id) {
    return this.terms.get(id) ?? id;
  }

  name(player) {
    return nameOf(this.players, player) ?? this.say("player", { n: player + 1 });
  }

  whose() {
    return this.say("turn_of", { name: this.name(this.player) });
  }

  tell(kind, detail) {
    this.dispatchEvent(new CustomEvent(kind, { detail }));
  }
}
