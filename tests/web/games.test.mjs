// Tests of the decisions in the views of the games: tutto.js, yatzee.js and pot.js.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { control, page, parts, settled, tableOf, texts } from "./stubs.mjs";
import { button as buttonOf, emphasized } from "../../service/dice_referee/web/static/games/parts.js";
import { pot } from "../../service/dice_referee/web/static/games/pot.js";
import { facesOf, rollDice } from "../../service/dice_referee/web/static/games/tray.js";
import { h } from "../../service/dice_referee/web/static/shared/dom.js";
import { tutto } from "../../service/dice_referee/web/static/games/tutto.js";
import { yatzee } from "../../service/dice_referee/web/static/games/yatzee.js";

const BOX = Array(6).fill([1, 2, 3, 4, 5, 6]);
const POT_BOX = [[1, 2, 3, 4, 5, "P"], [1, 2, 3, 4, 5, "O"], [1, 2, 3, 4, 5, "T"]];
const CATEGORIES = [
  ["ones", "Y3.1"], ["fives", "Y3.1"], ["royal", "Y3.2"], ["yatzee", "Y3.2"], ["chance", "Y3.2"],
].map(([id, rule]) => ({ id, title: id, rule }));

beforeEach(() => page());

/** Joins the parts of a view's drawing. */
const all = (view, table) => Object.values(view.draw(table)).flat(5).filter(Boolean);

// Dice ------------------------------------------------------------------------------------------------

test("faces of a box are its numbers, then its letters", () => {
  assert.deepEqual([facesOf(BOX), facesOf(POT_BOX)], [[1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, "P", "O", "T"]]);
});

test("each rolled die shows any of its own faces", () => {
  const rolls = Array.from({ length: 400 }, () => rollDice(POT_BOX));
  POT_BOX.forEach((faces, at) => assert.deepEqual(new Set(rolls.map((dice) => dice[at])), new Set(faces)));
});

for (const [view, turn, type, count] of [
  [tutto, { phase: "roll", card: "double", dice_to_roll: 4 }, "roll", 4], [yatzee, { phase: "roll" }, "roll", 6],
  [pot, { phase: "roll" }, "roll", 3],
])
  test(`the page rolls ${count} dice for a ${type}, the service gets none`, () => {
    const catalogue = { dice: view === pot ? POT_BOX : BOX, deck: [], categories: CATEGORIES };
    const table = tableOf({ roller: "visitor", turn, catalogue, entered: [] });
    control(all(view, table), "roll").click();
    const [{ dice, ...event }] = table.plays;
    assert.deepEqual([event, dice.length], [{ type }, count]);
    const service = tableOf({ roller: "service", turn, catalogue, entered: [] });
    control(all(view, service), "roll").click();
    assert.deepEqual(service.plays[0].dice, undefined);
    assert.equal(control(all(view, tableOf({ roller: "people", turn, catalogue, entered: [] })), "roll"), null);
    assert.deepEqual(
      texts(all(view, tableOf({ mine: false, roller: "service", turn, catalogue, entered: [] })), "button"), []);
  });

test("entered dice are announced, removed, and played when complete", () => {
  const table = tableOf(
    { roller: "people", turn: { phase: "roll" }, catalogue: { dice: POT_BOX, deck: [] }, entered: [] });
  const press = (key, more = {}) =>
    parts(all(pot, table), ".tray").forEach((tray) =>
      tray.dispatchEvent(Object.assign(new Event("keydown"), { key, ...more })));
  ["5", "p", "Backspace", "x", "6", "Backspace"].forEach((key) => press(key));
  press("5", { ctrlKey: true });
  assert.deepEqual([table.announcer.said, table.entered],
    [["5, 1 of 3", "P, 2 of 3", "P removed, 1 of 3", "5 removed, 0 of 3"], []]);
  for (const face of ["5", "P"]) control(all(pot, table), `face-${face}`).click();
  control(all(pot, table), "slot-0").click();
  for (const face of ["1", "2"]) control(all(pot, table), `face-${face}`).click();
  assert.deepEqual(table.plays, [{ type: "roll", dice: ["P", 1, 2] }]);
});

// Tutto ---------------------------------------------------------------------------------------------------

