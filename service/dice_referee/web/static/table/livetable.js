// A table that the service stores and several people see. The state of the session has its position and its verdict.

import { SessionAnnouncer } from "../games/announcer.js";
import { h } from "../shared/dom.js";
import { NO_EVENTS, NO_MOVES } from "./logbook.js";
import { allowsMotion } from "../games/mood.js";
import { about, shown } from "../shared/words.js";
import { button } from "../games/parts.js";
import { inWords, waits } from "./connection.js";
import { outline } from "./outline.js";
import { recap, remember, victory } from "./recap.js";
import { Replay } from "./replay.js";
import { seatsOnFelt } from "./strip.js";
import { EVERYBODY } from "../shared/seats.js";
import { code, pause } from "../shared/session.js";
import { LogTable } from "./logtable.js";

/** Milliseconds for which a card is visible before the dice fall. */
const BEAT = 700;

export class LiveTable extends LogTable {
  seated = true;
  // The connected seats, or null while they are unknown.
  online = null;
  // The states before they are shown, and the story of a finished game.
  replay = new Replay(this);
  recalled = null;
  // The parts of a page: lobby, idle seats, chances of winning, keys, text, and the review of a finished game.
  lobby = null;
  waiting = null;
  meter = null;
  keys = null;
  text = null;
  review = null;

  /** Fires `laid` for each new state. */
  constructor(api, place, session, seats) {
    super(api, place, new SessionAnnouncer(place.status, session));
    this.session = session;
    this.seats = seats;
  }

  own(player) {
    return this.seats.who === player;
  }

  get mine() {
    return !this.pending && !this.replay.busy && this.kept.status === "running" && this.seats.actsFor(this.kept.player);
  }

  /** Tells if the turn belongs to somebody who does not play here. */
  get waits() {
    return this.kept.status === "running" && !this.replay.busy && !this.seats.actsFor(this.kept.player);
  }

  get awaits() {
    return Boolean(this.waiting && this.kept && this.waits && this.seats.token);
  }

  get roller() {
    return this.kept.dice === "service" ? "service" : "people";
  }

  get player() {
    return this.kept.player;
  }

  whose() {
    return this.seats.who !== EVERYBODY && this.seats.actsFor(this.player) ? this.say("turn_of_you") : super.whose();
  }

  connect(seats) {
    this.online = seats;
  }

  /**
   * Replaces the state of the session by a later state. `entry` is the log entry that led to the new state, if
   * known.
   */
  lay(kept, entry) {
    if (this.kept && kept.version < this.kept.version) return;
    const before = this.kept;
    const turn = kept.turn ?? { phase: "over", ...kept.table };
    if (!entry || !NO_MOVES.includes(entry.event.type)) {
      if (JSON.stringify(turn) !== JSON.stringify(before?.turn)) this.clear();
      this.lastStep = null;
      this.recalled = null;
    }
    const over = kept.status !== "running";
    this.kept = { ...kept, players: kept.players.map(shown) };
    this.ruleset = kept.ruleset;
    this.options = kept.options;
    this.players = kept.players;
    this.seats.hosted(kept.host_seat ?? null);
    this.turn = turn;
    this.judged = kept.adjudication;
    const winners = kept.status === "over" ? kept.winners : [];
    this.standing = { ...kept.table, player: kept.player, last_round: kept.last_round, winners, over };
    if (entry) this.explain(entry, before);
    this.tell("laid", kept);
  }

  /** Marks the state as outdated: any other state replaces it. */
  outdate() {
    this.kept = { ...this.kept, version: -1 };
  }

  /** Plays for another seat, or for nobody. */
  sit(who) {
    this.seats.sit(who);
    this.clear();
    this.judged = this.kept.adjudication;
  }

  /** Shows a move that led to a later state. */
  showMove({ event, player }) {
    this.kept = { ...this.kept, player };
    this.animate(event);
    this.show();
  }

  /** Focuses the first control on the board. */
  resume({ board } = this.place) {
    (board.querySelector("[data-first]") ?? board.querySelector("button:not(.rule)") ?? board).focus();
  }

  /** Shows the last event: the end of the last turn, and the dice. */
  explain(entry, before = null) {
    if (entry.version !== this.kept.version || !("outcome" in entry)) return;
    const { event, effects, rules, outcome, player } = entry;
    if (NO_EVENTS.includes(event.type)) return;
    const origin = before?.version === entry.version - 1 ? before.turn : null;
    this.lastStep = { event, by: player, turn: origin ?? {}, step: { effects, rules, turn: { outcome } } };
    if (before) this.animate(event);
    if (this.turn.phase === "over") this.turn.outcome = outcome ?? undefined;
  }

