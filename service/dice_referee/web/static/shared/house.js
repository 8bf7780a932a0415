// The house plays: a table against it is opened at a press.

import { shown } from "./names.js";
import { Seats } from "./seats.js";

/** The levels of bots and their names. */
export const LEVELS = { careful: "level_careful", bold: "level_bold", best: "level_best", perfect: "level_perfect" };

/** Sits down at a table that was just opened, and goes there. */
export function enter({ session, host_token: host, seat_tokens: tokens }, title, who) {
  const seats = new Seats(session.id);
  seats.host = host;
  Object.assign(seats.seats, tokens);
  seats.called(`${title} · ${session.players.map(shown).join(", ")}`);
  seats.sit(who);
  location.assign(`/table/${session.id}`);
}

/** Opens a table at which the visitor plays first, the house's best bot next. Gives the problem, if there is one. */
export async function playHouse(api, { game, title }, say) {
  const wish = { game, players: [say("guest"), say("the_house")], dice: "service", bots: [{ seat: 1, level: "best" }] };
  try {
    const { ok, document: told } = await api.ask("/v1/sessions", wish);
    if (!ok) return told;
    enter(told, title, 0);
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error;
    return { title: say("away"), detail: "" };
  }
  return null;
}