const keep = (dice, points, more = {}) => ({
  dice, points, bonus: 0, turn_points: points, lines: [], effects: [],
  next: { phase: "roll", dice_to_roll: 6 - dice.length }, ...more,
});
const judgedOf = (legal_keeps, more = {}) =>
  ({ status: "scoring", legal_keeps, rules: [], bank: null, next: null, ...more });
const rollTable = (more = {}) =>
  tableOf({
    turn: { phase: "keep", card: "bonus-300", roll: [1, 5, 2, 3, 4, 6] },
    judged: judgedOf([keep([1, 5], 150), keep([1], 100)], {
      bank: {
        dice: [], lines: [], effects: [], turn_points: 150,
        next: { phase: "over", outcome: { reason: "banked", points: 150 } },
      },
    }),
    roller: "service", ...more,
  });

test("the heading of a roll is its maximum points, of a bust its name", () => {
  const heading = (table) => texts(all(tutto, table), ".verdict-word")[0];
  const say = (language) => heading(rollTable({ language }));
  assert.deepEqual(["en", "de", "fr", "it"].map(say),
    ["Up to 150 in this roll", "Bis zu 150 in diesem Wurf", "Jusqu’à 150 dans ce lancer", "Fino a 150 in questo lancio"]
  );
  assert.equal(heading(rollTable({ judged: judgedOf([keep([1], 0)]) })), "Set dice aside");
  assert.equal(heading(rollTable({ judged: judgedOf([], { status: "niete" }) })), "niete");
  assert.equal(heading(rollTable({ mine: false, player: 1 })), "Ben chooses");
});

test("the bar keeps the best or the chosen dice, and banks", () => {
  const table = rollTable();
  control(all(tutto, table), "keep-chosen").click();
  control(all(tutto, table), "bank").click();
  table.chosen.add(0);
  assert.equal(texts(all(tutto, table), "[data-key=keep-chosen]")[0], "Set aside 1 and roll\u00a05 +100");
  control(all(tutto, table), "keep-chosen").click();
  // The service refuses illegal keeps.
  table.chosen.add(5);
  control(all(tutto, table), "keep-chosen").click();
  assert.deepEqual(table.plays,
    [{ type: "keep", dice: [1, 5] }, { type: "bank" }, { type: "keep", dice: [1] }, { type: "keep", dice: [1, 6] }]);
});

const WINS = {
  en: ["Set aside 1 5 and win +150", "Bank and win 150", "Bank without winning 150"],
  de: ["1 5 heraus und gewinnen +150", "Aufhören und gewinnen 150", "Aufhören ohne zu gewinnen 150"],
  fr: ["1 5 de côté et gagner +150", "S’arrêter et gagner 150", "S’arrêter sans gagner 150"],
  it: ["1 5 da parte e vinci +150", "Fermati e vinci 150", "Fermati senza vincere 150"],
};
for (const [language, labels] of Object.entries(WINS))
  test(`a button says in ${language} that it wins, where the referee says so`, () => {
    const ends = (wins) => ({ phase: "over", outcome: { reason: "banked", points: 150, wins_game: wins } });
    const buttons = (wins, more = {}) => {
      const judged = judgedOf([keep([1, 5], 150, { next: ends(wins) })],
        { bank: { dice: [], lines: [], effects: [], turn_points: 150, next: ends(wins) } });
      return ["keep-chosen", "bank"].map((key) =>
        texts(all(tutto, rollTable({ language, judged, ...more })), `[data-key=${key}]`)[0]);
    };
    const [keepAndWin, bankAndWin, bankAndLose] = labels;
    assert.deepEqual(buttons(true), [keepAndWin, bankAndWin]);
    assert.equal(buttons(false)[1], `${tableOf({ language }).say("bank")} 150`);
    // At the end of a last round nobody can win later.
    assert.equal(buttons(false, { standing: { last_round: true } })[1], bankAndLose);
  });

