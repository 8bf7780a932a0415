// The parts of every page: its head with links to the other pages, and the choice of a language.

import { at, h, picture } from "./dom.js";
import { draw } from "./patch.js";
import { face } from "./dice.js";
import { keep, kept } from "./storage.js";
import { SITE, TEXTS, sayer, spoken } from "./words.js";

/** Tells if this is the page of the path, or a page below it. */
function here(path) {
  const [, first] = location.pathname.split("/");
  return path === (SITE.parents[`/${first}`] ?? `/${first}`);
}

const mark = () =>
  picture("0 0 48 48", "mark", "",
    h("rect", { x: 4, y: 4, width: 40, height: 40, rx: 10, class: "mark-body", transform: "rotate(-8 24 24)" }),
    h("g", { transform: "rotate(-8 24 24)", class: "mark-pips" }, face(5)));

const KEPT = "language";
const ASKED = "lang";

/**
 * Returns the language of the page: from the address, else the visitor's choice, else the browser's first known
 * language, else English.
 */
export const language = () =>
  spoken([new URL(location.href).searchParams.get(ASKED), kept(KEPT), ...navigator.languages]);

/** Keeps the choice of a language for the next pages, and removes the language from the address. */
export function choose(tag) {
  const address = new URL(location.href);
  address.searchParams.delete(ASKED);
  history.replaceState(history.state, "", address);
  keep(KEPT, tag);
}

/** Loads the texts of a language, and returns it. Without an answer returns the page's first language. */
async function learn(tag) {
  if (!TEXTS[tag]) TEXTS[tag] = (await import(`../shared/words.${tag}.js`).catch(() => null))?.TEXTS[tag];
  return TEXTS[tag] ? tag : Object.keys(TEXTS)[0];
}

/**
 * Draws the head of the page. Returns `{ say, tag }`: the page's texts and their language. `changed` receives the
 * same after another choice of language.
 */
export async function pageHead(changed) {
  const tag = await learn(language());
  const say = sayer(tag);
  document.documentElement.lang = tag;
  const links = Object.entries(SITE.navigation).map(([path, key]) =>
    h("a", { href: path, "aria-current": here(path) ? "page" : null }, say(key)));
  const select = h(
    "select",
    {
      "aria-label": say("language"), id: "language", value: tag,
      onchange: async (event) => {
        choose(event.target.value);
        const next = await pageHead(changed);
        at("language").focus();
        changed?.(next);
      },
    },
    Object.entries(SITE.languages).map(([value, name]) => h("option", { value, lang: value }, name)),
  );
  draw(at("top"),
    h("a", { class: "skip", href: "#main", onclick: skip }, say(at("board") ? "skip" : "skip_head")),
    h("a", { class: "brand", href: "/" }, mark(), h("span", {}, say("title"))),
    h("nav", { "aria-label": say("pages") }, links),
    select,
  );
  for (const place of document.querySelectorAll(".loading")) place.textContent = say("loading");
  return { say, tag };
}

/** Skips to the content without a new fragment, because the fragment is the position. */
function skip(event) {
  event.preventDefault();
  at("main").focus();
}
