// Draws a table of Yatzee with six dice.

import { effects } from "./effects.js";
import { places } from "../shared/dice.js";
import { h } from "../shared/dom.js";
import { called } from "../shared/names.js";
import { categoryWords, oddsLine, weighed } from "./odds.js";
import { MOST_SHOWN, banner, button, folded, lying, turnOf } from "./parts.js";
import { sheet } from "./sheet.js";
import { strikes } from "./strikes.js";
import { due, facesOf, thrown } from "./tray.js";

export const yatzee = {
  judged: "choose",

  alone: (turn) => turn,

  draw(table) {
    const asked = { throw: throwing, choose: choosing, over }[table.turn.phase];
    const { action = [], dock = [], best = null, near = [] } = (asked && asked(table)) ?? {};
    const card = sheet(table, near);
    return { felt: [verdict(table), h("div", { class: "play wide" }, action)], dock, below: [best, table.judged?.status === "writable" ? [card, strikes(table)] : [strikes(table), card]] };
  },

  /** Returns null: every event of Yatzee is a decision. */
  forced: () => null,
};

const ended = (table) => {
  const { told } = table;
  if (!told?.step.turn.outcome) return null;
  const who = table.players && told.by !== null ? `${called(table, told.by)}${table.say("colon")}` : "";
  return who + effects(table, told.step.effects);
};

const heading = ({ turn, say }) => say("throw_n", { n: turn.throw });

function todo(table) {
  const { judged, mine, say } = table;
  if (!mine) return say("chooses", { name: table.name(table.player) });
  const writes = judged.status === "writable";
  return say(judged.may_throw ? (writes ? "write_or_throw" : "throw_or_strike") : writes ? "write_now" : "strike_now");
}

/** Returns the categories that can be scored, most points first. */
const writable = ({ judged }) => judged.categories.filter(({ open, satisfied }) => open && satisfied).sort((one, other) => other.points - one.points);

function verdict(table) {
  const { judged } = table;
  if (judged) return banner(table, heading(table), { rules: judged.rules, note: todo(table) });
  const word = ended(table);
  if (word) return banner(table, word, { kind: table.told.step.turn.outcome.points ? "good" : "bad", rules: table.told.step.rules, thrown: table.last?.dice });
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
  const { turn, judged, chosen } = table;
  const { dice: box } = table.catalogue;
  if (table.throwing) {
    const held = heldOf(table);
    const count = turn.dice.length - held.length;
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
  const action = [h("h2", {}, table.say("thrown")), lying(table, turn.dice, table.say("hold_hint"), toggle)];
  if (!judged) return { action };
  const { dock, plan, written } = table.mine ? decisions(table) : {};
  const others = writable(table).filter(({ category }) => category !== written?.category);
  if (table.odds?.found) {
    const near = [written, ...byGain(table).filter((one) => !holds(table, one))].map((one) => one?.category);
    return { action, dock, best: plans(table, [plan, written]), near };
  }
  const list = table.mine && !table.odds?.answer ? others.slice(0, MOST_SHOWN - 1) : [];
  return { action, dock, best: bests(table, list), near: [written, ...list].map((one) => one?.category) };
}

/** Returns the faces of the chosen dice, sorted. */
const heldOf = ({ turn, chosen }) => [...chosen].map((at) => turn.dice[at]).sort();

/**
 * Draws both buttons of the bar: to throw the dice that are not chosen or, with odds, not held for the best category,
 * and to score the best category. Returns `{ plan, written, dock }`, the categories of both buttons and the buttons.
 */
function decisions(table) {
  const { turn, judged, chosen, thrower, odds, say } = table;
  const ranked = odds?.found ? byGain(table) : [];
  const plan = chosen.size || !judged.may_throw ? null : ranked.find((one) => holds(table, one));
  const [most, ...less] = writable(table);
  const planned = ranked.filter((one) => !holds(table, one)).map(({ category }) => [most, ...less].find((one) => one?.category === category));
  const written = planned.find(Boolean) ?? most;
  const held = plan?.hold.value ?? heldOf(table);
  const count = turn.dice.length - held.length;
  const again = () => {
    if (thrower === "service") {
      table.play({ type: "throw", held });
      return;
    }
    Object.assign(table, { throwing: true, chosen: places(turn.dice, held) });
    table.show();
  };
  const best = odds?.found?.best?.category;
  const line = (category) => {
    const known = ranked.find((one) => one.category === category);
    return known ? oddsLine(table, categoryWords(table, known), category === best) : null;
  };
  const gold = (category) => (best && category === best ? "gold" : "");
  const text = say(held.length ? "throw_others" : "throw_all", { n: count });
  return {
    plan, written,
    dock: [
      judged.may_throw && count ? button([plan && held.length ? `${say("hold_dice", { dice: held.join(" ") })}${say("colon")}` : null, text, plan ? h("small", {}, table.term(plan.category)) : null, plan ? line(plan.category) : null], again, { key: "again", kind: gold(plan?.category) }) : null,
      written ? button([say("write", { category: table.term(written.category), n: written.points }), line(written.category)], () => table.play({ type: "write", category: written.category }), { key: `best-${written.category}`, kind: gold(written.category) }) : null,
    ],
  };
}

/** Draws a button for each of the next categories. */
function bests(table, list) {
  if (!list.length) return null;
  const press = ({ category, points }) =>
    button([h("span", {}, table.term(category)), " ", h("span", { class: "worth" }, String(points))], () => table.play({ type: "write", category }), { key: `best-${category}`, label: table.say("write_this", { category: table.term(category), n: points }) });
  return h("section", { class: "choices" }, h("h2", {}, table.say("choices")), h("div", { class: "actions bests" }, list.map(press)));
}

/** Returns the open categories by their gain, the value beyond an average turn. */
const byGain = ({ odds }) => [...odds.found.categories].sort((one, other) => other.gain.value - one.gain.value);

/** Tells if holding some dice and throwing the others is best for a category. */
const holds = ({ turn, judged }, { hold }) => Boolean(judged.may_throw && hold?.value && hold.value.length < turn.dice.length);

/** Draws the categories outside the bar with their odds, to score or to hold dice for. */
function plans(table, inBar) {
  const { odds, say } = table;
  const rows = byGain(table).filter(({ category }) => !inBar.some((one) => one?.category === category));
  return folded(table, {
    title: say("choices"),
    most: MOST_SHOWN,
    rows: rows.map((one) => weighed(table, {
      name: table.term(one.category), dice: one.hold?.value,
      texts: categoryWords(table, one), best: one.category === odds.found.best?.category, act: towards(table, one),
    })),
  });
}

/** Returns the button of a category: hold dice while another throw can improve the category, else score. */
function towards(table, { category, hold }) {
  const { turn, judged, say } = table;
  const { satisfied, points } = judged.categories.find((one) => one.category === category);
  if (holds(table, { hold })) {
    const dice = hold.value;
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