test("points before the roll are at stake, or safe on a firework", () => {
  const stake = (turn, more = {}) =>
    texts(all(tutto, tableOf({ turn, roller: "service", catalogue: { dice: BOX, deck: [] }, judged: null, ...more })),
      ".stake")[0] ?? null;
  assert.equal(
    stake({ phase: "roll", card: "bonus-300", dice_to_roll: 3, keeps: [[1, 1], [5]], carried: 400, turn_points: 650 }),
    "650 at stake",
  );
  assert.equal(stake({ phase: "roll", card: "firework", dice_to_roll: 4, keeps: [[1, 1]], turn_points: 200 }),
    "200 so far");
  assert.equal(stake({ phase: "keep", card: "double", roll: [1, 2, 3, 4], keeps: [[1, 1]] },
    { judged: { ...judgedOf([]), turn_points: 200 } }),
  "200 at stake");
  assert.equal(stake({ phase: "roll", card: "bonus-300", dice_to_roll: 4, keeps: [[1, 1]] }), null);
  assert.equal(stake({ phase: "roll", card: "bonus-300", dice_to_roll: 6 }), null);
});

test("the next roll shows chance of a bust and value, or chance of winning", () => {
  const ahead = (more, fields) => {
    const turnAnswer = { value: 814, roll: { niete: { value: 0.0309 } }, question: {}, ...more };
    const table = tableOf({
      turn: { phase: "roll", card: "double", dice_to_roll: 6 }, judged: null, roller: "service",
      catalogue: { dice: BOX, deck: [] }, odds: { turnAnswer, of: () => null }, ...fields,
    });
    return texts(all(tutto, table), ".odds").map((text) => text.replaceAll("\u00a0", " "))[0];
  };
  assert.equal(ahead({}), "niete 3.09% · 814 expected");
  const won = (language) => ahead({ value: 0.512, question: { aim: "win" }, roll: null }, { language });
  assert.deepEqual(["en", "de", "fr", "it"].map(won),
    ["51.2% to win", "51,2 % Gewinnchance", "51,2 % de probabilité de gagner", "51,2% di vincere"]);
});

test("the first action is loud, the best by the odds gold", () => {
  const bar = (...kinds) => emphasized(kinds.map((kind) => buttonOf(kind, () => {}, { kind })))
    .map(({ attributes }) => attributes.class);
  assert.deepEqual([bar("", ""), bar(""), bar("", "gold"), bar("loud", ""), bar("refused", ""), bar("refused"), bar()],
    [["loud", ""], ["loud"], ["", "gold"], ["loud", ""], ["refused", "loud"], ["refused"], []]);
  const [notice, action] = emphasized([h("p", {}, "Ben is here."), buttonOf("Roll", () => {})]);
  assert.deepEqual([notice.attributes.class, action.attributes.class], [undefined, "loud"]);
});

test("only the best by the odds is gold", () => {
  const gold = (view, table) =>
    parts(all(view, table), "button.gold").map((element) => element.getAttribute("data-key"));
  const bank = {
    turn_points: 150, lines: [], effects: [], next: { phase: "over", outcome: { reason: "banked", points: 150 } },
  };
  const odds = (best) =>
    ({ turnAnswer: {}, of: ({ type }) => ({ best: type === best, value: { value: 1 }, next_roll: null }) });
  const tuttoOf = (keeps, more = {}, chosen = []) =>
    gold(tutto, rollTable({ judged: judgedOf(keeps, more), chosen: new Set(chosen) }));
  assert.deepEqual([
    tuttoOf([keep([1], 100)], { bank }), tuttoOf([keep([1], 100)]), tuttoOf([], { bank }),
    tuttoOf([keep([1], 100)], { bank }, [0]), tuttoOf([keep([1], 100)], {}, [2]),
  ],
  [[], [], [], [], []]);
  const goldWithOdds = (best) => gold(tutto, rollTable({ odds: { ...odds(best), turnAnswer: { question: {} } } }));
  assert.deepEqual([goldWithOdds("keep"), goldWithOdds("bank")], [["keep-chosen"], ["bank"]]);
  assert.deepEqual(
    [gold(yatzee, yatzeeTable([open("ones", 2)])), gold(yatzee, yatzeeTable([open("ones", 2)], { may_roll: false }))],
    [[], []],
  );
  assert.deepEqual([
    gold(pot, potTable({})), gold(pot, potTable({ next_roll: null })),
    gold(pot, potTable({ beats: false }, { holder: 1 })),
  ],
  [[], [], []]);
});

