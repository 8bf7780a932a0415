// <dice-referee game="tutto" position="card=bonus-300&roll=234566">, or <dice-referee session="..." seat="0">
//
// Embeds a table of the referee into any page. The service serves this module and its imports as a single file
// (element.py). Every attribute is also a property. Only `token` is never reflected to its attribute. The events bubble
// and are composed:
//   verdict  detail: the adjudication of the dice on the table
//   step     detail: { event, answer } of every event without a session, legal or illegal
//   change   detail: { position, turn } of a new position; with a session its state
//   over     detail: the audit of a finished game; with a session its state
//   refusal  detail: the problem of a refused position, event or request

import { read, written } from "./shared/address.js";
import { Api } from "./shared/api.js";
import { h } from "./shared/dom.js";
import { draw, made } from "./shared/patch.js";
import elementSheet from "./element/element.css" with { type: "css" };
import liveSheet from "./table/live.css" with { type: "css" };
import { EVERYBODY, Places } from "./shared/seats.js";
import { SessionForm } from "./element/sessionform.js";
import { Table, shows } from "./games/table.js";
import tableSheet from "./games/table.css" with { type: "css" };
import { sayer, spoken } from "./shared/words.js";

const SERVICE = new URL(import.meta.url).origin;
const PLAIN = ["game", "service", "ruleset", "session"];
const OTHERS = ["seat", "token", "compact", "position", "options", "players"];
/** Sentences of the compact form. */
const BRIEF = 2;

/** Parses an attribute, which contains the parameters of an address. */
const stateOf = (text) => read(`#?${text ?? ""}`);
/** Returns the attribute of a state. */
const textOf = (state) => written({ game: "", ...state }).split("?")[1] ?? "";

