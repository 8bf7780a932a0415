"""Phones of 360 px: no text is cut, in any language, and pages in English are marked as English."""

from typing import Any

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.e2e.browser.conftest import Opener
from tests.e2e.browser.gathering import gathered
from tests.wire import Server

PHONE: ViewportSize = {"width": 360, "height": 740}
BAR = 68
"""Maximum height of the bar over a live table, in pixels."""
NAMES = ("Maximilian", "Alexandra", "Ursula Überall")
LOCALES = {"en": "en-GB", "de": "de-DE", "fr": "fr-FR", "it": "it-IT"}


def in_languages(*pages: str) -> list[Any]:
    """Pairs pages with languages. Pages after the first are long except in German."""
    return [
        pytest.param(
            page,
            language,
            id=f"{page}-{language}",
            marks=() if page == pages[0] or language == "de" else pytest.mark.long,
        )
        for page in pages
        for language in LOCALES
    ]


CUT = """() => {
  const UNSEEN = ".unseen, .connection, h1, pre";
  const canvas = document.createElement("canvas").getContext("2d");
  const cut = (element) => {
    const { overflowX, font, paddingLeft, paddingRight } = getComputedStyle(element);
    if (element.tagName === "SELECT") {
      canvas.font = font;
      const room = element.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
      return canvas.measureText(element.selectedOptions[0].textContent).width > room;
    }
    const hides = ["hidden", "clip"].includes(overflowX);
    return (hides && element.scrollWidth > element.clientWidth + 1)
      || element.getBoundingClientRect().right > innerWidth + 1;
  };
  return [...document.querySelectorAll("button, select, h2, p, li, span, label, strong")]
    .filter((element) => element.checkVisibility() && !element.closest(UNSEEN)).filter(cut)
    .map(({ tagName, className, textContent }) => `${tagName}.${className}: ${textContent}`);
}"""
"""Script that lists the texts that do not fit. A scrolling table or code may be wider."""
SCROLLS = """() => [...document.querySelectorAll(".sheet-scroll")]
  .map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth).filter(Boolean)"""
"""Script that lists the widths by which a score sheet of one player is cut."""
SMALL = """() => [...document.querySelectorAll(".purse.middle .purse-name, .sheet tbody th")]
  .filter((element) => element.checkVisibility() && /^\\p{Ll}/u.test(element.textContent))
  .filter((element) => getComputedStyle(element, "::first-letter").textTransform !== "uppercase")
  .map(({ textContent }) => textContent)"""
"""Script that lists labels that begin with a small letter."""
BESIDE_FELT = """() => {
  const box = (element) => element.getBoundingClientRect();
  return [...document.querySelectorAll(".lid :is(.card, .die)")]
    .filter((piece) => piece.checkVisibility())
    .map((piece) => [box(piece), box(piece.closest(".lid"))])
    .filter(([{ left, right }, felt]) => left < felt.left || right > felt.right).length;
}"""
"""Script that counts the cards and dice that stand out beyond their felt."""


@pytest.mark.parametrize(
    ("path", "language"),
    [
        *in_languages("/", "/#yatzee?roll=445556&rolls_made=1", "/#pot"),
        *in_languages("/table"),
    ],
)
def test_no_text_of_an_interactive_page_is_cut(at: Opener, path: str, language: str) -> None:
    page = at(path, viewport=PHONE, locale=LOCALES[language])
    page.locator(":is(.felt, #form) button:visible").first.wait_for()
    assert page.evaluate(CUT) == []
    assert page.evaluate(SCROLLS) == []
    assert page.evaluate(SMALL) == []


@pytest.mark.long
@pytest.mark.parametrize(
    ("path", "language"),
    in_languages("/rules/tutto", "/rules", "/rules/pot/P4.5", "/guides", "/docs", "/nothing"),
)
def test_no_text_of_a_reading_page_is_cut(at: Opener, path: str, language: str) -> None:
    page = at(path, viewport=PHONE, locale=LOCALES[language], refused=True)
    expect(page.locator("#language")).to_be_visible()
    for width in (360, 768, 1024, 1280, 1440):
        page.set_viewport_size({"width": width, "height": 740})
        assert page.evaluate(BESIDE_FELT) == 0, width
        assert page.evaluate("document.documentElement.scrollWidth") == width
        cut = page.evaluate(CUT)
        assert [text for text in cut if not text.startswith("LI.")] == [], width


@pytest.mark.parametrize(("game", "language"), in_languages("tutto", "pot"))
def test_three_players_are_named_in_full(
    at: Opener, server: Server, game: str, language: str
) -> None:
    link = gathered(server, game, dice="client", players=NAMES).link(0)
    page = at(link, viewport=PHONE, locale=LOCALES[language])
    expect(page.locator(".strip li")).to_have_count(len(NAMES))
    expect(page.locator(".felt")).to_be_visible()
    assert page.evaluate(CUT) == []
    bar = page.locator(".title").bounding_box()
    assert bar
    # Two lines of a name and its score.
    assert bar["height"] <= BAR


NOTES = {
    "en": None,
    "de": "Diese Seite ist auf Englisch.",
    "fr": "Cette page est en anglais.",
    "it": "Questa pagina è in inglese.",
}


@pytest.mark.parametrize(
    ("path", "language"),
    in_languages("/embedding", "/docs", "/docs/adjudicateTutto", "/guides/odds"),
)
def test_english_page_states_its_language(at: Opener, path: str, language: str) -> None:
    page = at(path, viewport=PHONE, locale=LOCALES[language])
    expect(page.locator("main h1")).to_be_visible()
    notes = page.locator("main > p.hint:visible")
    if note := NOTES[language]:
        expect(notes.first).to_have_text(note)
        expect(notes.first).to_have_attribute("lang", language)
    else:
        expect(page.get_by_text("This page is in English.")).to_be_hidden()