test("dice of no legal keep get a reason, part of a keep does not", async () => {
  const finding = { rule: "T2.2", detail: "The 3 does not score here." };
  const requests = [];
  const ask = async (path, question) =>
    (requests.push([path, question.event]), { ok: true, document: { findings: [finding] } });
  const table = rollTable({ api: { language: "en", ask }, game: "tutto", rules: {} });
  table.announcer.repeat = table.announcer.tell;
  const press = async (at) => {
    control(all(tutto, table), `die-${at}`).click();
    await settled();
    return texts(all(tutto, table), ".doubts p");
  };
  assert.deepEqual([await press(0), requests], [[], []]);
  assert.deepEqual(await press(3), ["The 3 does not score here. T2.2"]);
  assert.deepEqual([requests, table.announcer.said],
    [[["/v1/tutto/transitions", { type: "keep", dice: [1, 3] }]], [finding.detail]]);
  // The button remains active. The refusal appears at the same place until the chosen dice change.
  control(all(tutto, table), "keep-chosen").click();
  Object.assign(table, { findings: [finding], doubts: null });
  assert.deepEqual([table.plays.length, texts(all(tutto, table), ".doubts .refusal strong")],
    [1, ["Not a legal move"]]);
  assert.deepEqual([await press(3), texts(all(tutto, table), ".refusal")], [[], []]);
  table.api.ask = () => Promise.reject(new TypeError("away"));
  assert.deepEqual([await press(3), texts(all(tutto, rollTable({ mine: false })), ".doubts")], [[], []]);
});

test("the last card is face up until the next draw", () => {
  const catalogue = { dice: BOX, deck: [{ id: "stop", text: "The turn ends.", rule: "T5.1" }] };
  const spot = (more) => {
    const drawn = all(tutto, tableOf({
      turn: { phase: "draw" }, roller: "service", catalogue, judged: null, last: { card: "stop" }, ...more,
    }));
    return [".card-place .card-stop", ".card-back", ".card-does"].map((part) => texts(drawn, part).length);
  };
  const lastStep = (type) =>
    ({ lastStep: { event: { type }, by: 0, turn: {}, step: { effects: [], rules: [], turn: {} } } });
  assert.deepEqual([{}, lastStep("draw"), lastStep("bank"), { mine: false }, { roller: "people" }].map(spot),
    [[1, 1, 0], [1, 1, 1], [1, 1, 0], [1, 1, 0], [1, 1, 0]]);
  assert.deepEqual(spot({ last: {} }), [0, 1, 0]);
  const visitor = tableOf(
    { turn: { phase: "draw" }, roller: "visitor", catalogue, judged: null, last: { card: "stop" } });
  control(all(tutto, visitor), "draw").click();
  assert.deepEqual(visitor.plays, [{ type: "draw", card: "stop" }]);
});

test("the result of a turn shows its last dice", () => {
  const lastStep = {
    event: { type: "accept", category: "ones" }, by: 0, turn: {},
    step: {
      effects: [{ type: "written", category: "ones", points: 2 }], rules: [],
      turn: { outcome: { points: 2, winner: 0, reason: "most-coins" } },
    },
  };
  const dice = (view, more) =>
    parts(all(view, tableOf({
      turn: { phase: "roll", player: 1 }, catalogue: { dice: POT_BOX, categories: CATEGORIES }, judged: null,
      mine: false, lastStep, last: { dice: [2, 2, 3] }, ...more,
    })), ".verdict .few").map((row) => row.getAttribute("aria-label"));
  const { outcome } = lastStep.step.turn;
  assert.deepEqual([dice(yatzee), dice(pot), dice(pot, { turn: { phase: "over", outcome }, seated: true })],
    Array(3).fill(["2 2 3"]));
  assert.deepEqual([dice(pot, { turn: { phase: "reroll" } }), dice(pot, { lastStep: null })], [[], []]);
});

test("draws and rolls follow without a press, choices do not", () => {
  assert.deepEqual(["draw", "roll", "keep"].map((phase) => tutto.forced({ turn: { phase } }, phase)),
    [{ type: "draw" }, { type: "roll" }, null]);
  assert.equal(yatzee.forced({ turn: { phase: "roll" } }, "roll"), null);
});

