import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { control, drawing, later, page, settled, tableOf, texts } from "./stubs.mjs";
import { below, choice, furtherAim, tell } from "../../service/dice_referee/web/static/games/aims.js";
import { Odds, oddsOfSession, oddsOfTurn } from "../../service/dice_referee/web/static/games/weighing.js";

const CHOICES = [
  { event: { type: "roll", held: [5, 5, 5] }, value: 354.18 },
  { event: { type: "write", category: "house" }, value: 354.16 },
  { event: { type: "roll", held: [] }, value: 340 },
  { event: { type: "strike", category: "yatzee" }, value: 355 },
];
/** Creates a table of Yatzee that shows an answer's odds of the whole game. */
function yatzee(answer, more = {}) {
  const table = tableOf({
    game: "yatzee", turn: { roll: [4, 4, 5, 5, 5, 6] }, judged: { categories: [{ category: "house", points: 28 }] },
    ...more,
  });
  return Object.assign(table, { odds: { answer, further: { on: true, toggle: mock.fn() }, telling: true } });
}

beforeEach(() => page());

test("Yatzee has the aim game, Tutto and POT for two the aim win", () => {
  const aims = [
    ["yatzee", {}], ["tutto", { scores: [0, 0] }], ["tutto", { scores: [0, 0, 0] }], ["tutto", {}],
    ["pot", { coins: [3, 3] }], ["pot", { coins: [3, 3, 3] }], ["yatzee", undefined],
  ];
  assert.deepEqual(aims.map(([game, turn]) => furtherAim(tableOf({ game, turn }))),
    ["game", "win", null, null, "win", null, "game"]);
});

test("choices for the whole game show their loss against the best", () => {
  const table = yatzee({ game: { choices: CHOICES, best: 3, value: 355 } });
  const list = below(table);
  assert.deepEqual(texts(list, ".odds"), [
    "★ Best 355.0 still to come", "354.2 still to come · 0.8 less", "354.2 still to come · 0.8 less",
    "340.0 still to come · 15.0 less",
  ]);
  assert.deepEqual(texts(list, ".lines").map((text) => text.replace(/\d/g, "")),
    ["Cross out yatzee", "", "house", "Roll all  again"]);
  control(list, "game-0").click();
  assert.deepEqual([table.sure, table.plays], ["yatzee", []]);
  control(list, "game-1").click();
  assert.deepEqual([...table.chosen], [2, 3, 4]);
  control(list, "game-2").click();
  assert.deepEqual(table.plays, [{ type: "write", category: "house" }]);
});

test("the best of equal choices is first", () => {
  const equal = CHOICES.map((option) => ({ ...option, value: 100 }));
  assert.deepEqual(texts(below(yatzee({ game: { choices: equal, best: 2, value: 100 } })), ".odds")[0],
    "★ Best 100.0 still to come");
});

test("the expected rest of the game is shown before a roll", () => {
  const words = {
    en: "For the whole game: 354.2 still to come", de: "Für das ganze Spiel: noch 354,2 zu erwarten",
    fr: "Pour toute la partie : encore 354,2 à attendre", it: "Per tutta la partita: ancora 354,2 da attendersi",
  };
  for (const [language, text] of Object.entries(words)) {
    const drawn = drawing(below(yatzee({ game: { choices: [], value: 354.2 } }, { language })));
    assert.equal(drawn.textContent.replaceAll("\u00a0", " "), text);
  }
  assert.equal(below(yatzee({})), null);
  assert.equal(below(yatzee(null)), null);
});

test("a missing aim shows its reason, and announces it once", () => {
  const table = yatzee({ note: "There is no table." });
  const text = "There is no table. These are the odds of this turn alone.";
  assert.equal(drawing(below(table)).textContent, text);
  tell(table);
  tell(table);
  assert.deepEqual(table.announcer.said, [text]);
});

test("only games with an aim have a choice", () => {
  const table = yatzee(null);
  const changed = mock.fn();
  const drawn = choice(table, changed);
  assert.deepEqual(texts(drawn, "label"), [" this turn", " the whole game"]);
  control(drawn, "aim-turn").dispatchEvent(new Event("change"));
  assert.deepEqual([table.odds.further.toggle.mock.calls[0].arguments, changed.mock.callCount()], [[false], 1]);
  assert.equal(choice(Object.assign(yatzee(null), { catalogue: { rulesets: [] } }), changed), null);
});

// Requests for odds ----------------------------------------------------------------------------------

const ODDS = {
  value: 800, choices: [{ event: { type: "bank" }, value: 700 }, { event: { type: "keep", dice: [1] }, value: 800 }],
  best: 1,
};

