// The state of the connection in words. A line that is back at once was never said to be lost.

const BRIEFLY = 1200;
const WORDS = { opening: "line_opening", live: "line_live", asking: "line_asking", lost: "line_lost", again: "line_again", over: "line_over" };

export class Connection {
  /** Writes into `place` how `feed` and the changes of `session` fare. */
  constructor(place, feed, session) {
    Object.assign(this, { place, feed, again: false, over: false, say: null, coming: null });
    const sending = (again) => () => this.show(Object.assign(this, { again }));
    session.addEventListener("again", sending(true));
    session.addEventListener("answered", sending(false));
    feed.addEventListener("line", () => this.show());
  }

  get state() {
    if (this.again) return "again";
    return this.feed.line === "live" && this.over ? "over" : this.feed.line;
  }

  show() {
    const { state } = this;
    if (state === this.coming) return;
    this.coming = state;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.write(), ["live", "over"].includes(state) ? 0 : BRIEFLY);
  }

  write() {
    const { state } = this;
    const text = this.say(WORDS[state]);
    this.coming = null;
    this.place.className = `connection ${state}`;
    if (this.place.textContent !== text) this.place.textContent = text;
  }

  /** There is nothing to be connected with. */
  end() {
    this.feed.stop();
    clearTimeout(this.timer);
    this.place.textContent = "";
    this.place.className = "connection";
  }
}
