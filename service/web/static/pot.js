// POT at the table.

import { bowl, chest, purse, stack } from "./coins.js";
import { h } from "./dom.js";
import { banner, button, effects, few, lying } from "./parts.js";
import { due, facesOf, thrown } from "./tray.js";

/**
 * The dice of the box that are not held. A held face that one die alone has is that die; for another
 * it is any that has it.
 */
function free(box, held) {
  const owners = (face) => box.filter((die) => die.includes(face)).length;
  const left = [...box];
  for (const face of [...held].sort((one, other) => owners(one) - owners(other))) {
    left.splice(left.findIndex((die) => die.includes(face)), 1);
  }
  return left;
}

export const pot = {
  judged: "choose",

  alone: (turn) => turn,

  draw(table) {
    const asked = { throw: throwing, rethrow: throwing, "sudden-death": throwing, choose: choosing, over: () => ({}) }[table.turn.phase];
    const { action = [], below = [] } = asked ? asked(table) : {};
    return { felt: [verdict(table), coins(table), h("div", { class: "play wide" }, action)], below };
  },

  tell(table) {
    const { judged, turn } = table;
    if (judged) return `${table.say("sum", { n: judged.sum })}. ${judgement(table, judged)}`;
    return [told(table), turn.player === undefined ? table.term(turn.phase) : table.whose()].filter(Boolean).join(". ");
  },
};

const told = (table) => table.told && effects(table, table.told.step.effects);

const judgement = (table, { combo, status, beats }) =>
  [combo ? table.term(combo) : null, status === "open" ? null : table.term(status), beats === null ? null : table.say(beats ? "control" : "no_control")]
    .filter(Boolean)
    .join(" · ");

function verdict(table) {
  const { judged, turn, standing } = table;
  if (judged) {
    const kind = { bust: "bad", pot: "best" }[judged.status] ?? (judged.beats ? "good" : "");
    return banner(table, judged.combo ? table.term(judged.combo) : table.say("sum", { n: judged.sum }), { kind, note: judgement(table, { ...judged, combo: null }), rules: judged.rules });
  }
  const winners = turn.outcome?.winners ?? standing?.winners ?? [];
  if (turn.phase === "over" && winners.length) return banner(table, table.say("won", { names: winners.map((at) => table.name(at)).join(", ") }), { kind: "best", note: told(table), rules: table.told?.step.rules ?? [] });
  return banner(table, turn.player === undefined ? table.term(turn.phase) : table.whose(), { note: told(table), rules: table.told?.step.rules ?? [], whose: false });
}

function coins(table) {
  const { turn } = table;
  if (!turn.coins) return null;
  const beat = turn.to_beat === undefined || turn.to_beat === null ? null : h("span", { class: "purse-note" }, `${table.term("to_beat")}: ${turn.to_beat}`);
  return h(
    "div",
    { class: "coins" },
    turn.coins.map((number, at) =>
      purse(table.name(at), number, stack(number), {
        kind: at === turn.player ? "now" : "",
        notes: at === turn.holder ? [h("span", { class: "purse-note" }, table.term("holder")), beat] : [],
      }),
    ),
    purse("POT", turn.pot ?? 0, bowl(turn.pot ?? 0), { kind: "middle" }),
    purse(table.term("bank"), turn.bank ?? 0, chest(), { kind: "middle" }),
  );
}

function tossing(table, held) {
  const { dice: box } = table.catalogue;
  const dice = free(box, held);
  return due(table, {
    count: dice.length, faces: facesOf(box),
    done: (faces) => {
      table.throwing = false;
      table.play({ type: "throw", ...(held.length ? { held } : {}), dice: faces });
    },
    throwAll: () => thrown(dice),
  });
}

function throwing(table) {
  const held = table.turn.held ?? [];
  return { action: [held.length ? h("div", { class: "aside" }, h("h2", {}, table.say("on_table")), few(held)) : null, tossing(table, held)] };
}

function choosing(table) {
  const { turn, judged, chosen } = table;
  const held = [...chosen].map((at) => turn.dice[at]);
  if (table.throwing) return { action: [held.length ? h("div", { class: "aside" }, h("h2", {}, table.say("on_table")), few(held)) : null, tossing(table, held)] };
  const toggle = (at) => {
    if (!chosen.delete(at)) chosen.add(at);
    table.show();
  };
  const again = () => {
    if (table.thrower === "service") {
      table.play({ type: "throw", held });
      return;
    }
    table.throwing = true;
    table.show();
  };
  const count = turn.dice.length - held.length;
  const forced = judged?.next ?? null;
  return {
    action: [
      h("h2", {}, table.say("thrown")),
      lying(table, turn.dice, table.say("hold_hint"), toggle),
      table.mine ? h("div", { class: "actions" },
        forced ? button(table.say("go_on"), () => table.goOn(forced), { key: "go-on", kind: "gold", first: true }) : null,
        judged?.next_throw && count ? [button(`${table.say("throw_others", { n: count })} (${table.term(judged.next_throw)})`, again, { key: "again", kind: "gold" }), h("span", { class: "hint" }, table.say("hold_hint"))] : null) : null,
    ],
    below: judged?.choices.length ? choices(table, judged) : null,
  };
}

function choices(table, { choices: list, combo }) {
  const rule = table.catalogue.combos.find(({ id }) => id === combo)?.rule;
  return h(
    "section",
    { class: "choices" },
    h("h2", {}, table.say("choices"), " ", rule ? table.book.chip(rule) : null),
    h("ul", {}, list.map((choice, at) =>
      h("li", { class: "choice accept" },
        h("span", { class: "lines" }, choice.players.length ? choice.players.map((player) => table.name(player)).join(", ") : table.say("nobody")),
        h("span", { class: "leads" }, h("span", { class: "arrow", "aria-hidden": "true" }, "→ "), effects(table, choice.effects) || table.term(choice.next.phase)),
        h("span", { class: "total" }, h("strong", {}, choice.coins.join(" · ")), h("small", {}, `POT ${choice.pot} · ${table.term("bank")} ${choice.bank}`)),
        table.mine && button(table.say("accept"), () => table.play({ type: "accept", ...(choice.players.length ? { players: choice.players } : {}) }), { key: `accept-${at}`, kind: at ? "" : "gold" })))),
  );
}
