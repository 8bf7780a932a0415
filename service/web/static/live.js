// A table that several people play at. The state of the session is what counts: the page shows it,
// sends what its player does, and follows the log to learn what the others did.

import { Api } from "./api.js";
import { h, redraw } from "./dom.js";
import { Feed } from "./feed.js";
import { LiveTable } from "./livetable.js";
import { TEXTS } from "./livewords.js";
import { logbook } from "./logbook.js";
import { pageHead } from "./page.js";
import { checked, proof } from "./proof.js";
import { seated } from "./seated.js";
import { Seats } from "./seats.js";
import { Session, pause } from "./session.js";
import { sayer } from "./words.js";

const at = (id) => document.getElementById(id);
const RECENT = 200;
const BRIEFLY = 1200;
const AGAIN = 2000;
const id = decodeURIComponent(location.pathname.split("/")[2]);

const seats = new Seats(id);
seats.arrive();
const head = pageHead(speak);
const api = new Api(location.origin, head.tag);
const session = new Session(api, id);
const table = new LiveTable(api, { board: at("board"), status: at("status"), notes: document.body }, session, seats);
const feed = new Feed(session);
const entries = new Map();
const own = new Set();
let say = sayer(head.tag, TEXTS);
let wanted = 0;
let reading = null;
let drawing = null;
let verdict = null;
let asking = null;
let notes = {};
let again = false;
let lineTimer = null;

// What comes ----------------------------------------------------------------------------------------

addEventListener("hashchange", () => seats.arrive() && show());
addEventListener("storage", soon);
session.addEventListener("again", () => line((again = true)));
session.addEventListener("answered", () => line((again = false)));
feed.addEventListener("line", () => line());
feed.addEventListener("gone", ({ detail }) => end(detail));
feed.addEventListener("reset", () => {
  entries.clear();
  table.kept = null;
  begin();
});
feed.addEventListener("entry", ({ detail: entry }) => {
  const fresh = entry.version > table.kept.version || !entries.has(entry.version);
  entries.set(entry.version, entry);
  if (entry.version > table.kept.version) {
    if (!own.has(entry.version)) table.news.push(entry);
    catchUp(entry.version);
  } else if (fresh && entry.version === table.kept.version && !table.told) {
    table.explain(entry);
    soon(true);
  }
  soon();
});
table.addEventListener("accepted", ({ detail: { accepted, session: kept } }) => {
  own.add(accepted.version);
  entries.set(accepted.version, accepted);
  notes = {};
  if (kept.version < table.kept.version) return;
  table.lay(kept, accepted);
  soon();
});
table.addEventListener("shown", soonPanels);

/** Reads the state until it is as late as the log. */
function catchUp(version) {
  wanted = Math.max(wanted, version);
  reading ??= (async () => {
    while (table.kept && table.kept.version < wanted) {
      const told = await session.read().catch(() => null);
      if (told?.ok) lay(told.document);
      else await pause(AGAIN);
    }
    reading = null;
  })();
}

function lay(kept) {
  if (!table.kept || kept.version <= table.kept.version) return;
  table.lay(kept, entries.get(kept.version) ?? null);
  verdict = null;
  if (!table.pending) table.show();
}

// What is shown -------------------------------------------------------------------------------------

let whole = false;

/** Draws once for all that came at the same time. */
function soon(board = false) {
  whole ||= board === true;
  drawing ??= setTimeout(() => {
    drawing = null;
    if (!table.kept) return;
    if (whole && !table.pending) table.show();
    whole = false;
    panels();
  }, 0);
}

function soonPanels() {
  soon();
}

function show() {
  table.show();
  panels();
}

function panels() {
  const { kept } = table;
  at("beside").hidden = false;
  const scrolled = at("log").querySelector(".log")?.scrollTop ?? 0;
  const unfolded = at("facts")?.open ?? false;
  const typed = at("seed")?.value;
  redraw(at("people"), seated(table, { reissue, sit }), note("people"));
  redraw(at("log"), logbook(table, entries, earlier));
  at("log").querySelector(".log")?.scrollTo(0, scrolled);
  redraw(at("proof"), proof(table, { seed, verify, verdict }), note("proof"));
  if (at("facts")) at("facts").open = unfolded;
  if (typed !== undefined && at("seed")) at("seed").value = typed;
  redraw(at("ends"), ends());
  redraw(at("tools"), tools());
  at("heading").textContent = `${table.catalogue.title} · ${kept.players.join(", ")}`;
  const turn = table.mine && seats.who !== "everybody" ? `${say("your_turn")} · ` : "";
  document.title = `${turn}${table.catalogue.title} · ${say("title")}`;
  line();
}

/** Why something beside the board was refused, at its place. */
const note = (place) => (notes[place] ? h("p", { class: "found bad", role: "alert" }, notes[place]) : null);

/** How the page is connected; a line that is back at once was never said to be lost. */
function line() {
  const over = table.kept && table.kept.status !== "running";
  const state = again ? "again" : feed.line === "live" && over ? "over" : feed.line;
  const text = { live: say("line_live"), asking: say("line_asking"), lost: say("line_lost"), again: say("line_again"), over: say("line_over") }[state];
  clearTimeout(lineTimer);
  lineTimer = setTimeout(() => {
    at("line").className = `line ${state}`;
    if (at("line").textContent !== text) at("line").textContent = text;
  }, state === "lost" || state === "again" ? BRIEFLY : 0);
}

const button = (text, key, onclick, kind = "") => h("button", { type: "button", class: `quiet ${kind}`, "data-key": key, onclick }, text);

