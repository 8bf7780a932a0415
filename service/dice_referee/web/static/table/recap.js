// The story of a finished game: the scores after each turn, the best turn, and the turns without gain. The service
// audits and reviews the game. This module sums up its answers.

import { h, picture } from "../shared/dom.js";
import { amount, button, coinWords } from "../games/parts.js";
import { about, called } from "../shared/words.js";
import { isShown, luckWords } from "../games/odds.js";
import { unanswered } from "../shared/session.js";

const [WIDE, HIGH, EDGE] = [320, 130, 8];
/** Dashes and marks that distinguish the players' lines without colours. */
const DASHES = [null, "9 6", "1 6", "9 6 1 6", "4 5"];
const MARKS = [
  "M-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0z", "M-3-3h6v6h-6z", "M0-4L4 3h-8z", "M0 4L4-3h-8z", "M0-5L5 0L0 5L-5 0z",
  "M-5 0H5M0-5V5", "M-4-4L4 4M-4 4L4-4", "M-4-5h8L-4 5h8z", "M-5-4v8L5-4v8z", "M0-5V5M-4-3L4 3M-4 3L4-3",
];
/** Maximum marks on a line, roughly. */
const MARKED = 8;

/** Reads the record, the sheet after each turn, and the whole log. Returns null if the service refuses. */
export async function recall({ api, session, kept: { game, version } }) {
  const [record, events] = [await session.read("/game"), []];
  if (!record.ok) return null;
  const audit = await api.ask(`/v1/${game}/audits`, record.document);
  while (events.length < version) {
    const { ok, document } = await session.read(`/events?after=${events.length}`);
    if (!ok || !document.events.length) return null;
    events.push(...document.events);
  }
  return audit.ok ? { record: record.document, sheet: audit.document.sheet, events } : null;
}

/** Returns the luck of each player in the units that are shown. Without an answer the map is empty. */
export async function lucky({ api, kept: { game } }, record) {
  const { ok, document } = await api.ask(`/v1/${game}/reviews`, record);
  const sums = ok ? document.players.filter(isShown) : [];
  return new Map(sums.map(({ player }) => [player, sums.filter((sum) => sum.player === player)]));
}

/** Finds the best turn: its player and its gain. */
function best(sheet, players) {
  const gains = sheet.flatMap((row, at) =>
    row.map((count, player) => ({ player, gain: count - (sheet[at - 1]?.[player] ?? Math.min(count, 0)) })));
  return gains.filter(({ player }) => player < players)
    .reduce((most, turn) => (turn.gain > most.gain ? turn : most), { player: 0, gain: 0 });
}

/** Counts each player's turns without gain, by their reasons. */
function empty(events, undone) {
  const reasons = new Map();
  for (const { version, player, outcome } of events) {
    if (outcome?.points !== 0 || undone.has(version)) continue;
    const of = reasons.get(player) ?? new Map();
    reasons.set(player, of.set(outcome.reason, (of.get(outcome.reason) ?? 0) + 1));
  }
  return reasons;
}

const capital = ([initial, ...rest]) => initial.toUpperCase() + rest.join("");

/** Returns the line of a player through these points, with marks on some of them. */
const lineOf = (player, points, marked) =>
  h("g", { class: `curve-line line-${player}` },
    h("polyline", { points: points.join(" "), "stroke-dasharray": DASHES[player % DASHES.length] }),
    marked.map(([left, top]) => h("path", { d: MARKS[player], transform: `translate(${left} ${top})` })));

/** Returns the curve of every player over the turns. */
function curve(table, sheet) {
  const all = sheet.flat();
  const [low, top] = [Math.min(0, ...all), Math.max(1, ...all)];
  const x = (at) => EDGE + (at / Math.max(1, sheet.length - 1)) * (WIDE - 2 * EDGE);
  const y = (count) => HIGH - EDGE - ((count - low) / (top - low)) * (HIGH - 2 * EDGE);
  const step = Math.ceil(sheet.length / MARKED);
  const line = (_, player) => {
    const points = sheet.map((row, at) => [x(at), y(row[player])]);
    return lineOf(player, points,
      points.filter((_point, at) => at % step === player % step || at === sheet.length - 1));
  };
  return picture(`0 0 ${WIDE} ${HIGH}`, "curve", table.say("curve"),
    h("path", { d: `M${EDGE} ${y(0)}H${WIDE - EDGE}`, class: "curve-zero" }), table.players.map(line));
}

/** Names the winners and their lead. */
export function victory(table, winners) {
  const { kept: { standings }, say } = table;
  const together = winners.length > 1;
  const [own] = winners.filter((at) => table.own(at));
  const names = winners.filter((at) => at !== own).map((at) => table.name(at)).join(", ");
  const key = (kind) => (own === undefined ? kind : `${kind}_you`);
  const most = (list) => Math.max(...list.map(({ points, coins }) => points ?? coins));
  const losers = standings.filter(({ player }) => !winners.includes(player));
  const by = most(standings.filter(({ player }) => winners.includes(player))) - most(losers);
  // A winner may lead by no points, or play alone.
  if (together || !losers.length || !(by > 0)) return say(key(together ? "won_together" : "won"), { names });
  return say(key("won_by"), { names, n: standings[0].points === undefined ? coinWords(table, by) : amount(table, by) });
}

/** Returns the costliest decisions, or the button that requests them. Their review takes longer than the luck. */
function costly(table, recalled) {
  if (!table.review) return null;
  return recalled.costs?.(table)
    ?? h("p", { class: "actions" }, button(table.say("costs"), () => table.review(recalled), { key: "costs" }));
}

export function recap(table, recalled) {
  const { sheet, events, luck } = recalled;
  const { kept, say } = table;
  const lost = empty(events, table.undone);
  const { player, gain } = best(sheet, table.players.length);
  const line = ({ player: at, points, coins }) => {
    const misses = [...(lost.get(at) ?? [])].map(([reason, times]) => `${table.term(reason)} × ${times}`);
    const more = [...misses, ...(luck?.get(at) ?? []).map((sum) => luckWords(table, sum))].map(capital).join(" · ");
    return h("li", {},
      picture("0 0 40 12", "key", "", lineOf(at, [[2, 6], [38, 6]], [[20, 6]])), h("span", {}, called(table, at)), " ",
      h("strong", {}, amount(table, points ?? coins)), more ? h("small", {}, ` ${more}`) : null);
  };
  return h("section", { class: "recap", "aria-label": say("recap") },
    sheet.length > 1 ? curve(table, sheet) : null,
    h("ol", {}, kept.standings.map(line)),
    gain > 0 ? h("p", {}, about(table, "best_turn", player, { n: amount(table, gain), turns: sheet.length })) : null,
    luck?.size
      ? h("p", {},
        say([...luck.values()].flat().some(({ unit }) => unit === "points") ? "luck_means" : "luck_of_results"))
      : null,
    costly(table, recalled));
}

/** Reads the record, the log and the review of the game. The luck takes longest and arrives last. */
export async function remember(table, recalled) {
  Object.assign(recalled, await recall(table).catch(unanswered));
  table.show();
  if (!recalled.record) return;
  recalled.luck = await lucky(table, recalled.record).catch(unanswered);
  table.show();
}
