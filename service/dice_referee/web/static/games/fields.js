// Declares the fields of a table.

import { nameOf } from "../shared/words.js";

export class Fields extends EventTarget {
  // Game: id, view, catalogue, words and rules.
  game = null;
  view = null;
  catalogue = null;
  say = null;
  terms = null;
  book = null;
  // Settings, and the players, events and audit of a whole game.
  ruleset = null;
  options = {};
  players = null;
  starter = 0;
  events = null;
  standing = null;
  // Position, first position as JSON, last event with its answer, and the event that ended a turn without players.
  turn = null;
  start = null;
  lastStep = null;
  before = null;
  // Whether a request is in progress, and the number of opened states.
  busy = false;
  opened = 0;
  // Number of positions so far: dice and unfolded details are new elements in each position.
  positions = 0;
  // True if the page shows the players outside the table.
  seated = false;
  // Odds and sounds, on pages with these features.
  odds = null;
  sound = null;

  constructor() {
    super();
    this.clear();
  }

  /** Resets the fields about the last position. */
  clear() {
    this.positions += 1;
    // Verdict, reasons of a refused event, problem, and reasons against the chosen dice.
    this.judged = null;
    this.findings = [];
    this.problem = null;
    this.doubts = null;
    // Entered dice, chosen dice, whether the others are rolled next, and the category to confirm before crossing out.
    this.entered = [];
    this.chosen = new Set();
    this.rolling = false;
    this.sure = null;
    // True if the choices are unfolded.
    this.unfolded = false;
    // Last event as a request, its CSS classes, and whether its dice are new.
    this.news = null;
    this.lively = "";
    this.fresh = false;
  }

  /** Animates the next drawing of an event. */
  animate(event) {
    this.lively = `lively of-${event.type}`;
    this.fresh = "dice" in event;
  }

  /** Ends the animation. */
  calm() {
    this.lively = "";
    this.fresh = false;
  }

  /** Chooses the dice at these places. The reasons of a refusal end. */
  choose(places) {
    this.chosen = new Set(places);
    this.doubts = [];
    this.draw();
  }

  /** Chooses a die, or deselects a chosen die. */
  toggle(at) {
    this.choose(this.chosen.has(at) ? [...this.chosen].filter((each) => each !== at) : [...this.chosen, at]);
  }

  /** Holds the dice at these places, and asks for a roll of the others. */
  hold(places) {
    this.rolling = true;
    this.chosen = new Set(places);
    this.show();
  }

  /** Sets the reasons against the chosen dice. */
  doubt(doubts) {
    this.doubts = doubts;
    this.draw();
  }

  /** Sets the entered dice. */
  enter(dice) {
    this.entered = dice;
    this.draw();
  }

  /** Unfolds the choices. */
  unfold() {
    this.unfolded = true;
    this.draw();
    this.focus(".choices li.more button");
  }

  /** Asks for a confirmation to cross out a category, or with null withdraws the question. */
  confirm(category) {
    this.sure = category;
    this.draw();
    this.focus(category ? "[data-key=strike-no]" : "[data-key=cross-out], [data-key=strike]");
  }

  /** Unfolds the categories to cross out. */
  unfoldStrikes() {
    this.place.board.querySelector(".striking").open = true;
    this.focus(".striking .strike");
  }

  /** Focuses a control of the board. */
  focus(selector) {
    this.place.board.querySelector(selector)?.focus();
  }

  /** Returns the fields that every request contains. */
  get rules() {
    return { ruleset: this.ruleset, options: this.options };
  }

  /** Returns the last card and the last dice, including held dice: `{ card, dice }`. */
  get last() {
    const { event, turn } = this.lastStep ?? {};
    return { card: event?.card ?? turn?.card, dice: event?.dice ? [...(event.held ?? []), ...event.dice] : turn?.roll };
  }

  /** Returns the index of the player whose turn it is. */
  get player() {
    return this.turn?.player ?? this.standing?.player ?? 0;
  }

  /** Tells if a player is the only reader. */
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
