// Draws a table of Tutto.

import { card, pile } from "./pieces.js";
import { amount, banner, button, diceRow, effects, smallDice, standings, turnOf } from "./parts.js";
import { h } from "../shared/dom.js";
import { atHand, choices, chosenOf, doubt, gain, keepWords, keepsAll, reason } from "./keeps.js";
import { called } from "../shared/words.js";
import { bustWords, oddsLine, oddsWords, worthWords } from "./odds.js";
import { chance, rollArea } from "./tray.js";

const BUST = "niete";

export const tutto = {
  judged: "keep",

  /** Removes the scores and the player from a turn. */
  alone: ({ scores: _, player: __, ...turn }) => turn,

  draw(table) {
    const { turn } = table;
    const drawPhase = { draw: drawing, roll: rolling, keep: keeping, over }[turn.phase];
    const { action = [], dock = [], below = [], explained } = drawPhase ? drawPhase(table) : {};
    const felt = [
      verdict(table),
      h(
        "div",
        { class: "spread" },
        h("div", { class: "spot" }, spot(table), purse(table), nextOdds(table)),
        h("div", { class: "play" }, keepsAside(table), action),
      ),
    ];
    return { felt, dock, below: [below, sheet(table)], explained };
  },

  /** Returns a draw or a roll, which need no decision, or else null. */
  forced: ({ turn }, type) => (["draw", "roll"].includes(turn.phase) ? { type } : null),
};

/** Draws the last card, face up until the next draw, or the pile. */
function spot(table) {
  const { turn, say, catalogue, lastStep } = table;
  if (table.standing?.over) return null;
  const lastCard = turn.card ?? (["draw", "over"].includes(turn.phase) ? table.last?.card : null);
  // The text of a card matters in its turn, and when it ends that turn.
  const figure = lastCard && cardFigure(table, lastCard, turn.phase !== "draw" || lastStep?.event.type === "draw");
  if (turn.phase !== "draw" || !table.mine || table.roller !== "visitor")
    return [figure, figure && turn.phase !== "draw" ? null : pile()];
  const forMe = () => {
    const cards = catalogue.deck.flatMap(({ id, copies }) => Array(copies).fill(id));
    table.play({ type: "draw", card: cards[chance(cards.length)] });
  };
  return [
    figure,
    h("button", { type: "button", class: "pile-button", "data-key": "draw", "data-first": true, onclick: forMe },
      figure ? null : pile(), h("span", { class: "loud" }, say("draw_for_me"))),
  ];
}

const cardFigure = (table, id, explained) => {
  const piece = explained && table.catalogue.deck.find((entry) => entry.id === id);
  return h("figure", { class: "card-place", "aria-label": table.term(id) },
    card(id, table.term(id)),
    piece ? h("figcaption", {},
      h("span", { class: "card-does", lang: table.catalogue.spoken }, piece.text), " ",
      table.book.chip(piece.rule)) : null);
};

/** Returns the end of the last turn for a banner, or null without an end. A whole game shows the turn before. */
function result(table) {
  const { lastStep, turn } = table;
  const outcome = turn.phase === "over" ? turn.outcome : lastStep?.step.turn.outcome;
  if (!outcome) return null;
  const prefix = lastStep && lastStep.by !== null && table.players
    ? `${called(table, lastStep.by)}${table.say("colon")}`
    : "";
  const { effects: caused = [], rules = [] } = lastStep?.step ?? {};
  const consequences = effects(table, caused, rules);
  return {
    word: `${prefix}${table.term(outcome.reason)}`,
    note: [...(outcome.points ? [table.say("points", { n: amount(table, outcome.points) })] : []), ...consequences]
      .join(" · "),
    kind: outcome.points > 0 ? "good" : "bad",
    rules,
    rolled: lastStep?.event.dice ?? lastStep?.turn.roll ?? null,
  };
}

function verdict(table) {
  const { judged } = table;
  if (judged) {
    const kind = { [BUST]: "bad", tutto: "best" }[judged.status] ?? "";
    return banner(table, headline(table),
      { kind, rules: judged.rules, whose: table.mine || judged.status !== "scoring" });
  }
  const end = result(table);
  if (end) return banner(table, end.word, end);
  return table.players && !table.standing?.over ? turnOf(table) : null;
}

/** Returns the verdict on the roll in words: its status, or the most points that can be set aside. */
function headline(table) {
  const { judged, say } = table;
  if (judged.status !== "scoring") return table.term(judged.status);
  if (!table.mine) return say("chooses", { name: table.name(table.player) });
  const most = Math.max(...judged.legal_keeps.map(({ points, bonus }) => points + bonus));
  return most ? say("keep_up_to", { n: amount(table, most) }) : say("keep_some");
}

/** Returns the points of the turn before the roll, or null if the position comes from an address without points. */
const stake = ({ turn, judged }) => judged?.turn_points ?? turn.turn_points ?? (turn.keeps ? null : turn.carried ?? 0);

