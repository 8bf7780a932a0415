"""Meter of the win probabilities at a table of two."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.browser.accessibility import assert_accessible, assert_fits
from tests.e2e.browser.conftest import Opener
from tests.e2e.browser.controls import control, tab_to
from tests.e2e.browser.gathering import connection, gathered, play_event, read_session
from tests.e2e.browser.listening import heard, listen
from tests.wire import Server

TURN: list[dict[str, Any]] = [
    {"type": "draw", "card": "bonus-600"},
    {"type": "roll", "dice": [1, 1, 1, 2, 3, 4]},
    {"type": "bank"},
]


def label(first: float) -> str:
    """Returns the label of the meter at this chance of Ada."""
    return f"Win probability: Ada {100 * first:.3g}%, Ben {100 * (1 - first):.3g}%"


def odds_of(addresses: list[str]) -> int:
    """Counts the requests for odds."""
    return len([address for address in addresses if "/odds" in address])


def expect_label(page: Page, text: str) -> None:
    """Waits until the meter has this label."""
    expect(page.locator(".meter")).to_have_attribute("aria-label", text)


def test_meter_shows_the_chances_at_the_start_of_turns(at: Opener, server: Server) -> None:
    gathering = gathered(server, "tutto", dice="client")
    page = at(gathering.link(0))
    expect(connection(page)).to_have_text("Live")
    requested: list[str] = []
    page.on("request", lambda request: requested.append(request.url))
    expect(page.locator(".meter")).to_have_count(0)
    listen(page)
    control(page, "meter").check()
    first = read_session(server, gathering, "/odds?aim=win")["value"]
    expect_label(page, label(first))
    assert [line for line in heard(page) if "Chances" in line] == []
    for event in TURN[:2]:
        play_event(server, gathering, event)
    expect(control(page, "keep-chosen")).to_be_visible()
    expect_label(page, label(first))
    assert odds_of(requested) == 1
    play_event(server, gathering, TURN[2])
    second = 1 - read_session(server, gathering, "/odds?aim=win")["value"]
    assert second > first
    expect_label(page, label(second))
    assert odds_of(requested) == 2
    wide = page.locator(".meter rect").evaluate_all(
        "rects => rects.map(rect => rect.width.baseVal.value)"
    )
    assert wide == pytest.approx([100 * second, 100 * (1 - second)], abs=1e-3)
    control(page, "meter").uncheck()
    expect(page.locator(".meter")).to_have_count(0)


def test_meter_is_switched_by_keyboard_and_fits_a_phone(at: Opener, server: Server) -> None:
    gathering = gathered(server, "tutto", dice="client")
    page = at(gathering.link(0), bypass_csp=True)
    expect(control(page, "meter")).to_be_visible()
    tab_to(page, "meter")
    page.keyboard.press("Space")
    expect(page.locator(".meter")).to_be_visible()
    assert_accessible(page)
    page.set_viewport_size({"width": 360, "height": 740})
    expect(page.locator(".meter")).to_be_visible()
    assert_fits(page)
    assert_accessible(page)
