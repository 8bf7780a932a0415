// Yatzee with six dice at the table.

import { choosable } from "./dice.js";
import { h } from "./dom.js";
import { banner, button, effects, turnOf } from "./parts.js";
import { sheet } from "./sheet.js";
import { chance, tray } from "./tray.js";

const FACES = [1, 2, 3, 4, 5, 6];
const IN_THE_BOX = 6;

const thrown = (number) => Array.from({ length: number }, () => FACES[chance(FACES.length)]);

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
  return tray({
    say: table.say, count: IN_THE_BOX, faces: FACES, entered: table.entered,
    change: () => table.show(),
    done: (dice) => table.play({ type: "throw", dice }),
    throwAll: () => thrown(IN_THE_BOX),
  });
}

function choosing(table) {
  const { turn, judged, chosen } = table;
  const held = [...chosen].map((at) => turn.dice[at]).sort();
  const count = turn.dice.length - held.length;
  if (table.throwing) {
    return tray({
      say: table.say, count, faces: FACES, entered: table.entered,
      change: () => table.show(),
      done: (dice) => {
        table.throwing = false;
        table.play({ type: "throw", held, dice });
      },
      throwAll: () => thrown(count),
    });
  }
  const toggle = (at) => {
    if (!chosen.delete(at)) chosen.add(at);
    table.show();
  };
  const again = () => {
    table.throwing = true;
    table.show();
  };
  return [
    h("h2", {}, table.say("thrown")),
    h("div", { class: "slots", role: "group", "aria-label": table.say("hold_hint") },
      choosable(turn.dice, chosen, { name: (face) => table.say("die", { face }), toggle, fresh: table.fresh })),
    judged?.may_throw
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
