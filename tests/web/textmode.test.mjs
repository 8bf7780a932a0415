import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { element, later, page, settled, tableOf } from "./stubs.mjs";
import { early } from "../../service/dice_referee/web/static/text/answers.js";
import { TextMode } from "../../service/dice_referee/web/static/text/textmode.js";

const keep = (dice, points, diceLeft) =>
  ({ dice, points, bonus: 0, turn_points: points, next: { phase: "roll", dice_to_roll: diceLeft } });
const KEEPS = [keep([1], 100, 5), keep([1, 1], 200, 4)];
const DECK = [{ id: "bonus-400", title: "Bonus 400" }, { id: "stop", title: "Stop" }];

let mode;
let table;
let requests;
let news;

/** Creates the text mode of Ada at a table. `news` are the answers in sentences, in order. */
function typing({ game = "tutto", seats = {}, kept = {}, ...more } = {}) {
  [requests, news] = [[], []];
  const hear = async (part) => {
    requests.push(decodeURIComponent(part));
    return news.shift() ?? { ok: true, version: table.kept.version, lines: [] };
  };
  table = tableOf({
    game, session: { hear }, turn: {}, judged: null, log: [], changes: [], signals: [],
    seats: { who: 0, token: "mine", host: null, actsFor: (player) => player === 0, goTo: mock.fn(), ...seats },
    kept: {
      status: "running", player: 0, dice: "client", version: 2, legal_events: ["draw"], players: ["Ada", "Ben"],
      rematch: null, ...kept,
    },
    catalogue: { deck: DECK, categories: [] },
    change: async (...change) => (table.changes.push(change), table.reply ?? { ok: true }),
    tell: (kind) => table.signals.push(kind),
    ...more,
  });
  mode = new TextMode(table, element());
  table.text = { mode, toggle: mock.fn() };
}

const lines = () => mode.log.children.map(({ textContent }) => textContent);

function enter(line) {
  mode.input.value = line;
  mode.enter({ preventDefault: () => {} });
}

/** Types a line, and returns the lines of the answer. */
async function type(line) {
  const before = lines().length;
  enter(line);
  await settled();
  assert.equal(lines()[before], line);
  return lines().slice(before + 1);
}

/** Presses a key in the input, and returns its text afterwards. */
function pressed(key) {
  mode.recall({ key, preventDefault: () => {} });
  return mode.input.value;
}

beforeEach(() => {
  page();
  typing();
});

test("the log begins with the state, then has each event once", async () => {
  news.push({ ok: true, version: 2, lines: ["Ada to play."] },
    { ok: true, version: 4, lines: ["Ben drew.", "Ben rolled."] });
  await mode.follow();
  await mode.follow();
  assert.deepEqual([requests, lines()], [["?seat=0"], ["Type help to see the commands.", "Ada to play."]]);
  assert.deepEqual([document.activeElement, mode.log.dataset.version], [mode.input, 2]);
  table.kept = { ...table.kept, version: 3 };
  await mode.follow();
  assert.deepEqual([requests.at(-1), lines().slice(2)], ["/events?after=2&seat=0", ["Ben drew.", "Ben rolled."]]);
  table.kept = { ...table.kept, version: 4 };
  await mode.follow();
  assert.equal(requests.length, 2);
});

test("events without an answer are requested again", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  news.push({ ok: false, lines: [] }, { ok: true, version: 2, lines: ["Ada to play."] });
  const followed = mode.follow();
  await later(1900);
  assert.equal(requests.length, 1);
  await later(200);
  await followed;
  assert.deepEqual([requests.length, lines().at(-1)], [2, "Ada to play."]);
  mock.timers.reset();
});

test("a closed text mode sends no requests", async () => {
  table.text.mode = null;
  await mode.follow();
  assert.deepEqual(requests, []);
});

test("the log keeps its last lines", () => {
  mode.tell(Array.from({ length: 500 }, (_, at) => `line ${at}`));
  assert.deepEqual([lines().length, lines()[0], lines().at(-1)], [400, "line 100", "line 499"]);
});

test("a move is sent, and logged as an event", async () => {
  assert.deepEqual(await type("draw b"), []);
  assert.deepEqual(table.changes, [["/events", { type: "draw", card: "bonus-400" }, "mine"]]);
  assert.equal(mode.log.children.at(-1).getAttribute("aria-hidden"), "true");
});

test("lines are executed in order", async () => {
  const done = [];
  table.change = (_part, event) => new Promise((answered) => done.push(() => answered({ ok: true, event })));
  enter("draw stop");
  enter("undo");
  await settled();
  assert.equal(done.length, 1);
  done[0]();
  await settled();
  assert.equal(done.length, 2);
});

