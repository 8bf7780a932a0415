// Puts the effects of an event into words: points, coins and their owners.

import { about } from "../shared/names.js";
import { amount } from "./parts.js";

const SAID = {
  bonus: "gets_bonus", lost: "lost", deducted: "loses",
  staked: "staked", "throw-paid": "throw_paid", "fine-paid": "fine_paid", "bank-paid": "bank_paid", "handed-over": "handed_over",
  "control-taken": "takes_pot", "round-won": "wins_round", "played-off": "played_off",
};

/** Returns the sentence of an effect; null for effects that other sentences already contain, such as dice set aside. */
export function effect(table, { type, player = null, to, category, card, points, coins, sum }) {
  const { say } = table;
  if (category) return [table.term(category), type === "written" ? amount(table, points) : table.term(type)].join(say("colon"));
  if (!SAID[type]) return null;
  const number = points ?? coins;
  const n = number === undefined ? "" : amount(table, number);
  const values = { to: to === undefined ? "" : table.name(to), card: table.term(card), n, sum, coins: coins === undefined ? "" : counted(table, coins) };
  if (player === null) return say(SAID[type], { name: say("leaders"), ...values });
  return table.own?.(to) ? say("handed_to_you", { name: table.name(player), ...values }) : about(table, SAID[type], player, values);
}

/** Returns the sentences of all effects, in order. */
export const effects = (table, list) => list.map((one) => effect(table, one)).filter(Boolean).join(table.say("semicolon"));

/** Returns a number of coins in words. */
export const counted = ({ say, api: { language } }, n) => say(n === 1 || (n === 0 && language === "fr") ? "one_coin" : "coins", { n });
