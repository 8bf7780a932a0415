// The player here. A link holds a token behind the `#`, which browsers never send. The page moves it from the address
// into the browser's storage, under the table's id.

import { unanswered } from "./session.js";
import { keep, kept } from "./storage.js";
import { shown } from "./words.js";

const PREFIX = "table:";
const MONTH_MS = 30 * 24 * 3600 * 1000;
const TOKEN = /^[\w-]{43}$/;
export const EVERYBODY = "everybody";

/** Levels of bots, with the keys of their names. */
export const LEVELS = { careful: "level_careful", bold: "level_bold", best: "level_best", perfect: "level_perfect" };

const load = (key, store) => {
  try {
    return JSON.parse(kept(key, store));
  } catch {
    return null;
  }
};
const tab = () => sessionStorage;

/** Returns the origin of links: the service's public origin, else this page's. */
const origin = () => document.querySelector("meta[name=public-url]")?.content || location.origin;

const LOOPBACK = /^((.+\.)?localhost\.?|127\.[\d.]+|\[::1\])$/;

/** Tells if other devices can open a link: a loopback address leads each device to itself. */
export const reachable = () => !LOOPBACK.test(new URL(origin()).hostname);

/** Returns the link to a table: for a seat, for the host, or to watch. */
export function link(id, seat = null, token = null) {
  const address = new URL(`/table/${id}`, origin());
  if (token) address.hash = new URLSearchParams({ seat, token });
  return address.href;
}

/** Lists the tables at which this browser has a seat, the latest first, for a month. */
export function tables() {
  let keys = [];
  try {
    keys = Object.keys(localStorage);
  } catch {
    // Without storage no table is remembered.
  }
  return keys
    .filter((key) => key.startsWith(PREFIX))
    .map((key) => ({ id: key.slice(PREFIX.length), ...load(key) }))
    .filter(({ title, at }) => title && Date.now() - at < MONTH_MS)
    .sort((first, second) => second.at - first.at);
}

/** Holds the tokens for a table, and the player who uses them here. */
export class Places {
  // The host's token, and the tokens of seats by their numbers.
  host = null;
  seats = {};
  // The seat whose token is also the host's, or null.
  hosting = null;

  /** Takes the player here: an index, `EVERYBODY` (the host, who plays for all), or null for nobody. */
  constructor(who = null, token = null) {
    this.who = who;
    if (who === EVERYBODY) this.host = token;
    else if (who !== null) this.seats[who] = token;
  }

  /** Returns the token of the player here. */
  get token() {
    if (this.who === null) return null;
    return this.seats[this.who] ?? this.host;
  }

  /** Returns the token with the rights of the host, or null. */
  get rights() {
    return this.host ?? (this.hosting === this.who ? this.token : null);
  }

  /** Takes the seat of the host. A former host keeps the seat that plays here. */
  hosted(seat) {
    this.hosting = seat;
    if (seat === null || !this.host) return;
    const { host, seats: { [this.who]: own } } = this;
    this.seats = own ? { [this.who]: own } : {};
    this.drop(host);
  }

  /** Returns the seat that is addressed by sentences. Null addresses everybody. */
  get listener() {
    return this.who === EVERYBODY ? null : this.who;
  }

  /** Tells if this browser acts for this player. */
  actsFor(player) {
    return this.token !== null && player !== null && (this.who === EVERYBODY || this.who === player);
  }

  /** Drops a token that is no longer valid. */
  drop(token) {
    if (this.host === token) this.host = null;
    for (const [seat, own] of Object.entries(this.seats)) if (own === token) delete this.seats[seat];
    if (this.token === null) this.who = null;
  }
}

/** Keeps the tokens in this browser. */
export class Seats extends Places {
  // The title of the table, and the time of its last use.
  title = null;
  at = 0;
  // True if the page's address holds a malformed token.
  broken = false;

  constructor(id) {
    super();
    this.id = id;
    ({ host: this.host = null, seats: this.seats = {}, title: this.title = null, at: this.at = 0 } = load(PREFIX + id)
      ?? {});
    const sat = load(PREFIX + id, tab);
    this.who = sat ? sat.who : this.likely();
  }

  likely() {
    const [first] = Object.keys(this.seats);
    if (this.host) return EVERYBODY;
    return first === undefined ? null : Number(first);
  }

  /**
   * Takes the seat and the token from the page's address, and removes them there. Returns true if the address has a
   * token. `broken` means that its token is malformed and no other is known. A kept token stays while the service
   * accepts it: `known(token)`.
   */
  async arrive(known) {
    const parameters = new URLSearchParams(location.hash.slice(1));
    const [seat, token] = [parameters.get("seat"), parameters.get("token")];
    if (location.hash) history.replaceState(null, "", location.pathname);
    const formed = TOKEN.test(token ?? "") && /^(host|\d)$/.test(seat ?? "");
    this.broken = !formed && token !== null && this.token === null;
    if (!formed) return false;
    const former = seat === "host" ? this.host : this.seats[seat];
    const stays = former && former !== token && (await known(former));
    if (!stays && seat === "host") this.host = token;
    else if (!stays) this.seats[seat] = token;
    this.sit(seat === "host" ? EVERYBODY : Number(seat));
    return true;
  }

  /** Takes a seat in this tab. Other tabs may take other seats. */
  sit(who) {
    this.who = who;
    keep(PREFIX + this.id, JSON.stringify({ who }), tab);
    this.save();
  }

  save() {
    this.at = Date.now();
    if (this.host || Object.keys(this.seats).length) this.write();
  }

  write() {
    const { host, seats, title, at } = this;
    keep(PREFIX + this.id, JSON.stringify({ host, seats, title, at }));
  }

  /** Stores the title of this table for the list of tables. */
  called(title) {
    if (this.title === title) return;
    this.title = title;
    this.save();
  }

  /** Forgets a table that is gone. */
  forget() {
    keep(PREFIX + this.id, null);
    keep(PREFIX + this.id, null, tab);
  }

  give(seat, token) {
    this.seats[seat] = token;
    this.save();
  }

  /** Takes the same seats at the rematch, where the same tokens are valid. */
  moveTo(id) {
    const next = new Seats(id);
    ({ host: next.host, seats: next.seats, title: next.title } = this);
    next.sit(this.who);
  }

  /** Goes to the rematch. */
  goTo(id) {
    this.moveTo(id);
    location.assign(`/table/${id}`);
  }

  drop(token) {
    if (token === null) return;
    super.drop(token);
    this.sit(this.who);
    this.write();
  }
}

/** Takes a seat at a new table, and goes there. */
export function enter({ session, host_token: host, seat_tokens: tokens }, title, who) {
  const seats = new Seats(session.id);
  seats.host = host;
  seats.seats = { ...tokens };
  seats.called(`${title} · ${session.players.map(shown).join(", ")}`);
  seats.sit(who);
  location.assign(`/table/${session.id}`);
}

/**
 * Opens a table at which the visitor plays first and the best bot second. Returns the problem of a refusal, else
 * null.
 */
export async function playHouse(api, { game, title }, say) {
  const wish = { game, players: [say("guest"), say("the_house")], dice: "service", bots: [{ seat: 1, level: "best" }] };
  const answer = await api.ask("/v1/sessions", wish).catch(unanswered);
  if (!answer?.ok) return answer?.document ?? { title: say("away"), detail: "" };
  enter(answer.document, title, 0);
  return null;
}
