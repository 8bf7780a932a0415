// The form that opens a table: game, rules, players and dice. The table is then at `/table/{id}`.

import { Api } from "../shared/api.js";
import { scattered } from "../games/pieces.js";
import { solvedAims, switchOf } from "../games/aims.js";
import { at, h } from "../shared/dom.js";
import { redraw } from "../shared/redraw.js";
import { draw } from "../shared/patch.js";
import { EVERYBODY, LEVELS, enter, tables } from "../shared/seats.js";
import { unanswered } from "../shared/session.js";
import { houseRules, mistaken } from "../shared/options.js";
import { given, leftOut, seatedOf, twin, whoOf } from "./wishes.js";
import { duration, sayer, short, shown } from "../shared/words.js";
import { pageHead } from "../shared/page.js";
import { RuleBook } from "../shared/rules.js";
import { shows } from "../games/table.js";

/** Tells if the service has no sessions. The reason why it refuses every request then takes the place of the form. */
const CLOSED = document.querySelector("meta[name=sessions]").content === "off";

const head = await pageHead(speak);
const api = new Api(location.origin, head.tag);
let say = sayer(head.tag);
let games = [];
let [catalogue, ruleset, book] = [null, null, null];
let problem = null;
let busy = false;
let learning = null;
/** Place of the name that equals an earlier name, or -1. */
let namesake = -1;
/** Minutes after which everybody may give an idle seat to a bot. Zero leaves this to the host. */
const IDLE = [0, 2, 5, 10];
let wish = {
  game: "tutto", ruleset: null, options: {}, players: ["", ""], bots: ["", ""], odds: true, dice: "service", here: "0",
  starter: 0, idle: 0,
};

const called = (name, place) => name.trim() || say(bot(place) ? "bot" : "player", { n: place + 1 });

/** Returns the level of the bot at a place, or "" for a person. Bots need the service's dice. */
const bot = (place) => (wish.dice === "service" ? levels().find((level) => level === wish.bots[place]) ?? "best" : "");

/** Returns the aim of a perfect bot, or undefined if the rules are not solved for this number of players. */
const perfectAim = () =>
  (Object.keys(wish.options).length ? undefined : solvedAims(ruleset, seated().players.length)[0]);

/** Returns the levels of bots, with "" for a person. */
const levels = () => ["", ...Object.keys(LEVELS).filter((level) => level !== "perfect" || perfectAim())];

/** Returns what a perfect bot aims at, or why another bot takes its place, or null if nobody has chosen it. */
function perfection() {
  const { bots, players } = seated();
  if (wish.dice !== "service" || !bots.slice(0, players.length).includes("perfect")) return null;
  if (perfectAim()) return say(perfectAim() === "win" ? "perfect_win" : "perfect_game");
  const [aim] = Object.keys(wish.options).length ? [] : ruleset.aims;
  return aim ? say("perfect_players", { n: aim.players }) : say("perfect_rules");
}

/** Adds empty fields up to the minimum number of players. */
const filled = (list, { minimum }) => [...list, ...Array(Math.max(0, minimum - list.length)).fill("")];

/** Returns the players who fit at the table. */
const seated = () => seatedOf(wish, catalogue.players);

const names = () => seated().players.map(called);

/** Selects another game or ruleset, and reads its rules and options. */
async function choose(changes) {
  wish = { ...wish, ...changes };
  const read = (learning = learn(wish));
  try {
    const [game, list, rules] = await read;
    if (read !== learning) return;
    [catalogue, ruleset, problem] = [game, rules, null];
    wish.players = filled(wish.players, game.players);
    wish.bots = filled(wish.bots, game.players);
    book?.close();
    book = new RuleBook(list, say, document.body);
  } catch (error) {
    if (read !== learning) return;
    problem = error.problem ?? { title: say("away"), detail: "", errors: [], findings: [] };
  }
  show();
}

/** Tells if the page shows the selected game and ruleset. */
const learnt = () => catalogue.game === wish.game && ruleset.ruleset === (wish.ruleset ?? catalogue.default_ruleset);

async function learn({ game, ruleset: wished }) {
  const [answer, list] = await Promise.all([api.read(`/v1/${game}`), api.read(`/v1/${game}/rules`)]);
  return [answer, list, await api.read(`/v1/${game}/rulesets/${wished ?? answer.default_ruleset}`)];
}

function change(changes) {
  wish = { ...wish, ...changes };
  problem = null;
  show();
}

