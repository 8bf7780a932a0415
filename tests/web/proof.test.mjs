import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { page, parts, tableOf, texts } from "./stubs.mjs";
import { inWords } from "../../service/dice_referee/web/static/table/connection.js";
import { proof } from "../../service/dice_referee/web/static/table/proof.js";

const FAIR = { commitment: "c0ffee", seeds: [null, "lucky seven"], draws: 0, seed: null };
let seed;

/** Draws the block of the dice for Ben at a table in a state. */
function drawn({ fairness = {}, status = "running", seats = { who: 1, seats: { 1: "b" } }, verdict = null } = {}) {
  seed = mock.fn();
  const table = tableOf({ seats, kept: { status, fairness: fairness && { ...FAIR, ...fairness } } });
  return proof(table, { seed, verify: () => {}, verdict });
}

beforeEach(() => page());

test("commitment and players' texts are shown before the first roll", () => {
  const facts = texts(drawn(), "dd");
  assert.deepEqual(facts, ["c0ffee", "Ben: lucky seven", "0"]);
  assert.deepEqual(texts(drawn({ fairness: { seeds: [null, null] } }), "dd")[1], "none");
  assert.deepEqual(texts(drawn({ status: "over", fairness: { seed: "5eed", draws: 3 } }), "dd").slice(2),
    ["3", "5eed"]);
});

test("a seat adds text to the seed until the first roll", () => {
  const forms = (more) => parts(drawn(more), "form");
  const [form] = forms();
  assert.equal(form.querySelector("input").defaultValue, "lucky seven");
  for (const value of ["", "mine"]) {
    form.elements = { seed: { value } };
    form.dispatchEvent(new Event("submit"));
  }
  assert.deepEqual(seed.mock.calls.map(({ arguments: [text] }) => text), ["mine"]);
  for (const closed of [
    { fairness: { draws: 1 } }, { status: "over" }, { fairness: null }, { seats: { who: null, seats: {} } },
  ])
    assert.deepEqual(forms(closed), []);
});

test("dice and moves are checked after the game", () => {
  const button = (more) => texts(drawn(more), "[data-key=verify]");
  assert.deepEqual([button(), button({ status: "over" }), button({ status: "over", fairness: null })],
    [[], ["Check the dice"], ["Check the moves"]]);
});

test("the result of a check names its faults", () => {
  const result = (verdict) => {
    const block = drawn({ status: "over", verdict });
    return [...texts(block, ".found"), ...texts(block, "li")];
  };
  const fairness = { fair: true, commitment_holds: true, complete: true, chances: [1, 2, 3] };
  assert.deepEqual(result({ fairness }).slice(0, 4), [
    "Fair: every roll follows from the seed.", "The seed matches the fingerprint from the beginning.",
    "Recomputed: 3 rolls and draws.", "Complete.",
  ]);
  const unfair = result({
    fairness: {
      ...fairness, fair: false, commitment_holds: false, complete: false,
      first_mismatch: { index: 4, expected: { type: "roll", dice: [1, 2] } },
    },
  });
  assert.deepEqual(unfair, [
    "Not fair: the game and the seed do not match.", "The seed does not match the fingerprint.",
    "Recomputed: 3 rolls and draws.", "Some are missing.", "Move 5 should be: 1 2",
  ]);
  assert.deepEqual(result({ audit: {} }), ["Every move was legal."]);
  assert.deepEqual(result({ audit: { first_illegal: { index: 1, findings: [{ detail: "No 6.", rule: "T2.2" }] } } }),
    ["Not every move was legal.", "2: No 6. T2.2"]);
  assert.deepEqual(result({ problem: { title: "Too many.", detail: "Wait." } }), ["Too many. Wait."]);
});

test("known problems have the page's words", () => {
  const { say } = tableOf();
  const words = (code) => {
    const { heading, title } = inWords(code && { type: `/problems/${code}` }, say);
    return [say(heading), title];
  };
  assert.deepEqual(words("precondition-failed"),
    ["Somebody was quicker", "Something happened in the meantime. Look at the table, and decide anew."]);
  assert.deepEqual(words("unauthorized"),
    ["Link not valid", "This link is not valid any more. Ask the host for another one."]);
  assert.deepEqual(words("session-ended"), ["Too late", "The game is over."]);
  assert.equal(words(null)[1], say("away"));
  const undo = { type: "/problems/cannot-undo", title: "Cannot be undone", detail: "The computer has moved." };
  assert.deepEqual(inWords(undo, say),
    { heading: "head_late", title: "The computer has moved.", detail: "", findings: [], errors: [] });
  const unknown = { type: "/problems/rate-limited", title: "Too many." };
  assert.equal(inWords(unknown, say), unknown);
});
