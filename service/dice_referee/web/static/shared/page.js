// The parts of every page: its head with links to the other pages, and the choice of a language.

import { h, picture, svg } from "./dom.js";
import { face } from "./dice.js";
import { keep, kept } from "./storage.js";
import { LANGUAGES, TEXTS, sayer, spoken } from "./words.js";

const PAGES = { "/": "playground", "/table": "live", "/rules": "rules", "/guides": "guides", "/docs": "docs" };
/** Pages that are found by way of another. */
const UNDER = { "/embedding": "/guides", "/play": "/rules" };

/** The page, or one of those under it. */
function here(path) {
  const [, first] = location.pathname.split("/");
  return path === (UNDER[`/${first}`] ?? `/${first}`);
}

const mark = () =>
  picture("0 0 48 48", "mark", "", svg("rect", { x: 4, y: 4, width: 40, height: 40, rx: 10, class: "mark-body", transform: "rotate(-8 24 24)" }), svg("g", { transform: "rotate(-8 24 24)", class: "mark-pips" }, face(5)));

const KEPT = "language";
const ASKED = "lang";

/** Returns the language that the address asks for, that was chosen before, or the browser's first that we speak; else English. */
export const language = () => spoken([new URL(location.href).searchParams.get(ASKED), kept(KEPT), ...navigator.languages]);

/** Keeps the choice for the next page; the address asks for no other any more. */
export function choose(tag) {
  const address = new URL(location.href);
  address.searchParams.delete(ASKED);
  history.replaceState(history.state, "", address);
  keep(KEPT, tag);
}

/** This language, once its texts are here; without an answer, the one that the page came in. */
async function learned(tag) {
  if (!TEXTS[tag]) TEXTS[tag] = (await import(`../shared/words.${tag}.js`).catch(() => null))?.TEXTS[tag];
  return TEXTS[tag] ? tag : Object.keys(TEXTS)[0];
}

/**
 * Draws the head of the page. Gives `{ say, tag }`: the page's texts and their language; `changed` gets
 * the same when another language is chosen.
 */
export async function pageHead(changed) {
  const tag = await learned(language());
  const say = sayer(tag);
  document.documentElement.lang = tag;
  const links = Object.entries(PAGES).map(([path, key]) =>
    h("a", { href: path, "aria-current": here(path) ? "page" : null }, say(key)));
  const select = h(
    "select",
    {
      "aria-label": say("language"), id: "language",
      onchange: async (event) => {
        choose(event.target.value);
        const next = await pageHead(changed);
        document.getElementById("language").focus();
        changed?.(next);
      },
    },
    Object.entries(LANGUAGES).map(([value, name]) => h("option", { value, selected: value === tag, lang: value }, name)),
  );
  document.getElementById("top").replaceChildren(
    h("a", { class: "skip", href: "#main", onclick: skip }, say(document.getElementById("board") ? "skip" : "skip_head")),
    h("a", { class: "brand", href: "/" }, mark(), h("span", {}, say("title"))),
    h("nav", { "aria-label": say("pages") }, links),
    select,
  );
  for (const place of document.querySelectorAll(".loading")) place.textContent = say("loading");
  return { say, tag };
}

/** The address is the position, so the fragment must not change. */
function skip(event) {
  event.preventDefault();
  document.getElementById("main").focus();
}
