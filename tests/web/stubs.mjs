// Stubs of a browser for the pages' modules: elements, storage, an address, answers and streams.
// No stub acts by itself: tests end streams, fire timers and deliver answers.

import { readFileSync } from "node:fs";
import { mock } from "node:test";

import { draw } from "../../service/dice_referee/web/static/shared/patch.js";
import { Fields } from "../../service/dice_referee/web/static/games/fields.js";
import { SITE, TEXTS, sayer } from "../../service/dice_referee/web/static/shared/words.js";

// The service fills in the texts of the scripts, and what they know of the site.
const web = (name) => readFileSync(new URL(`../../service/dice_referee/web/${name}`, import.meta.url), "utf-8");
for (const [, table, rows] of web("site.toml").matchAll(/^\[(\w+)\]\n((?:.+ = .*\n)+)/gm))
  SITE[table] = Object.fromEntries([...rows.matchAll(/^"?(.+?)"? = "(.*)"$/gm)].map(([, key, value]) => [key, value]));
const toml = web("words.toml");
for (const [, room, key, rows] of toml.matchAll(/^\[(\w+)\.(\w+)\]\n((?:\w\w = .*\n)+)/gm))
  if (room !== "templates")
    for (const [, language, text] of rows.matchAll(/^(\w\w) = (.*)$/gm))
      (TEXTS[language] ??= {})[key] = JSON.parse(text);

const PART = /\.[\w-]+|\[[^\]]+\]|:[\w-]+(\([^)]*\))?/g;
const PSEUDO = { ":not(:disabled)": (element) => !element.hasAttribute("disabled") };

function compound(element, selector) {
  const [, name, rest] = selector.match(/^([\w-]*)(.*)$/);
  return (!name || element.name === name) && (rest.match(PART) ?? []).every((part) => {
    if (part.startsWith(".")) return element.classList.contains(part.slice(1));
    if (part.startsWith(":")) return PSEUDO[part](element);
    const [, attribute, , value] = part.match(/^\[([\w-]+)(="?([^"\]]*)"?)?\]$/);
    return value === undefined ? element.hasAttribute(attribute) : element.getAttribute(attribute) === value;
  });
}

/** Tells if an element matches a selector: compounds of name, classes and attributes, with descendant combinators. */
function matches(element, selector) {
  const [last, ...above] = selector.split(/ +(?![^[(]*[\])])/).reverse();
  if (!compound(element, last)) return false;
  if (!above.length) return true;
  for (let parent = element.parentElement; parent; parent = parent.parentElement)
    if (matches(parent, above.toReversed().join(" "))) return true;
  return false;
}

/** Implements the siblings of a node. */
class Node extends EventTarget {
  parentElement = null;

  get nextSibling() {
    const { content } = this.parentElement;
    return content[content.indexOf(this) + 1] ?? null;
  }

  remove() {
    this.parentElement.content = this.parentElement.content.filter((child) => child !== this);
    this.parentElement = null;
  }
}

class Text extends Node {
  constructor(data) {
    super();
    this.data = data;
  }

  get textContent() {
    return this.data;
  }
}

/** Implements an element with attributes, children, listeners and text, without layout. */
class Element extends Node {
  constructor(name, namespaceURI = null) {
    super();
    Object.assign(this, { name, namespaceURI, attributes: new Map(), content: [], dataset: {}, style: {} });
  }

  get classList() {
    const names = new Set((this.getAttribute("class") ?? "").split(" ").filter(Boolean));
    const write = () => this.setAttribute("class", [...names].join(" "));
    const toggle = (name, on = !names.has(name)) => {
      names[on ? "add" : "delete"](name);
      write();
      return on;
    };
    return {
      contains: (name) => names.has(name), add: (...all) => all.forEach((name) => toggle(name, true)),
      remove: (...all) => all.forEach((name) => toggle(name, false)), toggle,
    };
  }

  get className() {
    return this.getAttribute("class") ?? "";
  }

  set className(text) {
    this.setAttribute("class", text);
  }

  get children() {
    return this.content.filter((child) => child instanceof Element);
  }

