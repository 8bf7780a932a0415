// The end of a table: taking the game along, and for the host giving it up and deleting it.

import { h } from "../shared/dom.js";
import { moves } from "../games/mood.js";

const quiet = (text, key, onclick, kind = "") => h("button", { type: "button", class: `quiet ${kind}`, "data-key": key, onclick }, text);

/** A box to tick; what it switches is `on`, and can `toggle`. */
const switchOf = (key, what, text) =>
  h("p", {}, h("label", { class: "switch" }, h("input", { type: "checkbox", "data-key": key, checked: what.on, onchange: () => what.toggle() }), " ", text));

/** `odds` is their switch; `asking` is what the host has to be sure of, `ask` asks it; `abandon` and `remove` do it. */
export function ending(table, { odds, asking, ask, abandon, remove }) {
  const { kept, seats, say, session } = table;
  const until = new Intl.DateTimeFormat(table.locale, { dateStyle: "medium" }).format(new Date(kept.expires_at));
  const sure = { abandon, delete: remove }[asking];
  return [
    h("h2", {}, say("this_table")),
    h("p", { class: "hint" }, say("kept_until", { date: until })),
    odds,
    moves() ? switchOf("sound", table.sound, say("sound")) : null,
    switchOf("text", table.text, say("text_mode")),
    switchOf("keys", table.keys, say("table_keys")),
    h("div", { class: "tools" },
      h("a", { class: "quiet", "data-key": "export", href: `${session.address}/game`, download: `${kept.game}-${kept.id}.json` }, say("export")),
      seats.host && kept.status === "running" ? quiet(say("give_up"), "abandon", () => ask("abandon")) : null,
      seats.host ? quiet(say("delete"), "delete", () => ask("delete"), "danger") : null),
    sure
      ? h("div", { class: "sure", role: "group", "aria-labelledby": "sure-text" },
        h("p", { id: "sure-text" }, say("really")),
        h("div", { class: "tools" }, quiet(say("yes"), "yes", sure, "danger"), quiet(say("no"), "no", () => ask(null))))
      : null,
  ];
}
