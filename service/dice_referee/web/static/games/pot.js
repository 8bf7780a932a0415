// POT at the table.

import { bowl, chest, purse, stack } from "./pieces.js";
import { places } from "../shared/dice.js";
import { MOST_SHOWN, amount, banner, button, effect, effects, few, folded, lying } from "./parts.js";
import { h } from "../shared/dom.js";
import { oddsLine, potWords, weighed } from "./odds.js";
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
    const { action = [], dock = [], below = [] } = asked ? asked(table) : {};
    return { felt: [verdict(table), coins(table), h("div", { class: "play wide" }, action)], dock, below };
  },

  /** Bound dice are thrown, and what nothing else is left for is accepted. */
  forced({ turn, adjudication }, type) {
    if (turn.phase === "rethrow") return { type };
    const [only, ...others] = turn.phase === "choose" ? adjudication.choices : [];
    return only && !others.length ? accepting(only) : null;
  },
};

/** The last event, for a banner: its effects, its rules and the dice that ended a turn. */
const ended = (table) => (table.told ? { note: effects(table, table.told.step.effects), rules: table.told.step.rules, thrown: table.turn.phase === "rethrow" ? null : table.last?.dice } : {});

/** The combo of the dice, or their sum. */
const heading = (table) => (table.judged.combo ? table.term(table.judged.combo) : table.say("sum", { n: table.judged.sum }));

/** Says if they beat the holder, or take a POT that nobody holds. */
const control = ({ judged: { status, beats }, turn, say }) => {
  if (beats === null) return null;
  if ((turn.holder ?? null) !== null) return say(beats ? "beats" : "no_control");
  return status === "open" ? say("takes_free") : null;
};

/** The power of the dice over the POT, and the price of another throw. */
const judgement = (table) => {
  const { status, next_throw: next } = table.judged;
  return [status === "open" ? null : table.term(status), control(table), next ? table.term(next) : null].filter(Boolean);
};

function verdict(table) {
  const { judged, turn, standing } = table;
  if (judged) {
    const kind = { bust: "bad", pot: "best" }[judged.status] ?? (judged.beats ? "good" : "");
    return banner(table, heading(table), { kind, note: judgement(table).join(" · "), rules: judged.rules });
  }
  const winners = turn.outcome?.winners ?? standing?.winners ?? [];
  // A heading names the winner at a table of several devices.
  if (turn.phase === "over" && table.seated) return turn.outcome ? banner(table, table.term(turn.outcome.reason), ended(table)) : null;
  if (turn.phase === "over" && winners.length) return banner(table, table.say("won", { names: winners.map((at) => table.name(at)).join(", ") }), { ...ended(table), kind: "best" });
  return banner(table, turn.player === undefined ? table.term(turn.phase) : table.whose(), { ...ended(table), whose: false });
}

