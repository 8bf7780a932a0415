// Runs the playground: chooses the game, synchronizes the address with the table, and shows each request.

import { written, read } from "../shared/address.js";
import { Api } from "../shared/api.js";
import { at, h, picture } from "../shared/dom.js";
import { redraw } from "../shared/redraw.js";
import { draw } from "../shared/patch.js";
import { stateOf } from "../shared/linewords.js";
import { playHouse } from "../shared/seats.js";
import { short } from "../shared/words.js";
import { houseRules } from "../shared/options.js";
import { pageHead } from "../shared/page.js";
import { Steps, copy } from "./steps.js";
import { Table, shows } from "../games/table.js";
import { oddsOfTurn, oddsSwitch } from "../games/weighing.js";

const FIRST = "tutto";
/** Address of the first roll, for visitors without a position. */
const LAID = `#${FIRST}?card=double&roll=115556`;
/** Paths of the tools' icons. */
const ICONS = {
  undo: "M8 4L4 8l4 4M4 8h10a5 5 0 0 1 0 11h-4",
  anew: "M19 4v5h-5M18.6 9A7.5 7.5 0 1 0 19.5 13",
  share: "M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7l-1.3 1.3M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7l1.3-1.3",
};

const head = await pageHead(speak);
let { say } = head;
const api = new Api(location.origin, head.tag);
const tools = h("div", { id: "tools", class: "tools" });

/** Adds the odds of a turn. */
class OpenTable extends Table {
  odds = oddsOfTurn(api);
}

const table = new OpenTable(api, { board: at("board"), status: at("status"), notes: document.body, tools });
const steps = new Steps(at("steps"), say, table.announcer);
let games = [];
let ruleset = null;
let restoring = false;

// The request for a new game is not shown.
api.addEventListener("asked", ({ detail }) => detail.question.log?.length === 0 || steps.add(detail));
table.addEventListener("change", keepAddress);
table.addEventListener("shown", drawSetup);
addEventListener("popstate", () => restore(read(location.hash || LAID)));

const depth = () => history.state?.depth ?? 0;

function keepAddress() {
  const address = written(table.state);
  if (restoring || address === (location.hash || LAID)) return;
  history.pushState({ depth: depth() + 1 }, "", address);
}

/** Opens a state without a new entry in the history. */
async function restore(state) {
  restoring = true;
  try {
    await open(state);
  } finally {
    restoring = false;
  }
}

async function open(state) {
  const isKnown = games.some(({ game }) => game === state.game) && shows(state.game);
  try {
    const request = isKnown ? await inEvents(state) : { game: FIRST };
    ruleset = await rulesetOf(request);
    await table.open(request);
  } catch (error) {
    const { errors, detail } = error.problem ?? {};
    refuse(errors?.[0]?.detail ?? detail ?? say("away"));
  }
  drawSetup();
}

/** Returns the state with the events of its game line. Throws if the service refuses the line. */
async function inEvents(state) {
  if (state.line === undefined) return state;
  await api.read(`/v1/${state.game}/audits?line=${encodeURIComponent(state.line)}`);
  return stateOf(state.line, await api.read(`/v1/${state.game}`));
}

const rulesetOf = ({ game, ruleset: id }) =>
  api.read(`/v1/${game}/rulesets/${id ?? games.find((entry) => entry.game === game).default_ruleset}`);

/** Shows on the board why no table can be opened. */
function refuse(text) {
  draw(at("board"), h("div", { class: "felt" }, h("div", { class: "refusal", role: "alert" }, text)), tools);
  at("board").removeAttribute("aria-busy");
}

/** Opens a state with a new entry in the history. */
async function go(state) {
  await restore(state);
  keepAddress();
  drawSetup();
}

async function speak(next) {
  ({ say } = next);
  api.language = next.tag;
  steps.say = say;
  await start();
}

function undo() {
  if (depth() > 0) history.back();
  else if (table.events?.length) go({ ...table.state, log: table.events.slice(0, -1) });
}

function drawTexts() {
  document.title = `${say("playground")} · ${say("title")}`;
  at("tagline").textContent = say("tagline");
  at("steps-title").textContent = say("steps");
  at("steps-hint").textContent = say("steps_hint");
  at("table-title").textContent = say("table");
}

