// The announcements of a screen reader: the one place that puts the sentences of a table before it.

/** Words as a sentence; one that ends already is not ended again. */
const sentence = (text) => text[0].toUpperCase() + text.slice(1) + (/[.!?:…]$/.test(text) ? "" : ".");

export class Announcer {
  // The number of sentences that are said at once.
  most = Infinity;

  /** `place` is a live region. */
  constructor(place) {
    this.place = place;
  }

  /** Says these sentences; null: nothing has changed, and what is said already is not repeated. */
  tell(sentences) {
    if (!sentences) return;
    const text = sentences.filter(Boolean).slice(0, this.most).map(sentence).join(" ");
    if (this.place.textContent !== text) this.place.textContent = text;
  }

  /** The same, also if it was the last to be said. */
  repeat(sentences) {
    this.tell([]);
    this.tell(sentences);
  }
}

/** The same for a table without a session: the service says what an event has done, or what lies there. */
export class TableAnnouncer extends Announcer {
  // The language, the refusal and the questions that were told last.
  about = "";

  constructor(place, api) {
    super(place);
    this.api = api;
  }

  /** Says what is new: why something was refused, else what the last event has done, or what lies there. */
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
    // Unless something else has happened meanwhile.
    const lines = [...refused, ...heard.flat()];
    if (about === this.about && lines.length) this.tell([...lines, passesOn(table) ? table.whose() : null]);
  }
}

const bare = ({ outcome: _, ...turn }) => turn;

/** The questions to the service for sentences, `[verb, position]` each. */
function questionsOf({ news, judged, turn, odds, standing, rules, players, events }) {
  const questions = [];
  if (news) questions.push(["transitions", news]);
  else if (judged) questions.push(["adjudications", bare(turn)]);
  if (odds?.answer) questions.push(["odds", { ...bare(turn), ...odds.answer.asked }]);
  if (standing?.over) questions.push(["games", { ...rules, players, log: events }]);
  return questions;
}

/** True if the last event has ended a turn, and somebody else goes on. */
const passesOn = ({ news, told, players, standing }) => news && players && told.step.turn.phase === "over" && !standing?.over;

/** The same for a session: the service says what has happened, and how the table stands for who is here. */
export class SessionAnnouncer extends Announcer {
  // The version that was told last, if it was told before its table was drawn, and all that it was told about.
  told = null;
  foretold = false;
  about = "";
  // What is to be told next; true while the service is asked for sentences.
  wanted = null;
  asking = false;

  constructor(place, session) {
    super(place);
    this.session = session;
  }

  /**
   * Says what came after the last version that was told, to this seat (null: to everybody), up to
   * `version` at least; `refused` are sentences that come first. Drawn anew, a table says nothing.
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

  /** Says what came up to this version, to this seat, and `more` after it; how the table stands is said later, by `follow`. */
  async foretell(version, seat, more = []) {
    if (this.told >= version) {
      if (more.length) this.tell(more);
      return;
    }
    const part = { after: this.told, until: version, ...(seat === null ? {} : { seat }) };
    const { ok, lines } = await this.session.hear(`/events?${new URLSearchParams(part)}`);
    // An event without an answer is told with the next one.
    if (!ok) return;
    this.told = version;
    this.foretold = true;
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
    this.told = heard.version;
    this.foretold = false;
    this.about = JSON.stringify([heard.version, seat, refused, this.session.api.language]);
    this.tell([...refused, ...heard.lines]);
  }
}
