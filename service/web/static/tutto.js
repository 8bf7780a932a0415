// Tutto at the table.

import { card, pile } from "./cards.js";
import { h } from "./dom.js";
import { amount, banner, blank, button, effects, few, lying, standings, turnOf } from "./parts.js";
import { chance, due, facesOf, thrown } from "./tray.js";

export const tutto = {
  judged: "keep",

  /** A turn of nobody's: without the sheet. */
  alone: ({ scores: _, player: __, ...turn }) => turn,

  draw(table) {
    const { turn } = table;
    const asked = { draw: drawing, roll: rolling, keep: keeping, over }[turn.phase];
    const { action = [], below = [] } = asked ? asked(table) : {};
    const felt = [
      verdict(table),
      h(
        "div",
        { class: "spread" },
        h("div", { class: "spot" }, spot(table), purse(table)),
        h("div", { class: "play" }, aside(table), action),
      ),
    ];
    return { felt, below: [below, sheet(table)] };
  },

  tell(table) {
    const { judged, turn } = table;
    if (judged) {
      const bank = judged.bank && `${table.say("bank")}: ${table.say("points", { n: judged.bank.turn_points })}`;
      const keeps = judged.legal_keeps.map(({ dice, points }) => `${dice.join(" ")}: ${points}`).join(", ");
      return [table.term(judged.status), keeps && `${table.say("choices")}: ${keeps}`, bank].filter(Boolean).join(". ");
    }
    const ended = result(table);
    return [ended?.word, ended?.note, ended ? null : table.term(turn.phase)].filter(Boolean).join(". ");
  },
};

/** Where the card lies: the one drawn, or the pile to draw from. */
function spot(table) {
  const { turn, say, catalogue, told } = table;
  const shown = turn.card ?? (turn.phase === "over" ? told?.event.card ?? told?.turn.card : null);
  if (shown) return drawn(table, shown);
  if (turn.phase !== "draw" || !table.mine || table.thrower === "people") return pile();
  const forMe = () => {
    const cards = catalogue.deck.flatMap(({ id, copies }) => Array(copies).fill(id));
    table.play({ type: "draw", ...(table.thrower === "service" ? {} : { card: cards[chance(cards.length)] }) });
  };
  return h("button", { type: "button", class: "pile-button", "data-key": "draw", "data-first": true, onclick: forMe }, pile(), h("span", { class: "gold" }, say(table.thrower === "service" ? "draw_card" : "draw_for_me")));
}

const drawn = (table, id) => {
  const known = table.catalogue.deck.find((piece) => piece.id === id);
  return h("figure", { class: "card-place" }, card(id, table.term(id)), h("figcaption", {}, known ? table.book.chip(known.rule) : null));
};

/** How the last turn ended: this one in a single turn, the one before in a whole game. */
function result(table) {
  const { told, turn } = table;
  const outcome = turn.phase === "over" ? turn.outcome : told?.step.turn.outcome;
  if (!outcome) return null;
  const who = told && told.by !== null && table.players ? `${table.name(told.by)}: ` : "";
  const effect = told ? effects(table, told.step.effects) : "";
  return {
    word: `${who}${table.term(outcome.reason)}`,
    note: [table.say("points", { n: amount(table, outcome.points) }), effect].filter(Boolean).join(" · "),
    kind: outcome.points > 0 ? "good" : "bad",
    rules: told?.step.rules ?? [],
    thrown: told?.event.dice ?? told?.turn.roll ?? null,
  };
}

function verdict(table) {
  const { judged } = table;
  if (judged) {
    const kind = { niete: "bad", tutto: "best" }[judged.status] ?? "";
    return banner(table, table.term(judged.status), { kind, rules: judged.rules });
  }
  const ended = result(table);
  if (ended) return banner(table, ended.word, ended);
  return table.players && !table.standing?.over ? turnOf(table) : null;
}

/** What the turn holds: carried points, Tuttos on this card. */
function purse(table) {
  const { carried, tuttos } = table.turn;
  return h(
    "dl",
    { class: "purse-line" },
    carried ? [h("dt", {}, table.term("carried")), h("dd", {}, amount(table, carried))] : null,
    tuttos ? [h("dt", {}, table.term("tutto")), h("dd", {}, `× ${tuttos}`)] : null,
  );
}

function aside(table) {
  const { turn, told } = table;
  const keeps = (turn.phase === "over" ? told?.turn.keeps : turn.keeps) ?? [];
  return keeps.length ? h("div", { class: "aside" }, h("h2", {}, table.say("on_table")), keeps.map(few)) : null;
}

function drawing(table) {
  if (!table.mine || table.thrower === "service") return {};
  const { deck } = table.catalogue;
  const draw = (id) => table.play({ type: "draw", card: id });
  return {
    action: [
      h("p", { class: "ask" }, table.say("draw")),
      h(
        "div",
        { class: "hand", role: "group", "aria-label": table.say("draw") },
        deck.map(({ id, title }) =>
          h("button", { type: "button", class: "card-button", "data-key": `card-${id}`, onclick: () => draw(id) }, card(id, title)),
        ),
      ),
    ],
  };
}

