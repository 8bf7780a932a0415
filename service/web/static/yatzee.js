// Yatzee with six dice at the table.

import { effects } from "./effects.js";
import { places } from "./dice.js";
import { h } from "./dom.js";
import { categoryWords, weighed } from "./odds.js";
import { MOST_SHOWN, banner, button, folded, lying, turnOf } from "./parts.js";
import { sheet } from "./sheet.js";
import { strikes } from "./strikes.js";
import { due, facesOf, thrown } from "./tray.js";

export const yatzee = {
  judged: "choose",

  alone: (turn) => turn,

  draw(table) {
    const asked = { throw: throwing, choose: choosing, over }[table.turn.phase];
    const { action = [], dock = [], best = null } = (asked && asked(table)) ?? {};
    return { felt: [verdict(table), h("div", { class: "play wide" }, action)], dock, below: [best, table.judged?.status === "writable" ? [sheet(table), strikes(table)] : [strikes(table), sheet(table)]] };
  },

  /** The phases in which nothing is left to decide. */
  flows: [],
};

const ended = (table) => {
  const { told } = table;
  if (!told?.step.turn.outcome) return null;
  const who = table.players && told.by !== null ? `${table.name(told.by)}: ` : "";
  return who + effects(table, told.step.effects);
};

const heading = ({ turn, say }) => say("throw_n", { n: turn.throw });

function todo(table) {
  const { judged, mine, say } = table;
  if (!mine) return say("chooses", { name: table.name(table.player) });
  return say(judged.may_throw ? "write_or_throw" : judged.status === "writable" ? "write_now" : "strike_now");
}

/** What can be written, the most points first. */
const writable = ({ judged }) => judged.categories.filter(({ open, satisfied }) => open && satisfied).sort((one, other) => other.points - one.points);

function verdict(table) {
  const { judged } = table;
  if (judged) return banner(table, heading(table), { rules: judged.rules, note: todo(table) });
  const word = ended(table);
  if (word) return banner(table, word, { kind: table.told.step.turn.outcome.points ? "good" : "bad", rules: table.told.step.rules });
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
  const words = () => table.say(held.length ? "throw_others" : "throw_all", { n: count });
  return {
    action: [h("h2", {}, table.say("thrown")), lying(table, turn.dice, table.say("hold_hint"), toggle)],
    dock: judged?.may_throw && table.mine && count ? button(words(), again, { key: "again", kind: "gold" }) : null,
    best: judged && (table.odds?.found ? plans(table) : table.mine ? bests(table) : null),
  };
}

/** The categories that bring the most, each to be written at a press. */
function bests(table) {
  const list = writable(table).slice(0, MOST_SHOWN);
  if (!list.length) return null;
  const press = ({ category, points }) =>
    button([h("span", {}, table.term(category)), " ", h("span", { class: "worth" }, String(points))], () => table.play({ type: "write", category }), { key: `best-${category}`, label: table.say("write_this", { category: table.term(category), n: points }) });
  return h("section", { class: "choices" }, h("h2", {}, table.say("choices")), h("div", { class: "actions bests" }, list.map(press)));
}

/** The open categories by what they are worth beyond an average turn. */
const byGain = ({ odds }) => [...odds.found.categories].sort((one, other) => other.gain.value - one.gain.value);

/** The categories with their odds: to be written, or the dice to hold for them. */
function plans(table) {
  const { odds, say } = table;
  return folded(table, {
    title: say("choices"),
    most: MOST_SHOWN,
    rows: byGain(table).map((one) => weighed(table, {
      name: table.term(one.category), dice: one.hold?.value,
      texts: categoryWords(table, one), best: one.category === odds.found.best?.category, act: towards(table, one),
    })),
  });
}

/** What a press does for a category: to hold dice while others can bring more, else to write it. */
function towards(table, { category, hold }) {
  const { turn, judged, say } = table;
  const { satisfied, points } = judged.categories.find((one) => one.category === category);
  const dice = hold?.value;
  if (judged.may_throw && dice && dice.length < turn.dice.length) {
    const choose = () => {
      table.chosen = places(turn.dice, dice);
      table.show();
    };
    const text = say("hold_dice", { dice: dice.join(" ") });
    return { key: `hold-${category}`, text, label: `${table.term(category)}, ${text}`, done: choose };
  }
  const text = say("write", { category: table.term(category), n: points });
  return satisfied ? { key: `best-${category}`, text, done: () => table.play({ type: "write", category }) } : null;
}

function over(table) {
  const { scorecard, outcome } = table.turn;
  if (outcome?.scorecard_full || table.standing?.over) return null;
  const next = () => table.goOn({ ...table.rules, ...JSON.parse(table.start ?? '{"phase":"throw"}'), scorecard });
  return { dock: button(table.say("next_turn"), next, { key: "next-turn", kind: "gold", first: true }) };
}