function coins(table) {
  const { turn } = table;
  if (!turn.coins) return null;
  const beat = turn.to_beat === undefined || turn.to_beat === null ? null : h("span", { class: "purse-note" }, [table.term("to_beat"), turn.to_beat].join(table.say("colon")));
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

const lain = (table, held) => (held.length ? h("div", { class: "aside" }, h("h2", {}, table.say("on_table")), few(held)) : null);

function throwing(table, held = table.turn.held ?? []) {
  const { action, dock } = tossing(table, held);
  return { action: [lain(table, held), action], dock };
}

function choosing(table) {
  const { turn, judged, chosen, say } = table;
  if (table.throwing) return throwing(table, heldOf(table));
  const toggle = (at) => {
    if (!chosen.delete(at)) chosen.add(at);
    table.show();
  };
  const near = judged && table.mine ? atHand(table) : {};
  return {
    action: [h("h2", {}, say("thrown")), lying(table, turn.dice, say("hold_hint"), toggle), judged?.next_throw && table.mine ? h("p", { class: "hint" }, say("hold_hint")) : null],
    dock: judged && table.mine ? decisions(table, near) : null,
    below: judged ? (table.odds?.found ? weighedChoices(table, near) : choices(table, near)) : null,
  };
}

/** The dice that are chosen, as the service lists them. */
const heldOf = ({ turn, chosen }) => turn.dice.filter((_, at) => chosen.has(at));

/** The two ways on in the bar, one of them or both: to throw what is not chosen or, with odds, the best to throw; the best to accept. */
function atHand(table) {
  const { judged, chosen, odds, turn } = table;
  const ranked = odds?.found ? byOdds(table) : [];
  const first = (type) => ranked.find(({ event }) => event.type === type)?.event;
  const held = heldOf(table);
  const next = judged.next_throw && held.length < turn.dice.length ? { type: "throw", held } : null;
  const [best] = [...judged.choices].sort((one, other) => lead(table, other) - lead(table, one));
  return { again: next && !chosen.size ? first("throw") ?? next : next, taken: first("accept") ?? (best ? accepting(best) : null) };
}

/** The coins by which the player leads the richest rival after a choice. */
const lead = ({ player }, { coins: all }) => all[player] - Math.max(...all.filter((_, at) => at !== player));

function decisions(table, { again, taken }) {
  const { judged, odds, say } = table;
  const act = (event, text, key, only) => {
    const known = [...(odds?.found?.events.values() ?? [])].find((one) => alike(one.event, event));
    return button([text, known ? oddsLine(table, potWords(table, known), known.best) : null], () => done(table, event), { key, kind: known?.best || only ? "gold" : "" });
  };
  const choice = taken && rewardOf(table, taken);
  const paid = judged.combo && choice ? h("small", {}, effects(table, choice.effects) || say("nobody")) : null;
  return [
    judged.next ? button(say("go_on"), () => table.goOn(judged.next), { key: "go-on", kind: "gold", first: true }) : null,
    again ? act(again, throwWords(table, again), "again", false) : null,
    taken ? act(taken, several(table) ? [rewardWords(table, choice), " ", h("small", {}, acceptLabel(table, choice))] : [acceptLabel(table, choice), paid && " ", paid], "accept", !several(table) && !judged.next_throw) : null,
  ];
}

/** Does what the table was asked for; where people throw they first put down what falls. */
function done(table, event) {
  if (event.type === "accept") return table.play(accepting(event));
  if (table.thrower === "service") return table.play(event);
  table.throwing = true;
  table.chosen = places(table.turn.dice, event.held);
  return table.show();
}

/** Tells if both events are the same, whatever the order of the dice that are held. */
const alike = (one, other) => one.type === other.type && ["players", "held"].every((part) => String([...(one[part] ?? [])].sort()) === String([...(other[part] ?? [])].sort()));

/** The name of a throw: the dice to hold by the odds, the dice that fall, and the price. */
function throwWords(table, { held }) {
  const { turn, judged, chosen, say } = table;
  const count = turn.dice.length - held.length;
  const named = held.length && !chosen.size ? `${say("hold_dice", { dice: held.join(" ") })}${say("colon")}` : "";
  return `${named}${say(held.length ? "throw_others" : "throw_all", { n: count })} (${table.term(judged.next_throw)})`;
}

/** The choices that the odds are about, the best first. */
const byOdds = ({ odds }) => [...odds.found.events.values()].sort((one, other) => other.best - one.best || worthOf(other) - worthOf(one));

const worthOf = ({ beats, sum }) => (beats ?? sum).value;

/** The choice of the verdict that an event accepts. */
const rewardOf = ({ judged }, event) => judged.choices.find((one) => alike(accepting(one), event));

const choiceName = (table, { event }) => {
  const { say, turn } = table;
  if (event.type === "accept") return acceptWords(table, rewardOf(table, event));
  const count = turn.dice.length - event.held.length;
  return event.held.length ? [say("hold_dice", { dice: event.held.join(" ") }), say("throw_others", { n: count })].join(say("colon")) : say("throw_all", { n: count });
};

/** All that can be done and is not in the bar, with its odds. */
function weighedChoices(table, near) {
  const { say } = table;
  const rows = byOdds(table).filter(({ event }) => ![near.again, near.taken].some((one) => one && alike(one, event)));
  return folded(table, {
    title: say("odds"),
    most: MOST_SHOWN,
    rows: rows.map((choice, at) => weighed(table, {
      name: choiceName(table, choice), texts: potWords(table, choice), best: choice.best,
      act: { key: `odds-${at}`, text: choice.event.type === "accept" ? (several(table) ? rewardWords(table, rewardOf(table, choice.event)) : say("accept")) : say("roll_again"), label: choiceName(table, choice), done: () => done(table, choice.event) },
    })),
  });
}

const accepting = ({ players = [] }) => ({ type: "accept", ...(players.length ? { players } : {}) });

/** The name of accepting: the next holder of the POT, or that the dice stay. */
function acceptLabel({ judged, say, terms }, { effects: caused }) {
  const takes = caused.some(({ type }) => type === "control-taken");
  if (judged.combo) return `${say("accept")} ${terms.get(judged.combo) ?? judged.combo}`;
  return say(takes || judged.beats ? "keep_pot" : "leave_pot", { n: judged.sum });
}

/** Tells if the player chooses among rewards. */
const several = ({ judged: { choices: all } }) => all.length > 1;

/** What one of several rewards pays and to whom, as a deed of the player. */
function rewardWords(table, { effects: caused }) {
  const { player, say } = table;
  const deed = (one) => {
    const n = amount(table, one.coins ?? 0);
    if (one.type === "bank-paid" && one.player === player) return say("take_from_bank", { n });
    if (one.type === "handed-over" && one.to === player) return say("take_from", { n, name: table.name(one.player) });
    return one.type === "handed-over" && one.player === player ? say("give_to", { n, name: table.name(one.to) }) : effect(table, one);
  };
  return caused.map(deed).filter(Boolean).join(say("semicolon")) || say("nobody");
}

/** The name of accepting with what it pays and to whom. */
const acceptWords = (table, choice) => (several(table) ? [rewardWords(table, choice), acceptLabel(table, choice)] : [acceptLabel(table, choice), effects(table, choice.effects)]).filter(Boolean).join(", ");

/** The rewards that can be accepted and are not in the bar. */
function choices(table, { taken }) {
  const { choices: all, combo } = table.judged;
  const list = all.filter((choice) => !taken || !alike(accepting(choice), taken));
  const rule = table.catalogue.combos.find(({ id }) => id === combo)?.rule;
  const title = table.mine ? table.say("choices") : table.say("choices_of", { name: table.name(table.player) });
  return folded(table, {
    title: [title, rule ? [" ", table.book.chip(rule)] : null].flat(),
    most: MOST_SHOWN,
    rows: list.map((choice, at) =>
      h("li", { class: "choice accept" },
        h("span", { class: "lines" }, effects(table, choice.effects) || (choice.players.length ? choice.players.map((player) => table.name(player)).join(", ") : table.say("nobody"))),
        h("span", { class: "leads" }, choice.coins.map((number, player) => `${table.name(player)} ${number}`).join(" · "), ` · POT ${choice.pot} · ${table.term("bank")} ${choice.bank}`),
        table.mine ? button(rewardWords(table, choice), () => table.play(accepting(choice)), { key: `accept-${at}`, label: acceptWords(table, choice) }) : null)),
  });
}
