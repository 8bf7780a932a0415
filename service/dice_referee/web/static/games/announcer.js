// Announces the sentences of a table to screen readers. No other module writes into the live region.

import { sentence } from "../shared/words.js";

export class Announcer {
  // Maximum sentences of an announcement.
  most = Infinity;

  /** Writes into `place`, a live region. */
  constructor(place) {
    this.place = place;
  }

  /** Announces sentences unless the live region already contains them. null changes nothing. */
  tell(sentences) {
    if (!sentences) return;
    const text = sentences.filter(Boolean).slice(0, this.most).map(sentence).join(" ");
    if (this.place.textContent !== text) this.place.textContent = text;
  }

  /** Announces sentences, even if the live region already contains them. */
  repeat(sentences) {
    this.tell([]);
    this.tell(sentences);
  }
}

/** Announces events and positions of a table without a session, in sentences of the service. */
export class TableAnnouncer extends Announcer {
  // Language, refusals and requests of the last announcement, as JSON.
  lastKey = "";

  constructor(place, api) {
    super(place);
    this.api = api;
  }

  /** Announces the reasons of a refusal, or else the last event, or else the position. */
  async follow(table) {
    const { problem, findings } = table;
    const refusals = [problem?.title, ...findings.map(({ detail }) => detail)].filter(Boolean);
    const questions = refusals.length ? [] : questionsOf(table).map((question) => JSON.stringify(question));
    const key = JSON.stringify([this.api.language, refusals, questions]);
    if (key === this.lastKey) return;
    const previous = this.lastKey ? JSON.parse(this.lastKey) : [];
    const earlierQuestions = previous[0] === this.api.language ? previous[2] : [];
    this.lastKey = key;
    const newQuestions = questions.filter((question) => !earlierQuestions.includes(question))
      .map((question) => JSON.parse(question));
    const sentences = await Promise.all(
      newQuestions.map(([verb, position]) => this.api.hear(`/v1/${table.game}/${verb}`, position)));
    // A newer announcement replaces these sentences.
    const lines = [...refusals, ...sentences.flat()];
    if (key === this.lastKey && lines.length) this.tell([...lines, passesOn(table) ? table.whose() : null]);
  }
}

const withoutOutcome = ({ outcome: _, ...turn }) => turn;

/** Returns the requests for sentences, each `[verb, position]`. */
function questionsOf({ news, judged, turn, odds, standing, rules, players, events }) {
  const questions = [];
  if (news) questions.push(["transitions", news]);
  else if (judged) questions.push(["adjudications", withoutOutcome(turn)]);
  if (odds?.answer) questions.push(["odds", { ...withoutOutcome(turn), ...odds.answer.question }]);
  if (standing?.over) questions.push(["audits", { ...rules, players, log: events }]);
  return questions;
}

/** Tells if the last event has ended a turn, and another player continues. */
const passesOn = ({ news, lastStep, players, standing }) =>
  news && players && lastStep.step.turn.phase === "over" && !standing?.over;

/** Announces events and the state of a session to the reader's seat, in sentences of the service. */
export class SessionAnnouncer extends Announcer {
  // Last announced version, whether the state of its table is still to be announced, and its request as JSON.
  lastVersion = null;
  stateDue = false;
  lastKey = "";
  // Next announcement, and whether sentences are being requested.
  request = null;
  asking = false;

  constructor(place, session) {
    super(place);
    this.session = session;
  }

  /**
   * Announces the events since the last announced version, at least up to `version`, to a seat (null: to everybody).
   * The sentences of `refusals` come first. `outline` replaces the service's description of the state after an event.
   * Announces nothing if neither version nor language has changed.
   */
  async follow(version, seat, refusals, outline = null) {
    this.request = { version, seat, refusals, outline };
    if (this.asking) return;
    this.asking = true;
    while (this.request) {
      const { request } = this;
      this.request = null;
      await this.ask(request);
    }
    this.asking = false;
  }

  /** Tells if the announcements have reached a version. */
  isAt(version) {
    return this.lastVersion === version && !this.asking;
  }

  /** Announces the events up to a version to a seat, then `extras`. `follow` announces the state of the table later. */
  async foretell(version, seat, extras = []) {
    if (this.lastVersion >= version) {
      if (extras.length) this.tell(extras);
      return;
    }
    const part = { after: this.lastVersion, until: version, ...(seat === null ? {} : { seat }) };
    const { ok, lines } = await this.session.hear(`/events?${new URLSearchParams(part)}`);
    // The next announcement repeats the request for these events.
    if (!ok) return;
    this.lastVersion = version;
    this.stateDue = true;
    this.tell([...lines, ...extras]);
  }

  async ask({ version, seat, refusals, outline }) {
    const key = JSON.stringify([Math.max(version, this.lastVersion), seat, refusals, this.session.api.language]);
    if (key === this.lastKey) return;
    const news = this.lastVersion !== null && this.lastVersion < version;
    if (refusals.length && !news) {
      this.lastKey = key;
      this.tell(refusals);
      return;
    }
    const { lastVersion, stateDue } = this;
    const begun = news || stateDue;
    const short = begun ? outline : null;
    const part = { ...(begun ? { after: lastVersion } : {}), ...(short ? { until: version } : {}) };
    const listener = new URLSearchParams({ ...part, ...(seat === null ? {} : { seat }) });
    const report = await this.session.hear(`${begun ? "/events" : ""}?${listener}`);
    if (!report.ok || this.lastVersion !== lastVersion) return;
    this.lastVersion = short ? version : report.version;
    this.stateDue = false;
    this.lastKey = JSON.stringify([this.lastVersion, seat, refusals, this.session.api.language]);
    // Two events may have the same sentences.
    if (begun) this.tell([]);
    this.tell([...refusals, ...report.lines, ...(short ?? [])]);
  }
}
