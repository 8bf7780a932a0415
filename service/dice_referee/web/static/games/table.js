// Keeps the state of a table: a game, a position, and the service's verdict. The table knows no rules: the service
// judges every event, and its answer lists the legal events.

import { TableAnnouncer } from "./announcer.js";
import { h } from "../shared/dom.js";
import { redraw } from "../shared/redraw.js";
import { Fields } from "./fields.js";
import { showMood } from "./mood.js";
import { unanswered } from "../shared/session.js";
import { sayer } from "../shared/words.js";
import { emphasized, refusal } from "./parts.js";
import { Rest } from "./rest.js";
import { RuleBook } from "../shared/rules.js";
import { tutto } from "./tutto.js";
import { yatzee } from "./yatzee.js";
import { pot } from "./pot.js";

const GAMES = { tutto, yatzee, pot };

/** Tells if the pages can show a game. */
export const shows = (game) => Object.hasOwn(GAMES, game);

export class Table extends Fields {
  /**
   * Draws itself into the elements of `place`, `{ board, status, notes, tools }`. The optional `tools` are below the
   * felt.
   */
  constructor(api, place, announcer = new TableAnnouncer(place.status, api)) {
    super();
    this.api = api;
    this.place = place;
    this.announcer = announcer;
    this.rest = new Rest(place.board);
  }

  /** Tells if the reader may act. */
  get mine() {
    return true;
  }

  /** Tells if the table waits for other players. */
  get waits() {
    return false;
  }

  /** Tells if the player here awaits a move of another player. */
  get awaits() {
    return false;
  }

  /** Returns who rolls the dice: the `visitor` (by hand or in the browser), the `service` or the `people`. */
  get roller() {
    return "visitor";
  }

  /** Opens a state in the form of `address.js`. Begins a game if the state has no position. */
  async open(state) {
    const opening = (this.opened += 1);
    this.wait(true);
    const assign = await this.learn(state.game);
    if (opening !== this.opened) return;
    assign();
    this.lastStep = null;
    this.ruleset = state.ruleset ?? this.catalogue.default_ruleset;
    this.options = state.options ?? {};
    this.players = state.players ?? null;
    this.starter = state.starter ?? 0;
    this.standing = null;
    this.events = state.players ? [...(state.log ?? [])] : null;
    await this.take(state);
    if (opening === this.opened) this.show();
  }

  /** Reads words and rules of a game. Returns a function that assigns them to the table. */
  async learn(game) {
    const [catalogue, list] = await Promise.all([this.api.read(`/v1/${game}`), this.api.read(`/v1/${game}/rules`)]);
    return () => {
      this.game = game;
      this.view = GAMES[game];
      this.catalogue = catalogue;
      this.say = sayer(this.api.language);
      this.terms = new Map(catalogue.vocabulary.map(({ id, term }) => [id, term]));
      this.book?.close();
      this.book = new RuleBook(list, this.say, this.place.notes);
    };
  }

  /** Returns the state for an address. */
  get state() {
    const common = {
      game: this.game, options: this.options,
      ...(this.ruleset === this.catalogue.default_ruleset ? {} : { ruleset: this.ruleset }),
    };
    if (this.players) return { ...common, starter: this.starter, players: this.players, log: this.events };
    if (this.before) return { ...common, position: this.shortPosition(this.before.turn), event: this.before.event };
    return { ...common, position: this.shortPosition(this.turn) };
  }

  /** Removes fields of a position that the address already has, and those that follow from the dice. */
  shortPosition({ ruleset: _, options: __, outcome: ___, turn_points: ____, ...position }) {
    if (position.phase === this.view.judged) {
      delete position.phase;
      delete position.dice_to_roll;
    }
    return JSON.stringify(position) === this.start ? {} : position;
  }

  async take({ position = {}, event = null }) {
    this.before = null;
    this.clear();
    if (this.players) return this.follow();
    if (Object.keys(position).length === 0) {
      const audit = await this.ask("audits", { ...this.rules, players: this.say("names").split(", "), log: [] });
      if (!audit) return undefined;
      this.turn = this.view.alone(audit.turn);
      const { ruleset: _, options: __, ...start } = this.turn;
      this.start = JSON.stringify(start);
    } else this.turn = { ...this.rules, ...position, phase: position.phase ?? this.view.judged };
    if (!event) return this.judge();
    this.wait(false);
    return this.play(event);
  }

