// <dice-referee game="tutto" service="https://..." lang="de" position="card=bonus-300&roll=234566">
//
// A table of the referee for any page. It fires, bubbling and composed:
//   verdict  detail: the adjudication of the dice on the table
//   step     detail: { event, answer } of every event that was played, legal or not
//   refusal  detail: the problem, when the position or the request could not be answered
//   change   detail: { position } when the table has moved on

import { read, written } from "./address.js";
import { Api } from "./api.js";
import { h } from "./dom.js";
import { Table, shows } from "./table.js";
import { sayer, spoken } from "./words.js";

const STYLE = new URL("table.css", import.meta.url);
const SERVICE = new URL(import.meta.url).origin;
const FIRED = ["verdict", "step", "refusal", "change"];

let style = null;

/** One sheet for all elements of a page; adopted, so that a strict policy need not allow styles. */
const adopted = () =>
  (style ??= fetch(STYLE).then(async (answer) => new CSSStyleSheet().replace(await answer.text())));

export class DiceReferee extends HTMLElement {
  static observedAttributes = ["game", "service", "lang", "ruleset", "position"];

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    this.board = h("div", { class: "referee" });
    this.status = h("p", { class: "unseen", role: "status", "aria-live": "polite" });
    root.append(this.status, this.board);
  }

  connectedCallback() {
    this.open();
  }

  disconnectedCallback() {
    this.table?.book?.close();
  }

  attributeChangedCallback(_, before, after) {
    if (this.isConnected && before !== after) this.open();
  }

  /** The position on the table, as the `position` attribute takes it. */
  get position() {
    return this.table?.turn ? written(this.table.state).split("?")[1] ?? "" : "";
  }

  /** Draws the table anew from the attributes; several changes at once are one. */
  open() {
    this.opening ??= Promise.resolve().then(() => {
      this.opening = null;
      return this.begin();
    });
    return this.opening;
  }

  async begin() {
    const tags = [this.getAttribute("lang"), this.closest("[lang]")?.lang, ...navigator.languages];
    const tag = spoken(tags);
    const game = this.getAttribute("game") ?? "";
    const root = this.shadowRoot;
    root.adoptedStyleSheets = [await adopted()];
    const say = sayer(tag);
    if (!shows(game)) {
      this.board.replaceChildren(h("p", {}, say("unknown")));
      return;
    }
    this.table?.book?.close();
    const api = new Api(this.getAttribute("service") ?? SERVICE, tag);
    const table = (this.table = new Table(api, { board: this.board, status: this.status, notes: root }));
    for (const kind of FIRED)
      table.addEventListener(kind, ({ detail }) =>
        this.dispatchEvent(new CustomEvent(kind, { bubbles: true, composed: true, detail: kind === "change" ? { position: this.position } : detail })));
    const state = read(`#${game}?${this.getAttribute("position") ?? ""}`);
    const ruleset = this.getAttribute("ruleset");
    try {
      await table.open(ruleset ? { ...state, ruleset } : state);
    } catch (error) {
      this.board.replaceChildren(h("p", { role: "alert" }, error.problem?.detail ?? say("away")));
      this.dispatchEvent(new CustomEvent("refusal", { bubbles: true, composed: true, detail: error.problem ?? null }));
    }
  }
}

if (!customElements.get("dice-referee")) customElements.define("dice-referee", DiceReferee);