export class DiceReferee extends HTMLElement {
  static observedAttributes = [...PLAIN, ...OTHERS, "lang"];
  #token = null;

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [tableSheet, liveSheet, elementSheet];
    this.place = {
      status: made(h("p", { role: "status", "aria-live": "polite" })),
      strip: made(h("div", { class: "over" })),
      line: made(h("p", { class: "connection", role: "status" })),
      board: made(h("div", { class: "referee", tabindex: "-1" })),
      notes: root,
    };
    this.frame = made(h("div", { class: "embedded" }));
    root.append(this.place.status, this.frame);
    const { board } = this.place;
    new ResizeObserver(() =>
      board.style.setProperty("--dock", `${board.querySelector(".dock")?.offsetHeight ?? 0}px`)).observe(board);
  }

  connectedCallback() {
    // A value that was set before the script had loaded hides the property of the same name.
    for (const name of [...PLAIN, ...OTHERS].filter((attribute) => Object.hasOwn(this, attribute))) {
      const value = this[name];
      delete this[name];
      this[name] = value;
    }
    this.open();
  }

  disconnectedCallback() {
    this.close();
  }

  attributeChangedCallback(_, before, after) {
    if (this.isConnected && before !== after) this.open();
  }

  /** @type {number | null} Index of the player of the token; null for the host's token. */
  get seat() {
    return this.hasAttribute("seat") ? Number(this.getAttribute("seat")) : null;
  }

  set seat(value) {
    this.write("seat", value);
  }

  /** @type {string | null} Token of a player or the host; null for spectators. Never reflected to the attribute. */
  get token() {
    return this.#token ?? this.getAttribute("token");
  }

  set token(value) {
    this.#token = value || null;
    if (this.isConnected) this.open();
  }

  /** @type {boolean} Shows only the verdict. */
  get compact() {
    return this.hasAttribute("compact");
  }

  set compact(value) {
    this.toggleAttribute("compact", Boolean(value));
  }

  /** @type {string} Position on the table, in the parameters of a GET adjudication. Also accepts a turn of the API. */
  get position() {
    return this.table?.turn && !this.session ? textOf(this.table.state) : this.getAttribute("position") ?? "";
  }

  set position(value) {
    this.write("position", value && typeof value === "object" ? textOf({ position: value }) : value);
  }

  /** @type {object} House rules; as an attribute `target=4000&...`. */
  get options() {
    return stateOf(this.getAttribute("options")).options;
  }

  set options(value) {
    this.write("options", value && typeof value === "object" ? textOf({ options: value }) : value);
  }

  /** @type {string[] | null} Players of a whole game without a session; as an attribute `Ada,Ben`. */
  get players() {
    const text = this.getAttribute("players");
    return text === null ? null : stateOf(`players=${text}`).players ?? null;
  }

  set players(value) {
    this.write("players", Array.isArray(value) ? value.map(encodeURIComponent).join(",") : value);
  }

  write(name, value) {
    if (value === null || value === undefined) this.removeAttribute(name);
    else this.setAttribute(name, value);
  }

  /** Draws the table from the attributes, once for simultaneous changes. */
  open() {
    this.opening ??= Promise.resolve().then(() => {
      this.opening = null;
      return this.isConnected ? this.begin() : undefined;
    });
    return this.opening;
  }

  close() {
    this.form?.close();
    this.form = this.table = null;
  }

  fire(kind, detail) {
    this.dispatchEvent(new CustomEvent(kind, { bubbles: true, composed: true, detail }));
  }

  async begin() {
    this.close();
    const { place: { board, line, status, strip }, frame, compact, session } = this;
    const tag = spoken([this.getAttribute("lang"), this.closest("[lang]")?.lang, ...navigator.languages]);
    status.className = compact ? "brief" : "unseen";
    status.lang = tag;
    for (const element of [board, strip]) draw(element);
    line.textContent = status.textContent = "";
    frame.classList.toggle("live", Boolean(session));
    frame.replaceChildren(...(compact ? [] : session ? [strip, line, board] : [board]));
    const api = new Api(this.service ?? SERVICE, tag);
    await (session ? this.follow(api) : this.lay(api));
  }

  /** Shows a session, and follows it. */
  async follow(api) {
    const { place, session: id, token, seat } = this;
    const places = new Places(token ? seat ?? EVERYBODY : null, token);
    const fire = (kind, detail) => this.fire(kind, detail);
    this.form = new SessionForm(api, place, { id, places }, { fire, move: (rematch) => (this.session = rematch) });
    this.take(this.form.table);
    await this.form.begin();
  }

  /** Lays a position, or a whole game, on the table. */
  async lay(api) {
    const { place, game } = this;
    const say = sayer(api.language);
    if (!shows(game ?? "")) {
      draw(place.board, h("p", {}, say("unknown")));
      place.status.textContent = say("unknown");
      return;
    }
    const table = new Table(api, place);
    this.form = { close: () => table.book?.close() };
    this.take(table);
    for (const kind of ["verdict", "step", "refusal"])
      table.addEventListener(kind, ({ detail }) => this.fire(kind, detail));
    table.addEventListener("change", () => {
      this.fire("change", { position: this.position, turn: table.turn });
      if (table.standing?.over) this.fire("over", table.standing);
    });
    const state = { ...stateOf(this.getAttribute("position")), game };
    const attributes = { ruleset: this.ruleset, players: this.players };
    for (const [name, value] of Object.entries(attributes)) if (value) state[name] = value;
    try {
      await table.open({ ...state, options: { ...state.options, ...this.options } });
    } catch (error) {
      const text = error.problem?.detail ?? say("away");
      draw(place.board, h("p", {}, text));
      place.status.textContent = text;
      this.fire("refusal", error.problem ?? null);
    }
  }

  take(table) {
    this.table = table;
    if (this.compact) table.announcer.most = BRIEF;
  }
}

for (const name of PLAIN)
  Object.defineProperty(DiceReferee.prototype, name, {
    configurable: true,
    enumerable: true,
    get() {
      return this.getAttribute(name);
    },
    set(value) {
      this.write(name, value);
    },
  });

if (!customElements.get("dice-referee")) customElements.define("dice-referee", DiceReferee);
