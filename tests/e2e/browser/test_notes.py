"""Note of a rule: opens at the pointer and covers no action of the table."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.browser.clock import HELD, LINGER
from tests.e2e.browser.conftest import Opener
from tests.e2e.browser.controls import control
from tests.e2e.browser.gathering import (
    gathered,
    seated,
)
from tests.wire import Server

pytestmark = pytest.mark.long

COVERED = """() => [...document.querySelectorAll(".dock button")].filter((button) => {
  const { left, top, width, height } = button.getBoundingClientRect();
  const over = document.elementFromPoint(left + width / 2, top + height / 2);
  return over?.closest("[role=tooltip]");
}).length"""
COUNT_MOVES = """() => {
  window.moves = 0;
  addEventListener("pointermove", () => (window.moves += 1), { capture: true });
}"""


USUAL: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}


def middle(page: Page, key: str) -> tuple[float, float]:
    """Returns the centre of a control."""
    control(page, key).scroll_into_view_if_needed()
    box = control(page, key).bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_resting_pointer_opens_no_note(at: Opener, server: Server) -> None:
    page = seated(at, gathered(server, "yatzee"))
    page.evaluate(HELD, LINGER)
    page.evaluate(COUNT_MOVES)
    for turn in range(4):
        expect(page.locator(".resting")).to_have_count(0)
        page.mouse.click(*middle(page, "roll"))
        expect(page.locator(".log li")).to_have_count(2 * turn + 1)
        # The log may show the event before the board does.
        expect(control(page, "again")).to_be_visible()
        expect(page.locator(".resting")).to_have_count(0)
        best = page.locator(".bests [data-key^=best-]").first
        if not best.count():
            return
        at_rest = middle(page, best.get_attribute("data-key") or "")
        page.mouse.click(*at_rest)
        expect(page.locator(".log li")).to_have_count(2 * turn + 2)
        expect(control(page, "roll")).to_be_visible()
        # Chromium itself tells a page that the pointer over a new element has not moved.
        page.evaluate("window.moves = 0")
        page.mouse.move(*at_rest)
        page.wait_for_function("() => window.moves > 0")
        assert page.evaluate("elapse()") == 0
        expect(page.get_by_role("tooltip")).to_be_hidden()


def test_pointing_opens_a_note_that_covers_no_action(at: Opener, server: Server) -> None:
    gathering = gathered(server, "yatzee")
    page = seated(at, gathering)
    control(page, "roll").click()
    expect(control(page, "again")).to_be_visible()
    control(page, "why").click()
    chips = page.locator("#board .rule")
    for number in range(0, chips.count(), 3):
        page.mouse.move(0, 0)
        expect(page.get_by_role("tooltip")).to_be_hidden()
        chips.nth(number).hover()
        expect(page.get_by_role("tooltip")).to_be_visible()
        assert page.evaluate(COVERED) == 0
