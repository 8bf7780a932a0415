// The lobby: arrivals of players, and the invitation to the next empty seat.

import { h } from "../shared/dom.js";
import { redraw } from "../shared/redraw.js";
import { EVERYBODY, LEVELS, link, reachable } from "../shared/seats.js";
import { NO_MOVES } from "./logbook.js";
import { codeOf, modulesOf, waysOn } from "./share.js";

/** Milliseconds until the seats are read again: while players are awaited, and during the game. */
const SOON = 3000;
const LATER = 15_000;

export class Lobby {
  // The seats, the last arrivals, and the version at that time.
  list = [];
  news = [];
  version = 0;
  // The invitation, the modules of its QR code, the text announced last, and the timer of the next question.
  invited = null;
  modules = null;
  announced = "";
  timer = null;

  /**
   * Draws the arrivals into `place`. `status` is a live region for the names of those who arrive and those who are
   * awaited.
   */
  constructor(table, { place, status }) {
    this.table = table;
    this.place = place;
    this.status = status;
  }

  /** Tells if the player here waits for others. Watchers wait for nobody, nor does a person who plays for all. */
  get open() {
    const { kept, seats } = this.table;
    return kept?.status === "running" && seats.who !== EVERYBODY && Boolean(seats.token ?? seats.host);
  }

  /** Tells if a person has moved, as far as the log is loaded. */
  get begun() {
    const { entries, kept: { version } } = this.table;
    const isMove = ({ by, event }) => by !== "bot" && !NO_MOVES.includes(event.type);
    return version > 0 && (!entries.size || [...entries.values()].some(isMove));
  }

  /** Returns the empty seats in the order of play, beginning with the current player. The player here is present. */
  get missing() {
    const { list, table: { seats, kept: { player } } } = this;
    return [...list.slice(player), ...list.slice(0, player)].filter(({ seat, arrived }) =>
      !arrived && seat !== seats.who);
  }

  /** Tells if the links of seats are needed: until everybody is here, or until a move if the seats are unknown. */
  get gathers() {
    return this.open && (this.list.length ? this.missing.length > 0 : !this.begun);
  }

  /** Tells if the current player has not arrived. */
  get stuck() {
    return this.missing[0]?.seat === this.table.kept.player;
  }

  /** Reads the seats repeatedly until everybody has arrived. */
  async watch() {
    clearTimeout(this.timer);
    const { table: { session } } = this;
    if (!this.open) return this.show();
    const answer = document.hidden ? null : await session.read("/seats").catch(() => null);
    if (answer?.ok) this.take(answer.document.seats);
    clearTimeout(this.timer);
    if (!this.list.length || this.missing.length)
      this.timer = setTimeout(() => this.watch(), this.begun && !this.stuck ? LATER : SOON);
    return undefined;
  }

  /** Stores the seats, and announces who has arrived since. */
  take(list) {
    const { kept, seats } = this.table;
    const news = list.filter(({ seat, arrived }) =>
      arrived && seat !== seats.who && this.list[seat]?.arrived === false);
    if (news.length) [this.news, this.version] = [news, kept.version];
    const changed = list.some(({ seat, arrived }) => arrived !== this.list[seat]?.arrived);
    this.list = list;
    this.show();
    // The list of players offers the host's rights to those who have arrived.
    if (changed) this.table.tell("shown", null);
  }

  name = ({ seat }) => this.table.kept.players[seat];

  /** Draws the lobby. */
  show() {
    const { open, list, table: { kept, seats } } = this;
    const waits = open && list.length && (this.stuck || !this.begun) ? this.missing : [];
    const gathers = waits.length > 0 && !this.begun;
    const next = gathers || this.stuck ? waits.find(({ seat }) => seats.seats[seat]) : null;
    const invited = next
      ? { key: `invite-${next.seat}`, name: this.name(next), address: link(kept.id, next.seat, seats.seats[next.seat]) }
      : null;
    this.tell(this.begun ? waits.slice(0, 1) : gathers ? waits : []);
    const changed = invited?.address !== this.invited?.address;
    this.invited = invited;
    if (changed) this.encode();
    this.place.hidden = !gathers && !invited;
    const lost = redraw(this.place,
      invited ? this.invite() : null,
      gathers ? h("ul", { class: "come" }, list.map((seat) => this.seat(seat))) : null);
    if (lost) this.table.resume(this.table.place);
    if (changed && !this.table.pending) this.table.show();
  }

  /** Makes the QR code of the invitation. */
  async encode() {
    const { invited } = this;
    this.modules = null;
    const modules = invited && reachable() ? await modulesOf(invited.address).catch(() => null) : null;
    if (!modules || this.invited?.address !== invited.address) return;
    this.modules = modules;
    this.show();
  }

  /** Announces arrivals, and the players who are awaited. */
  tell(waits) {
    const { open, news, version, table: { kept, say } } = this;
    const come = open && version === kept.version ? news : [];
    const all = come.length && !this.missing.length;
    const lines = [
      ...come.map((seat) => say("is_here", { name: this.name(seat) })),
      all ? say("all_here") : null,
      waits.length ? say("waiting_for", { names: waits.map(this.name).join(", ") }) : null,
    ];
    const text = lines.filter(Boolean).join(" ");
    // Says again whom the table waits for once the first turn has passed.
    const announced = `${this.begun} ${text}`;
    if (this.announced !== announced) [this.announced, this.status.textContent] = [announced, text];
  }

  invite() {
    const { invited: { name }, modules, table: { say } } = this;
    const [, ...ways] = this.ways();
    return h("div", { class: "invitation" },
      h("h2", {}, say("invite", { name })),
      h("p", { class: "hint" }, say(reachable() ? "invite_hint" : "only_here")),
      modules ? h("div", { class: "qr" }, codeOf(modules, [say("code"), name].join(say("colon")))) : null,
      ways.length ? h("div", { class: "tools" }, ways) : null);
  }

  /** Returns the buttons that share the invitation, the most convenient first. The table's bar shows the first. */
  ways(kind) {
    return this.invited ? waysOn(this.table, this.invited, kind) : [];
  }

  seat({ seat, bot, arrived }) {
    const { seats, say } = this.table;
    const state = bot ? LEVELS[bot] : seats.who === seat ? "you" : arrived ? "here" : "not_yet";
    return h("li", { class: arrived ? "here" : "" },
      h("span", {}, this.name({ seat })), " ", h("small", {}, say(state)));
  }

  /** Hides the lobby of a table that is gone. */
  close() {
    clearTimeout(this.timer);
    this.invited = null;
    this.place.hidden = true;
    this.announced = this.status.textContent = "";
  }
}
