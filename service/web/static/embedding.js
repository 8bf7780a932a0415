// The page about the element: the snippet with this service's own address, and what the element says.

import { h } from "./dom.js";
import { pageHead } from "./page.js";

const at = (id) => document.getElementById(id);
const MOST = 30;
const { origin } = location;

pageHead(({ tag }) => at("example").setAttribute("lang", tag));
at("example").setAttribute("lang", document.documentElement.lang);

at("snippet").textContent = `<dice-referee game="tutto" service="${origin}"></dice-referee>

<script type="module">
  document.querySelector("dice-referee")
    .addEventListener("verdict", ({ detail }) => console.log(detail.status, detail.legal_keeps));
</script>
<script type="module" src="${origin}/dice-referee.js"></script>`;
at("policy").textContent = `script-src ${origin}; connect-src ${origin}`;

const gist = {
  verdict: ({ status, legal_keeps: keeps = [] }) => `${status}, ${keeps.length} legal keeps`,
  step: ({ event, answer }) => `${event.type}, ${answer.legal ? "legal" : "not legal"}`,
  change: ({ position }) => position,
  refusal: (problem) => problem?.title ?? "",
};
for (const [kind, told] of Object.entries(gist))
  at("example").addEventListener(kind, ({ detail }) => {
    at("events").prepend(h("li", {}, h("code", {}, kind), " ", h("span", {}, told(detail))));
    while (at("events").children.length > MOST) at("events").lastElementChild.remove();
  });
