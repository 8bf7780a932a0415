// Draws odds beyond the turn: for the whole game of Yatzee, and for winning Tutto or POT against one opponent. The
// service computes all numbers.

import { places } from "../shared/dice.js";
import { h } from "../shared/dom.js";
import { number, oddsRow } from "./odds.js";
import { MOST_SHOWN, choiceList } from "./parts.js";

/** Keys of the texts of the aims beyond the turn. */
const AIMS = { game: "aim_game", win: "aim_win" };
/** Points below which a loss rounds to 0.0 and is not shown. */
const NO_LOSS = 0.05;
const ONE_DIGIT = { minimumFractionDigits: 1 };

/** Returns the aims for which a ruleset is solved, with this number of players. */
export const solvedAims = ({ aims }, count) =>
  aims.filter(({ players }) => players === null || players === count).map(({ aim }) => aim);

/** Returns the aim of odds beyond the turn for which a ruleset of this game is solved, or null. */
export const furtherAim = ({ catalogue, turn }) =>
  catalogue.rulesets.flatMap((ruleset) => solvedAims(ruleset, (turn?.scores ?? turn?.coins)?.length))[0] ?? null;

/** Draws the choice between the odds of the turn and of the aim beyond, or null for games without an aim. */
export function choice(table, changed) {
  const aim = furtherAim(table);
  if (!aim) return null;
  const { odds, odds: { further } } = table;
  const { say } = table;
  const choose = (on) => {
    further.toggle(on);
    odds.telling = true;
    changed();
    tell(table);
  };
  const radio = (on, text) =>
    h("label", { class: "switch" },
      h("input", {
        type: "radio", name: "aim", "data-key": on ? "aim-further" : "aim-turn", checked: further.on === on,
        onchange: () => choose(on),
      }), " ", say(text));
  return h("span", { class: "aims", role: "radiogroup", "aria-labelledby": "aims" },
    h("span", { id: "aims" }, say("what_counts")), ["aim_turn", AIMS[aim]].map((text, at) => radio(Boolean(at), text)));
}

/** Creates a labelled checkbox. `change` gets its new state. */
export const switchOf = (key, on, text, change) =>
  h("label", { class: "switch" },
    h("input", { type: "checkbox", "data-key": key, checked: on, onchange: ({ target }) => change(target.checked) }),
    " ", text);

/** Announces why the chosen aim has no odds. */
export function tell(table) {
  const { odds, odds: { answer, telling } } = table;
  if (!telling || !answer) return;
  odds.telling = false;
  if (answer.note) table.announcer.tell([noteWords(table)]);
}

const noteWords = (table) => table.say("this_turn_only", { reason: table.odds.answer.note });

/** Draws the choices for the whole game, or the reason why no odds are known. */
export function below(table) {
  const { answer } = table.odds;
  if (answer?.note) return h("p", { class: "hint no-table" }, noteWords(table));
  if (!answer?.game) return null;
  return answer.game.choices.length
    ? plans(table, answer.game)
    : h("p", { class: "hint" }, [table.say("whole"), toCome(table, answer.game.value)].join(table.say("colon")));
}

const toCome = (table, value) => table.say("to_come", { n: number(table, value, ONE_DIGIT) });

/** Draws all choices, ordered by their value for the rest of the score sheet. */
function plans(table, { choices, best, value }) {
  const ranking = choices.map((option, at) => ({ ...option, best: at === best }))
    .sort((a, b) => b.value - a.value || b.best - a.best);
  return choiceList(table, {
    title: table.say("whole"),
    most: MOST_SHOWN,
    rows: ranking.map((plan, at) => oddsRow(table, {
      ...nameOf(table, plan.event),
      texts: [
        toCome(table, plan.value),
        value - plan.value < NO_LOSS ? null : table.say("less", { n: number(table, value - plan.value, ONE_DIGIT) }),
      ].filter(Boolean),
      best: plan.best,
      act: { key: `game-${at}`, ...act(table, plan.event) },
    })),
  });
}

const nameOf = (table, { type, category, held }) =>
  type === "roll" ? { name: held.length ? null : table.say("roll_all", { n: table.turn.roll.length }), dice: held }
    : { name: type === "strike" ? table.say("strike", { category: table.term(category) }) : table.term(category) };

/** Returns text and action of a button: hold dice, score a category, or confirm before a crossing out. */
function act(table, event) {
  const { say } = table;
  const { type, category, held } = event;
  if (type === "roll") {
    const hold = () => {
      table.choose(places(table.turn.roll, held));
      table.focus("[data-key=again]");
    };
    return {
      text: held.length ? say("hold_dice", { dice: held.join(" ") }) : say("roll_all", { n: table.turn.roll.length }),
      done: hold,
    };
  }
  if (type === "write") {
    const { points } = table.judged.categories.find((entry) => entry.category === category);
    return { text: say("write", { category: table.term(category), points }), done: () => table.play(event) };
  }
  return { text: say("strike", { category: table.term(category) }), done: () => table.confirm(category) };
}
