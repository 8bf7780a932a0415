import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { element, page } from "./stubs.mjs";
import { h, picture } from "../../service/dice_referee/web/static/shared/dom.js";
import { draw, made } from "../../service/dice_referee/web/static/shared/patch.js";

let place;
const row = (key, ...children) => h("li", { key }, ...children);
const texts = () => place.children.map(({ textContent }) => textContent);

beforeEach(() => {
  page();
  place = element();
});

test("the first drawing replaces what the page brought", () => {
  place.textContent = "Loading …";
  draw(place, h("p", {}, "Ready"));
  assert.deepEqual([texts(), place.textContent], [["Ready"], "Ready"]);
});

test("an element and its text stay, only what differs changes", () => {
  draw(place, h("p", { class: "good", title: "old" }, "One"));
  const [before] = place.children;
  const [text] = before.content;
  draw(place, h("p", { class: "bad" }, "Two"));
  const [after] = place.children;
  assert.deepEqual([after === before, after.content[0] === text, text.data], [true, true, "Two"]);
  assert.deepEqual([after.getAttribute("class"), after.hasAttribute("title")], ["bad", false]);
});

test("keys identify elements in another order", () => {
  draw(place, [1, 2, 3, 4].map((key) => row(key, String(key))));
  const [one, two, three, four] = place.children;
  draw(place, [5, 4, 1, 2].map((key) => row(key, `${key}!`)));
  const [five, ...others] = place.children;
  assert.deepEqual(texts(), ["5!", "4!", "1!", "2!"]);
  assert.deepEqual([others[0] === four, others[1] === one, others[2] === two], [true, true, true]);
  assert.equal([one, two, three, four].includes(five), false);
  assert.equal(three.parentElement, null);
});

test("a new first row moves no other row", () => {
  const moves = mock.method(place, "insertBefore");
  draw(place, [2, 1].map((key) => row(key)));
  moves.mock.resetCalls();
  draw(place, [3, 2, 1].map((key) => row(key)));
  assert.equal(moves.mock.callCount(), 1);
});

test("a child that is missing keeps its position free", () => {
  draw(place, null, h("p", {}, "last"));
  const [last] = place.children;
  for (const missing of [h("p", {}, "first"), false, undefined, [null]]) {
    draw(place, missing, h("p", {}, "last"));
    assert.equal(place.children.at(-1), last);
  }
  assert.deepEqual(texts(), ["last"]);
});

test("another element in the same position is new", () => {
  draw(place, h("p", {}, "text"));
  draw(place, h("strong", {}, "text"));
  assert.equal(place.children[0].name, "strong");
});

test("a listener is that of the last description", () => {
  const [first, second] = [mock.fn(), mock.fn()];
  draw(place, h("button", { onclick: first }));
  draw(place, h("button", { onclick: second }));
  const [button] = place.children;
  button.click();
  draw(place, h("button", {}));
  button.click();
  assert.deepEqual([first.mock.callCount(), second.mock.callCount()], [0, 1]);
});

test("values are as described after every drawing", () => {
  const form = () => [h("input", { value: "Ada" }), h("input", { type: "checkbox", checked: true })];
  draw(place, form());
  const [field, box] = place.children;
  [field.value, box.checked] = ["Bert", false];
  draw(place, form());
  assert.deepEqual([field.value, box.checked], ["Ada", true]);
});

test("typed text stays over a default value", () => {
  draw(place, h("input", { defaultValue: "a" }));
  const [field] = place.children;
  field.defaultValue = field.value = "typed";
  draw(place, h("input", { defaultValue: "a" }));
  assert.deepEqual([field.value, field.defaultValue], ["typed", "typed"]);
});

test("attributes and siblings of others are left alone", () => {
  draw(place, h("div", { class: "felt" }, h("p", {})));
  const [felt] = place.children;
  const bit = element("i");
  felt.append(bit);
  felt.setAttribute("aria-describedby", "note");
  draw(place, h("div", { class: "felt" }, h("p", {}), h("p", {})));
  assert.equal(felt.getAttribute("aria-describedby"), "note");
  assert.deepEqual(felt.children.map(({ name }) => name), ["p", "p", "i"]);
  draw(place, h("div", { class: "felt" }));
  assert.deepEqual(felt.children, [bit]);
});

test("the same description is not compared again", () => {
  const same = h("p", { class: "kept" }, "text");
  draw(place, same);
  const [kept] = place.children;
  kept.setAttribute("class", "changed");
  draw(place, h("b", {}), same);
  draw(place, h("b", {}), same);
  assert.equal(place.children[1].getAttribute("class"), "kept");
  place.children[1].setAttribute("class", "changed");
  draw(place, h("b", {}), same);
  assert.equal(place.children[1].getAttribute("class"), "changed");
});

test("what is within a picture is of its namespace", () => {
  const drawn = made(h("span", {}, picture("0 0 1 1", "dot", "", h("g", {}, h("circle", { r: 1 }))), h("b", {})));
  const spaces = [drawn, ...drawn.querySelectorAll("*")].map(({ name, namespaceURI }) =>
    [name, namespaceURI?.endsWith("svg") ?? false]);
  assert.deepEqual(spaces, [["span", false], ["svg", true], ["g", true], ["circle", true], ["b", false]]);
});