// Yatzee ----------------------------------------------------------------------------------------------------

const open = (category, points, satisfied = true) =>
  ({ category, points, satisfied, open: true, dice: [], rule: "Y3", face_value: points, throw_bonus: 0 });
/** Creates a table of Yatzee whose dice fit some categories. */
const yatzeeTable = (categories, { status = "writable", may_roll = true, ...more } = {}) => tableOf({
  turn: { phase: "choose", roll: [1, 1, 2, 4, 5, 6], rolls_made: 1 },
  judged: { status, may_roll, categories, rules: [] }, roller: "service",
  catalogue: { dice: BOX, categories: CATEGORIES }, player: 0, ...more,
});
const offers = (table) => texts(all(yatzee, table), "button").filter((text) => text !== "Hold dice");

for (const [language, text] of [
  ["en", "Hold dice and roll again, or cross out a category."],
  ["de", "Lass Würfel liegen und wirf noch einmal, oder streich ein Feld."],
  ["fr", "Gardez des dés et relancez, ou barrez une case."], ["it", "Tieni dei dadi e rilancia, o barra una casella."],
])
  test(`dice that fit no category cannot be scored in ${language}`, () => {
    const drawn = all(yatzee, yatzeeTable([open("royal", 0, false)], { status: "strike-only", language }));
    assert.deepEqual(texts(drawn, ".verdict-note"), [text]);
    const keys = parts(drawn, "button").map((element) => element.getAttribute("data-key"));
    assert.deepEqual(keys.filter((key) => /^(best|write)-/.test(key)), []);
  });

test("the note names the next decision", () => {
  const note = (more) =>
    texts(all(yatzee, yatzeeTable([open("fives", 5, more.status !== "strike-only")], more)), ".verdict-note")[0];
  assert.deepEqual([{}, { may_roll: false }, { status: "strike-only", may_roll: false }, { mine: false }].map(note),
    [
      "Hold dice and roll again, or score in a category.", "Score in a category.", "Cross out a category.",
      "Ada chooses",
    ]);
});

test("the bar scores the best category, the next are below", () => {
  const table = yatzeeTable([open("ones", 2), open("chance", 19), open("royal", 0, false), open("fives", 5)]);
  const drawn = all(yatzee, table);
  assert.deepEqual(texts(drawn, ".bests button"), ["fives 5", "ones 2"]);
  for (const key of ["best-chance", "best-fives"]) control(drawn, key).click();
  assert.deepEqual(table.plays, [{ type: "write", category: "chance" }, { type: "write", category: "fives" }]);
  assert.ok(offers(table).length);
});

test("dice that are not chosen are rolled again", () => {
  const table = yatzeeTable([open("ones", 2)]);
  table.chosen = new Set([1, 0]);
  control(all(yatzee, table), "again").click();
  assert.deepEqual(table.plays, [{ type: "roll", held: [1, 1] }]);
  assert.equal(control(all(yatzee, yatzeeTable([open("ones", 2)], { may_roll: false })), "again"), null);
});

/** Creates a table of Yatzee whose dice fit nothing. The list of categories unfolds into `table.list`. */
const strikeTable = (more = {}) => {
  const categories = [open("royal", 0, false), open("yatzee", 0, false)];
  const table = yatzeeTable(categories, { status: "strike-only", may_roll: false, ...more });
  table.list = { open: false, focus: () => {} };
  table.place.board.querySelector = () => table.list;
  return table;
};

test("where nothing fits, the bar unfolds the categories to cross out", () => {
  const table = strikeTable();
  const drawn = all(yatzee, table);
  assert.equal(parts(drawn, "details")[0].getAttribute("open"), null);
  control(drawn, "cross-out").click();
  assert.deepEqual([table.list.open, table.plays], [true, []]);
  control(drawn, "strike-royal").click();
  assert.deepEqual(table.plays, [{ type: "strike", category: "royal" }]);
  assert.equal(control(all(yatzee, yatzeeTable([open("ones", 2)])), "cross-out"), null);
  const label = (language) => texts(all(yatzee, strikeTable({ language })), "[data-key=cross-out]")[0];
  assert.deepEqual(["en", "de", "fr", "it"].map(label), ["Cross out …", "Feld streichen …", "Barrer …", "Barra …"]);
});

