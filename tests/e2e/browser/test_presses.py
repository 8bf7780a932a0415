"""A press acts once, on the control under the pointer at that time, and never repeats."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, Route, ViewportSize, expect

from tests.e2e.browser.clock import BEAT, HELD, REST, SLOW
from tests.e2e.browser.conftest import Opener
from tests.e2e.browser.controls import announced, control
from tests.e2e.browser.gathering import (
    Gathering,
    gathered,
    play_event,
    read_session,
    seated,
)
from tests.e2e.browser.listening import heard, listen
from tests.wire import Server

pytestmark = pytest.mark.long

PHONE: ViewportSize = {"width": 390, "height": 844}
TOUCH: dict[str, Any] = {"viewport": PHONE, "has_touch": True, "is_mobile": True}
COUNT = """() => {
  window.chosen = 0;
  const count = ({ target }) => (window.chosen += Boolean(target.closest(".die-button")));
  addEventListener("click", count);
}"""
TAPS = """() => {
  window.taps = 0;
  addEventListener("touchend", () => (window.taps += 1), { capture: true });
}"""
EVENTS = re.compile("/events$")
BEGINS = {"tutto": "draw", "yatzee": "roll", "pot": "roll"}


USUAL: dict[str, Any] = {"real_time": True}


def event_types(server: Server, gathering: Gathering) -> list[str]:
    """Returns the types of the events at the table."""
    events = read_session(server, gathering, "/events?after=0")["events"]
    return [entry["event"]["type"] for entry in events]


def hold_events(page: Page) -> list[Route]:
    """Holds the page's events back and returns their list."""
    sent: list[Route] = []
    page.route(EVENTS, lambda route: sent.append(route))
    return sent


def release(page: Page) -> None:
    """Releases the held events, and holds no further events."""
    page.unroute(EVENTS)


def wait_settled(page: Page, entries: int) -> None:
    """Waits until the log has this many entries and the actions of the new position rest."""
    expect(page.locator(".log li")).to_have_count(entries)
    expect(page.locator("#board")).to_have_attribute("aria-busy", "false")
    expect(page.locator(".resting")).to_have_count(1)


def end_rest(page: Page) -> None:
    """Ends the rest."""
    assert page.evaluate("elapse()") == 1
    expect(page.locator(".resting")).to_have_count(0)


def tap_twice(page: Page, key: str, answered: bool) -> None:
    """Taps an action of the dock, and taps the same place again before the rest ends.

    The second tap follows after the answer, or before.
    """
    page.evaluate(HELD, REST)
    page.evaluate(TAPS)
    sent = hold_events(page)
    box = page.locator(f".dock [data-key={key}]").bounding_box()
    assert box
    x, y = box["x"] + box["width"] * 0.75, box["y"] + box["height"] / 2
    with page.expect_request(EVENTS):
        page.touchscreen.tap(x, y)
    if answered:
        release(page)
        expect(page.locator(".resting")).to_have_count(1)
        expect(page.locator("#board")).to_have_attribute("aria-busy", "false")
        sent = hold_events(page)
    page.touchscreen.tap(x, y)
    # Gestures reach the page in order: the last tap follows the effect of the second.
    page.touchscreen.tap(1, 1)
    page.wait_for_function("() => window.taps === 3")
    assert len(sent) == (0 if answered else 1)
    release(page)
    expect(page.locator(".resting")).to_have_count(1)
    expect(page.locator("#board")).to_have_attribute("aria-busy", "false")
    end_rest(page)


@pytest.mark.parametrize("answered", [False, True])
@pytest.mark.parametrize("game", ["tutto", "yatzee", "pot"])
def test_double_tap_rolls_once(at: Opener, server: Server, game: str, answered: bool) -> None:
    gathering = gathered(server, game)
    page = seated(at, gathering, 0, **TOUCH)
    tap_twice(page, BEGINS[game], answered)
    first, *rest = event_types(server, gathering)
    assert first == BEGINS[game]
    assert rest in ([], ["roll"])


def with_a_choice(server: Server) -> Gathering:
    """Creates a table of Tutto whose first roll leaves a choice."""
    while True:
        gathering = gathered(server, "tutto")
        state = play_event(server, gathering, {"type": "draw"})
        if state["legal_events"] == ["roll"]:
            state = play_event(server, gathering, {"type": "roll"})
        # A card or a bust may have ended the turn.
        if "bank" in state["legal_events"]:
            return gathering


