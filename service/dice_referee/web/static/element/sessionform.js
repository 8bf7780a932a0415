// Draws a session in an element: the live table and the players, without the other parts of the table's page.

import { Connection } from "../table/connection.js";
import { h } from "../shared/dom.js";
import { redraw } from "../shared/redraw.js";
import { draw } from "../shared/patch.js";
import { Follower } from "../shared/follower.js";
import { LiveTable } from "../table/livetable.js";
import { button } from "../games/parts.js";
import { Session, code } from "../shared/session.js";
import { strip, toCurrent, undoButton } from "../table/strip.js";
import { sayer } from "../shared/words.js";

class EmbeddedTable extends LiveTable {
  /** Draws the button to the rematch, which the element shows in place of this table. */
  wayTo(id) {
    return button(this.say("to_rematch"), () => this.tell("moves", id), { key: "to-rematch", first: true });
  }
}

export class SessionForm {
  // Timer of the next drawing, and whether that drawing includes the board.
  drawing = null;
  stale = false;
  // Version of the last events, and whether they included the end of the game.
  version = null;
  ended = false;

  /**
   * Draws session `id` into `place`, `{ board, status, notes, strip, line }`. `places` are the seats of the element.
   * `fire` gets kinds and details of the element's events, `move` gets the id of a rematch.
   */
  constructor(api, place, { id, places }, { fire, move }) {
    const session = new Session(api, id);
    const table = new EmbeddedTable(api, place, session, places);
    const follower = new Follower(table);
    const connection = new Connection(place.line, follower.feed, session);
    connection.say = sayer(api.language);
    this.table = table;
    this.follower = follower;
    this.connection = connection;
    this.fire = fire;
    follower.addEventListener("begun", () => table.show());
    follower.addEventListener("moved", ({ detail }) => this.soon(detail));
    follower.addEventListener("ended", ({ detail }) => this.end(detail));
    table.addEventListener("laid", ({ detail }) => this.fireEvents(detail));
    table.addEventListener("refusal", ({ detail }) => fire("refusal", detail));
    table.addEventListener("shown", () => this.soon(false));
    table.addEventListener("again", () => table.change("/rematch", null));
    table.addEventListener("moves", ({ detail }) => move(detail));
  }

  async begin() {
    this.connection.show();
    await this.follower.begin();
    const { follower, table } = this;
    const { token } = table.seats;
    if (follower.closed || !table.kept) return;
    const { valid } = await table.session.come(table.seats);
    if (valid || follower.closed) return;
    await table.refuse({ document: { type: "unauthorized" } }, token);
    table.show();
  }

  /** Fires the events of a new state, once. */
  fireEvents(kept) {
    const { adjudication, status, version } = kept;
    // The answer to a change and the stream can both contain the state.
    if (version === this.version) return;
    this.version = version;
    this.fire("change", kept);
    if (adjudication) this.fire("verdict", adjudication);
    const over = status !== "running";
    if (over && !this.ended) this.fire("over", kept);
    this.ended = over;
  }

  /** Draws once for all changes of the same task. */
  soon(board) {
    this.stale ||= board;
    this.drawing ??= setTimeout(() => {
      const { table, connection, follower, stale } = this;
      this.drawing = null;
      this.stale = false;
      if (follower.closed || !table.kept) return;
      if (stale && !table.pending) table.show();
      if (redraw(table.place.strip, strip(table),
        undoButton(table, () => table.change("/undo", null, table.seats.rights ?? table.seats.token))))
        table.resume();
      toCurrent(table.place.strip);
      connection.over = table.kept.status !== "running";
      connection.show();
    }, 0);
  }

  /** Shows that the session was deleted, or does not exist. */
  end(problem) {
    const { table, connection } = this;
    const { board, strip: over } = table.place;
    const text = connection.say(problem && code(problem) === "not-found" ? "no_table" : "deleted");
    this.close();
    draw(over);
    draw(board, h("div", { class: "felt" }, h("div", { class: "refusal" }, text)));
    table.announcer.tell([text]);
    this.fire("refusal", problem ?? null);
  }

  close() {
    this.connection.end();
    this.follower.close();
    this.table.book?.close();
  }
}