function rolling(table) {
  const count = table.turn.dice_to_roll;
  const { dice: box } = table.catalogue;
  return {
    action: due(table, {
      count, faces: facesOf(box),
      done: (dice) => table.play({ type: "roll", dice }),
      throwAll: () => thrown(box.slice(-count)),
    }),
  };
}

function keeping(table) {
  const { turn, judged, chosen } = table;
  const set = [...chosen].map((at) => turn.roll[at]).sort();
  const legal = judged?.legal_keeps.find(({ dice }) => String(dice) === String(set));
  const toggle = (at) => {
    if (!chosen.delete(at)) chosen.add(at);
    table.show();
  };
  const keep = () => table.play({ type: "keep", dice: set });
  const forced = judged?.next ?? null;
  return {
    action: [
      h("h2", {}, table.say("thrown")),
      lying(table, turn.roll, table.say("thrown"), toggle),
      table.mine ? h(
        "div",
        { class: "actions" },
        forced ? button(table.say("go_on"), () => table.goOn(forced), { key: "go-on", kind: "gold", first: true }) : null,
        set.length
          ? button([table.say("set_aside_these", { dice: set.join(" ") }), legal ? h("span", { class: "worth" }, `+${amount(table, legal.points + legal.bonus)}`) : null], keep, { key: "keep-chosen", kind: "gold" })
          : null,
        judged?.bank ? button([table.say("bank"), h("span", { class: "worth" }, amount(table, judged.bank.turn_points))], () => table.play({ type: "bank" }), { key: "bank", kind: set.length ? "" : "gold" }) : null,
        forced ? null : h("span", { class: "hint" }, table.say("keep_hint")),
      ) : null,
    ],
    below: judged && (judged.legal_keeps.length || judged.bank) ? choices(table, judged) : null,
  };
}

function choices(table, { legal_keeps: keeps, bank }) {
  return h(
    "section",
    { class: "choices" },
    h("h2", {}, table.say("choices")),
    h(
      "ul",
      {},
      bank
        ? choice(table, bank, button(table.say("bank"), () => table.play({ type: "bank" }), {
          key: "bank-all", label: `${table.say("bank")}, ${table.say("points", { n: bank.turn_points })}`,
        }), "bank")
        : null,
      keeps.map((keep, at) =>
        choice(table, keep, button(table.say("set_aside"), () => table.play({ type: "keep", dice: keep.dice }), {
          key: `keep-${at}`, label: `${table.say("set_aside_these", { dice: keep.dice.join(" ") })}, ${table.say("points", { n: keep.points + keep.bonus })}`,
        }), keep.tutto ? "tutto" : ""),
      ),
    ),
  );
}

function choice(table, { dice, lines, bonus, turn_points: total, effects: caused, next }, act, kind) {
  const known = table.catalogue.deck.find((piece) => piece.id === table.turn.card);
  return h(
    "li",
    { class: `choice ${kind}` },
    few(dice),
    h(
      "span",
      { class: "lines" },
      alike(lines).map(([line, times]) => h("span", { class: "line" }, times > 1 ? `${times} × ` : "", `${table.term(line.kind)} `, h("b", {}, amount(table, line.points)), " ", table.book.chip(line.rule))),
      bonus ? h("span", { class: "line" }, `${table.term(table.turn.card)} `, h("b", {}, `+${amount(table, bonus)}`), " ", known ? table.book.chip(known.rule) : null) : null,
      caused.length ? h("span", { class: "line" }, effects(table, caused)) : null,
    ),
    h("span", { class: "total" }, h("strong", {}, amount(table, total)), h("small", {}, table.say("turn_points"))),
    h("span", { class: "leads" }, leads(table, next)),
    table.mine ? act : null,
  );
}

/** Equal lines counted: two single fives are one line. */
function alike(lines) {
  const found = new Map();
  for (const line of lines) {
    const key = JSON.stringify(line);
    found.set(key, [line, (found.get(key)?.[1] ?? 0) + 1]);
  }
  return [...found.values()];
}

/** What comes after a choice, in the table's words. */
function leads(table, next) {
  const more =
    next.phase === "over" ? `${table.term(next.outcome.reason)}, ${table.say("points", { n: amount(table, next.outcome.points) })}`
      : next.phase === "roll" ? table.say("dice", { n: next.dice_to_roll })
        : next.carried ? `${table.term("carried")} ${amount(table, next.carried)}` : "";
  return [h("span", { class: "arrow", "aria-hidden": "true" }, "→ "), table.term(next.phase), more ? ` · ${more} ` : " ", next.phase === "roll" ? blank(next.dice_to_roll) : null];
}

function over(table) {
  const anew = () => {
    const { scores } = table.turn;
    table.goOn({ ...table.rules, ...JSON.parse(table.start ?? '{"phase":"draw"}'), ...(scores ? { scores, player: table.turn.player } : {}) });
  };
  return { action: table.standing?.over ? null : h("div", { class: "actions" }, button(table.say("next_turn"), anew, { key: "next-turn", kind: "gold", first: true })) };
}

const sheet = (table) => {
  const scores = table.turn.scores ?? table.standing?.scores;
  if (!scores || table.seated) return null;
  return standings(table, scores, table.standing?.over ? null : table.turn.player, { winners: table.standing?.winners ?? [] });
};
