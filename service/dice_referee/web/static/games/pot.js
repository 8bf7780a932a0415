// Draws a table of POT.

import { bowl, chest, purse, stack } from "./pieces.js";
import { places } from "../shared/dice.js";
import { MOST_SHOWN, amount, banner, button, choiceList, diceRow, effect, effects, smallDice } from "./parts.js";
import { h } from "../shared/dom.js";
import { sentence } from "../shared/words.js";
import { oddsLine, oddsRow, potWords } from "./odds.js";
import { rollArea } from "./tray.js";

/**
 * Returns the dice of the box that are not held. Rare faces are assigned first: a held face of a single die is that
 * die, and any other held face is an arbitrary die with that face.
 */
function freeDice(box, held) {
  const owners = (face) => box.filter((die) => die.includes(face)).length;
  const remainder = [...box];
  for (const face of [...held].sort((a, b) => owners(a) - owners(b))) {
    remainder.splice(remainder.findIndex((die) => die.includes(face)), 1);
  }
  return remainder;
}

export const pot = {
  judged: "choose",

  alone: (turn) => turn,

  draw(table) {
    const drawPhase = {
      roll: rolling, reroll: rolling, "sudden-death": rolling, choose: choosing, over: () => ({}),
    }[table.turn.phase];
    const { action = [], dock = [], below = [] } = drawPhase ? drawPhase(table) : {};
    return { felt: [verdict(table), h("div", { class: "play wide" }, action), coins(table)], dock, below };
  },

  /**
   * Returns the only possible decision: rolling bound dice, or accepting the only reward, or null if the player
   * chooses.
   */
  forced({ turn, adjudication }, type) {
    if (turn.phase === "reroll") return { type };
    const [only, ...others] = turn.phase === "choose" ? adjudication.choices : [];
    return only && !others.length ? accepting(only) : null;
  },
};

/** Returns the last event for a banner: effects, rules, and the dice that ended a turn. */
const lastEvent = (table) =>
  (table.lastStep
    ? {
      note: effects(table, table.lastStep.step.effects).map(sentence).join(" "), rules: table.lastStep.step.rules,
      rolled: table.turn.phase === "reroll" ? null : table.last?.dice,
    }
    : {});

/** Names the combo of the dice, or their sum. */
const heading = (table) =>
  (table.judged.combo ? table.term(table.judged.combo) : table.say("sum", { n: table.judged.sum }));

/** Returns the effect of the dice on the POT in words: whether they beat the holder, or take a free POT. */
const control = ({ judged: { status, beats }, turn, say }) => {
  if (beats === null) return null;
  if ((turn.holder ?? null) !== null) return say(beats ? "beats" : "no_control");
  return status === "open" ? say("takes_free") : null;
};

/** Returns texts about the dice: their status, their effect on the POT, and the price of another roll. */
const judgement = (table) => {
  const { status, next_roll: next } = table.judged;
  return [
    status === "open" ? null : table.term(status), control(table), next ? table.term(next) : null,
  ].filter(Boolean);
};

function verdict(table) {
  const { judged, turn, standing } = table;
  if (judged) {
    const kind = { bust: "bad", pot: "best" }[judged.status] ?? (judged.beats ? "good" : "");
    return banner(table, heading(table), { kind, note: judgement(table).join(" · "), rules: judged.rules });
  }
  const winners = turn.outcome?.winners ?? standing?.winners ?? [];
  // The heading of a session already names the winner.
  if (turn.phase === "over" && table.seated)
    return turn.outcome ? banner(table, table.term(turn.outcome.reason), lastEvent(table)) : null;
  if (turn.phase === "over" && winners.length)
    return banner(table, table.say("won", { names: winners.map((at) => table.name(at)).join(", ") }),
      { ...lastEvent(table), kind: "best" });
  return banner(table, turn.player === undefined ? table.term(turn.phase) : table.whose(),
    { ...lastEvent(table), whose: false });
}

function coins(table) {
  const { turn } = table;
  if (!turn.coins) return null;
  const beat = turn.to_beat === undefined || turn.to_beat === null
    ? null
    : h("span", { class: "purse-note" }, [table.term("to_beat"), turn.to_beat].join(table.say("colon")));
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
  return rollArea(table, freeDice(table.catalogue.dice, held), (dice) =>
    table.play({ type: "roll", ...(held.length ? { held } : {}), dice }));
}

