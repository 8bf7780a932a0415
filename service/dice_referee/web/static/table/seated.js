// The people at the table: their ranks, the current player, and the links to their seats.

import { h } from "../shared/dom.js";
import { amount, button, coinWords } from "../games/parts.js";
import { EVERYBODY, LEVELS, link, reachable } from "../shared/seats.js";
import { confirmation } from "./changes.js";
import { linkButtons } from "./share.js";

/**
 * Returns the list of players. `reissue` makes a new link for a seat, `leave` lets a bot play a seat, `giveBack`
 * returns it to its player, and `sit` takes a seat. `pass` makes a player the host after a confirmation, which `ask`
 * requests. `asking` is the change that awaits it.
 */
export function seated(table, { reissue, sit, ...how }) {
  const { kept, seats, say } = table;
  const place = new Map(kept.standings.map((standing) => [standing.player, standing]));
  return [
    h("h2", {}, say("people")),
    who(table, sit),
    h("ol", { class: "people" },
      kept.players.map((name, at) => person(table, name, at, place.get(at), how))),
    h("details", { class: "links", open: table.lobby.gathers },
      h("summary", { "data-key": "links" }, say("links")),
      h("ul", {},
        kept.players.map((name, at) => seatLinks(table, name, at, reissue)),
        passOn(say("to_watch"), linkButtons(table, say("to_watch"), "watch", link(kept.id))),
        seats.host
          ? passOn(say("the_host"), linkButtons(table, say("the_host"), "host", link(kept.id, "host", seats.host)))
          : null),
      reachable() ? null : h("p", { class: "hint" }, say("only_here"))),
  ];
}

/** Returns a line with the buttons for a link. */
const passOn = (name, buttons) => h("li", {}, name, " ", h("span", { class: "tools" }, buttons));

/** Returns the buttons for the link of a seat, or null for seats of bots and of others. */
function seatLinks(table, name, at, reissue) {
  const { kept, seats: { rights, seats: { [at]: token } }, say } = table;
  if (kept.status !== "running" || level(kept, at) || !(rights || token)) return null;
  return passOn(name, [
    token ? linkButtons(table, name, at, link(kept.id, at, token)) : null,
    rights
      ? button(say("reissue"), () => reissue(at),
        { key: `reissue-${at}`, kind: "quiet", label: say("reissue_of", { name }) })
      : null,
  ]);
}

/** Returns the level of a seat's bot, or undefined for a person. */
const level = ({ bots }, at) => bots.find(({ seat }) => seat === at)?.level;

/** Tells if a bot can take another seat: it needs the service's dice, and one seat stays a person's. */
export const hasSubstitute = ({ bots, dice, players }) => dice === "service" && bots.length < players.length - 1;

/** Tells if a bot plays the seat of the player here. */
export const replaced = (kept, seat) => kept.status === "running" && Boolean(level(kept, seat));

/** Tells if the host here may pass the rights on to a seat: to another person, who has arrived. */
const mayHost = ({ kept, lobby, seats }, at) =>
  seats.rights && kept.status === "running" && ![at, EVERYBODY].includes(seats.who) && !level(kept, at)
  && lobby.list[at]?.arrived;

/** Names the player who plays here, or offers a choice of seats. */
function who(table, sit) {
  const { kept, seats, say } = table;
  if (kept.status !== "running") return null;
  const mine = kept.players
    .map((name, at) => ({
      value: String(at), name,
      free: level(kept, at) ? seats.host && seats.who === at : seats.host || seats.seats[at],
    }))
    .filter(({ free }) => free);
  if (mine.length < 2 && !seats.host) {
    const [seat] = mine;
    return h("p", { class: "who" },
      seat && seats.who !== null
        ? say("you_are", { name: seat.name })
        : say(replaced(kept, seats.who) ? "replaced" : "you_watch"));
  }
  const choices = [
    ...mine,
    seats.host ? { value: EVERYBODY, name: say("everybody") } : null,
    { value: "", name: say("nobody_here") },
  ].filter(Boolean);
  const chosen = seats.who === null ? "" : String(seats.who);
  const changed = ({ target: { value } }) => sit(value === "" ? null : value === EVERYBODY ? value : Number(value));
  return h(
    "p",
    { class: "who" },
    h("label", { for: "who" }, say("i_play")),
    h("select", { id: "who", "data-key": "who", value: chosen, onchange: changed },
      choices.map(({ value, name }) => h("option", { value }, name))),
  );
}

/** Tells if the player of a seat is connected, except for the players here. */
function presence({ kept, online, seats, say }, at) {
  if (!online || kept.status !== "running" || [at, EVERYBODY].includes(seats.who)) return null;
  const is = online.includes(at) ? "online" : "offline";
  return [" ", h("small", { class: is }, say(is))];
}

function person(table, name, at, { place, points, coins }, { leave, giveBack, pass, asking, ask }) {
  const { kept, seats, say } = table;
  const now = kept.player === at;
  const won = kept.status === "over" && kept.winners.includes(at);
  const token = seats.seats[at];
  const bot = level(kept, at);
  // A seat that was a bot's from the start has nobody to return to.
  const replaces = table.log.some(({ event }) => event.type === "substituted" && event.player === at && event.level);
  const key = `host-${at}`;
  const back = say(seats.rights ? (replaces ? "give_back" : "let_person") : "take_back");
  return h(
    "li",
    { class: `${now ? "now" : ""} ${won ? "won" : ""}`, "aria-current": now ? "true" : null },
    h("span", { class: "place", "aria-label": say("place", { n: place }) }, `${place}.`), " ",
    h("span", { class: "person" },
      name, seats.who === at ? [" ", h("small", {}, say("you"))] : null,
      bot ? [" ", h("small", {}, say(LEVELS[bot]))] : presence(table, at),
      kept.host_seat === at ? [" ", h("small", {}, say("the_host"))] : null,
      now ? [" ", h("small", { class: "to-play" }, say("to_play"))] : null),
    " ",
    h("strong", {}, coins === undefined ? amount(table, points) : coinWords(table, coins)),
    kept.status === "running" && !bot && token && seats.who === at && hasSubstitute(kept)
      ? h("span", { class: "tools" }, button(say("leave"), () => leave(at), { key: `leave-${at}`, kind: "quiet" }))
      : null,
    kept.status === "running" && bot && (seats.rights || token)
      ? h("span", { class: "tools" },
        button(back, () => giveBack(at), { key: `back-${at}`, kind: "quiet", label: [back, name].join(say("colon")) }))
      : null,
    mayHost(table, at)
      ? h("div", { class: "tools" },
        button(say("make_host"), () => ask(key),
          { key, kind: "quiet", label: [say("make_host"), name].join(say("colon")) }),
        asking === key ? confirmation(say, () => pass(at), ask) : null)
      : null,
  );
}
