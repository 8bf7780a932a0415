// The changes to a session that are no events of its game, and the panel in which the host abandons or deletes it. The
// reason for a refusal is shown next to its controls.

import { explained } from "./connection.js";
import { switchOf } from "../games/aims.js";
import { h } from "../shared/dom.js";
import { allowsMotion } from "../games/mood.js";
import { button } from "../games/parts.js";

export class Changes {
  // The reasons for a refusal by their places, and the version at which a player was called.
  notes = {};
  rung = null;

  /** Takes two callbacks: `end` shows that the table is gone, and `show` redraws the page. */
  constructor(table, { end, show }) {
    this.table = table;
    this.end = end;
    this.show = show;
  }

  /** Sends a change, and notes the reason for a refusal at its place. */
  async send(place, part, body, how) {
    this.notes = {};
    const answer = await this.table.session.change(part, body, how);
    if (!answer.ok) this.notes = { [place]: explained(answer.document, this.table.say) };
    return answer;
  }

  undo() {
    const { table } = this;
    return table.change("/undo", null, table.seats.rights ?? table.seats.token);
  }

  async seed(text) {
    const { seats } = this.table;
    const { ok, document } = await this.send("proof", "/seeds", { seed: text }, { token: seats.seats[seats.who] });
    if (ok) this.table.tell("entered", document);
    this.show();
  }

  async reissue(seat) {
    const { table } = this;
    const { ok, document } = await this.send("people", `/seats/${seat}/token`, null,
      { token: table.seats.rights, key: false });
    if (ok) {
      table.seats.give(seat, document.seat_token);
      table.tell("entered", document);
    }
    this.show();
  }

  /** Lets a bot of this level play for a seat. Level null returns the seat to its player. `place` shows a refusal. */
  async bot(seat, level, place = "people") {
    const { table } = this;
    const { rights, seats, token } = table.seats;
    const how = { token: rights ?? seats[seat] ?? token, method: level ? "POST" : "DELETE" };
    const { ok, document } = await this.send(place, `/seats/${seat}/bot`, level && { level }, how);
    if (ok) table.tell("entered", document);
    this.show();
  }

  /** Passes the rights of the host to a seat. After a lost answer the session shows its host. */
  async pass(seat) {
    const { table } = this;
    const { ok, document } = await this.send("people", "/host", { seat }, { token: table.seats.rights, key: false });
    if (ok) table.tell("entered", document);
    else await table.look();
    if (table.kept.host_seat === seat) this.notes = {};
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
    const { ok, document } = await this.send("ends", "/abandon", null, { token: this.table.seats.rights });
    if (ok) this.table.tell("entered", document);
    this.show();
  }

  async remove() {
    const { ok, status, document } = await this.send("ends", "", null,
      { token: this.table.seats.rights, key: false, method: "DELETE" });
    if (ok || status === 410) this.end(null);
    else if (document) this.show();
  }

  /** Opens a rematch with the same players, and goes to its table. */
  async again() {
    const { seats } = this.table;
    const { ok, document } = await this.table.change("/rematch", null);
    if (ok) seats.goTo(document.session.rematch);
  }
}

/** Returns the switch of a preference. */
const preference = (key, what, text) => h("p", {}, switchOf(key, what.on, text, () => what.toggle()));

/**
 * Returns the panel for the end of a table. `odds` is the switch of the odds. `asking` is the change that awaits the
 * host's confirmation, and `ask` requests it. `abandon` and `remove` carry it out.
 */
export function ending(table, { odds, asking, ask, abandon, remove }) {
  const { kept, seats, say, session } = table;
  const until = new Intl.DateTimeFormat(table.locale, { dateStyle: "medium" }).format(new Date(kept.expires_at));
  const sure = { abandon, delete: remove }[asking];
  return [
    h("h2", {}, say("this_table")),
    h("p", { class: "hint" }, say("kept_until", { date: until })),
    odds,
    allowsMotion() ? preference("sound", table.sound, say("sound")) : null,
    preference("text", table.text, say("text_mode")),
    preference("keys", table.keys, say("table_keys")),
    h("div", { class: "tools" },
      h("a", {
        class: "quiet", "data-key": "export", href: `${session.address}/game`, download: `${kept.game}-${kept.id}.json`,
      }, say("export")),
      seats.rights && kept.status === "running"
        ? button(say("give_up"), () => ask("abandon"), { key: "abandon", kind: "quiet" })
        : null,
      seats.rights ? button(say("delete"), () => ask("delete"), { key: "delete", kind: "quiet danger" }) : null),
    sure ? confirmation(say, sure, ask) : null,
  ];
}

/** Returns the question before a change that cannot be undone. */
export const confirmation = (say, sure, ask) =>
  h("div", { class: "sure", role: "group", "aria-labelledby": "sure-text" },
    h("p", { id: "sure-text" }, say("really")),
    h("div", { class: "tools" },
      button(say("yes"), sure, { key: "yes", kind: "quiet danger" }),
      button(say("no"), () => ask(null), { key: "no", kind: "quiet" })));
