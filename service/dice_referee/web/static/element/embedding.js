// Completes the page about the element: opens a table for two, and lists the events of the elements.

import { at, h } from "../shared/dom.js";
import { made } from "../shared/patch.js";

const MOST = 30;
const KEPT = "embedding";

// Events ---------------------------------------------------------------------------------------------

const gist = {
  verdict: ({ status, legal_keeps: keeps = [] }) => `${status}, ${keeps.length} legal keeps`,
  step: ({ event, answer }) => `${event.type}, ${answer.legal ? "legal" : "not legal"}`,
  change: ({ position, version }) => position ?? `version ${version}`,
  over: ({ players, winners }) => `won by ${winners.map((winner) => players?.[winner] ?? winner).join(", ")}`,
  refusal: (problem) => problem?.title ?? "",
};

function listen(element) {
  for (const [kind, summary] of Object.entries(gist))
    element.addEventListener(kind, ({ detail }) => {
      at("events").prepend(made(h("li", {}, h("code", {}, kind), " ", h("span", {}, summary(detail)))));
      while (at("events").children.length > MOST) at("events").lastElementChild.remove();
    });
}

listen(at("example"));
at("example").addEventListener("change", ({ detail }) => (at("brief").position = detail.position));

// The session, which survives a reload ----------------------------------------------------------------

const storedSession = () => JSON.parse(sessionStorage.getItem(KEPT));

function seat({ session, tokens }) {
  const create = (properties) =>
    Object.assign(made(h("dice-referee", { lang: document.documentElement.lang })), { session, ...properties });
  const players = tokens.map((token, number) => create({ seat: number, token }));
  players.forEach(listen);
  at("seats").replaceChildren(...players, create({ compact: true }));
}

at("open").addEventListener("click", async () => {
  const wish = { game: "tutto", players: ["Ada", "Ben"], dice: "service", options: { target: 2000 } };
  const answer = await fetch("/v1/sessions",
    { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(wish) });
  const body = await answer.json();
  if (!answer.ok) {
    at("seats").replaceChildren(made(h("p", { role: "alert" }, body.detail)));
    return;
  }
  sessionStorage.setItem(KEPT, JSON.stringify({ session: body.session.id, tokens: body.seat_tokens }));
  seat(storedSession());
});
if (storedSession()) seat(storedSession());