function stakeWords(table) {
  const points = ["roll", "keep", "draw"].includes(table.turn.phase) ? stake(table) : null;
  // A bust on a firework scores all points of the turn (T5.2).
  const key = table.turn.card === "firework" ? "so_far" : "at_stake";
  return points ? table.say(key, { points: amount(table, points) }) : null;
}

/** Draws the points of the turn (at stake, or safe on a Firework) and the Tuttos on this card. */
function purse(table) {
  const { tuttos, card: onCard } = table.turn;
  const held = onCard || table.turn.carried ? stakeWords(table) : null;
  return h("p", { class: "purse-line" },
    held ? h("strong", { class: "stake" }, held) : null,
    tuttos ? h("span", {}, ` ${table.term("tutto")} × ${tuttos}`) : null);
}

/** Draws the odds of the next roll or card. */
function nextOdds(table) {
  const { turnAnswer } = table.odds ?? {};
  return turnAnswer && !table.judged
    ? oddsLine(table,
      [turnAnswer.roll && bustWords(table, turnAnswer.roll), worthWords(table, turnAnswer.value)].filter(Boolean))
    : null;
}

function keepsAside(table) {
  const { turn, lastStep } = table;
  const keeps = (turn.phase === "over" ? lastStep?.turn.keeps : turn.keeps) ?? [];
  return keeps.length ? h("div", { class: "aside" }, h("h2", {}, table.say("on_table")), keeps.map(smallDice)) : null;
}

function drawing(table) {
  if (!table.mine) return {};
  const { say } = table;
  if (table.roller === "service")
    return { dock: button(say("draw_and_roll"), () => table.play({ type: "draw" }), { key: "draw", first: true }) };
  const { deck } = table.catalogue;
  const draw = (id) => table.play({ type: "draw", card: id });
  return {
    action: [
      h("p", { class: "ask" }, say("draw")),
      h(
        "div",
        { class: "hand", role: "group", "aria-label": say("draw") },
        deck.map(({ id, title }) =>
          h("button", { type: "button", class: "card-button", "data-key": `card-${id}`, onclick: () => draw(id) },
            card(id, title)),
        ),
      ),
    ],
  };
}

const rolling = (table) =>
  rollArea(table, table.catalogue.dice.slice(-table.turn.dice_to_roll), (dice) => table.play({ type: "roll", dice }));

function keeping(table) {
  const { turn, judged } = table;
  const toggle = (at) => {
    table.toggle(at);
    doubt(table);
  };
  return {
    explained: table.mine && !table.problem && !keepsAll(table),
    action: [diceRow(table, turn.roll, table.say("rolled"), toggle), table.mine ? reason(table) : null],
    dock: table.mine && judged ? decisions(table, judged) : null,
    below: judged && (judged.legal_keeps.length || judged.bank) ? choices(table, judged) : null,
  };
}

/**
 * Draws the buttons of the bar, with odds: to keep the chosen dice or the best keep, and to stop. The best by the odds
 * is gold.
 */
function decisions(table, judged) {
  const { say, odds } = table;
  if (judged.next) return button(say("go_on"), () => table.goOn(judged.next), { key: "go-on", first: true });
  const set = chosenOf(table);
  const keep = atHand(table);
  const dice = set.length ? set : keep?.dice;
  const act = (text, worth, event, key, legal) => {
    const choiceOdds = odds?.of(event);
    const worthLine = worth ? [" ", h("span", { class: "worth" }, worth)] : null;
    return button([text, worthLine, oddsLine(table, oddsWords(table, event), choiceOdds?.best)],
      () => table.play(event), { key, kind: legal ? (choiceOdds?.best ? "gold" : "") : "refused" });
  };
  return [
    dice
      ? act(keep ? keepWords(table, keep) : say("set_aside_these", { dice: dice.join(" ") }), keep && gain(table, keep),
        { type: "keep", dice }, "keep-chosen", Boolean(keep))
      : null,
    judged.bank
      ? act(say(bankWords(table, judged.bank.next.outcome)), amount(table, judged.bank.turn_points),
        { type: "bank" }, "bank", true)
      : null,
  ];
}

/** Returns the key of the words to stop: before the last turn of a last round nobody knows who wins. */
function bankWords({ standing }, { wins_game: wins }) {
  if (wins) return "bank_win";
  return wins === false && standing?.last_round ? "bank_lose" : "bank";
}

function over(table) {
  const nextTurn = () => {
    const { scores } = table.turn;
    table.goOn({
      ...table.rules, ...JSON.parse(table.start ?? '{"phase":"draw"}'),
      ...(scores ? { scores, player: table.turn.player } : {}),
    });
  };
  if (table.standing?.over) return {};
  return { dock: button(table.say("next_turn"), nextTurn, { key: "next-turn", first: true }) };
}

const sheet = (table) => {
  const scores = table.turn.scores ?? table.standing?.scores;
  if (!scores || table.seated) return null;
  return standings(table, scores, table.standing?.over ? null : table.turn.player,
    { winners: table.standing?.winners ?? [] });
};