/** Creates a table that shows odds, answered by `reply`. Returns the table and the list of its requests. */
function oddsTable(game = "tutto", reply = async () => ({ ok: true, document: ODDS })) {
  const requests = [];
  const odds = new Odds(({ turn }) => (turn.roll ? JSON.stringify(turn) : null), async (_, aim) => {
    requests.push(aim);
    return reply(aim);
  });
  odds.toggle(true);
  return { requests, table: tableOf({ game, odds, turn: { roll: [1, 5], scores: [0, 0] } }) };
}

test("odds of a position are requested once", async () => {
  const { requests, table } = oddsTable();
  assert.deepEqual([table.odds.pending(table), table.odds.pending(table)], [true, false]);
  await settled();
  assert.deepEqual([table.shown, table.odds.pending(table), requests.length], [1, false, 1]);
  assert.deepEqual([{ type: "bank" }, { type: "keep", dice: [1] }].map((event) => table.odds.of(event).best),
    [false, true]);
  assert.equal(table.odds.of({ type: "keep", dice: [5] }), null);
  table.odds.toggle(false);
  assert.deepEqual([table.odds.pending(table), table.odds.turnAnswer], [false, null]);
  table.odds.toggle(true);
  assert.equal(table.odds.pending(table), false);
  assert.deepEqual([table.odds.turnAnswer.value, requests.length], [800, 1]);
  table.turn = { phase: "draw" };
  assert.equal(table.odds.pending(table), false);
});

test("the switch of the odds is off at first, and stored", () => {
  const create = () => new Odds(() => null, () => null);
  assert.equal(create().on, false);
  create().toggle();
  assert.equal(create().on, true);
  create().further.toggle();
  assert.equal(create().further.on, true);
});

test("late odds are drawn on arrival", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  let answered;
  const { table } = oddsTable("tutto", () => new Promise((done) => (answered = done)));
  table.odds.pending(table);
  await later(300);
  assert.equal(table.shown, 0);
  await later(200);
  assert.equal(table.shown, 1);
  answered({ ok: true, document: ODDS });
  await settled();
  assert.equal(table.shown, 2);
  mock.timers.reset();
});

test("odds fall back to the turn if the aim is refused", async () => {
  const refusal = { ok: false, document: { findings: [{ detail: "No table." }] } };
  const { requests, table } = oddsTable("yatzee", async ({ aim }) => (aim ? refusal : { ok: true, document: ODDS }));
  table.odds.further.toggle(true);
  table.odds.pending(table);
  await settled();
  table.odds.pending(table);
  assert.deepEqual([requests, table.odds.answer.note], [[{ aim: "game" }, {}], "No table."]);
  table.api.language = "de";
  assert.equal(table.odds.pending(table), true);
  await settled();
});

test("POT for two requests odds with its aim", async () => {
  const { requests, table } = oddsTable("pot");
  table.odds.further.toggle(true);
  table.odds.pending(table);
  await settled();
  assert.deepEqual(requests, [{ aim: "win" }]);
});

test("odds without an answer are null, faults of the page throw", async () => {
  const { table } = oddsTable("tutto", async () => {
    throw new TypeError("Failed to fetch");
  });
  table.odds.pending(table);
  await settled();
  assert.deepEqual([table.odds.pending(table), table.odds.turnAnswer], [false, null]);
});

test("requests for odds contain the position without its outcome", async () => {
  const requests = [];
  const odds = oddsOfTurn({ ask: async (...question) => (requests.push(question), { ok: true, document: ODDS }) });
  odds.toggle(true);
  const table = tableOf({ game: "pot", odds, turn: { phase: "choose", roll: [1, 2], outcome: null } });
  odds.pending(table);
  await settled();
  assert.deepEqual(requests, [["/v1/pot/odds", { phase: "choose", roll: [1, 2] }]]);
  for (const turn of [null, { phase: "over" }, { phase: "refused" }])
    assert.equal(odds.requestKey({ ...table, turn }), null);
  assert.equal(odds.requestKey({ ...table, problem: {} }), null);
});

test("odds of a session need a running game and the host's permission", () => {
  const odds = oddsOfSession({});
  odds.toggle(true);
  const state = { status: "running", odds: true, version: 3, turn: {} };
  const keyOf = (more, table = {}) => odds.requestKey({ game: "pot", kept: { ...state, ...more }, ...table });
  assert.equal(keyOf({}), "[3,{}]");
  assert.deepEqual([
    keyOf({ odds: false }), keyOf({ status: "over" }), keyOf({}, { pending: true }),
    keyOf({}, { replay: { busy: true } }),
  ],
  [null, null, null, null]);
});