/** Shows the form. A new namesake is reported after its field is left, and its end at once. */
function show({ typing = false } = {}) {
  const same = catalogue ? twin(names()) : -1;
  if (!typing || same < 0) namesake = same;
  document.title = `${say("live")} · ${say("title")}`;
  draw(at("heading"), say("new_table"));
  draw(at("hint"), say("new_hint"));
  const list = tables();
  at("tables").hidden = !list.length;
  draw(at("tables"), h("h2", { id: "tables-title" }, say("your_tables")),
    h("ul", { class: "tables" }, list.map(({ id, title }) => h("li", {}, h("a", { href: `/table/${id}` }, title)))));
  if (catalogue) draw(at("lid"), scattered(catalogue));
  redraw(at("form"), catalogue ? [gameChoice(), playerNames(), more()] : null, refused(), catalogue ? opening() : null);
}

/** Draws a list of choices: pairs of value and text. */
const choice = (key, value, entries, chosen, rest = {}) =>
  h("select", { "data-key": key, value, onchange: ({ target }) => chosen(target.value), ...rest },
    entries.map(([each, text]) => h("option", { value: each }, text)));

/** Draws a list of choices with its label. */
const field = (key, text, ...how) =>
  h("p", { class: "field" }, h("label", { for: key }, text), choice(key, ...how.slice(0, 3), { id: key, ...how[3] }));

const gameChoice = () =>
  h("fieldset", {}, h("legend", {}, say("game")),
    h("div", { class: "pills games" }, games.filter(({ game }) => shows(game)).map(({ game, title }) =>
      h("button", {
        type: "button", "data-key": `game-${game}`, "aria-pressed": String(game === wish.game),
        onclick: () => choose({ game, ruleset: null, options: {} }),
      }, short(title)))),
    h("p", { class: "hint", lang: catalogue.spoken }, catalogue.description));

function playerNames() {
  const [{ players }, { minimum, maximum }, perfect] = [seated(), catalogue.players, perfection()];
  const row = (name, place) =>
    h("li", {},
      h("input", {
        id: `player-${place}`, "data-key": `player-${place}`, value: name, dir: "auto", maxlength: 40,
        autocomplete: "off", placeholder: called("", place), "aria-label": say("name_of", { n: place + 1 }),
        "aria-invalid": place === namesake ? "true" : null, "aria-describedby": place === namesake ? "namesake" : null,
        onchange: () => show(),
        oninput: ({ target }) => {
          wish.players[place] = target.value;
          show({ typing: true });
        },
      }),
      wish.dice === "service"
        ? choice(`plays-${place}`, bot(place), levels().map((level) => [level, say(LEVELS[level] ?? "person")]),
          (level) => change(given(wish, place, level)), { "aria-label": say("plays", { name: called(name, place) }) })
        : null,
      players.length > minimum
        ? h("button", {
          type: "button", class: "quiet", "data-key": `out-${place}`,
          "aria-label": say("leave_out", { name: called(name, place) }), onclick: () => change(leftOut(wish, place)),
        }, "×")
        : null);
  const add = () => {
    change({ players: [...wish.players, ""], bots: [...wish.bots, ""] });
    at(`player-${players.length}`).focus();
  };
  return h("fieldset", {}, h("legend", {}, say("who_plays")), h("ol", { class: "names" }, players.map(row)),
    wish.players.length > maximum
      ? h("p", { class: "hint", role: "status" },
        say("too_many",
          { game: catalogue.title, n: maximum, names: wish.players.map(called).map(shown).slice(maximum).join(", ") }))
      : null,
    perfect ? h("p", { class: "hint", role: "status" }, perfect) : null,
    players.length < maximum
      ? h("button", { type: "button", class: "quiet", "data-key": "add-player", onclick: add }, say("add_player"))
      : null);
}

function rolling() {
  const radio = (value, title, hint) =>
    h("label", { class: "radio" },
      h("input", {
        type: "radio", name: "dice", value, checked: wish.dice === value, "data-key": `dice-${value}`,
        onchange: () => change({ dice: value }),
      }),
      h("span", {}, h("strong", {}, title), h("span", { class: "hint" }, hint)));
  return h("fieldset", {}, h("legend", {}, say("who_rolls")),
    h("div", { class: "radios" },
      radio("service", say("service_rolls"), say("service_hint")),
      radio("client", say("people_roll"), say("people_hint"))));
}

