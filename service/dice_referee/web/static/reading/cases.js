// Links the cases of a rule to the playground, if its address can express their state.

import { read, written } from "../shared/address.js";

/** Tells if a field has meaning: null, and an empty list of players or of held dice, have none. */
const says = ([name, field]) => field !== null && !(["players", "held"].includes(name) && field.length === 0);

/** Returns a text that is equal for equal states, regardless of the order of fields. */
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
