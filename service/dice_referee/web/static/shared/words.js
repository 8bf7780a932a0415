// The language of a page, and its own texts in it. Whatever belongs to a game (cards, categories, rules, findings) comes
// from the API.

import { TEXTS } from "./texts.js";

export const LANGUAGES = { en: "English", de: "Deutsch", fr: "Français", it: "Italiano" };

const KEPT = "language";

const ASKED = "lang";

/** The language that the address asks for, that was chosen before, or the browser's first that we speak; else English. */
export function language() {
  let kept = null;
  try {
    kept = localStorage.getItem(KEPT);
  } catch {
    // No storage in this frame: the browser's languages it is.
  }
  return spoken([new URL(location.href).searchParams.get(ASKED), kept, ...navigator.languages]);
}

/** The first of these language tags that we speak; else English. */
export const spoken = (tags) =>
  tags.map((tag) => tag?.slice(0, 2).toLowerCase()).find((tag) => tag in LANGUAGES) ?? "en";

/** Keeps the choice for the next page; the address asks for no other any more. */
export function choose(tag) {
  const address = new URL(location.href);
  address.searchParams.delete(ASKED);
  history.replaceState(history.state, "", address);
  try {
    localStorage.setItem(KEPT, tag);
  } catch {
    // Then it holds for this page alone.
  }
}

/** Words that change before what fills a gap, which has a null character before it, as in the sentences of the service. */
const SEAMS = {
  fr: [
    [/(?<!\p{L})(d|qu)e \0(?=[aeiouàáâãäåæèéêëìíîïòóôõöøùúûüœ])/giu, "$1’"],
    [/\0Joueur(?= \d+(?:[^,\d]|$))/gu, "\0le joueur"],
    [/^\0le joueur/u, "Le joueur"],
    [/(?<!\p{L})À \0le joueur/gu, "Au joueur"],
    [/(?<!\p{L})à \0le joueur/gu, "au joueur"],
    [/(?<!\p{L})de \0le joueur/gu, "du joueur"],
  ],
  it: [
    [/(?<!\p{L})(a) \0(?=[aàáâãäå])/giu, "$1d "],
    [/\0Giocatore(?= \d+(?:[^,\d]|$))/gu, "\0il giocatore"],
    [/^\0il giocatore/u, "Il giocatore"],
    [/(?<!\p{L})(a|da) \0il giocatore/gu, "$1l giocatore"],
    [/(?<!\p{L})di \0il giocatore/gu, "del giocatore"],
  ],
};

const joined = (tag, text) => (SEAMS[tag] ?? []).reduce((told, [seam, word]) => told.replace(seam, word), text).replaceAll("\0", "");

/** The page's texts in one language: `say("roll", { n: 5 })`. */
export const sayer = (tag) => (key, values = {}) =>
  joined(tag, (TEXTS[tag]?.[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => `\0${values[name] ?? ""}`));
