"""Pictures of every page, for people to look at: phone and desktop, light and dark.

``python -m tests.browser.screenshots [FOLDER]``; without one, ``var/screenshots``.
"""

import sys
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.chromium import QUIET, executable
from tests.browser.playing import control
from tests.doors.serving import ROOT, serving

Scheme = Literal["light", "dark"]

SIZES = {"narrow": (320, 640), "phone": (390, 844), "desktop": (1366, 900), "large": (2200, 1300)}
SCHEMES: tuple[Scheme, ...] = ("light", "dark")

PAGES = {
    "tutto-draw": "/",
    "tutto-roll": "/#tutto?phase=roll&card=plus-minus&dice_to_roll=4&keeps=15&carried=1300",
    "tutto-keep": "/#tutto?card=double&roll=115556&carried=400",
    "tutto-null": "/#tutto?phase=roll&card=straight&keeps=126&dice_to_roll=3&event=roll:112",
    "tutto-banked": "/#tutto?card=double&keeps=1444&roll=55&event=bank",
    "tutto-impossible": "/#tutto?card=bonus-200&keeps=1&roll=115556",
    "tutto-game": "/#tutto?players=Ada,Ben,Cleo&log=draw:stop.draw:bonus-500.roll:111224.bank",
    "yatzee": "/#yatzee?dice=445556&throw=1&scorecard=fives:15,house:32,royal:0",
    "yatzee-game": "/#yatzee?players=Ada,Ben&log=throw::123456.write:royal.throw::444556",
    "pot": "/#pot?dice=222&throws=1&coins=5,4,2&pot=2&bank=42&player=0&holder=1&to_beat=5",
    "pot-throw": "/#pot",
    "embedding": "/embedding",
    "docs": "/docs",
}


def take(browser: Browser, origin: str, folder: Path) -> None:
    """Every page at every size and in both schemes, and the note of a rule on top of one."""
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
            _note(page, origin)
            page.screenshot(path=folder / f"rule-{size}-{scheme}.png")
            context.close()


def _note(page: Page, origin: str) -> None:
    page.goto("about:blank")
    page.goto(origin + PAGES["tutto-keep"])
    control(page, "keep-1").wait_for()
    page.locator(".choice .rule").nth(1).focus()


def main() -> None:
    """Take them all."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "var" / "screenshots"
    folder.mkdir(parents=True, exist_ok=True)
    with serving(WORKERS=1) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable(), args=[*QUIET])
        take(browser, f"http://localhost:{server.port}", folder)
        browser.close()
    print(f"{len(list(folder.glob('*.png')))} pictures in {folder}")


if __name__ == "__main__":
    main()
