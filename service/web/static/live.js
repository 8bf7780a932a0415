// A table that several people play at. The state of the session is what counts: the page shows it,
// sends what its player does, and follows the log to learn what the others did.

import { Api } from "./api.js";
import { Changes } from "./changes.js";
import { Connection } from "./connection.js";
import { h, redraw } from "./dom.js";
import { ending } from "./ending.js";
import { Feed } from "./feed.js";
import { LiveTable } from "./livetable.js";
import { TEXTS } from "./livewords.js";
import { logbook } from "./logbook.js";
import { oddsOfSession, oddsSwitch } from "./odds.js";
import { pageHead } from "./page.js";
import { checked, proof } from "./proof.js";
import { callToPlay, menuButton, strip, undoButton } from "./bar.js";
import { seated } from "./seated.js";
import { Seats } from "./seats.js";
import { Session, code, insist, pause } from "./session.js";
import { Sound } from "./sound.js";
import { sayer } from "./words.js";

const at = (id) => document.getElementById(id);
const RECENT = 200;
const AGAIN = 2000;
const id = location.pathname.split("/")[2];

const seats = new Seats(id);
const head = pageHead(speak);
const api = new Api(location.origin, head.tag);
const session = new Session(api, id);
const table = new LiveTable(api, { board: at("board"), status: at("status"), notes: document.body }, session, seats);
table.sound = new Sound();
table.odds = oddsOfSession(session);
const feed = new Feed(session);
const connection = new Connection(at("connection"), feed, session);
const { entries } = table;
const known = (token) => session.knows(token);
let say = (connection.say = sayer(head.tag, TEXTS));
let wanted = 0;
let reading = null;
let drawing = null;
let whole = false;
let verdict = null;
let asking = null;
const changes = new Changes(table, { end, show });

// What comes ----------------------------------------------------------------------------------------

addEventListener("hashchange", async () => (await seats.arrive(known)) && show());
feed.addEventListener("gone", async ({ detail }) => end(detail ?? (await session.read().catch(() => null))?.document));
feed.addEventListener("reset", () => {
  entries.clear();
  table.kept = { ...table.kept, version: -1 };
  begin();
});
feed.addEventListener("entry", ({ detail: entry }) => {
  const fresh = entry.version > table.kept.version || !entries.has(entry.version);
  entries.set(entry.version, entry);
  if (entry.version > table.kept.version) {
    catchUp(entry.version);
  } else if (fresh && entry.version === table.kept.version && !table.told) {
    table.explain(entry);
    soon(true);
  }
  soon();
});
table.addEventListener("accepted", ({ detail: { accepted, session: kept } }) => {
  entries.set(accepted.version, accepted);
  changes.notes = {};
  if (kept.version < table.kept.version) return;
  table.lay(kept, accepted);
  soon();
});
table.addEventListener("shown", () => soon());
table.addEventListener("again", () => changes.again());

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

/** Draws once for all that came at the same time. */
function soon(board = false) {
  whole ||= board;
  drawing ??= setTimeout(() => {
    drawing = null;
    if (!table.kept) return;
    if (whole && !table.pending) table.show();
    whole = false;
    panels();
  }, 0);
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
  redraw(at("strip"), strip(table), menuButton(say, panels));
  redraw(at("people"), seated(table, { reissue: (seat) => changes.reissue(seat), sit }), note("people"));
  redraw(at("log"), logbook(table, earlier));
  at("log").querySelector(".log")?.scrollTo(0, scrolled);
  redraw(at("proof"), proof(table, { seed: (text) => changes.seed(text), typed, verify, verdict }), note("proof"));
  if (at("facts")) at("facts").open = unfolded;
  redraw(at("ends"), ending(table, { asking, ask, abandon: sure("abandon"), remove: sure("remove") }), kept.odds ? h("p", {}, oddsSwitch(table, show)) : null, note("ends"));
  redraw(at("tools"), undoButton(table, () => changes.undo()));
  at("heading").textContent = `${table.catalogue.title} · ${kept.players.join(", ")}`;
  callToPlay(table);
  connection.over = kept.status !== "running";
  connection.show();
}

/** Why something beside the board was refused, at its place. */
const note = (place) => (changes.notes[place] ? h("p", { class: "found bad", role: "alert" }, changes.notes[place]) : null);

/** What the host was asked back about, done. */
const sure = (what) => () => {
  asking = null;
  return changes[what]();
};

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

async function verify() {
  try {
    verdict = await checked(api, session, table.kept);
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error;
    verdict = { problem: { title: say("away"), detail: "" } };
  }
  panels();
  at("status").textContent = at("verdict").textContent;
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
  connection.end();
  wanted = 0;
  at("beside").hidden = true;
  at("tools").replaceChildren();
  at("strip").replaceChildren();
  const text = say(problem && code(problem) === "not-found" ? "no_table" : "deleted");
  at("board").replaceChildren(h("div", { class: "felt" }, h("div", { class: "refusal", role: "alert" }, text), h("p", {}, h("a", { href: "/table" }, say("another")))));
}

async function begin() {
  connection.show();
  const { ok, status, document: told } = await insist(() => session.read());
  if (status === 404 || status === 410) return end(told);
  if (!ok) return pause(AGAIN).then(begin);
  (await insist(() => table.learn(told.game)))();
  table.lay(told, null);
  seats.called(`${table.catalogue.title} · ${told.players.join(", ")}`);
  show();
  feed.start(Math.max(0, told.version - RECENT));
  return undefined;
}

async function speak(next) {
  say = connection.say = sayer(next.tag, TEXTS);
  api.language = next.tag;
  if (!table.kept) return;
  const { told } = table;
  (await insist(() => table.learn(table.kept.game)))();
  table.told = told;
  show();
}

at("beside").hidden = true;
seats.arrive(known).then((came) => came && table.kept && show());
await begin();