  async play(event) {
    if (!this.mine) return;
    this.rolling = false;
    await this.change("/events", event);
  }

  /**
   * Sends a change, and then each event that has no alternative: one press draws a card and rolls. Shows the new
   * state, or the reason for a refusal.
   */
  async change(part, body, token = this.seats.token) {
    this.pending = true;
    this.wait(true);
    let answer = await this.send(part, body, { token, match: this.kept.version });
    while (answer.ok) {
      this.problem = null;
      this.tell("entered", answer.document);
      const next = this.follows(answer.document);
      if (!next) break;
      if (allowsMotion()) {
        this.show();
        this.wait(true);
        await pause(BEAT);
      }
      answer = await this.send("/events", next, { token, match: answer.document.session.version });
    }
    this.pending = false;
    if (!answer.ok) await this.refuse(answer, token);
    this.show();
    return answer;
  }

  /** Sends a change, and announces a long wait. */
  send(part, body, how) {
    waits(this, true);
    return this.session.change(part, body, how).finally(() => waits(this, false));
  }

  /** Returns the next event of this turn if it has no alternative and the service supplies its dice or card. */
  follows({ entry, session }) {
    const { dice, status, player, legal_events: [next, ...alternatives] } = session;
    const same = status === "running" && session.version === entry.version && player === entry.player && !entry.outcome
      && !NO_EVENTS.includes(entry.event.type);
    return same && dice === "service" && !alternatives.length ? this.view.forced(session, next) : null;
  }

  async refuse({ document }, token) {
    this.tell("refusal", document);
    if (code(document) === "unauthorized") this.seats.drop(token);
    if (["precondition-failed", "session-ended", "forbidden"].includes(code(document))) await this.look();
    this.entered = [];
    this.findings = document?.findings ?? [];
    this.doubts = null;
    this.problem = this.findings.length ? null : inWords(document, this.say);
  }

  /** Reads the state again. Without an answer the old state remains. */
  async look() {
    try {
      const { ok, document } = await this.session.read();
      if (ok) this.lay(document, null);
    } catch (error) {
      if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error;
    }
  }

  /** Shows the state, and requests what its drawing lacks. */
  show() {
    this.meter?.update();
    if (this.kept.status === "over" && !this.recalled) remember(this, (this.recalled = {}));
    super.show();
  }

  heading() {
    const { status, winners } = this.kept;
    if (status === "running") return [super.heading(), this.meter?.draw()];
    const text = status === "over" ? victory(this, winners) : this.say("abandoned");
    return h("p", { class: `ending ${status === "over" ? "good" : ""}` }, text);
  }

  /** Offers a rematch after the game to the players here. */
  closing() {
    const { kept: { status, rematch, starter, players }, seats, say } = this;
    if (status === "running") return null;
    if (rematch) return this.wayTo(rematch);
    if (!seats.token) return null;
    const begins = about(this, "begins", (starter + 1) % players.length);
    return button([say("rematch"), " ", h("span", { class: "worth" }, begins)], () => this.tell("again", null),
      { key: "rematch" });
  }

  /** Returns the link to the rematch. */
  wayTo(id) {
    return h("a", {
      "data-key": "to-rematch", href: `/table/${id}`, onclick: () => this.seats.moveTo(id),
    }, this.say("to_rematch"));
  }

  announce() {
    const { pending, replay, problem, findings, seats: { listener }, kept: { version }, text } = this;
    if (pending) return;
    const refused = [problem?.title, ...findings.map(({ detail }) => detail)].filter(Boolean);
    if (text?.on) text.follow();
    else if (!replay.busy) this.announcer.follow(version, listener, refused, outline(this));
  }

  /** Draws the parts of the position, with the seats while others play. */
  drawPosition() {
    const { felt, ...parts } = super.drawParts();
    return { ...parts, felt: [felt, this.waits ? seatsOnFelt(this) : null] };
  }

  drawParts() {
    const { felt, dock, below, explained } = this.replay.entry ? this.replay.draw() : this.drawPosition();
    const [nearest] = this.lobby?.ways("loud") ?? [];
    return {
      felt: [felt, this.recalled?.sheet ? recap(this, this.recalled) : null],
      dock: [this.waiting?.draw(), nearest, dock], below: [below, this.replay.recent()], explained,
    };
  }
}
