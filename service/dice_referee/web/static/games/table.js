// A table: one game, its position, and what the service says about it. It knows no rule: every event
// is asked about, and what is legal next is what the answer says.

import { TableAnnouncer } from "./announcer.js";
import { redraw, h } from "../shared/dom.js";
import { Fields } from "./fields.js";
import { feel } from "./mood.js";
import { sayer } from "../shared/words.js";
import { refusal } from "./parts.js";
import { Rest } from "./rest.js";
import { RuleBook } from "../shared/rules.js";
import { tutto } from "./tutto.js";
import { yatzee } from "./yatzee.js";
import { pot } from "./pot.js";

const GAMES = { tutto, yatzee, pot };

/** True if this page can show a game of the catalogue. */
export const shows = (game) => Object.hasOwn(GAMES, game);

export class Table extends Fields {
  /** Draws itself into `place`: `{ board, status, notes }`, elements of a page or a shadow root; `tools` stand below the felt. */
  constructor(api, place, announcer = new TableAnnouncer(place.status, api)) {
    super();
    this.api = api;
    this.place = place;
    this.announcer = announcer;
    this.rest = new Rest(place.board);
  }

  /** True if the reader may act now. */
  get mine() {
    return true;
  }

  /** True while others are waited for. */
  get waits() {
    return false;
  }

  /** The thrower: the `visitor` (himself, or his browser for him), the `service` or the `people`. */
  get thrower() {
    return "visitor";
  }

  /** Opens a state as `address.js` reads it; without a position the game begins. */
  async open(state) {
    const opening = (this.opened += 1);
    this.wait(true);
    const learnt = await this.learn(state.game);
    if (opening !== this.opened) return;
    learnt();
    this.ruleset = state.ruleset ?? this.catalogue.default_ruleset;
    this.options = state.options ?? {};
    this.players = state.players ?? null;
    this.starter = state.starter ?? 0;
    this.standing = null;
    this.events = state.players ? [...(state.log ?? [])] : null;
    await this.take(state);
    if (opening === this.opened) this.show();
  }

  /** Reads what the game's words and rules are; what comes back makes them this table's. */
  async learn(game) {
    const [catalogue, list] = await Promise.all([this.api.read(`/v1/games/${game}`), this.api.read(`/v1/games/${game}/rules`)]);
    return () => {
      this.game = game;
      this.view = GAMES[game];
      this.catalogue = catalogue;
      this.say = sayer(this.api.language);
      this.told = null;
      this.terms = new Map(catalogue.vocabulary.map(({ id, term }) => [id, term]));
      this.book?.close();
      this.book = new RuleBook(list, this.say, this.place.notes);
    };
  }

  /** The state of this table in its address. */
  get state() {
    const shared = { game: this.game, options: this.options, ...(this.ruleset === this.catalogue.default_ruleset ? {} : { ruleset: this.ruleset }) };
    if (this.players) return { ...shared, starter: this.starter, players: this.players, log: this.events };
    if (this.before) return { ...shared, position: this.bare(this.before.turn), event: this.before.event };
    return { ...shared, position: this.bare(this.turn) };
  }

  /** A position without what stands elsewhere, or goes without saying while dice are judged. */
  bare({ ruleset: _, options: __, outcome: ___, turn_points: ____, ...position }) {
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
      const begun = await this.ask("games", { ...this.rules, players: this.say("names").split(", "), log: [] });
      if (!begun) return undefined;
      this.turn = this.view.alone(begun.turn);
      const { ruleset: _, options: __, ...start } = this.turn;
      this.start = JSON.stringify(start);
    } else this.turn = { ...this.rules, ...position, phase: position.phase ?? this.view.judged };
    if (!event) return this.judge();
    this.wait(false);
    return this.play(event);
  }

  /** While an answer is on its way nothing on the table can be touched. */
  wait(busy) {
    this.busy = busy;
    this.place.board.setAttribute("aria-busy", String(busy));
  }

  /** Asks; what is refused is kept as the problem, and null comes back. */
  async ask(verb, question) {
    try {
      const { ok, document } = await this.api.ask(`/v1/${this.game}/${verb}`, question);
      if (ok) return document;
      this.problem = document;
      this.findings = [];
      this.tell("refusal", document);
    } catch (error) {
      if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error;
      this.problem = { heading: "no_answer", title: this.say("away"), detail: "", errors: [], findings: [] };
    }
    return null;
  }

  /** Plays one event; an illegal one changes nothing and is explained. */
  async play(event) {
    if (this.busy) return;
    this.wait(true);
    const { outcome: _, ...turn } = this.turn;
    const step = await this.ask("transitions", { ...turn, event });
    if (step?.legal) await this.moveOn(event, step, turn);
    else if (step) {
      this.findings = step.findings;
      this.problem = null;
      this.doubts = null;
      this.entered.length = 0;
    } else this.entered.length = 0;
    if (step) this.tell("step", { event, answer: step });
    this.show();
  }

  async moveOn(event, step, turn) {
    const over = step.turn.phase === "over";
    this.clear();
    this.fresh = "dice" in event;
    this.lively = `lively of-${event.type}`;
    this.news = { ...turn, event };
    this.told = { event, step, turn, by: turn.player ?? this.standing?.player ?? null };
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

  /** Goes on from a position that an answer has given. */
  async goOn(turn) {
    this.wait(true);
    this.clear();
    this.before = null;
    this.turn = turn;
    await this.judge();
    this.tell("change", this.state);
    this.show();
  }

  /** The state of the game after the log. */
  async follow() {
    const audit = await this.ask("games", { ...this.rules, ...(this.starter && { starter: this.starter }), players: this.players, log: this.events });
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

  /** The verdict on the dice on the table. */
  async judge() {
    if (this.turn?.phase !== this.view.judged) return;
    const { outcome: _, ...turn } = this.turn;
    this.judged = await this.ask("adjudications", turn);
    if (this.judged) this.tell("verdict", this.judged);
    else this.turn = { ...this.turn, phase: "refused" };
  }

  /** Draws the position as it is now. */
  show() {
    if (this.odds?.pending(this)) return;
    const { board, tools } = this.place;
    this.wait(false);
    board.lang = this.api.language;
    const { felt = [], dock = [], below = [] } = this.turn ? this.drawn() : {};
    const actions = [dock, this.closing()].flat(3).filter(Boolean);
    const drawn = h("div", { class: `felt ${this.lively} ${this.waits ? "waits" : ""}` }, this.heading(), felt, actions.length ? h("div", { class: "dock actions" }, actions) : null);
    if (!drawn.querySelector(".refusal")) drawn.prepend(refusal(this) ?? "");
    redraw(board, drawn, tools, h("div", { class: "below" }, this.odds?.below(this), below));
    this.rest.drawn(this);
    if (this.lively) feel(this, drawn);
    this.announce();
    this.tell("shown", null);
  }

  /** The content of the felt and around it: `{ felt, dock, below }`. */
  drawn() {
    return this.view.draw(this);
  }

  /** The line over what is on the felt. */
  heading() {
    return null;
  }

  /** The last of the actions under the felt. */
  closing() {
    return null;
  }

  /** Tells a screen reader what has happened, and how it stands. */
  announce() {
    this.announcer.follow(this);
  }
}
