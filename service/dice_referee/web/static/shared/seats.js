// The player here. A link brings a token behind the `#`, which browsers send to nobody; it is taken out
// of the address at once and kept in this browser, under the table's id.

import { keep, kept } from "./storage.js";
import { shown } from "./words.js";

const PREFIX = "table:";
const MONTH = 30 * 24 * 3600 * 1000;
const TOKEN = /^[\w-]{43}$/;
export const EVERYBODY = "everybody";

/** The levels of bots and their names. */
export const LEVELS = { careful: "level_careful", bold: "level_bold", best: "level_best" };

const stored = (key, store) => {
  try {
    return JSON.parse(kept(key, store));
  } catch {
    return null;
  }
};
const tab = () => sessionStorage;

/** The origin of links: the service's own, where this page's leads nobody else to it. */
const origin = () => document.querySelector("meta[name=public-url]")?.content || location.origin;

const LOOPBACK = /^((.+\.)?localhost\.?|127\.[\d.]+|\[::1\])$/;

/** Tells if other devices can open a link: a loopback address leads each device to itself. */
export const reachable = () => !LOOPBACK.test(new URL(origin()).hostname);

/** The link to a table: for a seat, for the host, or to watch. */
export function link(id, seat = null, token = null) {
  const address = new URL(`/table/${id}`, origin());
  if (token) address.hash = new URLSearchParams({ seat, token });
  return address.href;
}

/** The tables that this browser has a seat at, the latest first; those long gone are forgotten. */
export function tables() {
  let keys = [];
  try {
    keys = Object.keys(localStorage);
  } catch {
    // Without storage no table is remembered.
  }
  return keys
    .filter((key) => key.startsWith(PREFIX))
    .map((key) => ({ id: key.slice(PREFIX.length), ...stored(key) }))
    .filter(({ title, at }) => title && Date.now() - at < MONTH)
    .sort((one, other) => other.at - one.at);
}

/** The tokens for one table, and for whom they act here. */
export class Places {
  // The host's token, and those of seats by their numbers.
  host = null;
  seats = {};

  /** `who` plays here: the index of a player, `EVERYBODY` (the host, one device for all), or null: nobody. */
  constructor(who = null, token = null) {
    this.who = who;
    if (who === EVERYBODY) this.host = token;
    else if (who !== null) this.seats[who] = token;
  }

  /** The token that who plays here acts with. */
  get token() {
    if (this.who === null) return null;
    return this.seats[this.who] ?? this.host;
  }

  /** The seat that sentences are for; null: they are for everybody. */
  get listener() {
    return this.who === EVERYBODY ? null : this.who;
  }

  /** True if this browser acts for this player. */
  actsFor(player) {
    return this.token !== null && player !== null && (this.who === EVERYBODY || this.who === player);
  }

  /** A token that the service does not know any more. */
  drop(token) {
    if (this.host === token) this.host = null;
    for (const [seat, own] of Object.entries(this.seats)) if (own === token) delete this.seats[seat];
    if (this.token === null) this.who = null;
  }
}

/** The same as this browser keeps them. */
export class Seats extends Places {
  // The name of the table, and the time when it was last used.
  title = null;
  at = 0;
  // True if the page's address has brought a token that cannot be one.
  broken = false;

  constructor(id) {
    super();
    this.id = id;
    ({ host: this.host = null, seats: this.seats = {}, title: this.title = null, at: this.at = 0 } = stored(PREFIX + id) ?? {});
    const sat = stored(PREFIX + id, tab);
    this.who = sat ? sat.who : this.likely();
  }

  likely() {
    const [first] = Object.keys(this.seats);
    if (this.host) return EVERYBODY;
    return first === undefined ? null : Number(first);
  }

  /**
   * Sits down at the seat of the page's address, and takes its token out of there; whether there was
   * one. A link is `broken` if its token cannot be one, and there is no other. A token that is kept gives
   * way only if the service does not know it any more: `known(token)`.
   */
  async arrive(known) {
    const told = new URLSearchParams(location.hash.slice(1));
    const [seat, token] = [told.get("seat"), told.get("token")];
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

  /** Takes this place; another tab may take another. */
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

  /** The name of this table in a list of tables. */
  called(title) {
    if (this.title === title) return;
    this.title = title;
    this.save();
  }

  /** There is no such table any more. */
  forget() {
    keep(PREFIX + this.id, null);
    keep(PREFIX + this.id, null, tab);
  }

  give(seat, token) {
    this.seats[seat] = token;
    this.save();
  }

  /** Takes the same places at another table of the same people, where the same tokens are valid. */
  moveTo(id) {
    const next = new Seats(id);
    ({ host: next.host, seats: next.seats, title: next.title } = this);
    next.sit(this.who);
  }

  /** Goes to that other table. */
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

/** Sits down at a table that was just opened, and goes there. */
export function enter({ session, host_token: host, seat_tokens: tokens }, title, who) {
  const seats = new Seats(session.id);
  seats.host = host;
  seats.seats = { ...tokens };
  seats.called(`${title} · ${session.players.map(shown).join(", ")}`);
  seats.sit(who);
  location.assign(`/table/${session.id}`);
}

/** Opens a table at which the visitor plays first, the house's best bot next. Gives the problem, if there is one. */
export async function playHouse(api, { game, title }, say) {
  const wish = { game, players: [say("guest"), say("the_house")], dice: "service", bots: [{ seat: 1, level: "best" }] };
  try {
    const { ok, document: told } = await api.ask("/v1/sessions", wish);
    if (!ok) return told;
    enter(told, title, 0);
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error;
    return { title: say("away"), detail: "" };
  }
  return null;
}