const heldDice = (table, held) =>
  (held.length ? h("div", { class: "aside" }, h("h2", {}, table.say("on_table")), smallDice(held)) : null);

function rolling(table, held = table.turn.held ?? []) {
  const { action, dock } = tossing(table, held);
  return { action: [heldDice(table, held), action], dock };
}

function choosing(table) {
  const { turn, judged, say } = table;
  if (table.rolling) return rolling(table, heldOf(table));
  const near = judged && table.mine ? atHand(table) : {};
  return {
    action: [
      diceRow(table, turn.roll, say("hold_hint")),
      judged?.next_roll && table.mine ? h("p", { class: "hint" }, say("hold_hint")) : null,
    ],
    dock: judged && table.mine ? decisions(table, near) : null,
    below: judged ? (table.odds?.turnAnswer ? weighedChoices(table, near) : choices(table, near)) : null,
  };
}

/** Returns the faces of the chosen dice, in the order of the service. */
const heldOf = ({ turn, chosen }) => turn.roll.filter((_, at) => chosen.has(at));

/**
 * Returns the events of both buttons in the bar, or null: `again` is the best roll by the odds, or a roll of the dice
 * that are not chosen. `taken` accepts the best reward.
 */
function atHand(table) {
  const { judged, chosen, odds, turn } = table;
  const ranking = odds?.turnAnswer ? byOdds(table) : [];
  const first = (type) => ranking.find(({ event }) => event.type === type)?.event;
  const held = heldOf(table);
  const next = judged.next_roll && held.length < turn.roll.length ? { type: "roll", held } : null;
  const [best] = [...judged.choices].sort((a, b) => lead(table, b) - lead(table, a));
  return {
    again: next && !chosen.size ? first("roll") ?? next : next,
    taken: first("accept") ?? (best ? accepting(best) : null),
  };
}

/** Returns the lead over the richest rival after a choice, in coins. */
const lead = ({ player }, { coins: all }) => all[player] - Math.max(...all.filter((_, at) => at !== player));

function decisions(table, { again, taken }) {
  const { judged, odds, say } = table;
  const act = (event, text, key) => {
    const choiceOdds = [...(odds?.turnAnswer?.events.values() ?? [])]
      .find((option) => isSameEvent(option.event, event));
    return button([text, choiceOdds ? oddsLine(table, potWords(table, choiceOdds), choiceOdds.best) : null],
      () => done(table, event), { key, kind: choiceOdds?.best ? "gold" : "" });
  };
  const choice = taken && rewardOf(table, taken);
  const payments = judged.combo && choice
    ? h("small", {}, effects(table, choice.effects).join(say("semicolon")) || say("nobody"))
    : null;
  return [
    judged.next ? button(say("go_on"), () => table.goOn(judged.next), { key: "go-on", first: true }) : null,
    again ? act(again, rollWords(table, again), "again") : null,
    taken
      ? act(taken,
        hasRewards(table)
          ? [rewardWords(table, choice), " ", h("small", {}, acceptLabel(table, choice))]
          : [acceptLabel(table, choice), payments && " ", payments],
        "accept")
      : null,
  ];
}

/** Plays an event. For a roll of people, first asks them to enter their dice. */
function done(table, event) {
  if (event.type === "accept") return table.play(accepting(event));
  return table.roller === "service" ? table.play(event) : table.hold(places(table.turn.roll, event.held));
}

/** Tells if two events are equal, regardless of the order of players and held dice. */
const isSameEvent = (a, b) =>
  a.type === b.type
    && ["players", "held"].every((part) => String([...(a[part] ?? [])].sort()) === String([...(b[part] ?? [])].sort()));

/** Names a roll: the dice to hold by the odds, the number of dice to roll, and the price. */
function rollWords(table, { held }) {
  const { turn, judged, chosen, say } = table;
  const count = turn.roll.length - held.length;
  const prefix = held.length && !chosen.size ? `${say("hold_dice", { dice: held.join(" ") })}${say("colon")}` : "";
  return `${prefix}${say(held.length ? "roll_others" : "roll_all", { n: count })} (${table.term(judged.next_roll)})`;
}

/** Returns the choices by their odds, the best first. */
const byOdds = ({ odds }) =>
  [...odds.turnAnswer.events.values()].sort((a, b) => b.best - a.best || worthOf(b) - worthOf(a));

