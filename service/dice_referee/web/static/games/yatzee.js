// Draws a table of Yatzee with six dice.

import { MOST_SHOWN, amount, banner, button, choiceList, diceRow, turnOf } from "./parts.js";
import { places } from "../shared/dice.js";
import { h } from "../shared/dom.js";
import { called } from "../shared/words.js";
import { categoryWords, oddsLine, oddsRow } from "./odds.js";
import { sheet, strikeButton, strikeQuestion, strikes } from "./sheet.js";
import { rollArea } from "./tray.js";

export const yatzee = {
  judged: "choose",

  alone: (turn) => turn,

  draw(table) {
    const drawPhase = { roll: rolling, choose: choosing, over }[table.turn.phase];
    const { action = [], dock = [], best = null } = (drawPhase && drawPhase(table)) ?? {};
    const [card, striking] = [sheet(table), strikes(table)];
    const fits = table.judged?.status === "writable";
    return {
      felt: [verdict(table), h("div", { class: "play wide" }, action)],
      dock,
      below: [strikeQuestion(table), best, fits ? [card, striking] : [striking, card]],
      explained: Boolean(table.sure),
    };
  },

  /** Returns null: every event of Yatzee is a decision. */
  forced: () => null,
};

const lastEvent = (table) => {
  const { lastStep } = table;
  if (!lastStep?.step.turn.outcome) return null;
  const prefix = table.players && lastStep.by !== null ? `${called(table, lastStep.by)}${table.say("colon")}` : "";
  const { type, category, points } = lastStep.step.effects.find((effect) => effect.category);
  const scored = [table.term(category), type === "written" ? amount(table, points) : table.term(type)];
  return prefix + scored.join(table.say("colon"));
};

const heading = ({ turn, say }) => say("roll_n", { n: turn.rolls_made });

function todo(table) {
  const { judged, mine, say } = table;
  if (!mine) return say("chooses", { name: table.name(table.player) });
  const writes = judged.status === "writable";
  return say(judged.may_roll ? (writes ? "write_or_roll" : "roll_or_strike") : writes ? "write_now" : "strike_now");
}

/** Returns the categories that can be scored, most points first. */
export const writable = ({ judged }) =>
  judged.categories.filter(({ open, satisfied }) => open && satisfied).sort((a, b) => b.points - a.points);

/** Names the event that scores a category. */
export const writeWords = (table, { category, points }) =>
  table.say("write", { category: table.term(category), points });

function verdict(table) {
  const { judged } = table;
  if (judged) return banner(table, heading(table), { rules: judged.rules, note: todo(table) });
  const word = lastEvent(table);
  if (word)
    return banner(table, word, {
      kind: table.lastStep.step.turn.outcome.points ? "good" : "bad", rules: table.lastStep.step.rules,
      rolled: table.last?.dice,
    });
  return table.players && !table.standing?.over ? turnOf(table) : null;
}

const rolling = (table) => rollArea(table, table.catalogue.dice, (dice) => table.play({ type: "roll", dice }));

function choosing(table) {
  const { turn, judged } = table;
  if (table.rolling) {
    const held = heldOf(table);
    return rollArea(table, table.catalogue.dice.slice(held.length), (dice) => table.play({ type: "roll", held, dice }));
  }
  const action = diceRow(table, turn.roll, table.say("hold_hint"));
  if (!judged) return { action };
  const { dock, plan, score } = table.mine ? decisions(table) : {};
  const alternatives = writable(table).filter(({ category }) => category !== score?.category);
  if (table.odds?.turnAnswer) return { action, dock, best: plans(table, [plan, score]) };
  const list = table.mine && !table.odds?.answer ? alternatives.slice(0, MOST_SHOWN - 1) : [];
  return { action, dock, best: bests(table, list) };
}

/** Returns the faces of the chosen dice, sorted. */
const heldOf = ({ turn, chosen }) => [...chosen].map((at) => turn.roll[at]).sort();

/**
 * Draws both buttons of the bar: to roll the dice that are not chosen or, with odds, not held for the best category,
 * and to score the best category, or to cross one out. Returns `{ plan, score, dock }`, the categories of both buttons
 * and the buttons.
 */
