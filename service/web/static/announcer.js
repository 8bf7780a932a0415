// What a screen reader is told: the one place where the sentences of a table are put before it.

/** Words as a sentence; one that ends already is not ended again. */
const sentence = (text) => text[0].toUpperCase() + text.slice(1) + (/[.!?:…]$/.test(text) ? "" : ".");

export class Announcer {
  /** `place` is a live region. */
  constructor(place) {
    this.place = place;
  }

  /** Says these sentences; null: nothing has changed, and what is said already is not repeated. */
  tell(sentences) {
    if (!sentences) return;
    const text = sentences.filter(Boolean).map(sentence).join(" ");
    if (this.place.textContent !== text) this.place.textContent = text;
  }
}

/** The same for a session: the service says what has happened, and how the table stands for who is here. */
export class SessionAnnouncer extends Announcer {
  constructor(place, session) {
    super(place);
    Object.assign(this, { session, told: null, about: "", wanted: null, asking: false });
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

  async ask({ version, seat, refused }) {
    const about = JSON.stringify([Math.max(version, this.told), seat, refused, this.session.api.language]);
    if (about === this.about) return;
    const news = this.told !== null && this.told < version;
    if (refused.length && !news) {
      this.about = about;
      this.tell(refused);
      return;
    }
    const listener = { ...(news ? { after: this.told } : {}), ...(seat === null ? {} : { seat }) };
    const heard = await this.session.hear(`${news ? "/events" : ""}?${new URLSearchParams(listener)}`);
    if (!heard.ok) return;
    this.told = heard.version;
    this.about = JSON.stringify([heard.version, seat, refused, this.session.api.language]);
    this.tell([...refused, ...heard.lines]);
  }
}
