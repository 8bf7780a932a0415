// POT at the table.

import { bowl, chest, purse, stack } from "./coins.js";
import { places } from "./dice.js";
import { effects } from "./effects.js";
import { h } from "./dom.js";
import { potWords, weighed } from "./odds.js";
import { MOST_SHOWN, banner, button, few, folded, lying } from "./parts.js";
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

  /** The phases in which nothing is left to decide. */
  flows: ["rethrow"],
};

const told = (table) => (table.told ? effects(table, table.told.step.effects) : "");

/** What the dice are: their combo, or their sum. */
const heading = (table) => (table.judged.combo ? table.term(table.judged.combo) : table.say("sum", { n: table.judged.sum }));

/** Says if they beat the holder, or take a POT that nobody holds. */
const control = ({ judged: { status, beats }, turn, say }) => {
  if (beats === null) return null;
  if ((turn.holder ?? null) !== null) return say(beats ? "beats" : "no_control");
  return status === "open" ? say("takes_free") : null;
};

/** What they are worth on the POT, and what throwing again costs. */
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
  if (turn.phase === "over" && winners.length) return banner(table, table.say("won", { names: winners.map((at) => table.name(at)).join(", ") }), { kind: "best", note: told(table), rules: table.told?.step.rules ?? [] });
  return banner(table, turn.player === undefined ? table.term(turn.phase) : table.whose(), { note: told(table), rules: table.told?.step.rules ?? [], whose: false });
}

function coins(table) {
  const { turn } = table;
  if (!turn.coins) return null;
  const beat = turn.to_beat === undefined || turn.to_beat === null ? null : h("span", { class: "purse-note" }, `${table.term("to_beat")}: ${turn.to_beat}`);
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
  const held = [...chosen].map((at) => turn.dice[at]);
  if (table.throwing) return throwing(table, held);
  const toggle = (at) => {
    if (!chosen.delete(at)) chosen.add(at);
    table.show();
  };
  const again = () => {
    if (table.thrower === "service") {
      table.play({ type: "throw", held });
      return;
    }
    table.throwing = true;
    table.show();
  };
  const count = turn.dice.length - held.length;
  const best = judged?.choices[0];
  const throwWords = () => `${say(held.length ? "throw_others" : "throw_all", { n: count })} (${table.term(judged.next_throw)})`;
  return {
    action: [h("h2", {}, say("thrown")), lying(table, turn.dice, say("hold_hint"), toggle), judged?.next_throw && table.mine ? h("p", { class: "hint" }, say("hold_hint")) : null],
    dock: table.mine && judged ? [
      judged.next ? button(say("go_on"), () => table.goOn(judged.next), { key: "go-on", kind: "gold", first: true }) : null,
      judged.next_throw && count ? button(throwWords(), again, { key: "again", kind: judged.beats ? "" : "gold" }) : null,
      judged.choices.length === 1 ? button(acceptLabel(table, best), () => accept(table, best), { key: "accept", kind: judged.beats ? "gold" : "" }) : null,
    ] : null,
    below: [judged && table.odds?.found ? weighedChoices(table) : null, judged?.choices.length ? choices(table, judged) : null],
  };
}

/** The choices that the odds are about, the best first. */
const byOdds = ({ odds }) => [...odds.found.events.values()].sort((one, other) => other.best - one.best || worthOf(other) - worthOf(one));

const worthOf = ({ beats, sum }) => (beats ?? sum).value;

const choiceName = (table, { event }) => {
  const { say, turn, judged } = table;
  if (event.type === "accept") return acceptWords(table, judged.choices.find(({ players }) => String(players) === String(event.players)));
  const count = turn.dice.length - event.held.length;
  return event.held.length ? `${say("hold_dice", { dice: event.held.join(" ") })}: ${say("throw_others", { n: count })}` : say("throw_all", { n: count });
};

/** All that can be done, with its odds. */
function weighedChoices(table) {
  const { say, turn } = table;
  const done = ({ event }) => {
    if (event.type === "accept") return accept(table, event);
    if (table.thrower === "service") return table.play(event);
    Object.assign(table, { throwing: true, chosen: places(turn.dice, event.held) });
    return table.show();
  };
  return folded(table, {
    title: say("odds"),
    most: MOST_SHOWN,
    rows: byOdds(table).map((choice, at) => weighed(table, {
      name: choiceName(table, choice), texts: potWords(table, choice), best: choice.best,
      act: { key: `odds-${at}`, text: say(choice.event.type === "accept" ? "accept" : "roll_again"), label: choiceName(table, choice), done: () => done(choice) },
    })),
  });
}

const accept = (table, { players }) => table.play({ type: "accept", ...(players.length ? { players } : {}) });

/** What accepting is called: who then has the POT, or that the dice stay. */
function acceptLabel({ judged, say, terms }, { effects: caused }) {
  const takes = caused.some(({ type }) => type === "control-taken");
  if (judged.combo) return `${say("accept")} ${terms.get(judged.combo) ?? judged.combo}`;
  return say(takes || judged.beats ? "keep_pot" : "leave_pot", { n: judged.sum });
}

/** The same with what it pays and to whom. */
const acceptWords = (table, choice) => [acceptLabel(table, choice), choice.players.map((player) => table.name(player)).join(", "), effects(table, choice.effects)].filter(Boolean).join(", ");

function choices(table, { choices: list, combo }) {
  const rule = table.catalogue.combos.find(({ id }) => id === combo)?.rule;
  const title = table.mine ? table.say("choices") : table.say("choices_of", { name: table.name(table.player) });
  return folded(table, {
    title: [title, rule ? [" ", table.book.chip(rule)] : null].flat(),
    most: MOST_SHOWN,
    rows: list.map((choice, at) =>
      h("li", { class: "choice accept" },
        h("span", { class: "lines" }, effects(table, choice.effects) || (choice.players.length ? choice.players.map((player) => table.name(player)).join(", ") : table.say("nobody"))),
        h("span", { class: "leads" }, choice.coins.map((number, player) => `${table.name(player)} ${number}`).join(" · "), ` · POT ${choice.pot} · ${table.term("bank")} ${choice.bank}`),
        table.mine ? button(acceptLabel(table, choice), () => accept(table, choice), { key: `accept-${at}`, kind: at ? "" : "gold", label: acceptWords(table, choice) }) : null)),
  });
}
