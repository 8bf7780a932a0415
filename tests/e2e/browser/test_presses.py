"""A press acts once, on the control under it at the press, and never repeats."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, Route, ViewportSize, expect

from tests.e2e.browser.conftest import Opener
from tests.e2e.browser.controls import announced, control
from tests.e2e.browser.gathering import (
    Gathering,
    gathered,
    seated,
    told,
)
from tests.e2e.browser.listening import heard, listen
from tests.server.serving import Server

pytestmark = pytest.mark.long

PHONE: ViewportSize = {"width": 390, "height": 844}
TOUCH: dict[str, Any] = {"viewport": PHONE, "has_touch": True, "is_mobile": True}
COUNT = """() => {
  window.chosen = 0;
  const count = ({ target }) => (window.chosen += Boolean(target.closest(".die-button")));
  addEventListener("click", count);
}"""
OWN_CLOCK = """(held) => {
  const due = new Map(), { setTimeout, clearTimeout } = window;
  let number = -1;
  window.setTimeout = (act, time, ...more) =>
    time === held ? (due.set(--number, act), number) : setTimeout(act, time, ...more);
  window.clearTimeout = (timer) => due.delete(timer) || clearTimeout(timer);
  window.elapse = () => [...due.values()].map((act) => act()).length;
}"""
"""Script that holds timers of this duration; ``elapse`` runs them and returns their number."""
SLOW, REST, BEAT = 300, 450, 700
"""Milliseconds of the timers of ``slow.js``, ``rest.js`` and ``livetable.js``, and of no others."""
BEGINS = {"tutto": "draw", "yatzee": "throw", "pot": "throw"}


USUAL: dict[str, Any] = {"apart": True, "resting": True}


def happened(server: Server, gathering: Gathering) -> list[str]:
    """Returns the types of the events at the table."""
    events = told(server, gathering, "/events?after=0")["events"]
    return [entry["event"]["type"] for entry in events]


def settled(page: Page) -> None:
    """Waits until the press has had its effect and all controls respond."""
    page.wait_for_timeout(700)
    expect(page.locator("#board")).to_have_attribute("aria-busy", "false")
    expect(page.locator(".resting")).to_have_count(0)


def tap_twice(page: Page, key: str, gap: int) -> None:
    """Taps an action of the dock, and taps the same place again before the rest ends."""
    page.evaluate(OWN_CLOCK, REST)
    box = page.locator(f".dock [data-key={key}]").bounding_box()
    assert box
    x, y = box["x"] + box["width"] * 0.75, box["y"] + box["height"] / 2
    page.touchscreen.tap(x, y)
    page.wait_for_timeout(gap)
    page.touchscreen.tap(x, y)
    page.wait_for_timeout(700)
    expect(page.locator(".resting")).to_have_count(1)
    assert page.evaluate("elapse()") == 1
    settled(page)


@pytest.mark.parametrize("gap", [80, 200, 350])
@pytest.mark.parametrize("game", ["tutto", "yatzee", "pot"])
def test_a_double_tap_rolls_once(at: Opener, server: Server, game: str, gap: int) -> None:
    gathering = gathered(server, game)
    page = seated(at, gathering, 0, **TOUCH)
    tap_twice(page, BEGINS[game], gap)
    first, *rest = happened(server, gathering)
    assert first == BEGINS[game]
    assert rest in ([], ["roll"])


def test_a_double_tap_keeps_once(at: Opener, server: Server) -> None:
    for _ in range(20):
        gathering = gathered(server, "tutto")
        page = seated(at, gathering, 0, **TOUCH)
        control(page, "draw").tap()
        settled(page)
        # A card or a bust may have ended the turn.
        if control(page, "keep-chosen").count():
            break
    tap_twice(page, "keep-chosen", 200)
    assert [kind for kind in happened(server, gathering) if kind in ("keep", "bank")] == ["keep"]


def test_later_press_rolls_again(at: Opener, server: Server) -> None:
    gathering = gathered(server, "yatzee")
    page = seated(at, gathering, 0)
    control(page, "throw").click()
    expect(control(page, "again")).to_be_visible()
    page.wait_for_timeout(600)
    control(page, "again").click()
    settled(page)
    assert happened(server, gathering) == ["throw", "throw"]


def test_the_second_press_of_enter_is_not_for_what_came_there(at: Opener, server: Server) -> None:
    gathering = gathered(server, "yatzee")
    page = seated(at, gathering, 0)
    control(page, "throw").click()
    expect(control(page, "again")).to_be_visible()
    control(page, "again").focus()
    settled(page)
    page.keyboard.press("Enter")
    expect(page.locator(".log li")).to_have_count(2)
    expect(control(page, "again")).to_be_focused()
    page.keyboard.press("Enter")
    settled(page)
    expect(control(page, "again")).to_be_focused()
    assert happened(server, gathering) == ["throw", "throw"]


def hold(page: Page, key: str) -> None:
    """Holds a key down for many automatic repeats."""
    for _ in range(25):
        page.keyboard.down(key)
        page.wait_for_timeout(40)
    page.keyboard.up(key)


def test_a_key_that_is_held_rolls_once(at: Opener, server: Server) -> None:
    gathering = gathered(server, "yatzee")
    page = seated(at, gathering, 0)
    hold(page, "r")
    settled(page)
    assert happened(server, gathering) == ["throw"]
    page.keyboard.press("r")
    page.keyboard.press("r")
    settled(page)
    assert happened(server, gathering) == ["throw", "throw"]


def test_enter_that_is_held_rolls_once_and_chooses_no_die(at: Opener, server: Server) -> None:
    gathering = gathered(server, "yatzee")
    page = seated(at, gathering, 0)
    control(page, "throw").focus()
    page.evaluate(COUNT)
    hold(page, "Enter")
    settled(page)
    assert happened(server, gathering) == ["throw"]
    assert page.evaluate("window.chosen") == 0
    expect(control(page, "die-0")).to_be_focused()


@pytest.mark.parametrize("slow", [False, True])
def test_press_on_a_slow_line_gets_a_notice(at: Opener, server: Server, slow: bool) -> None:
    page = seated(at, gathered(server, "yatzee"), 0)
    page.evaluate(OWN_CLOCK, SLOW)
    sent: list[Route] = []
    page.route(re.compile("/events$"), lambda route: sent.append(route))
    listen(page)
    with page.expect_request(re.compile("/events$")):
        control(page, "throw").click()
    if slow:
        assert page.evaluate("elapse()") == 1
    expect(page.locator(".slow .dock")).to_have_count(int(slow))
    sent[0].continue_()
    expect(control(page, "again")).to_be_visible()
    expect(page.locator("#status")).to_contain_text("You rolled")
    assert page.evaluate("elapse()") == 0
    expect(page.locator(".slow")).to_have_count(0)
    assert heard(page).count("One moment …") == int(slow)


def test_a_card_that_is_looked_at_is_not_called_slow(at: Opener, server: Server) -> None:
    for _ in range(20):
        page = seated(at, gathered(server, "tutto"), 0, reduced_motion="no-preference")
        for time in (SLOW, BEAT):
            page.evaluate(OWN_CLOCK, time)
            page.evaluate(f"window.elapse{time} = window.elapse")
        listen(page)
        control(page, "draw").click()
        expect(page.locator(".log li")).to_have_count(1)
        assert page.evaluate(f"elapse{SLOW}()") == 0
        # A card may have ended the turn.
        if page.evaluate(f"elapse{BEAT}()"):
            break
    announced(page, "You rolled")
    assert "One moment …" not in heard(page)
