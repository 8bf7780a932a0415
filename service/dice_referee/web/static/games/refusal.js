// Draws the reasons why an event or a position was refused.

import { h } from "../shared/dom.js";

/** Draws every reason with its rule; null without a refusal, or after a change of the chosen dice. */
export function refusal({ problem, findings, doubts, say, book }) {
  if (!problem && (!findings.length || doubts)) return null;
  const found = problem ? [...problem.findings, ...problem.errors] : findings;
  return h(
    "div",
    { class: "refusal" },
    h("strong", {}, say(problem ? problem.heading ?? "impossible" : "refused")),
    h("ul", {}, problem && !found.length ? h("li", {}, `${problem.title} ${problem.detail}`) : null, found.map(({ detail, rule, pointer }) => h("li", {}, detail, " ", rule ? book.chip(rule) : h("code", {}, pointer)))),
  );
}
