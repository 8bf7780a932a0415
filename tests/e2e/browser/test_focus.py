"""Focus, selection and notes of a reader stay while the page changes."""

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
NEXT = """() => {
  const sought = "a[href], button, input, select, summary, [tabindex='0']";
  const reached = (one) => one.tabIndex >= 0 && !one.disabled && one.checkVisibility() &&
    (one.type !== "radio" || one.checked);
  const all = [...document.querySelectorAll(sought)].filter(reached);
  const place = all.indexOf(document.activeElement);
  window.next = all[place + 1];
  return place < 0 ? null : Boolean(window.next);
}"""
"""Script that stores the control after the focused control.

Returns false at the last control, and null if no control has the focus.
"""
REACHED = """() => {
  const { activeElement: reached } = document;
  const { key } = window.next.dataset;
  return reached === window.next || (key !== undefined && reached.dataset.key === key);
}"""
TYPES = "() => document.activeElement.matches('input:not([type=radio], [type=checkbox])')"
SELECTED = "() => getSelection().toString()"
DRAW = {"type": "draw", "card": "double"}
ROLL = {"type": "roll", "dice": [1, 5, 2, 3, 4, 6]}


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


@pytest.mark.parametrize(("path", "fold"), [("/table", "more"), ("/#tutto", "house")])
def test_tab_moves_from_each_changed_field_to_the_next(at: Opener, path: str, fold: str) -> None:
    page = at(path)
    control(page, fold).click()
    expect(control(page, "ruleset-only")).to_be_visible()
    page.locator(".skip").focus()
    steps = 0
    while page.evaluate(NEXT):
        if page.evaluate(TYPES):
            page.keyboard.press("End")
            page.keyboard.type("1")
            page.evaluate(NEXT)
        page.keyboard.press("Tab")
        assert page.evaluate(REACHED), page.evaluate("document.activeElement.outerHTML")
        # A changed rule opens another table.
        expect(page.locator("[aria-busy=true]")).to_have_count(0)
        steps += 1
    assert page.evaluate(NEXT) is False
    assert steps > 30


def test_selection_in_the_log_stays_when_others_move(at: Opener, server: Server) -> None:
    gathering = gathered(server, "tutto", dice="client")
    play_event(server, gathering, DRAW)
    page = seated(at, gathering, 1)
    expect_log(page, 1)
    page.evaluate("getSelection().selectAllChildren(document.querySelector('.log-said'))")
    assert page.evaluate(SELECTED) == "Ada draws a Double."
    play_event(server, gathering, ROLL)
    expect_log(page, 2)
    assert page.evaluate(SELECTED) == "Ada draws a Double."


@pytest.mark.parametrize("place", [".log", ".card-place"])
def test_open_note_stays_when_others_move(at: Opener, server: Server, place: str) -> None:
    gathering = gathered(server, "tutto", dice="client")
    play_event(server, gathering, DRAW)
    page = seated(at, gathering, 1)
    chip = page.locator(f"{place} .rule")
    chip.focus()
    text = page.get_by_role("tooltip").inner_text()
    play_event(server, gathering, ROLL)
    expect_log(page, 2)
    expect(page.locator("#board .choices")).to_be_visible()
    expect(page.get_by_role("tooltip")).to_have_text(text, use_inner_text=True)
    expect(page.locator(f"{place} .rule:focus")).to_have_count(1)


def test_focus_of_a_rule_that_is_gone_is_on_no_action(at: Opener, server: Server) -> None:
    gathering = gathered(server, "tutto", dice="client")
    play_event(server, gathering, DRAW)
    play_event(server, gathering, ROLL)
    page = seated(at, gathering, 1)
    page.locator(".choices .rule:visible").first.focus()
    play_event(server, gathering, {"type": "bank"})
    expect(control(page, "card-clover")).to_be_visible()
    expect(page.locator("#board")).to_be_focused()
    expect(page.get_by_role("tooltip")).to_be_hidden()
