// The cases of a rule as links into the playground, where its address can say what they are about.

import { read, written } from "../shared/address.js";

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