test("with odds, the bar names the cheapest category and asks back", () => {
  const event = { type: "strike", category: "royal" };
  const turn = { categories: [], best: { category: "royal", event } };
  const choices = [{ event: { type: "strike", category: "yatzee" }, value: 1 }, { event, value: 2 }];
  const game = { game: { best: 1, choices } };
  for (const odds of [{ answer: turn, turnAnswer: turn }, { answer: game, turnAnswer: null }]) {
    const table = strikeTable({ odds });
    const [button] = parts(all(yatzee, table), "[data-key=cross-out]");
    assert.deepEqual([button.textContent, button.getAttribute("class")], ["Cross out royal", "gold"]);
    button.click();
    assert.deepEqual([table.sure, table.plays], ["royal", []]);
    const drawn = all(yatzee, table);
    assert.deepEqual(texts(drawn, ".sure p"), ["Cross out royal for good?"]);
    control(drawn, "strike-no").click();
    assert.equal(table.sure, null);
    table.sure = "royal";
    control(drawn, "strike-yes").click();
    assert.deepEqual(table.plays, [event]);
  }
});

test("each category that the dice satisfy is scored on the sheet", () => {
  const table = yatzeeTable([open("ones", 2), open("chance", 19), open("royal", 0, false), open("fives", 5)]);
  const buttons = parts(all(yatzee, table), ".write");
  assert.deepEqual(buttons.map(({ textContent, dataset }) => [textContent, dataset.key]),
    [["2", "write-ones"], ["5", "write-fives"], ["19", "write-chance"]]);
  buttons.forEach((button) => button.click());
  assert.deepEqual(table.plays.map(({ category }) => category), ["ones", "fives", "chance"]);
  assert.deepEqual(parts(all(yatzee, yatzeeTable([open("ones", 2)], { mine: false })), ".write"), []);
});

test("odds order the categories by gain, the best is in the bar", () => {
  const plan = (category, gain, hold) => (
    { category, chance: { value: 0.5 }, gain: { value: gain }, hold: hold && { value: hold } });
  const answer = {
    categories: [plan("fives", 3, [5]), plan("chance", 1, null), plan("ones", 2, [1, 1])], best: { category: "fives" },
  };
  const table = yatzeeTable([open("fives", 5), open("chance", 19), open("ones", 2)],
    { odds: { answer, turnAnswer: answer } });
  const drawn = all(yatzee, table);
  assert.equal(texts(drawn, "[data-key=again]")[0], "Hold 5: Roll the other 5fives★ Best probability 50% · gain +3");
  assert.deepEqual(texts(drawn, ".choice .lines").length, 1);
  control(drawn, "hold-ones").click();
  assert.deepEqual([...table.chosen], [0, 1]);
  table.chosen.clear();
  control(drawn, "again").click();
  assert.deepEqual(table.plays, [{ type: "roll", held: [5] }]);
});

// POT -------------------------------------------------------------------------------------------------------

/** Creates a table of POT with a verdict on its dice. */
const potTable = (judged, turn = {}, more = {}) => tableOf({
  turn: { phase: "choose", roll: [1, 3, 4], coins: [3, 3, 3], pot: 3, bank: 43, player: 0, ...turn },
  judged: {
    combo: null, sum: 8, status: "open", beats: true, next_roll: "free", next: null,
    choices: [{ players: [], effects: [], coins: [], pot: 3, bank: 43 }], rules: [], ...judged,
  },
  catalogue: { dice: POT_BOX, combos: [] }, terms: new Map(), players: ["Ada", "Ben", "Cleo"], roller: "visitor",
  ...more,
});

for (const [what, judged, turn, note] of [
  ["no holder", {}, {}, "takes the POT · free"],
  ["a holder who is beaten", {}, { holder: 1, to_beat: 7 }, "beats the holder · free"],
  ["a holder who is not", { beats: false }, { holder: 1, to_beat: 9 }, "does not beat the holder · free"],
  ["a combo", { combo: "ones", status: "bust", beats: null, next_roll: null }, {}, "bust"],
  ["the last roll", { next_roll: null }, { holder: null }, "takes the POT"],
])
  test(`the note of POT shows ${what}`, () =>
    assert.deepEqual(texts(all(pot, potTable(judged, turn)), ".verdict-note"), [note]));