  get firstElementChild() {
    return this.children[0];
  }

  get firstChild() {
    return this.content[0] ?? null;
  }

  get disabled() {
    return this.hasAttribute("disabled");
  }

  get textContent() {
    return this.content.map((child) => child.textContent).join("");
  }

  set textContent(text) {
    this.replaceChildren(...(text === "" ? [] : [new Text(text)]));
  }

  append(...children) {
    for (const child of children) this.insertBefore(child, null);
  }

  insertBefore(child, next) {
    if (child.parentElement) child.remove();
    child.parentElement = this;
    this.content.splice(next ? this.content.indexOf(next) : this.content.length, 0, child);
  }

  replaceChildren(...children) {
    this.content = [];
    this.append(...children);
  }

  getAttribute(name) {
    return this.attributes.get(name) ?? null;
  }

  hasAttribute(name) {
    return this.attributes.has(name);
  }

  setAttribute(name, value) {
    this.attributes.set(name, String(value));
    if (name.startsWith("data-")) this.dataset[name.slice(5)] = String(value);
  }

  removeAttribute(name) {
    this.attributes.delete(name);
  }

  querySelectorAll(selectors) {
    const all = this.children.flatMap((child) => [child, ...child.querySelectorAll("*")]);
    return selectors === "*"
      ? all
      : all.filter((element) => selectors.split(",").some((selector) => matches(element, selector.trim())));
  }

  querySelector(selectors) {
    return this.querySelectorAll(selectors)[0] ?? null;
  }

  contains(element) {
    return element === this || this.querySelectorAll("*").includes(element);
  }

  getRootNode() {
    return document;
  }

  scrollTo() {}

  focus() {
    document.activeElement = this;
  }

  click() {
    this.dispatchEvent(new Event("click"));
  }
}

class Storage {
  getItem(key) {
    return Object.hasOwn(this, key) ? this[key] : null;
  }

  setItem(key, value) {
    this[key] = String(value);
  }

  removeItem(key) {
    delete this[key];
  }
}

/** Implements an event stream that a test opens, feeds and breaks. */
export class Stream {
  static all = [];

  /** Requests a stream, as a session does. */
  static request = (after, token, signal) =>
    new Promise((resolve, reject) => Stream.all.push(new Stream({ after, token, signal, resolve, reject })));

  constructor(request) {
    Object.assign(this, request, { answered: false });
    this.body = new ReadableStream({ start: (queue) => (this.queue = queue) });
    this.signal.addEventListener("abort", () => this.fail(new DOMException("aborted", "AbortError")));
  }

  get closed() {
    return this.signal.aborted;
  }

  answer(status, body) {
    this.answered = true;
    this.resolve(new Response(body, { status }));
  }

  open() {
    this.answer(200, this.body);
    this.write("retry: 1000\n");
  }

  write(text) {
    if (!this.answered) this.open();
    this.queue.enqueue(new TextEncoder().encode(text));
  }

  send(entry, session = null) {
    this.write(`id: ${entry.version}\ndata: ${JSON.stringify({ entry, session })}\n\n`);
  }

