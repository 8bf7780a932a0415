// Changes to a session that are no events of its game. Refused, each is explained at its place.

export class Changes {
  /** `end` shows that there is no table any more, `show` draws everything anew. */
  constructor(table, { end, show }) {
    Object.assign(this, { table, end, show, notes: {} });
  }

  /** Sends one; why it was refused is noted at its place. */
  async send(place, part, body, how) {
    this.notes = {};
    const answer = await this.table.session.change(part, body, how);
    if (!answer.ok) this.notes = { [place]: this.table.explained(answer.document) };
    return answer;
  }

  undo() {
    const { table } = this;
    return table.change("/undo", null, table.seats.host ?? table.seats.token);
  }

  async seed(text) {
    const { seats } = this.table;
    const { ok, document: told } = await this.send("proof", "/seeds", { seed: text }, { token: seats.seats[seats.who] });
    if (ok) this.table.tell("accepted", told);
    this.show();
  }

  async reissue(seat) {
    const { table } = this;
    const { ok, document: told } = await this.send("people", `/seats/${seat}/token`, null, { token: table.seats.host, key: false });
    if (ok) {
      table.seats.give(seat, told.seat_token);
      table.tell("accepted", told);
    }
    this.show();
  }

  /** Lets the computer play for a seat at this level; null gives the seat back. */
  async bot(seat, level) {
    const { table } = this;
    const how = { token: table.seats.host, method: level ? "POST" : "DELETE" };
    const { ok, document: told } = await this.send("people", `/seats/${seat}/bot`, level && { level }, how);
    if (ok) table.tell("accepted", told);
    this.show();
  }

  /** Calls the player of a seat. */
  async nudge(seat) {
    const { kept, seats } = this.table;
    const { ok } = await this.send("waiting", `/seats/${seat}/nudge`, null, { token: seats.token, key: false });
    if (ok) this.rung = kept.version;
    this.show();
  }

  async abandon() {
    const { ok, document: told } = await this.send("ends", "/abandon", null, { token: this.table.seats.host });
    if (ok) this.table.tell("accepted", told);
    this.show();
  }

  async remove() {
    const { ok, status, document: told } = await this.send("ends", "", null, { token: this.table.seats.host, key: false, method: "DELETE" });
    if (ok || status === 410) this.end(null);
    else if (told) this.show();
  }

  /** Another game of the same people; who wishes for it goes there at once. */
  async again() {
    const { seats } = this.table;
    const { ok, document: told } = await this.table.change("/rematch", null);
    if (ok) seats.goTo(told.session.rematch);
  }
}
