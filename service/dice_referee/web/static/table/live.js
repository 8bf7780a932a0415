// The page of a live table. It shows the state of the session, sends the moves of the player here, and follows the
// log for the moves of the others.

import { Api } from "../shared/api.js";
import { Changes, ending } from "./changes.js";
import { Connection } from "./connection.js";
import { review } from "./costs.js";
import { at, h } from "../shared/dom.js";
import { redraw } from "../shared/redraw.js";
import { draw } from "../shared/patch.js";
import { Follower } from "../shared/follower.js";
import { Keys } from "./keys.js";
import { Meter } from "./meter.js";
import { LiveTable } from "./livetable.js";
import { Lobby } from "./lobby.js";
import { logbook } from "./logbook.js";
import { sayer, shown } from "../shared/words.js";
import { pageHead } from "../shared/page.js";
import { checked, proof } from "./proof.js";
import { callToPlay, edges, menuButton, showHead } from "./bar.js";
import { seated } from "./seated.js";
import { Seats } from "../shared/seats.js";
import { Session, code, insist, unanswered } from "../shared/session.js";
import { Sound } from "./sound.js";
import { strip, toCurrent, undoButton } from "./strip.js";
import { TextSwitch } from "./textswitch.js";
import { oddsOfSession, oddsSwitch } from "../games/weighing.js";
import { Waiting } from "./waiting.js";

const id = location.pathname.split("/")[2];

const seats = new Seats(id);
const head = await pageHead(speak);
const api = new Api(location.origin, head.tag);
const session = new Session(api, id);

/** Adds the parts that only the page of a live table has. */
class PageTable extends LiveTable {
  sound = new Sound();
  odds = oddsOfSession(session);
  changes = new Changes(this, { end, show });
  waiting = new Waiting(this, () => soon(true));
  lobby = new Lobby(this, { place: at("lobby"), status: at("arrivals") });
  meter = new Meter(this);
  keys = new Keys(this);
  text = new TextSwitch(this, { place: at("text"), drawn: at("drawn") });
  review = (recalled) => review(this, recalled);
}

const table = new PageTable(api, { board: at("board"), status: at("status"), notes: document.body }, session, seats);
const follower = new Follower(table);
const connection = new Connection(at("connection"), follower.feed, session);
const { changes, entries, lobby, waiting } = table;
let say = (connection.say = sayer(head.tag));
let drawing = null;
let whole = false;
let verdict = null;
let asking = null;
let ended = null;

// Events --------------------------------------------------------------------------------------------

addEventListener("hashchange", arrive);
follower.feed.addEventListener("entry", ({ detail: { event } }) => {
  // A seat has a new link. The host has received it in the answer.
  if (event.type === "substituted") lobby.watch();
  if (event.type !== "reissued") return;
  if (event.player === seats.who && !seats.rights) come();
  else lobby.watch();
});
follower.feed.addEventListener("nudge", ({ detail: { player } }) => waiting.take(player) && soon(true));
follower.feed.addEventListener("connected", ({ detail: { connected } }) => {
  table.connect(connected);
  soon();
});
follower.addEventListener("ended", ({ detail }) => end(detail));
follower.addEventListener("moved", ({ detail }) => soon(detail));
follower.addEventListener("begun", ({ detail: { players } }) => {
  seats.called(`${table.catalogue.title} · ${players.map(shown).join(", ")}`);
  show();
});
table.addEventListener("entered", () => (changes.notes = {}));
table.addEventListener("laid", () => (verdict = null));
table.addEventListener("shown", () => soon());
table.addEventListener("drawn", edges(document.querySelector(".title"), at("board")));
table.addEventListener("again", () => changes.again());
table.addEventListener("check", verify);

// Drawing -------------------------------------------------------------------------------------------