  tell(kind, data = {}) {
    this.write(`event: ${kind}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  refuse(status, problem = {}) {
    this.answer(status, JSON.stringify(problem));
  }

  /** Ends the stream as the service does. */
  end() {
    this.queue.close();
  }

  /** Breaks the connection. */
  fail(error = nobody()) {
    if (this.answered) this.queue.error(error);
    else this.reject(error);
  }
}

export const element = (name = "div") => new Element(name);

/** Installs the globals of an empty page. */
export function page({ address = "http://service.test/", languages = ["en-GB"], motion = false } = {}) {
  Stream.all = [];
  const target = new EventTarget();
  const document = Object.assign(new EventTarget(), {
    hidden: false, activeElement: null, body: element("body"),
    documentElement: Object.assign(element("html"), { lang: "en" }), createElement: element,
    createElementNS: (namespace, name) => new Element(name, namespace), createTextNode: (data) => new Text(data),
    querySelector: () => null, querySelectorAll: () => [], getElementById: () => null,
  });
  const location = Object.assign(new URL(address), { assign: mock.fn() });
  const globals = {
    document, location,
    addEventListener: target.addEventListener.bind(target), dispatchEvent: target.dispatchEvent.bind(target),
    history: {
      state: null, replaceState: mock.fn((_state, _title, path) => (location.href = new URL(path, location.href).href)),
    },
    localStorage: new Storage(), sessionStorage: new Storage(), CSS: { escape: String },
    matchMedia: () => ({ matches: !motion }), navigator: { languages },
  };
  for (const [name, value] of Object.entries(globals))
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
}

/** Creates an answer of the service. `document` is an object, or lines of text. */
export const answer = (document, { status = 200, headers = {} } = {}) =>
  new Response(typeof document === "string" ? document : JSON.stringify(document), { status, headers });

/**
 * Answers requests in order. Each entry of `list` is an answer, an error to throw, or a function of the request.
 * Returns the list of requests, each `{ address, method, headers, body }`. Further requests throw.
 */
export function answers(...list) {
  const requests = [];
  globalThis.fetch = async (address, { method = "GET", headers = {}, body = null } = {}) => {
    const request = { address, method, headers: { ...headers }, body };
    requests.push(request);
    const [next] = list.splice(0, 1);
    if (!next) throw new Error(`nobody expected ${method} ${address}`);
    if (next instanceof Error) throw next;
    return typeof next === "function" ? next(request) : next;
  };
  return requests;
}

/** Creates the error that a browser's `fetch` throws without an answer. */
export const nobody = () => new TypeError("Failed to fetch");

/** Runs all pending tasks that wait for no timer. */
export const settled = async () => {
  for (let round = 0; round < 20; round += 1) await new Promise(setImmediate);
};

/** Advances the clock of `mock.timers` by milliseconds, in steps. */
export async function later(milliseconds, step = 100) {
  for (let passed = 0; passed < milliseconds; passed += step) {
    await settled();
    mock.timers.tick(Math.min(step, milliseconds - passed));
  }
  await settled();
}

/** Aims that the catalogue names, by game. */
export const AIMS = {
  pot: [{ aim: "win", players: 2 }], tutto: [{ aim: "win", players: 2 }], yatzee: [{ aim: "game", players: null }],
};

/** Creates a table for drawings. Its terms are their ids, and it records events, announcements and drawings. */
export function tableOf({ language = "en", players = ["Ada", "Ben"], ...fields } = {}) {
  const table = new Fields();
  const stubs = {
    api: { language }, players,
    catalogue: { deck: [], spoken: language, rulesets: [{ aims: [] }, { aims: AIMS[fields.game] ?? [] }] },
    chosen: new Set(), findings: [], problem: null,
    mine: true, odds: null, place: { board: element() }, plays: [], shown: 0, lastStep: null,
    announcer: { said: [], tell: (sentences) => table.announcer.said.push(...sentences) },
    book: { chip: (number) => number, chips: (numbers) => numbers.join(" "), rules: new Map() },
    name: (player) => table.players[player], own: () => false, term: (id) => id, whose: () => "whose turn",
    play: (event) => table.plays.push(event),
    show: () => (table.shown += 1),
    draw: () => (table.shown += 1),
    ...fields,
  };
  for (const [name, value] of Object.entries(stubs))
    Object.defineProperty(table, name, { value, writable: true, configurable: true, enumerable: true });
  Object.defineProperty(table, "say", { get: () => sayer(table.api.language), configurable: true });
  return table;
}

/** Draws descriptions into a new element. */
export function drawing(...descriptions) {
  const place = element();
  draw(place, ...descriptions);
  return place;
}

/** Returns the elements of a drawing that match a selector. */
export const parts = (drawn, selector) => drawing(drawn).querySelectorAll(selector);

/** Returns the texts of the elements of a drawing that match a selector. */
export const texts = (drawn, selector) => parts(drawn, selector).map(({ textContent }) => textContent);

/** Returns the control of a drawing with a key, or null. */
export const control = (drawn, key) => parts(drawn, `[data-key="${key}"]`)[0] ?? null;

page();