/** The move that an undo would take back, if somebody here may ask for it. */
function takeable() {
  const { kept } = table;
  const list = [...entries.values()].sort((one, other) => other.version - one.version);
  const undone = new Set(list.filter(({ event }) => event.type === "undone").map(({ event }) => event.version));
  const last = list.find(({ version, event }) => !undone.has(version) && !["undone", "seeded", "reissued", "abandoned"].includes(event.type));
  if (!last || kept.status === "abandoned") return false;
  if (kept.dice === "client") return Boolean(seats.host) && seats.who !== null;
  return kept.status === "running" && !["draw", "roll", "throw"].includes(last.event.type) && seats.actsFor(last.player);
}

const tools = () => (seats.token ? [button(say("undo"), "undo", undo)].map((one) => ((one.disabled = !takeable() || table.pending), one)) : []);

/** What ends a table: taking the game along, and for the host giving up and deleting. */
function ends() {
  const { kept } = table;
  const until = new Intl.DateTimeFormat(api.language, { dateStyle: "medium" }).format(new Date(kept.expires_at));
  const host = seats.host
    ? [kept.status === "running" ? button(say("give_up"), "abandon", () => ask("abandon")) : null, button(say("delete"), "delete", () => ask("delete"), "danger")]
    : [];
  const sure = { abandon: giveUp, delete: remove }[asking];
  return [
    h("h2", {}, say("this_table")),
    h("p", { class: "hint" }, say("kept_until", { date: until })),
    h("div", { class: "tools" }, h("a", { class: "quiet", "data-key": "export", href: `${session.address}/game`, download: `${kept.game}-${id}.json` }, say("export")), host),
    sure
      ? h("div", { class: "sure", role: "group", "aria-label": say("really") }, h("p", {}, say("really")), h("div", { class: "tools" }, button(say("yes"), "yes", sure, "danger"), button(say("no"), "no", () => ask(null))))
      : null,
    note("ends"),
  ];
}

function ask(what) {
  const before = asking;
  asking = what;
  panels();
  document.querySelector(`[data-key="${what ? "no" : before}"]`)?.focus();
}

// What is done --------------------------------------------------------------------------------------

function sit(who) {
  seats.sit(who);
  table.clear();
  show();
}

const undo = () => table.change("/undo", null, seats.host ?? seats.token);

/** A change from beside the board: refused, it is explained there. */
async function beside(place, part, body, how) {
  notes = {};
  const answer = await session.change(part, body, how);
  if (!answer.ok) notes = { [place]: explained(answer.document) };
  return answer;
}

function explained(problem) {
  const told = table.inWords(problem);
  return [told.title, ...(told.errors?.length ? told.errors.map(({ detail }) => detail) : [told.detail])].filter(Boolean).join(" ");
}

async function seed(text) {
  const { ok, document: told } = await beside("proof", "/seeds", { seed: text }, { token: seats.seats[seats.who] });
  if (ok) table.tell("accepted", told);
  show();
}

async function reissue(seat) {
  const { ok, document: told } = await beside("people", `/seats/${seat}/token`, null, { token: seats.host, key: false });
  if (ok) {
    seats.give(seat, told.seat_token);
    table.tell("accepted", told);
  }
  show();
}

async function giveUp() {
  asking = null;
  const { ok, document: told } = await beside("ends", "/abandon", null, { token: seats.host });
  if (ok) table.tell("accepted", told);
  show();
}

async function remove() {
  asking = null;
  const { ok, status, document: told } = await beside("ends", "", null, { token: seats.host, key: false, method: "DELETE" });
  if (ok || status === 410) end(null);
  else if (told) show();
}

async function verify() {
  try {
    verdict = await checked(api, session, table.kept);
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error;
    verdict = { problem: { title: say("away"), detail: "" } };
  }
  panels();
}

/** Brings the entries before the first one that is shown. */
async function earlier() {
  const first = Math.min(...entries.keys());
  const told = await session.read(`/events?after=${Math.max(0, first - 1001)}`).catch(() => null);
  for (const entry of told?.ok ? told.document.events : []) if (entry.version < first) entries.set(entry.version, entry);
  panels();
}

// Beginning and end ---------------------------------------------------------------------------------

/** There is no table any more, or never was. */
function end(problem) {
  feed.stop();
  wanted = 0;
  clearTimeout(lineTimer);
  at("line").textContent = "";
  at("beside").hidden = true;
  at("tools").replaceChildren();
  const text = problem ? table.inWords(problem).title : say("deleted");
  at("board").replaceChildren(h("div", { class: "felt" }, h("div", { class: "refusal", role: "alert" }, text), h("p", {}, h("a", { href: "/table" }, say("another")))));
}

/** Reads until there is an answer: the service may just be starting. */
async function answered(question) {
  for (;;) {
    try {
      return await question();
    } catch (error) {
      if (!(error instanceof TypeError || error instanceof SyntaxError || error.problem)) throw error;
      line();
      await pause(AGAIN);
    }
  }
}

async function begin() {
  const { ok, status, document: told } = await answered(() => session.read());
  if (status === 404 || status === 410) return end(told);
  if (!ok) {
    line();
    await pause(AGAIN);
    return begin();
  }
  (await answered(() => table.learn(told.game)))();
  table.lay(told, null);
  seats.called(`${table.catalogue.title} · ${told.players.join(", ")}`);
  show();
  feed.start(Math.max(0, told.version - RECENT));
  return undefined;
}

async function speak(next) {
  say = sayer(next.tag, TEXTS);
  api.language = next.tag;
  if (!table.kept) return;
  const { told } = table;
  (await answered(() => table.learn(table.kept.game)))();
  table.told = told;
  show();
}

at("beside").hidden = true;
await begin();