  /** Marks the table as busy or ready. A busy table ignores events. */
  wait(busy) {
    this.busy = busy;
    this.place.board.setAttribute("aria-busy", String(busy));
  }

  /** Sends a request. On a refusal stores the problem, and returns null. */
  async ask(verb, question) {
    const answer = await this.api.ask(`/v1/${this.game}/${verb}`, question).catch(unanswered);
    if (answer?.ok) return answer.document;
    this.problem = answer?.document
      ?? { heading: "no_answer", title: this.say("away"), detail: "", errors: [], findings: [] };
    if (answer) {
      this.findings = [];
      this.tell("refusal", answer.document);
    }
    return null;
  }

  /** Plays an event. An illegal event changes only the findings. */
  async play(event) {
    if (this.busy) return;
    this.wait(true);
    this.rolling = false;
    const { outcome: _, ...turn } = this.turn;
    const step = await this.ask("transitions", { ...turn, event });
    if (step?.legal) await this.moveOn(event, step, turn);
    else this.entered = [];
    if (step && !step.legal) [this.findings, this.problem, this.doubts] = [step.findings, null, null];
    if (step) this.tell("step", { event, answer: step });
    this.show();
  }

  async moveOn(event, step, turn) {
    const over = step.turn.phase === "over";
    this.clear();
    this.animate(event);
    this.news = { ...turn, event };
    this.lastStep = { event, step, turn, by: turn.player ?? this.standing?.player ?? null };
    this.before = over && !this.players ? { turn, event } : null;
    this.turn = step.turn;
    if (this.players) {
      this.events.push(event);
      if (over) return this.follow();
    }
    await this.judge();
    this.tell("change", this.state);
    return undefined;
  }

  /** Continues from a position of an answer. */
  async goOn(turn) {
    this.wait(true);
    this.clear();
    this.before = null;
    this.turn = turn;
    await this.judge();
    this.tell("change", this.state);
    this.show();
  }

  /** Reads the state of the game after its log. Removes the first illegal event and all later events. */
  async follow() {
    const audit = await this.ask("audits",
      { ...this.rules, ...(this.starter && { starter: this.starter }), players: this.players, log: this.events });
    if (!audit) return;
    this.standing = audit;
    if (audit.first_illegal) {
      this.events.length = audit.first_illegal.index;
      this.findings = audit.first_illegal.findings;
    }
    this.turn = audit.turn ?? { phase: "over" };
    await this.judge();
    this.tell("change", this.state);
  }

  /** Requests the verdict on the dice on the table. */
  async judge() {
    if (this.turn?.phase !== this.view.judged) return;
    const { outcome: _, ...turn } = this.turn;
    this.judged = await this.ask("adjudications", turn);
    if (this.judged) this.tell("verdict", this.judged);
    else this.turn = { ...this.turn, phase: "refused" };
  }

  /** Shows and announces the position, or waits for its odds. */
  show() {
    if (this.odds?.pending(this)) return;
    this.wait(false);
    this.draw();
    this.rest.update(this);
    if (this.lively) showMood(this);
    this.announce();
    this.tell("shown", null);
  }

  /** Draws the position. */
  draw() {
    const { board, tools } = this.place;
    board.lang = this.api.language;
    const { felt = [], dock = [], below = [], explained = false } = this.turn ? this.drawParts() : {};
    const actions = [dock, this.closing()].flat(3).filter(Boolean);
    const bar = h("div", { class: "dock actions" }, this.waits ? actions : emphasized(actions));
    redraw(
      board,
      h("div", { class: `felt ${this.lively} ${this.waits ? "waits" : ""}` },
        explained ? null : refusal(this), this.heading(), felt, actions.length || this.awaits ? bar : null),
      tools,
      h("div", { class: "below" }, this.odds?.below(this), below),
    );
    this.tell("drawn", null);
  }

  /** Draws the parts of the position: `{ felt, dock, below, explained }`, `explained` if they show the refusal. */
  drawParts() {
    return this.view.draw(this);
  }

  /** Draws a heading on the felt: the last round, from its first turn to the end of the game. */
  heading() {
    return this.standing?.last_round ? h("p", { class: "last-round" }, this.say("last_round")) : null;
  }

  /** Draws the last action under the felt. */
  closing() {
    return null;
  }

  /** Announces the last event and the position to screen readers. */
  announce() {
    this.announcer.follow(this);
  }
}
