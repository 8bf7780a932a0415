// Completes the pages about rules: links cases to the playground, lays the dice of a step of the lesson on the table
// beside the text, and at every key shows only the rules that contain every word of the search.

import { read, written } from "../shared/address.js";
import { at } from "../shared/dom.js";

// Cases: links if an address can express their state ------------------------------------------------

/** Tells if a field has meaning: null, and an empty list of players or of held dice, have none. */
const hasMeaning = ([name, field]) => field !== null && !(["players", "held"].includes(name) && field.length === 0);

/** Returns a text that is equal for equal states, regardless of the order of fields. */
const canonical = (value) =>
  JSON.stringify(value, (_, part) =>
    part && typeof part === "object" && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).filter(hasMeaning).sort())
      : part);

for (const link of document.querySelectorAll("a[data-state]")) {
  const state = JSON.parse(link.dataset.state);
  const address = written(state);
  if (canonical(read(address)) !== canonical(state)) continue;
  link.href = `/${address}`;
  link.parentElement.hidden = false;
}

// Lesson --------------------------------------------------------------------------------------------

for (const link of document.querySelectorAll("a[data-position]"))
  link.addEventListener("click", (event) => {
    event.preventDefault();
    at("table").setAttribute("position", link.dataset.position);
    at("table").scrollIntoView({ block: "nearest" });
  });

// Search --------------------------------------------------------------------------------------------

const normalize = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replaceAll("’", "'");

function search() {
  const words = normalize(at("q").value).split(/\s+/);
  const rules = [...at("rules").querySelectorAll("li")];
  for (const rule of rules) rule.hidden = !words.every((word) => normalize(rule.textContent).includes(word));
  const count = rules.filter(({ hidden }) => !hidden).length;
  at("found").textContent = at("found").dataset.text.replace("{found}", count).replace("{total}", rules.length);
}

at("q")?.addEventListener("input", search);
at("search")?.addEventListener("submit", (event) => {
  event.preventDefault();
  search();
});