function drawSetup() {
  if (!games.length) return;
  redraw(at("games"), games.filter(({ game }) => shows(game)).map(gameChoice));
  at("games").setAttribute("aria-label", say("game"));
  if (!table.catalogue) return;
  redraw(at("setup"), lengthChoice(), rulesetChoice());
  redraw(at("tools"), toolbar());
  at("description").textContent = table.catalogue.description;
  at("description").lang = table.catalogue.spoken;
}

/** Opens a session of the game against the house. */
async function against() {
  const problem = await playHouse(api, table.catalogue, say);
  if (problem) refuse([problem.title, problem.detail].filter(Boolean).join(" "));
}

const gameChoice = ({ game, title }) =>
  h("button", {
    type: "button", "data-key": `game-${game}`, "aria-pressed": String(game === table.game),
    onclick: () => go({ game }),
  }, short(title));

function lengthChoice() {
  const whole = Boolean(table.players);
  const choice = (value, key, state) =>
    h("button", {
      type: "button", "data-key": key, "aria-pressed": String(whole === value),
      onclick: () => whole === value || go(state()),
    }, say(key));
  const { game, ruleset: chosen, options } = table.state;
  const begin = (event) => {
    event.preventDefault();
    const players = at("players").value.split(",").map((name) => name.trim()).filter(Boolean);
    go({ game, ruleset: chosen, options, players, log: [] });
  };
  return [
    h("div", { class: "pills", role: "group", "aria-label": say("length") },
      choice(false, "one_turn", () => ({ game, ruleset: chosen, options })),
      choice(true, "whole_game",
        () => ({ game, ruleset: chosen, options, players: say("names").split(", "), log: [] }))),
    whole
      ? h("form", { class: "players", onsubmit: begin },
        h("label", { for: "players" }, say("players")),
        h("input", {
          id: "players", "data-key": "players", value: table.players.join(", "), autocomplete: "off", maxlength: 400,
        }),
        h("button", { "data-key": "begin" }, say("begin")))
      : null,
  ];
}

function rulesetChoice() {
  const { rulesets, spoken } = table.catalogue;
  const count = Object.keys(table.options).length;
  return [
    h("label", { for: "ruleset" }, say("ruleset")),
    h("select", {
      id: "ruleset", "data-key": "ruleset", value: table.ruleset, lang: spoken,
      onchange: (event) => go({ ...table.state, ruleset: event.target.value, options: {} }),
    },
      rulesets.map(({ ruleset: id, title }) => h("option", { value: id }, title))),
    h("p", { class: "hint", lang: spoken }, rulesets.find(({ ruleset: id }) => id === table.ruleset)?.text),
    h("details", { id: "house", class: "house" },
      h("summary", { "data-key": "house" },
        say("house"),
        count ? h("span", { class: "count" }, say("changed", { n: count })) : null),
      ruleset?.ruleset === table.ruleset && ruleset.game === table.game
        ? houseRules(ruleset, table.options,
          { say, book: table.book, change: (options) => go({ ...table.state, options }), again: drawSetup })
        : null),
  ];
}

const tool = (key, text, onclick, disabled = false) =>
  h("button", { type: "button", "data-key": key, disabled, onclick },
    picture("0 0 24 24", "icon", "", h("path", { d: ICONS[key] })), h("span", {}, text));

const toolbar = () => [
  tool("undo", say("undo"), undo, depth() === 0 && !table.events?.length),
  tool("anew", say("anew"), () =>
    go({ ...table.state, position: {}, event: null, ...(table.players ? { log: [] } : {}) })),
  tool("share", say("copy_link"), ({ currentTarget }) =>
    copy(currentTarget.querySelector("span"), new URL(written(table.state), location.href).href, say, table.announcer)),
  oddsSwitch(table, () => table.show()),
  h("button", { type: "button", class: "strong", "data-key": "against", onclick: against }, say("play_house")),
];

async function start() {
  drawTexts();
  try {
    games = (await api.read("/v1")).games;
  } catch (error) {
    refuse(error.problem?.detail ?? say("away"));
    return;
  }
  await restore(read(location.hash || LAID));
}

await start();