test("a refusal has rules, and each reason once", async () => {
  const finding = { rule: "T2.5", detail: "Nobody banks before a roll." };
  table.reply = { ok: false, document: { findings: [finding, finding, { rule: "T2.2", detail: "No 6." }] } };
  assert.deepEqual(await type("draw stop"), ["T2.5: Nobody banks before a roll.", "T2.2: No 6."]);
  table.reply = { ok: false, document: { title: "Too many.", findings: [] } };
  assert.deepEqual(await type("draw stop"), ["Too many."]);
});

test("spectators cannot play", async () => {
  typing({ seats: { token: null, actsFor: () => false, who: null } });
  for (const line of ["draw stop", "undo"]) assert.deepEqual(await type(line), ["You are watching."]);
  assert.deepEqual(table.changes, []);
  await type("what");
  assert.deepEqual(requests, ["/events?after=2"]);
});

test("unknown and incomplete commands are explained", async () => {
  assert.deepEqual(await type("drow"), [
    "There is no command “drow”. There are:",
    "roll, keep, bank, what, score, last, rules, odds, line, undo, check, again, table, help",
  ]);
  assert.deepEqual(await type("draw"), ["Which card? Bonus 400, Stop"]);
  assert.match((await type("keep"))[0], /^Which dice\? For example: 1 5;/);
  const before = lines();
  enter("  ");
  await settled();
  assert.deepEqual(lines(), before);
});

test("questions are answered in the service's sentences", async () => {
  const parts = { "?": "/events?after=2&seat=0", last: "/events?after=1&seat=0", odds: "/odds?seat=0" };
  for (const [line, part] of Object.entries(parts)) {
    news.push({ ok: true, version: 2, lines: ["One.", "Two."] });
    assert.deepEqual(await type(line), ["One.", "Two."]);
    assert.equal(requests.at(-1), part);
  }
  news.push({ ok: true, version: 2, lines: ["Points: you 0.", "Your turn."] });
  table.meter = { words: () => ["Win probability: Ada 60%"] };
  assert.deepEqual(await type("s"), ["Points: you 0.", "Win probability: Ada 60%"]);
  table.odds = { aimFields: () => ({ aim: "win" }) };
  await type("odds");
  assert.equal(requests.at(-1), "/odds?aim=win&seat=0");
});

test("the command line shows the game line", async () => {
  const answers = [{ ok: true, document: { line: "tutto: Ada, Ben: stop" } }, { ok: false }];
  table.session.read = async (part) => (part === "/game" ? answers.shift() : null);
  assert.deepEqual(await type("line"), ["tutto: Ada, Ben: stop"]);
  assert.deepEqual(await type("line"), [table.say("away")]);
});

test("a question without an answer is reported", async () => {
  news.push({ ok: false, lines: [] });
  assert.deepEqual(await type("what"), [table.say("away")]);
});

test("rules are shown by number, or those of the last event", async () => {
  for (const number of ["T5.4", "T2.1"]) table.book.rules.set(number, { number, text: `About ${number}.` });
  assert.deepEqual(await type("rules t5.4"), ["T5.4: About T5.4."]);
  assert.deepEqual(await type("rules y1"), ["There is no such rule. For example: rules T5.4."]);
  assert.deepEqual(await type("rules"), ["There is no such rule. For example: rules T5.4."]);
  table.log = [{ rules: ["T2.1", "T5.4"] }, { rules: [] }];
  assert.deepEqual(await type("rule"), ["T2.1: About T2.1.", "T5.4: About T5.4."]);
});

test("undo uses the host's token if present", async () => {
  await type("undo");
  table.seats.rights = "host";
  await type("u");
  assert.deepEqual(table.changes, [["/undo", null, "mine"], ["/undo", null, "host"]]);
});

test("help lists the commands of game and language", async () => {
  const help = await type("help");
  assert.deepEqual([help.length, help[1], help.at(-1)],
    [14, "keep, hold, k, h: set these dice aside: set aside 1 5, or just 1 5", "help: hear this list"]);
  assert.ok(!help.join().includes("drawn table:"));
  typing({ game: "pot", language: "de" });
  assert.deepEqual((await type("hilfe"))[1],
    "behalten, halten, keep, hold, k, h: diese Würfel liegen lassen und den Rest werfen: 2 2 liegen lassen");
});

test("a running game has neither check nor rematch", async () => {
  for (const line of ["check", "again"]) assert.deepEqual(await type(line), ["The game is not over yet."]);
  assert.deepEqual([table.signals, table.changes], [[], []]);
});