const worthOf = ({ beats, sum, win }) => win ?? (beats ?? sum).value;

/** Returns the reward that an event accepts. */
const rewardOf = ({ judged }, event) => judged.choices.find((reward) => isSameEvent(accepting(reward), event));

const choiceName = (table, { event }) => {
  const { say, turn } = table;
  if (event.type === "accept") return acceptWords(table, rewardOf(table, event));
  const count = turn.roll.length - event.held.length;
  return event.held.length
    ? [say("hold_dice", { dice: event.held.join(" ") }), say("roll_others", { n: count })].join(say("colon"))
    : say("roll_all", { n: count });
};

/** Draws the choices outside the bar, with their odds. */
function weighedChoices(table, near) {
  const { say } = table;
  const rows = byOdds(table).filter(({ event }) =>
    ![near.again, near.taken].some((barEvent) => barEvent && isSameEvent(barEvent, event)));
  return choiceList(table, {
    title: say("odds"),
    most: MOST_SHOWN,
    rows: rows.map((choice, at) => oddsRow(table, {
      name: choiceName(table, choice), texts: potWords(table, choice), best: choice.best,
      act: {
        key: `odds-${at}`,
        text: choice.event.type === "accept"
          ? (hasRewards(table) ? rewardWords(table, rewardOf(table, choice.event)) : say("accept"))
          : say("roll_again"),
        label: choiceName(table, choice), done: () => done(table, choice.event),
      },
    })),
  });
}

const accepting = ({ players = [] }) => ({ type: "accept", ...(players.length ? { players } : {}) });

/** Names the acceptance of a reward: by its combo, or by the holder of the POT afterwards. */
function acceptLabel({ judged, say, terms }, { effects: payments }) {
  const takes = payments.some(({ type }) => type === "control-taken");
  if (judged.combo) return `${say("accept")} ${terms.get(judged.combo) ?? judged.combo}`;
  return say(takes || judged.beats ? "keep_pot" : "leave_pot", { n: judged.sum });
}

/** Tells if the player chooses among rewards. */
const hasRewards = ({ judged: { choices: all } }) => all.length > 1;

/** Describes the payments of a reward as actions of the player. */
function rewardWords(table, { effects: payments }) {
  const { player, say } = table;
  const action = (payment) => {
    const n = amount(table, payment.coins ?? 0);
    if (payment.type === "bank-paid" && payment.player === player) return say("take_from_bank", { n });
    if (payment.type === "handed-over" && payment.to === player)
      return say("take_from", { n, name: table.name(payment.player) });
    return payment.type === "handed-over" && payment.player === player
      ? say("give_to", { n, name: table.name(payment.to) })
      : effect(table, payment);
  };
  return payments.map(action).filter(Boolean).join(say("semicolon")) || say("nobody");
}

/** Names the acceptance of a reward, with its payments. */
const acceptWords = (table, choice) =>
  (hasRewards(table)
    ? [rewardWords(table, choice), acceptLabel(table, choice)]
    : [acceptLabel(table, choice), ...effects(table, choice.effects)]).join(", ");

/** Draws the rewards outside the bar. */
function choices(table, { taken }) {
  const { choices: all, combo } = table.judged;
  const list = all.filter((choice) => !taken || !isSameEvent(accepting(choice), taken));
  const rule = table.catalogue.combos.find(({ id }) => id === combo)?.rule;
  const title = table.mine ? table.say("choices") : table.say("choices_of", { name: table.name(table.player) });
  return choiceList(table, {
    title: [title, rule ? [" ", table.book.chip(rule)] : null].flat(),
    most: MOST_SHOWN,
    rows: list.map((choice, at) =>
      h("li", { class: "choice accept" },
        h("span", { class: "lines" },
          effects(table, choice.effects).join(table.say("semicolon"))
            || choice.players.map((player) => table.name(player)).join(", ")
            || table.say("nobody")),
        h("span", { class: "leads" },
          choice.coins.map((number, player) => `${table.name(player)} ${number}`).join(" · "),
          ` · POT ${choice.pot} · ${table.term("bank")} ${choice.bank}`),
        table.mine ? button(rewardWords(table, choice), () => table.play(accepting(choice)),
          { key: `accept-${at}`, label: acceptWords(table, choice) }) : null)),
  });
}
