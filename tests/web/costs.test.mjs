import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { control, drawing, page, parts, settled, tableOf, texts } from "./stubs.mjs";
import { review } from "../../service/dice_referee/web/static/table/costs.js";

const decision = (index, loss, unit = "points", event = { type: "bank" }, advice = { type: "roll" }) =>
  ({ index, player: index % 2, event, advice, loss, unit });
const RECORD = {
  ruleset: "official", options: { target: 50 }, players: ["Ada", "Ben"],
  log: [{ type: "draw", card: "stop" }, { type: "draw", card: "double" }, { type: "bank" }],
};

let requests;
let game;
let replies;
let table;

/** Creates a finished game whose reviews are `replies`, in order. */
function finishedGame(more = {}) {
  [requests, game] = [[], { record: RECORD }];
  table = tableOf({ game: "tutto", turn: { scores: [0, 0] }, ...more });
  Object.assign(table.api, { ask: async (path, question) => {
    requests.push([path, question.aim ?? null]);
    const reply = replies.shift();
    if (reply instanceof Error) throw reply;
    return reply;
  } });
}

const reviewAnswer = (...decisions) => ({ ok: true, document: { decisions } });
const refusal = (document) => ({ ok: false, document });
/** Reviews the game, and returns the drawing. */
async function open() {
  await review(table, game);
  return game.costs(table);
}

beforeEach(() => {
  page();
  replies = [];
  finishedGame();
});

test("the five costliest decisions are listed", async () => {
  replies.push(reviewAnswer(...[3, 0.04, 20, 7, 11.06, 5, 1].map((loss, index) => decision(index, loss))));
  const drawn = await open();
  assert.deepEqual(texts(drawn, "small").filter((_, at) => at % 2),
    [20, 11.1, 7, 5, 3].map((loss) => `${loss} points given away`));
  assert.deepEqual(requests, [["/v1/tutto/reviews", "win"]]);
});

test("losses have the units points and chances, pips are omitted", async () => {
  replies.push(reviewAnswer(decision(0, 0.5, "win-chance"), decision(1, 0.1234, "chance"), decision(2, 9, "sum"),
    decision(3, 0.0004, "win-chance")));
  assert.deepEqual(texts(await open(), "small").filter((_, at) => at % 2), [
    "50 percentage points of win probability given away",
    "12.3 percentage points of the probability to beat the holder given away",
  ]);
});

for (const [language, text] of [["de", "7 Punkte verschenkt"], ["fr", "7 points perdus"], ["it", "7 punti persi"]])
  test(`costs are in ${language}`, async () => {
    finishedGame({ language });
    replies.push(reviewAnswer(decision(0, 7)));
    assert.ok(texts(await open(), "small").includes(text));
  });

test("decisions of the computer are marked", async () => {
  replies.push(reviewAnswer(decision(0, 7), decision(2, 6)));
  const entry = (version, by, type) => ({ version, by, event: { type } });
  game.events = [
    entry(1, "seat", "draw"), entry(2, "host", "substituted"), entry(3, "seat", "draw"), entry(4, "host", "undone"),
    entry(5, "seat", "draw"), entry(6, "bot", "bank"),
  ];
  table.undone = new Set([3]);
  assert.deepEqual(texts(await open(), "span").map((text) => text.includes("(computer)")), [false, true]);
});

test("each decision shows its turn, its card and its roll", async () => {
  replies.push(reviewAnswer(decision(6, 7, "points", { type: "keep", dice: [5] })));
  const moves = [
    [0, { type: "draw", card: "stop" }, { reason: "stop" }], [1, { type: "draw", card: "double" }],
    [1, { type: "roll", dice: [1, 2, 3, 3, 4, 6] }], [1, { type: "keep", dice: [1] }],
    [1, { type: "draw", card: "clover" }], [1, { type: "roll", dice: [2, 3, 3, 4, 5] }],
  ];
  // The index counts no entry that leaves the table unchanged.
  game.events = moves.map(([player, event, outcome = null], at) =>
    ({ version: at + 1, by: "seat", player, event, outcome }));
  game.events.splice(2, 0, { version: 9, by: "host", player: 1, event: { type: "reissued", player: 0 } });
  game.events.push({ version: 10, by: "seat", player: 1, event: { type: "keep", dice: [5] }, outcome: null });
  table.undone = new Set();
  game.record = { ...RECORD, log: moves.map(([, event]) => event) };
  const [situation] = parts(await open(), ".situation");
  assert.deepEqual([situation.textContent, situation.querySelector(".few").getAttribute("aria-label")],
    ["Turn 2 · clover ", "2 3 3 4 5"]);
});

