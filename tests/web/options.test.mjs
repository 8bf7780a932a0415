import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { control, page, parts, tableOf, texts } from "./stubs.mjs";
import { houseRules, mistaken } from "../../service/dice_referee/web/static/shared/options.js";

let serial = 0;
let form;
let change;
let options;
let ruleset;

const TARGET = {
  option: "target", title: "Target", rule: "T6.1", text: "Points to win.", value: 6000, values: [], length: null,
  minimum: 50, maximum: 1_000_000,
};
const BONUS = {
  option: "throw_bonus", title: "Bonus", rule: "Y4", text: "By roll.", value: [20, 10, 0], values: [], length: 3,
  minimum: -9, maximum: 99,
};
const KEEP = {
  option: "firework_keep", title: "Setting aside", rule: "T5.2", text: "", value: "all", length: null,
  values: [
    { value: "all", title: "All", text: "All of them." }, { value: "any", title: "At least one", text: "One will do." },
  ],
};

const draw = () =>
  (form = houseRules(ruleset, options,
    { ...tableOf(), say: tableOf().say, change: (changes) => change(changes), again: draw }));

beforeEach(() => {
  page();
  // The form stores entries by ruleset.
  ruleset = { game: "tutto", ruleset: `r${(serial += 1)}`, spoken: "en", options: [TARGET, BONUS, KEEP] };
  options = {};
  change = mock.fn((changes) => {
    options = changes;
    draw();
  });
  draw();
});

/** Leaves a field with an entry. */
function enter(key, value) {
  const field = control(form, key);
  field.value = value;
  field.dispatchEvent(Object.assign(new Event("change")));
}
const field = (key) => control(form, key);

for (const entry of ["7", "2000000", "abc", "", "6000.5", "1e4"])
  test(`“${entry}” is refused as a target`, () => {
    enter("option-target", entry);
    assert.deepEqual([change.mock.callCount(), mistaken(ruleset, options)], [0, "option-target"]);
    assert.deepEqual([field("option-target").value, field("option-target").getAttribute("aria-invalid")],
      [entry, "true"]);
    assert.deepEqual(texts(form, "[role=alert]"), ["A whole number from 50 to 1,000,000"]);
    // A change of another rule keeps the entry in its field.
    enter("option-firework_keep", "1");
    assert.deepEqual([options, field("option-target").value], [{ firework_keep: "any" }, entry]);
    enter("option-target", "700");
    assert.deepEqual([options, mistaken(ruleset, options)], [{ firework_keep: "any", target: 700 }, undefined]);
    assert.deepEqual(texts(form, "[role=alert]"), []);
  });

test("an entry equal to the ruleset's is no difference", () => {
  enter("option-target", "3000");
  assert.deepEqual(texts(form, ".differs").length, 1);
  enter("option-target", " 6000 ");
  assert.deepEqual([options, texts(form, ".differs")], [{}, []]);
});

test("numbers of a list have separate fields", () => {
  enter("option-throw_bonus-1", "-9");
  assert.deepEqual(options, { throw_bonus: [20, -9, 0] });
  enter("option-throw_bonus-0", "-10");
  assert.equal(mistaken(ruleset, options), "option-throw_bonus-0");
  assert.deepEqual([0, 1].map((at) => field(`option-throw_bonus-${at}`).value), ["-10", "-9"]);
  assert.deepEqual(texts(form, "[role=alert]"), ["A whole number from −9 to 99"]);
});

test("a press resets every entry to the ruleset", () => {
  assert.equal(field("ruleset-only").getAttribute("aria-disabled"), "true");
  field("ruleset-only").click();
  assert.equal(change.mock.callCount(), 0);
  enter("option-target", "7");
  assert.equal(field("ruleset-only").getAttribute("aria-disabled"), null);
  field("ruleset-only").click();
  assert.deepEqual([options, mistaken(ruleset, options), field("ruleset-only").getAttribute("aria-disabled")],
    [{}, undefined, "true"]);
});

test("values have their meaning, in the language of the catalogue", () => {
  ruleset.spoken = "de";
  options = { firework_keep: "any" };
  draw();
  assert.deepEqual(texts(form, ".hint"), ["Points to win.", "By roll.", "One will do."]);
  assert.ok(parts(form, ".hint").every((hint) => hint.getAttribute("lang") === "de"));
  assert.deepEqual([texts(form, ".differs").length, texts(form, "option")], [1, ["All", "At least one"]]);
});
