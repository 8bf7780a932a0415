"""Screenshots of every page: phone, tablet and desktop, light and dark.

Run ``python -m tests.e2e.browser.screenshots [FOLDER]``. The default is ``var/screenshots``. For
the name of a ``.png`` the program takes only the README's picture, for ``card.png`` the picture of
links.
"""

import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Browser, Page, expect, sync_playwright

from dice_referee.web.html import CARD
from tests.e2e.browser.chromium import QUIET, executable
from tests.e2e.browser.controls import control
from tests.e2e.browser.gathering import Gathering, connection, gathered, play_event
from tests.programs import ROOT
from tests.wire import Server, serving

Scheme = Literal["light", "dark"]

SIZES = {"phone": (360, 740), "tablet": (768, 1024), "desktop": (1440, 900)}
SCHEMES: tuple[Scheme, ...] = ("light", "dark")

PAGES = {
    "tutto-draw": "/",
    "tutto-roll": "/#tutto?phase=roll&card=plus-minus&dice_to_roll=4&keeps=15&carried=1300",
    "tutto-keep": "/#tutto?card=double&roll=115556&carried=400",
    "tutto-null": "/#tutto?phase=roll&card=straight&keeps=126&dice_to_roll=3&event=roll:112",
    "tutto-banked": "/#tutto?card=double&keeps=1444&roll=55&event=bank",
    "tutto-impossible": "/#tutto?card=bonus-200&keeps=1&roll=115556",
    "tutto-game": "/#tutto?players=Ada,Ben,Cleo&log=draw:stop.draw:bonus-500.roll:111224.bank",
    "yatzee": "/#yatzee?roll=445556&rolls_made=1&scorecard=fives:15,house:32,royal:0",
    "yatzee-game": "/#yatzee?players=Ada,Ben&log=roll::123456.write:royal.roll::444556",
    "pot": "/#pot?roll=222&rolls_made=1&coins=5,4,2&pot=2&bank=42&player=0&holder=1&to_beat=5",
    "pot-roll": "/#pot",
    "table": "/table",
    "embedding": "/embedding",
    "docs": "/docs",
    "docs-operation": "/docs/adjudicateTutto",
    "docs-schema": "/docs/schemas/TuttoKeepTurn",
    "rules": "/rules/tutto",
    "rules-one": "/rules/tutto/T5.4",
    "how-to-play": "/play/tutto",
    "guides": "/guides",
    "guide": "/guides/sessions",
    "missing": "/nothing",
}


TABLES: dict[str, tuple[str, list[dict[str, Any]]]] = {
    "tutto": (
        "tutto",
        [
            {"type": "draw", "card": "stop"},
            {"type": "draw", "card": "bonus-300"},
            {"type": "roll", "dice": [1, 1, 5, 5, 5, 6]},
        ],
    ),
    "over": (
        "tutto",
        [
            {"type": "draw", "card": "double"},
            {"type": "roll", "dice": [1, 1, 1, 5, 5, 4]},
            {"type": "bank"},
        ],
    ),
    "yatzee": (
        "yatzee",
        [
            {"type": "roll", "dice": [1, 2, 3, 4, 5, 6]},
            {"type": "write", "category": "royal"},
            {"type": "roll", "dice": [4, 4, 4, 5, 5, 6]},
        ],
    ),
    "pot": ("pot", [{"type": "roll", "dice": [2, 2, 2]}]),
}
"""Events at the tables of the pictures."""


def laid(server: Server) -> dict[str, Gathering]:
    """Creates the tables and plays each game to its pictured position."""
    tables = {}
    for name, (game, events) in TABLES.items():
        options: dict[str, Any] = {"target": 1000} if name == "over" else {}
        tables[name] = gathered(server, game, dice="client", **options)
        for event in events:
            play_event(server, tables[name], event)
    tables["begun"] = gathered(server, "tutto")
    return tables


def take(browser: Browser, origin: str, tables: Mapping[str, Gathering], folder: Path) -> None:
    """Takes every page at every size in both schemes, and a page with the note of a rule."""
    for size, (width, height) in SIZES.items():
        for scheme in SCHEMES:
            context = browser.new_context(
                viewport={"width": width, "height": height},
                color_scheme=scheme,
                reduced_motion="reduce",
                locale="en-GB",
            )
            page = context.new_page()
            for name, path in PAGES.items():
                page.goto("about:blank")
                page.goto(origin + path)
                page.wait_for_load_state("networkidle")
                page.screenshot(path=folder / f"{name}-{size}-{scheme}.png", full_page=True)
            for name, table in tables.items():
                for kind, address in (("host", table.link("host")), ("watch", table.address)):
                    page.goto("about:blank")
                    page.goto(address)
                    expect(connection(page)).to_have_text(re.compile("Live|over"))
                    picture = folder / f"table-{name}-{kind}-{size}-{scheme}.png"
                    page.screenshot(path=picture, full_page=True)
                    page.evaluate("localStorage.clear(); sessionStorage.clear()")
            _note(page, origin)
            page.screenshot(path=folder / f"rule-{size}-{scheme}.png")
            context.close()


def _note(page: Page, origin: str) -> None:
    page.goto("about:blank")
    page.goto(origin + PAGES["tutto-keep"])
    control(page, "keep-1").wait_for()
    page.locator(".choice .rule:visible").first.focus()


def picture(browser: Browser, table: Gathering, path: Path) -> None:
    """Takes the README's picture of a table in the middle of a turn."""
    context = browser.new_context(
        viewport={"width": 960, "height": 677}, locale="en-GB", bypass_csp=True
    )
    page = context.new_page()
    page.goto(table.link(1))
    page.locator(".choice:visible").first.wait_for()
    # A felt without shades takes a fraction of the bytes.
    page.add_style_tag(content=".felt { background: var(--felt) }")
    page.screenshot(path=path)
    context.close()


BANNER = """
  #top, .sided, main > :not(.band), .band :is(.trail, .ways) { display: none }
  .band { position: fixed; inset: 0; margin: 0 !important; padding: 4rem }
  .band { border-radius: 0 !important; background: var(--felt) !important }
  .band h1 { font-size: 4.6rem } .band p { font-size: 1.7rem; text-wrap: balance }
  .band .card { width: 8.4rem !important }
  .lies { --die-size: 4.2rem !important; gap: 2.5rem; flex-direction: column }
"""


def banner(browser: Browser, origin: str, path: Path) -> None:
    """Takes the picture that messengers show beside links to the service."""
    context = browser.new_context(viewport={"width": 1200, "height": 630}, bypass_csp=True)
    page = context.new_page()
    page.goto(f"{origin}/rules/tutto?lang=en")
    page.add_style_tag(content=BANNER)
    page.locator(".band h1").evaluate("(title) => (title.textContent = 'Dice Referee')")
    page.locator(".band h1 + p").evaluate(
        "(text) => (text.textContent = 'A referee for Tutto, Yatzee and POT, at one table')"
    )
    page.screenshot(path=path)
    context.close()


def main() -> None:
    """Takes all pictures, or only that of the README or of links."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "var" / "screenshots"
    with serving(WORKERS=1) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable(), args=[*QUIET])
        if folder.name == CARD.rpartition("/")[2]:
            banner(browser, f"http://localhost:{server.port}", folder)
        elif folder.suffix == ".png":
            picture(browser, laid(server)["tutto"], folder)
        else:
            folder.mkdir(parents=True, exist_ok=True)
            take(browser, f"http://localhost:{server.port}", laid(server), folder)
        browser.close()


if __name__ == "__main__":
    main()