function decisions(table) {
  const { turn, judged, chosen, roller, odds, say } = table;
  const ranking = odds?.turnAnswer ? byGain(table) : [];
  const plan = chosen.size || !judged.may_roll ? null : ranking.find((entry) => holds(table, entry));
  const [most, ...less] = writable(table);
  const plannedScores = ranking.filter((entry) => !holds(table, entry))
    .map(({ category }) => [most, ...less].find((option) => option?.category === category));
  const score = plannedScores.find(Boolean) ?? most;
  const held = plan?.hold.value ?? heldOf(table);
  const count = turn.roll.length - held.length;
  const rollAgain = () =>
    (roller === "service" ? table.play({ type: "roll", held }) : table.hold(places(turn.roll, held)));
  const best = odds?.turnAnswer?.best?.category;
  const line = (category) => {
    const categoryOdds = ranking.find((entry) => entry.category === category);
    return categoryOdds ? oddsLine(table, categoryWords(table, categoryOdds), category === best) : null;
  };
  const gold = (category) => (best && category === best ? "gold" : "");
  const text = say(held.length ? "roll_others" : "roll_all", { n: count });
  return {
    plan, score,
    dock: [
      judged.may_roll && count
        ? button(
          [
            plan && held.length ? `${say("hold_dice", { dice: held.join(" ") })}${say("colon")}` : null, text,
            plan ? h("small", {}, table.term(plan.category)) : null, plan ? line(plan.category) : null,
          ],
          rollAgain, { key: "again", kind: gold(plan?.category) })
        : null,
      score
        ? button([writeWords(table, score), line(score.category)],
          () => table.play({ type: "write", category: score.category }),
          { key: `best-${score.category}`, kind: gold(score.category) })
        : strikeButton(table),
    ],
  };
}

/** Draws a button for each of the next categories. */
function bests(table, list) {
  if (!list.length) return null;
  const press = ({ category, points }) =>
    button([h("span", {}, table.term(category)), " ", h("span", { class: "worth" }, String(points))],
      () => table.play({ type: "write", category }),
      { key: `best-${category}`, label: table.say("write_this", { category: table.term(category), n: points }) });
  return h("section", { class: "choices" },
    h("h2", {}, table.say("choices")),
    h("div", { class: "actions bests" }, list.map(press)));
}

/** Returns the open categories by their gain, the value beyond an average turn. */
const byGain = ({ odds }) => [...odds.turnAnswer.categories].sort((a, b) => b.gain.value - a.gain.value);

/** Tells if holding some dice and rolling the others is best for a category. */
const holds = ({ turn, judged }, { hold }) =>
  Boolean(judged.may_roll && hold?.value && hold.value.length < turn.roll.length);

/** Draws the categories outside the bar with their odds, to score or to hold dice for. */
function plans(table, inBar) {
  const { odds, say } = table;
  const rows = byGain(table).filter(({ category }) => !inBar.some((barEntry) => barEntry?.category === category));
  return choiceList(table, {
    title: say("choices"),
    most: MOST_SHOWN,
    rows: rows.map((entry) => oddsRow(table, {
      name: table.term(entry.category), dice: entry.hold?.value,
      texts: categoryWords(table, entry), best: entry.category === odds.turnAnswer.best?.category,
      act: towards(table, entry),
    })),
  });
}

/** Returns the button of a category: hold dice while another roll can improve the category, else score. */
function towards(table, { category, hold }) {
  const { turn, judged, say } = table;
  const { satisfied, points } = judged.categories.find((entry) => entry.category === category);
  if (holds(table, { hold })) {
    const dice = hold.value;
    const text = say("hold_dice", { dice: dice.join(" ") });
    return {
      key: `hold-${category}`, text, label: `${table.term(category)}, ${text}`,
      done: () => table.choose(places(turn.roll, dice)),
    };
  }
  const text = writeWords(table, { category, points });
  return satisfied ? { key: `best-${category}`, text, done: () => table.play({ type: "write", category }) } : null;
}

function over(table) {
  const { scorecard, outcome } = table.turn;
  if (outcome?.scorecard_full || table.standing?.over) return null;
  const nextTurn = () => table.goOn({ ...table.rules, ...JSON.parse(table.start ?? '{"phase":"roll"}'), scorecard });
  return { dock: button(table.say("next_turn"), nextTurn, { key: "next-turn", first: true }) };
}