/** Schedules one drawing for all changes that arrive together. */
function soon(board = false) {
  whole ||= board;
  drawing ??= setTimeout(() => {
    drawing = null;
    if (!table.kept || ended) return;
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
  redraw(at("strip"), strip(table), menuButton(say, panels));
  redraw(at("people"),
    seated(table, { reissue: (seat) => changes.reissue(seat), leave: (seat) => changes.bot(seat, "best"),
      giveBack: (seat) => changes.bot(seat, null), sit, asking, ask, pass: sure("pass") }),
    note("people"));
  redraw(at("waiting"), table.text.on ? h("div", { class: "actions" }, waiting.draw()) : null);
  waiting.tell();
  redraw(at("log"), logbook(table, earlier));
  redraw(at("proof"), proof(table, { seed: (text) => changes.seed(text), verify, verdict }), note("proof"));
  redraw(at("ends"),
    ending(table, {
      odds: kept.odds ? h("p", {}, oddsSwitch(table, show), table.meter.control(show)) : null, asking, ask,
      abandon: sure("abandon"), remove: sure("remove"),
    }),
    note("ends"));
  // Undo removes its own button: the focus moves to the new decision.
  if (redraw(at("tools"), undoButton(table, () => changes.undo()))) table.resume();
  toCurrent(at("strip"));
  at("heading").textContent = `${table.catalogue.title} · ${kept.players.join(", ")}`;
  callToPlay(table);
  lobby.show();
  connection.over = kept.status !== "running";
  connection.show();
}

/** Shows the reason for a refusal next to its controls. */
const note = (place) =>
  (changes.notes[place] ? h("p", { class: "found bad", role: "alert" }, changes.notes[place]) : null);

/** Carries out a change that the host has confirmed. */
const sure = (what) => (...how) => {
  asking = null;
  return changes[what](...how);
};

function ask(what) {
  const before = asking;
  asking = what;
  panels();
  document.querySelector(`[data-key="${what ? "no" : before}"]`)?.focus();
}

// Actions -------------------------------------------------------------------------------------------

function sit(who) {
  table.sit(who);
  show();
  return come();
}

/** Reports the arrival of the player here, or that the token is invalid. */
async function come() {
  const { token } = seats;
  const { valid, list } = await session.come(seats);
  if (list) lobby.take(list);
  if (!valid && !ended && token === seats.token) await deny(token);
  await lobby.watch();
}

/** Takes the seat that a link contains. Reports a link that is cut short or mistyped. */
async function arrive() {
  const came = await seats.arrive((token) => session.knows(token));
  await begun;
  if (!table.kept || ended) return undefined;
  if (came) return sit(seats.who);
  return seats.broken ? deny(null) : come();
}

/** Reports that the link with this token is invalid. */
async function deny(token) {
  await table.refuse({ document: { type: "unauthorized" } }, token);
  const { title } = table.problem;
  if (table.text.on) await table.text.follow();
  table.text.mode?.tell([title]);
  show();
}

async function verify() {
  verdict = (await checked(api, session, table.kept).catch(unanswered))
    ?? { problem: { title: say("away"), detail: "" } };
  panels();
  const lines = [...at("verdict").querySelectorAll("p, li")].map(({ textContent }) => textContent);
  if (table.text.mode) table.text.mode.tell(lines);
  else table.announcer.tell(lines);
}

/** Loads the entries before the first visible entry. */
async function earlier() {
  const first = Math.min(...entries.keys());
  const answer = await session.read(`/events?after=${Math.max(0, first - 201)}`).catch(() => null);
  for (const entry of answer?.ok ? answer.document.events : [])
    if (entry.version < first) entries.set(entry.version, entry);
  panels();
}

// Beginning and end ---------------------------------------------------------------------------------

/** Shows that the table does not exist, or no longer exists. */
function end(problem) {
  ended = () => end(problem);
  const worked = at("main").contains(document.activeElement);
  connection.end();
  lobby.close();
  waiting.end();
  draw(at("waiting"));
  table.replay.end();
  table.text.close();
  showHead();
  at("beside").hidden = true;
  draw(at("tools"));
  draw(at("strip"));
  const deleted = !problem || code(problem) !== "not-found";
  if (deleted) seats.forget();
  at("heading").textContent = say("live");
  document.title = `${say("live")} · ${say("title")}`;
  table.announcer.tell([]);
  const text = say(deleted ? "deleted" : "no_table");
  draw(at("board"),
    h("div", { class: "felt" },
      h("div", { class: "refusal", role: "alert" }, text),
      h("p", {}, h("a", { href: "/table" }, say("another")))));
  if (worked) at("board").querySelector("a").focus();
}

async function speak(next) {
  say = connection.say = sayer(next.tag);
  api.language = next.tag;
  if (ended) ended();
  if (!table.kept || ended) return;
  (await insist(() => table.learn(table.kept.game)))();
  show();
}

arrive();
connection.show();
const begun = follower.begin();
await begun;