test("a move after the end names the command for another game", async () => {
  for (const [language, over] of [
    ["en", "The game is over. Type again to play again."],
    ["de", "Das Spiel ist aus. Tipp nochmal, um noch einmal zu spielen."],
    ["fr", "La partie est finie. Tapez rejouer pour en commencer une autre."],
    ["it", "La partita è finita. Scrivi rigioca per giocarne un’altra."],
  ]) {
    typing({ language, kept: { status: "over", legal_events: [] } });
    for (const line of ["draw", "roll", "roll 1 2", "keep 1", "bank", "7 7", "5 5 5 5", "odds"])
      assert.deepEqual(await type(line), [over], line);
    assert.deepEqual([table.changes, requests], [[], []]);
  }
  typing({ kept: { status: "abandoned", legal_events: [] } });
  assert.deepEqual(await type("roll"), ["The game is over. Type again to play again."]);
});

test("a finished game is checked by the page", async () => {
  typing({ kept: { status: "over" } });
  assert.deepEqual(await type("fair"), []);
  assert.deepEqual(table.signals, ["check"]);
});

test("a rematch is opened once", async () => {
  typing({ kept: { status: "over" } });
  table.change = async (...change) => {
    table.changes.push(change);
    table.kept = { ...table.kept, rematch: "next" };
    return { ok: true };
  };
  await type("again");
  await type("rematch");
  assert.deepEqual(table.changes, [["/rematch", null, "mine"]]);
  assert.deepEqual(table.seats.goTo.mock.calls.map(({ arguments: [id] }) => id), ["next", "next"]);
  typing({ kept: { status: "over" }, seats: { token: null } });
  assert.deepEqual(await type("again"), ["You are watching."]);
  typing({ kept: { status: "over", rematch: "next" }, seats: { token: null } });
  assert.deepEqual([await type("again"), table.seats.goTo.mock.callCount()], [["You are watching."], 0]);
});

test("a command returns to the drawn table", async () => {
  await type("table");
  assert.equal(table.text.toggle.mock.callCount(), 1);
});

test("the arrow keys restore typed lines", async () => {
  await type("score");
  await type("help");
  assert.deepEqual(["ArrowUp", "ArrowUp", "ArrowUp", "ArrowDown", "ArrowDown", "a"].map(pressed),
    ["help", "score", "score", "help", "", ""]);
});

// Early input ----------------------------------------------------------------------------------------

/** Returns the lines that answer an early event in a position. */
function earlyAnswer(eventType, legal, { language = "en", ...position } = {}) {
  typing({ language, kept: { legal_events: legal }, ...position });
  return early(table, { type: eventType });
}

test("early input names the next event in the reader's language", () => {
  assert.deepEqual(earlyAnswer("keep", ["draw"]), ["Draw a card first."]);
  assert.deepEqual(earlyAnswer("keep", ["draw"], { language: "de" }), ["Zieh zuerst eine Karte."]);
  assert.deepEqual(earlyAnswer("keep", ["roll"], { turn: { dice_to_roll: 6 } }), ["Roll 6 dice."]);
  assert.deepEqual(earlyAnswer("keep", ["roll"], { turn: { dice_to_roll: 1 }, language: "fr" }), ["Lancer un dé."]);
  assert.deepEqual(earlyAnswer("accept", ["roll"]), ["Roll."]);
  assert.deepEqual(earlyAnswer("roll", ["accept"]), ["Accept."]);
  const categoriesWith = (satisfied) =>
    ({ judged: { categories: [{ open: true, satisfied }, { open: false, satisfied: true }] } });
  assert.deepEqual(earlyAnswer("roll", ["write", "strike"], categoriesWith(true)), ["Score in a category."]);
  assert.deepEqual(earlyAnswer("roll", ["strike"], categoriesWith(false)), ["Cross out a category."]);
});

test("an early roll names the best keeps, the shortest first", () => {
  const judged = { legal_keeps: KEEPS };
  assert.deepEqual(earlyAnswer("roll", ["keep"], { judged }), ["Set dice aside first: 1, or 1 1."]);
  assert.deepEqual(earlyAnswer("roll", ["keep"], { judged, language: "de" }), ["Leg zuerst etwas heraus: 1 oder 1 1."]);
  assert.deepEqual(earlyAnswer("roll", ["keep"], { judged: { legal_keeps: KEEPS.slice(0, 1) } }),
    ["Set dice aside first: 1."]);
});

test("the service judges legal events, other seats and banking a roll", () => {
  assert.equal(earlyAnswer("draw", ["draw"]), null);
  assert.equal(earlyAnswer("bank", ["keep"], { judged: { legal_keeps: KEEPS } }), null);
  assert.deepEqual(earlyAnswer("bank", ["draw"]), ["Draw a card first."]);
  typing({ kept: { player: 1 } });
  assert.equal(early(table, { type: "keep" }), null);
  typing({ kept: { status: "over" } });
  assert.equal(early(table, { type: "keep" }), null);
});
