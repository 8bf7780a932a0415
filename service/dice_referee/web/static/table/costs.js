// The costliest decisions of a game, by their effect on the whole game or on the chance of winning where it is known,
// else on their turn. The service reviews the game. Each decision opens in the playground.

import { written } from "../shared/address.js";
import { h } from "../shared/dom.js";
import { furtherAim } from "../games/aims.js";
import { number } from "../games/odds.js";
import { button, smallDice } from "../games/parts.js";
import { unanswered } from "../shared/session.js";
import { about, called } from "../shared/words.js";
import { NO_EVENTS } from "./logbook.js";

const MOST = 5;
/** Factors and texts of losses by unit. Sums of dice with nothing to beat have no text. */
const UNITS = { points: [1, "lost_points"], chance: [100, "lost_chance"], "win-chance": [100, "lost_win_chance"] };
/** Points of the smallest loss that is not rounded to 0. */
const LEAST = 0.05;

/** Requests a review of the game. `recalled.costs` then draws the result. */
export async function review(table, recalled) {
  const { api, game } = table;
  if (recalled.reviewing) return;
  recalled.reviewing = true;
  recalled.costs = (again) => h("p", { class: "hint costs", tabindex: "-1", "data-key": "costs" }, again.say("asking"));
  table.show();
  table.announcer.tell([table.say("asking")]);
  const ask = (fields) => api.ask(`/v1/${game}/reviews`, { ...recalled.record, ...fields }).catch(unanswered);
  const aim = furtherAim(table);
  let note = null;
  let answer = await ask(aim ? { aim } : {});
  if (aim && answer?.document.findings?.length) {
    note = answer.document.findings[0].detail;
    answer = await ask({});
  }
  const { ok, document } = answer ?? {};
  recalled.costs = ok
    ? (again) => drawn(again, recalled, document.decisions, { note, perfect: aim && !note })
    : (again) => refused(again, recalled, document?.detail ?? again.say("away"));
  table.announcer.tell([ok ? table.say("costs") : document?.detail ?? table.say("away")]);
  recalled.reviewing = false;
  table.show();
  table.place.board.querySelector('[data-key="costs"]')?.focus();
}

const lossOf = ({ loss, unit }) => loss * (UNITS[unit]?.[0] ?? 0);

const costliest = (decisions) =>
  decisions.filter((decision) => lossOf(decision) >= LEAST).sort((first, second) => lossOf(second) - lossOf(first))
    .slice(0, MOST);

/** Counts, for each player, the decisions that are worth as much as those of the perfect computer. */
const agreed = (table, decisions) =>
  table.players.map((_, player) => decisions.filter((one) => one.player === player))
    .map((own, player) =>
      (own.length
        ? h("p", {},
          about(table, "as_perfect", player, { n: own.filter((one) => lossOf(one) < LEAST).length, all: own.length }))
        : null));

/** Returns the turn of a move, its card and its roll. A missing card is null, and a missing roll is empty. */
function situation(moves, index) {
  const begins = ({ player }, at) => !at || moves[at - 1].outcome || moves[at - 1].player !== player;
  const starts = moves.slice(0, index + 1).flatMap((move, at) => (begins(move, at) ? [at] : []));
  const events = moves.slice(starts.at(-1), index).map(({ event }) => event);
  const { held = [], dice = [] } = events.findLast(({ type }) => type === "roll") ?? {};
  return { turn: starts.length, card: events.findLast(({ card }) => card)?.card ?? null, roll: [...held, ...dice] };
}

/** Draws the turn, the card and the roll of a decision. */
function situationLine(table, { turn, card, roll }) {
  const place = [table.say("turn_n", { n: turn }), card && table.term(card)].filter(Boolean).join(" · ");
  return h("small", { class: "situation" }, place, roll.length ? [" ", smallDice(roll)] : null);
}

function drawn(table, { record, events = [] }, decisions, { note, perfect }) {
  const { ruleset, options, starter, players, log } = record;
  const costly = costliest(decisions);
  const moves = events.filter(({ version, event }) => !table.undone.has(version) && !NO_EVENTS.includes(event.type));
  const { say } = table;
  const item = ({ index, player, event, advice, ...cost }) =>
    h("li", {},
      moves[index] ? situationLine(table, situation(moves, index)) : null, " ",
      h("span", {},
        [
          called(table, player) + (moves[index]?.by === "bot" ? ` (${table.say("computer")})` : ""),
          words(table, event),
        ].join(table.say("colon"))),
      " ",
      h("small", {}, say(perfect ? "perfect_did" : "better", { what: words(table, advice) })), " ",
      h("small", {}, say(UNITS[cost.unit][1], { n: number(table, lossOf(cost)) })), " ",
      h("a", {
        "data-key": `cost-${index}`,
        href: `/${written({ game: table.game, ruleset, options, starter, players, log: log.slice(0, index) })}`,
      }, say("look")));
  return h("section", { class: "costs" },
    h("h2", { tabindex: "-1", "data-key": "costs" }, table.say("costs")),
    note ? h("p", { class: "hint no-table" }, say("each_turn_only", { reason: note })) : null,
    perfect ? agreed(table, decisions) : null,
    costly.length ? h("ol", {}, costly.map(item)) : h("p", {}, say("nothing_lost")));
}

/** Shows the reason for a missing review, with a button to retry. */
const refused = (table, recalled, reason) =>
  h("section", { class: "costs" },
    h("p", { class: "hint" }, reason),
    h("p", { class: "actions" }, button(table.say("costs"), () => review(table, recalled), { key: "costs" })));

/** Describes an event, or the better alternative. */
function words(table, { type, dice, held, category }) {
  const { say } = table;
  if (type === "roll" && held) return held.length ? say("hold_dice", { dice: held.join(" ") }) : say("roll_all_dice");
  if (type === "keep") return say("set_aside_these", { dice: dice.join(" ") });
  if (type === "write") return table.term(category);
  if (type === "strike") return say("strike", { category: table.term(category) });
  return say(type === "roll" ? "roll_again" : type);
}
