"""What does not fit at once: phones, many players, long names, wide letters, other colours."""

from functools import partial

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.e2e.browser.conftest import Opener
from tests.e2e.browser.gathering import acts, gathered
from tests.e2e.browser.playing import control
from tests.server.serving import Server

PHONE: ViewportSize = {"width": 375, "height": 812}
SMALLEST: ViewportSize = {"width": 320, "height": 568}
MANY = tuple(f"Person {number}" for number in range(1, 11))
LONG = ("Maximiliane Charlotte", "Bartholomäus Konstantin", "Wilhelmina Alexandra")
STOP = {"type": "draw", "card": "stop"}
"""Ends a turn of Tutto at once."""


@pytest.fixture
def on_phone(at: Opener) -> Opener:
    return partial(at, apart=True, viewport=PHONE, has_touch=True, is_mobile=True)


def whose_turn(page: Page, name: str) -> None:
    """The line over the table and the felt say so, both to be seen."""
    now = page.locator(".strip .now")
    expect(now).to_contain_text(name)
    expect(now).to_be_in_viewport(ratio=0.98)
    expect(page.locator(".turn-of")).to_have_text(f"{name} to play")
    expect(page.locator(".turn-of")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("names", [("Ada", "Ben", "Cleo", "Dan"), LONG, MANY])
def test_a_phone_shows_whose_turn_it_is_however_many_play(
    on_phone: Opener, server: Server, names: tuple[str, ...]
) -> None:
    gathering = gathered(server, "tutto", dice="client", players=names)
    page = on_phone(gathering.link("host"))
    for name in (*names, names[0]):
        whose_turn(page, name)
        acts(server, gathering, STOP)


def test_a_phone_says_that_it_is_your_turn(on_phone: Opener, server: Server) -> None:
    gathering = gathered(server, "tutto", dice="client")
    page = on_phone(gathering.link(1))
    acts(server, gathering, STOP)
    expect(page.locator(".turn-of")).to_have_text("Your turn")
    expect(page.locator(".turn-of")).to_be_in_viewport(ratio=1)


def bordered(page: Page, selector: str) -> int:
    """How wide the edge of it is at its widest, in pixels, without what is as the page is."""
    width: int = page.locator(selector).first.evaluate(
        """element => {
          const style = getComputedStyle(element);
          const none = getComputedStyle(document.body).backgroundColor;
          return Math.max(...["Top", "Bottom"].map(side =>
            style[`border${side}Style`] === "none" || style[`border${side}Color`] === none
              ? 0 : parseFloat(style[`border${side}Width`])));
        }"""
    )
    return width


def test_whose_turn_and_which_page_it_is_are_seen_in_forced_colours(
    on_phone: Opener, server: Server
) -> None:
    gathering = gathered(server, "pot")
    page = on_phone(gathering.link("host"), forced_colors="active")
    expect(page.locator(".strip .now")).to_be_visible()
    assert bordered(page, ".strip .now") >= 2
    assert bordered(page, ".strip li:not(.now)") == 0
    assert bordered(page, ".purse.now") >= 2
    control(page, "menu").tap()
    assert bordered(page, "#top nav [aria-current]") >= 2
    assert bordered(page, "#top nav a:not([aria-current])") == 0
    assert bordered(page, ".people .now") >= 2
