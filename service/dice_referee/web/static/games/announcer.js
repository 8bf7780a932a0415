// Announces the sentences of a table to screen readers. No other module writes into the live region.

/** Capitalizes a text, and adds a full stop unless the text ends with punctuation. */
const sentence = (text) => text[0].toUpperCase() + text.slice(1) + (/[.!?:…]$/.test(text) ? "" : ".");

export class Announcer {
  /** Writes into `place`, a live region. `most` limits the sentences of an announcement. */
  constructor(place) {
    Object.assign(this, { place, most: Infinity });
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
  constructor(place, api) {
    super(place);
    Object.assign(this, { api, about: "", told: [] });
  }

  /** Announces the reasons of a refusal, or else the last event, or else the position. */
  async follow(table) {
    const { problem, findings } = table;
    const refused = [problem?.title, ...findings.map(({ detail }) => detail)].filter(Boolean);
    const questions = refused.length ? [] : questionsOf(table).map((question) => JSON.stringify(question));
    const about = JSON.stringify([this.api.language, refused, questions]);
    if (about === this.about) return;
    const before = this.about ? JSON.parse(this.about) : [];
    const told = before[0] === this.api.language ? before[2] : [];
    this.about = about;
    const fresh = questions.filter((question) => !told.includes(question)).map((question) => JSON.parse(question));
    const heard = await Promise.all(fresh.map(([verb, position]) => this.api.hear(`/v1/${table.game}/${verb}`, position)));
    // A newer announcement replaces these sentences.
    const lines = [...refused, ...heard.flat()];
    if (about === this.about && lines.length) this.tell([...lines, passesOn(table) ? table.whose() : null]);
  }
}

const bare = ({ outcome: _, ...turn }) => turn;

/** Returns the requests for sentences, each `[verb, position]`. */
function questionsOf({ news, judged, turn, odds, standing, rules, players, log }) {
  const questions = [];
  if (news) questions.push(["transitions", news]);
  else if (judged) questions.push(["adjudications", bare(turn)]);
  if (odds?.answer) questions.push(["odds", { ...bare(turn), ...odds.answer.asked }]);
  if (standing?.over) questions.push(["games", { ...rules, players, log }]);
  return questions;
}

/** Tells if the last event has ended a turn, and another player continues. */
const passesOn = ({ news, told, players, standing }) => news && players && told.step.turn.phase === "over" && !standing?.over;

/** Announces events and the state of a session to the reader's seat, in sentences of the service. */
export class SessionAnnouncer extends Announcer {
  constructor(place, session) {
    super(place);
    Object.assign(this, { session, told: null, about: "", wanted: null, asking: false, foretold: false });
  }

  /**
   * Announces the events since the last announced version, at least up to `version`, to a seat (null: to everybody).
   * The sentences of `refused` are first. Announces nothing if neither version nor language has changed.
   */
  async follow(version, seat, refused) {
    this.wanted = { version, seat, refused };
    if (this.asking) return;
    this.asking = true;
    while (this.wanted) {
      const { wanted } = this;
      this.wanted = null;
      await this.ask(wanted);
    }
    this.asking = false;
  }

  /** Announces the events up to a version to a seat, then `more`. `follow` announces the state of the table later. */
  async foretell(version, seat, more = []) {
    if (this.told >= version) {
      if (more.length) this.tell(more);
      return;
    }
    const part = { after: this.told, until: version, ...(seat === null ? {} : { seat }) };
    const { ok, lines } = await this.session.hear(`/events?${new URLSearchParams(part)}`);
    // The next announcement repeats the request for these events.
    if (!ok) return;
    Object.assign(this, { told: version, foretold: true });
    this.tell([...lines, ...more]);
  }

  async ask({ version, seat, refused }) {
    const about = JSON.stringify([Math.max(version, this.told), seat, refused, this.session.api.language]);
    if (about === this.about) return;
    const news = this.told !== null && this.told < version;
    if (refused.length && !news) {
      this.about = about;
      this.tell(refused);
      return;
    }
    const { told, foretold } = this;
    const listener = { ...(news || foretold ? { after: told } : {}), ...(seat === null ? {} : { seat }) };
    const heard = await this.session.hear(`${news || foretold ? "/events" : ""}?${new URLSearchParams(listener)}`);
    if (!heard.ok || this.told !== told) return;
    Object.assign(this, { told: heard.version, foretold: false });
    this.about = JSON.stringify([heard.version, seat, refused, this.session.api.language]);
    this.tell([...refused, ...heard.lines]);
  }
}