test("each decision shows the better choice, and opens in the playground", async () => {
  const events = [
    [{ type: "keep", dice: [1, 5] }, "Set aside 1 5"], [{ type: "roll", held: [2, 2] }, "Hold 2 2"],
    [{ type: "roll", held: [] }, "Roll all dice again"],
    [{ type: "write", category: "house" }, "house"], [{ type: "strike", category: "house" }, "Cross out house"],
    [{ type: "roll" }, "Roll"], [{ type: "bank" }, "Bank"],
  ];
  for (const [event, text] of events) {
    finishedGame();
    replies.push(reviewAnswer(decision(2, 7, "points", event, event)));
    const drawn = await open();
    assert.deepEqual([texts(drawn, "span")[0], texts(drawn, "small")[0]],
      [`Ada: ${text}`, `The perfect computer: ${text}`]);
    assert.equal(control(drawn, "cost-2").getAttribute("href"),
      "/#tutto?ruleset=official&target=50&players=Ada,Ben&log=draw:stop.draw:double");
  }
});

const DID = {
  en: [
    "Ada: 2 of 3 decisions like the perfect computer’s", "Ben: 1 of 2 decisions like the perfect computer’s",
    "The perfect computer: Roll",
  ],
  de: [
    "Ada: 2 von 3 Entscheidungen wie der perfekte Computer", "Ben: 1 von 2 Entscheidungen wie der perfekte Computer",
    "Der perfekte Computer: Würfeln",
  ],
  fr: [
    "Ada, décisions comme l’ordinateur parfait : 2 sur 3", "Ben, décisions comme l’ordinateur parfait : 1 sur 2",
    "L’ordinateur parfait : Lancer",
  ],
  it: [
    "Ada, decisioni come il computer perfetto: 2 su 3", "Ben, decisioni come il computer perfetto: 1 su 2",
    "Il computer perfetto: Lancia",
  ],
};
for (const [language, [first, second, better]] of Object.entries(DID))
  test(`decisions are compared with the perfect computer’s in ${language}`, async () => {
    finishedGame({ language });
    replies.push(
      reviewAnswer(...[0, 0.07, 0.0004, 0, 0.002].map((loss, index) => decision(index, loss, "win-chance"))));
    const drawn = await open();
    assert.deepEqual([texts(drawn, "p"), texts(drawn, "small")[0]], [[first, second], better]);
  });

test("the player here is addressed in what the perfect computer would have done", async () => {
  finishedGame({ own: (player) => player === 0 });
  replies.push(reviewAnswer(decision(0, 0)), reviewAnswer(decision(0, 0.5, "win-chance")));
  assert.deepEqual(texts(await open(), "p"),
    ["You: 1 of 1 decisions like the perfect computer’s", "No decision gave anything away."]);
  assert.deepEqual(texts(await open(), "span"), ["You: Bank"]);
});

test("a game without a value table is measured by the turn, with the reason", async () => {
  replies.push(refusal({ findings: [{ detail: "No table." }] }), reviewAnswer(decision(0, 7)));
  const drawn = await open();
  assert.deepEqual(requests.map(([, aim]) => aim), ["win", null]);
  assert.deepEqual(texts(drawn, ".no-table"), ["No table. So each decision is measured by its turn alone."]);
  assert.deepEqual([texts(drawn, "p").length, texts(drawn, "small")[0]], [1, "Better: Roll"]);
});

test("Tutto for three is measured by the turn", async () => {
  finishedGame({ turn: { scores: [0, 0, 0] } });
  replies.push(reviewAnswer());
  assert.deepEqual(texts(await open(), "p"), ["No decision gave anything away."]);
  assert.deepEqual(requests.map(([, aim]) => aim), [null]);
});

test("a refused review is shown, and repeated at a press", async () => {
  replies.push(refusal({ detail: "Wait a little." }), new TypeError("Failed to fetch"), reviewAnswer(decision(0, 7)));
  const press = async (drawn) => {
    control(drawn, "costs").click();
    await settled();
    return game.costs(table);
  };
  const first = await open();
  assert.deepEqual([texts(first, ".hint"), table.announcer.said.at(-1)], [["Wait a little."], "Wait a little."]);
  const second = await press(first);
  assert.deepEqual(texts(second, ".hint"), [table.say("away")]);
  assert.equal(texts(await press(second), "li").length, 1);
});

test("a review is requested once", async () => {
  let answered;
  Object.assign(table.api, { ask: mock.fn(() => new Promise((done) => (answered = done))) });
  review(table, game);
  review(table, game);
  assert.equal(table.api.ask.mock.callCount(), 1);
  assert.equal(drawing(game.costs(table)).textContent, "The game is being reviewed …");
  answered(reviewAnswer());
  await settled();
});