@pytest.mark.parametrize("answered", [False, True])
def test_double_tap_keeps_once(at: Opener, server: Server, answered: bool) -> None:
    gathering = with_a_choice(server)
    page = seated(at, gathering, 0, **TOUCH)
    tap_twice(page, "keep-chosen", answered)
    assert [kind for kind in event_types(server, gathering) if kind in ("keep", "bank")] == ["keep"]


def test_later_press_rolls_again(at: Opener, server: Server) -> None:
    gathering = gathered(server, "yatzee")
    page = seated(at, gathering, 0)
    control(page, "roll").click()
    expect(control(page, "again")).to_be_visible()
    expect(page.locator(".resting")).to_have_count(0)
    control(page, "again").click()
    expect(page.locator(".log li")).to_have_count(2)
    assert event_types(server, gathering) == ["roll", "roll"]


def test_second_enter_does_not_press_a_new_control(at: Opener, server: Server) -> None:
    gathering = gathered(server, "yatzee")
    page = seated(at, gathering, 0)
    page.evaluate(HELD, REST)
    control(page, "roll").click()
    wait_settled(page, 1)
    end_rest(page)
    control(page, "again").focus()
    page.keyboard.press("Enter")
    wait_settled(page, 2)
    expect(control(page, "again")).to_be_focused()
    page.keyboard.press("Enter")
    end_rest(page)
    expect(control(page, "again")).to_be_focused()
    assert event_types(server, gathering) == ["roll", "roll"]


def hold(page: Page, key: str) -> None:
    """Holds a key down before the answer, during the rest and after the rest."""
    page.evaluate(HELD, REST)
    hold_events(page)

    def repeat() -> None:
        for _ in range(8):
            page.keyboard.down(key)

    with page.expect_request(EVENTS):
        repeat()
    release(page)
    wait_settled(page, 1)
    repeat()
    end_rest(page)
    repeat()
    page.keyboard.up(key)


def test_held_key_rolls_once(at: Opener, server: Server) -> None:
    gathering = gathered(server, "yatzee")
    page = seated(at, gathering, 0)
    hold(page, "r")
    assert event_types(server, gathering) == ["roll"]
    page.keyboard.press("r")
    page.keyboard.press("r")
    wait_settled(page, 2)
    end_rest(page)
    assert event_types(server, gathering) == ["roll", "roll"]


def test_held_enter_rolls_once_and_chooses_no_die(at: Opener, server: Server) -> None:
    gathering = gathered(server, "yatzee")
    page = seated(at, gathering, 0)
    control(page, "roll").focus()
    page.evaluate(COUNT)
    hold(page, "Enter")
    assert event_types(server, gathering) == ["roll"]
    assert page.evaluate("window.chosen") == 0
    expect(control(page, "die-0")).to_be_focused()


@pytest.mark.parametrize("slow", [False, True])
def test_press_on_a_slow_connection_shows_a_notice(at: Opener, server: Server, slow: bool) -> None:
    page = seated(at, gathered(server, "yatzee"), 0)
    page.evaluate(HELD, SLOW)
    sent = hold_events(page)
    listen(page)
    with page.expect_request(EVENTS):
        control(page, "roll").click()
    if slow:
        assert page.evaluate("elapse()") == 1
    expect(page.locator(".slow .dock")).to_have_count(int(slow))
    sent[0].continue_()
    expect(control(page, "again")).to_be_visible()
    expect(page.locator("#status")).to_contain_text("You roll")
    assert page.evaluate("elapse()") == 0
    expect(page.locator(".slow")).to_have_count(0)
    assert heard(page).count("One moment …") == int(slow)


def test_viewing_a_card_shows_no_slow_notice(at: Opener, server: Server) -> None:
    for _ in range(20):
        page = seated(at, gathered(server, "tutto"), 0, reduced_motion="no-preference")
        for time in (SLOW, BEAT):
            page.evaluate(HELD, time)
            page.evaluate(f"window.elapse{time} = window.elapse")
        listen(page)
        control(page, "draw").click()
        expect(page.locator(".log li")).to_have_count(1)
        # The stream may show the card before the answer ends the press.
        page.wait_for_function(f"() => elapse{SLOW}.due() === 0")
        # A card may have ended the turn.
        if page.evaluate(f"elapse{BEAT}()"):
            break
    announced(page, "You roll")
    assert "One moment …" not in heard(page)