test("the heading of POT is the combo or the sum", () => {
  assert.deepEqual([{}, { combo: "pot" }].map((judged) => texts(all(pot, potTable(judged)), ".verdict-word")[0]),
    ["Sum 8", "pot"]);
});

test("a single reward is accepted, bound dice are rolled", () => {
  const forced = (phase, choices) => pot.forced({ turn: { phase }, adjudication: { choices } }, "roll");
  assert.deepEqual(forced("reroll"), { type: "roll" });
  assert.deepEqual(forced("choose", [{ players: [1] }]), { type: "accept", players: [1] });
  assert.deepEqual([forced("choose", [{}, {}]), forced("roll")], [null, null]);
});

test("only dice that are not held are entered or rolled", () => {
  const table = potTable({}, { roll: [1, 3, "P"] }, { entered: [] });
  table.chosen.add(2);
  control(all(pot, table), "again").click();
  assert.deepEqual([table.rolling, [...table.chosen]], [true, [2]]);
  for (let round = 0; round < 50; round += 1) {
    table.rolling = true;
    control(all(pot, table), "roll").click();
  }
  assert.ok(table.plays.every(({ held, dice }) => String(held) === "P" && dice.length === 2 && !dice.includes("P")));
  table.rolling = false;
  control(all(pot, table), "accept").click();
  assert.deepEqual(table.plays.at(-1), { type: "accept" });
});

for (const [language, bar, list] of [
  ["en", "Take 2 from Ben Accept twos", "Take 1 from the bank"],
  ["de", "2 von Ben nehmen Akzeptieren twos", "1 aus der Bank nehmen"],
  ["fr", "Prendre 2 à Ben Accepter twos", "Prendre 1 à la banque"],
  ["it", "Prendi 2 da Ben Accetta twos", "Prendi 1 dalla banca"],
])
  test(`rewards show payments in ${language}, the greatest lead is in the bar`, () => {
    const handover = (from, to) => ({ type: "handed-over", player: from, to, coins: 2 });
    const reward = (coins, players, ...effects) => ({ players, effects, coins, pot: 1, bank: 40 });
    const choices = [
      reward([4, 3, 3], [], { type: "bank-paid", player: 0, coins: 1 }), reward([5, 1, 3], [1], handover(1, 0)),
      reward([1, 5, 3], [2], handover(0, 1), { type: "bank-paid", player: 2, coins: 1 }),
    ];
    const table = potTable({ combo: "twos", choices }, {}, { language, player: 0 });
    const drawn = all(pot, table);
    assert.deepEqual([texts(drawn, "[data-key=accept]"), texts(drawn, ".choice button")[0]], [[bar], list]);
    control(drawn, "accept").click();
    assert.deepEqual(table.plays, [{ type: "accept", players: [1] }]);
    for (const button of parts(drawn, ".choice button"))
      assert.ok(button.getAttribute("aria-label").startsWith(button.textContent));
    if (language === "en")
      assert.equal(texts(drawn, ".choice button")[1], "Give 2 to Ben; Cleo takes 1 coin from the bank");
  });

test("sheet has a column of choices only for those who choose", () => {
  const judged = {
    status: "writable", may_roll: false, rules: [],
    categories: [{ category: "ones", open: true, satisfied: true, dice: [1], points: 1, rule: "Y3.1" }],
  };
  const watched = (fields) => {
    const catalogue = { dice: BOX, deck: [], categories: CATEGORIES };
    const table = tableOf({ turn: { phase: "choose", roll: [1, 2, 3, 4, 5, 6] }, judged, catalogue, ...fields });
    return parts(all(yatzee, table), ".sheet.watched").length;
  };
  assert.deepEqual([
    watched({}), watched({ seats: { token: "mine" } }), watched({ seats: { token: null }, mine: false }),
    watched({ seats: { token: "mine" }, turn: { phase: "over" }, judged: null }),
  ], [0, 0, 1, 1]);
});
