"""Visibility of the focus and of controls on small or low screens, with zoom."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.browser.conftest import Opener
from tests.e2e.browser.controls import control
from tests.e2e.browser.gathering import (
    gathered,
    play_event,
    seated,
)
from tests.wire import Server

pytestmark = pytest.mark.long

SIZES = [(320, 568), (375, 667), (640, 400), (640, 900), (320, 256), (812, 375)]
"""Phones, and screens of 1280 by 800 or 1024 with a zoom of 200 or 400 per cent."""
LANDSCAPE = [(667, 375), (812, 375), (932, 430)]
HIDDEN = """() => {
  const focused = document.activeElement;
  const { left, top, width, height } = focused.getBoundingClientRect();
  const over = document.elementFromPoint(left + width / 2, top + height / 2);
  // What is higher than the screen cannot be seen whole.
  if (height > innerHeight) return "";
  const name = focused.dataset.key ?? focused.dataset.rule ?? focused.className;
  return focused.contains(over) ? "" : `${name} at ${Math.round(top)} under ${over?.className}`;
}"""
MOST = 60


def rolled(at: Opener, server: Server, game: str, size: tuple[int, int]) -> Page:
    """Opens Ada's page on a screen of this size, with a decision to make."""
    gathering = gathered(server, game, dice="client")
    if game == "tutto":
        play_event(server, gathering, {"type": "draw", "card": "straight"})
        play_event(server, gathering, {"type": "roll", "dice": [1, 2, 3, 4, 5, 6]})
    else:
        play_event(server, gathering, {"type": "roll", "dice": [1, 2, 3, 4, 5, 6]})
    width, height = size
    page = seated(at, gathering, 0, viewport={"width": width, "height": height})
    expect(control(page, "die-0")).to_be_visible()
    return page


@pytest.mark.parametrize("key", ["Tab", "Shift+Tab"])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", ["tutto", "yatzee"])
def test_focus_is_never_hidden(
    at: Opener, server: Server, game: str, size: tuple[int, int], key: str
) -> None:
    page = rolled(at, server, game, size)
    if key != "Tab":
        page.locator("#board button").last.focus()
    for _ in range(MOST):
        page.keyboard.press(key)
        if page.evaluate("document.activeElement === document.body"):
            break
        # The browser scrolls to the focus after the key.
        page.wait_for_function(f"() => !({HIDDEN})()")


@pytest.mark.parametrize("size", LANDSCAPE)
@pytest.mark.parametrize("game", ["tutto", "yatzee"])
def test_phone_in_landscape_shows_the_actions(
    at: Opener, server: Server, game: str, size: tuple[int, int]
) -> None:
    page = rolled(at, server, game, size)
    action = page.locator(".dock button").first
    expect(action).to_be_in_viewport(ratio=1)
    expect(control(page, "die-0")).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_dice_are_reachable_at_high_zoom(at: Opener, server: Server) -> None:
    page = rolled(at, server, "yatzee", (320, 256))
    for number in range(6):
        control(page, f"die-{number}").click()
        expect(control(page, f"die-{number}")).to_have_attribute("aria-pressed", "true")
