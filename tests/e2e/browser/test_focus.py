"""Focus moves to the next control of a keyboard player when its element disappears."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.browser.conftest import Opener
from tests.e2e.browser.controls import control, resting
from tests.e2e.browser.gathering import (
    expect_log,
    gathered,
    play_event,
    seated,
)
from tests.wire import Server

PHONE: dict[str, Any] = {"viewport": {"width": 375, "height": 700}}


@pytest.mark.parametrize("how", [{}, PHONE], ids=["desk", "phone"])
def test_focus_after_undo_is_on_the_dice(at: Opener, server: Server, how: dict[str, Any]) -> None:
    gathering = gathered(server, "yatzee", dice="client")
    play_event(server, gathering, {"type": "roll", "dice": [1, 2, 3, 4, 5, 6]})
    play_event(server, gathering, {"type": "write", "category": "chance"})
    page = seated(at, gathering, "host", **how)
    for first in ("die-0", "face-1"):
        resting(page)
        control(page, "undo").focus()
        page.keyboard.press("Enter")
        # Undo may be offered repeatedly, until nothing is left to undo.
        expect(page.locator(f'[data-key="{first}"]')).to_be_visible()
    expect_log(page, 4)
    expect(control(page, "undo")).to_be_disabled()
    expect(control(page, "face-1")).to_be_focused()


@pytest.mark.parametrize("how", [{}, PHONE], ids=["desk", "phone"])
def test_focus_after_deleting_a_table_is_on_the_link_onwards(
    at: Opener, server: Server, how: dict[str, Any]
) -> None:
    page = seated(at, gathered(server, "yatzee"), "host", refused=True, **how)
    if how:
        control(page, "menu").click()
    control(page, "delete").focus()
    page.keyboard.press("Enter")
    control(page, "yes").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".refusal")).to_be_visible()
    expect(page.get_by_role("link", name="Open another table")).to_be_focused()