/** Draws the settings that have a good default. */
function more() {
  const { here, players, starter } = seated();
  const people = players.map((name, place) => [String(place), shown(called(name, place))]);
  const changed = Object.keys(wish.options).length;
  // A refusal remains until the next attempt, because a press on the button below leaves the field first.
  const set = (options) => {
    wish.options = options;
    show();
  };
  return h("details", { id: "more", class: "house" },
    h("summary", { "data-key": "more" },
      say("more"),
      changed ? h("span", { class: "count" }, say("changed", { n: changed })) : null),
    field("here", say("this_device"), here,
      [...people.filter((_, place) => !bot(place)), [EVERYBODY, say("everybody")], ["", say("nobody_here")]],
      (chosen) => change({ here: chosen })),
    players.length > 1
      ? field("starter", say("who_begins"), String(starter), people, (place) => change({ starter: Number(place) }))
      : null,
    wish.dice === "service" && players.length > 1
      ? field("idle", say("may_replace"), String(wish.idle),
        IDLE.map((n) => [String(60 * n), n ? say("all_after", { time: duration(api.language, n) }) : say("the_host")]),
        (seconds) => change({ idle: Number(seconds) }))
      : null,
    h("p", {}, switchOf("allow-odds", wish.odds, say("allow_odds"), (odds) => change({ odds }))),
    rolling(),
    field("ruleset", say("ruleset"), ruleset.ruleset, catalogue.rulesets.map(({ ruleset: id, title }) => [id, title]),
      (id) => choose({ ruleset: id, options: {} }), { lang: catalogue.spoken }),
    houseRules(ruleset, wish.options, { say, book, change: set, again: show }));
}

/** Draws the reason why the table could not be opened. */
function refused() {
  if (!problem) return null;
  const findings = [...(problem.errors ?? []), ...(problem.findings ?? [])];
  return h("div", { class: "refusal", role: "alert" },
    h("strong", {}, problem.title),
    findings.length ? h("ul", {}, findings.map(({ detail }) => h("li", {}, detail))) : ` ${problem.detail ?? ""}`);
}

const opening = () =>
  h("div", { class: "actions" },
    h("div", { id: "namesake" },
      namesake < 0
        ? null
        : h("p", { class: "wrong", role: "alert" }, say("namesakes", { name: shown(names()[namesake]) }))),
    h("button", { class: "strong", "data-key": "open", "aria-disabled": busy ? "true" : null }, say("open_table")));

/** Opens the table as soon as its game is loaded. Sends no idempotency key, because nothing repeats the request. */
async function open(event) {
  event.preventDefault();
  const same = twin(names());
  const amiss = same < 0 ? mistaken(ruleset, wish.options) : `player-${same}`;
  if (amiss) focus(amiss);
  if (busy || amiss) return undefined;
  [busy, problem] = [true, null];
  show();
  if (!learnt()) await choose({});
  if (learnt()) {
    const answer = await opened();
    if (answer) return enter(answer, catalogue.title, whoOf(seated()));
  }
  busy = false;
  show();
  at("form").querySelector(".refusal")?.scrollIntoView({ block: "nearest" });
  return undefined;
}

/** Focuses the field that prevents the opening of the table. */
function focus(id) {
  at(id).closest("details")?.setAttribute("open", "");
  at(id).focus();
}

/** Creates the session and returns the service's answer. Keeps the problem of a refusal and returns null. */
async function opened() {
  const players = names();
  const bots = players.map((_, seat) => ({ seat, level: bot(seat) })).filter(({ level }) => level);
  const answer = await api.ask("/v1/sessions", {
    game: wish.game, ruleset: ruleset.ruleset, options: wish.options, players, bots, odds: wish.odds, dice: wish.dice,
    starter: seated().starter, idle_seconds: (wish.dice === "service" && wish.idle) || undefined,
  }).catch(unanswered);
  if (answer?.ok) return answer.document;
  problem = answer?.document ?? { title: say("lost_answer") };
  return null;
}

async function speak(next) {
  say = sayer(next.tag);
  api.language = next.tag;
  await begin();
}

async function begin() {
  if (CLOSED) {
    const answer = await api.ask("/v1/sessions", {}).catch(unanswered);
    problem = answer?.document ?? { title: say("away") };
    show();
    return;
  }
  try {
    ({ games } = await api.read("/v1"));
  } catch (error) {
    problem = error.problem ?? { title: say("away") };
    show();
    return;
  }
  await choose({});
}

at("form").addEventListener("submit", open);
await begin();
