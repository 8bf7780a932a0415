// The pages about rules: cases open in the playground, each step of the lesson lays its dice on the table beside it,
// and the rules that hold every word of the search are found while one types.

import { read, written } from "../shared/address.js";

const at = (id) => document.getElementById(id);

// Cases: links where an address can say what they are about ------------------------------------------

/** Nothing is said by a field that is null, or by a list of nobody or of no dice that were held. */
const says = ([name, field]) => field !== null && !(["players", "held"].includes(name) && field.length === 0);

/** The same text whatever the order of the fields. */
const canonical = (value) =>
  JSON.stringify(value, (_, one) =>
    one && typeof one === "object" && !Array.isArray(one) ? Object.fromEntries(Object.entries(one).filter(says).sort()) : one);

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

const folded = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replaceAll("’", "'");

function search() {
  const words = folded(at("q").value).split(/\s+/);
  const rules = [...at("rules").querySelectorAll("li")];
  for (const rule of rules) rule.hidden = !words.every((word) => folded(rule.textContent).includes(word));
  const found = rules.filter(({ hidden }) => !hidden).length;
  at("found").textContent = at("found").dataset.text.replace("{found}", found).replace("{total}", rules.length);
}

at("q")?.addEventListener("input", search);
at("search")?.addEventListener("submit", (event) => {
  event.preventDefault();
  search();
});
