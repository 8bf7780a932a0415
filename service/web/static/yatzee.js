// Yatzee with six dice at the table.

import { h } from "./dom.js";
import { banner, button, effects, lying, turnOf } from "./parts.js";
import { sheet } from "./sheet.js";
import { due, facesOf, thrown } from "./tray.js";

export const yatzee = {
  judged: "choose",

  alone: (turn) => turn,

  draw(table) {
    const asked = { throw: throwing, choose: choosing, over }[table.turn.phase];
    return { felt: [verdict(table), h("div", { class: "play wide" }, asked ? asked(table) : null)], below: sheet(table) };
  },

  tell(table) {
    const { judged } = table;
    if (judged) {
      const writable = judged.categories.filter(({ open, satisfied }) => open && satisfied);
      return `${table.term(judged.status)}: ${writable.map(({ category, points }) => `${table.term(category)} ${points}`).join(", ")}`;
    }
    return ended(table) ?? table.term(table.turn.phase);
  },
};

const ended = (table) => {
  const { told } = table;
  if (!told?.step.turn.outcome) return null;
  const who = table.players && told.by !== null ? `${table.name(told.by)}: ` : "";
  return who + effects(table, told.step.effects);
};

function verdict(table) {
  const { judged, turn, told } = table;
  if (judged) return banner(table, `${table.term("throw")} ${turn.throw}`, { rules: judged.rules, note: table.term(judged.status) });
  const word = ended(table);
  if (word) return banner(table, word, { kind: told.step.turn.outcome.points ? "good" : "bad", rules: told.step.rules });
  return table.players && !table.standing?.over ? turnOf(table) : null;
}

function throwing(table) {
  const { dice: box } = table.catalogue;
  return due(table, {
    count: box.length, faces: facesOf(box),
    done: (dice) => table.play({ type: "throw", dice }),
    throwAll: () => thrown(box),
  });
}

function choosing(table) {
  const { turn, judged, chosen, thrower } = table;
  const held = [...chosen].map((at) => turn.dice[at]).sort();
  const count = turn.dice.length - held.length;
  const { dice: box } = table.catalogue;
  if (table.throwing) {
    return due(table, {
      count, faces: facesOf(box),
      done: (dice) => {
        table.throwing = false;
        table.play({ type: "throw", held, dice });
      },
      throwAll: () => thrown(box.slice(-count)),
    });
  }
  const toggle = (at) => {
    if (!chosen.delete(at)) chosen.add(at);
    table.show();
  };
  const again = () => {
    if (thrower === "service") {
      table.play({ type: "throw", held });
      return;
    }
    table.throwing = true;
    table.show();
  };
  return [
    h("h2", {}, table.say("thrown")),
    lying(table, turn.dice, table.say("hold_hint"), toggle),
    judged?.may_throw && table.mine
      ? h("div", { class: "actions" }, count ? button(table.say("throw_others", { n: count }), again, { key: "again", kind: "gold" }) : null,
        h("span", { class: "hint" }, table.say("hold_hint")))
      : null,
  ];
}

function over(table) {
  const { scorecard, outcome } = table.turn;
  if (outcome?.scorecard_full || table.standing?.over) return null;
  const next = () => table.goOn({ ...table.rules, ...JSON.parse(table.start ?? '{"phase":"throw"}'), scorecard });
  return h("div", { class: "actions" }, button(table.say("next_turn"), next, { key: "next-turn", kind: "gold", first: true }));
}
