"""Costliest decisions at the end of a game. Each opens in the playground."""

import json
from typing import Any

from playwright.sync_api import Page, expect

from tests.e2e.browser.accessibility import SMALLEST_PHONE, assert_accessible, assert_fits
from tests.e2e.browser.conftest import Opener
from tests.e2e.browser.controls import control, tab_to
from tests.e2e.browser.gathering import Gathering, gathered, play_event, read_session
from tests.wire import Server

SIXES: dict[str, Any] = {"type": "roll", "dice": [6, 6, 6, 6, 6, 6]}


def play_yatzee(server: Server, **options: Any) -> Gathering:
    """Plays a game of Yatzee with sixes only, from the last category to the first."""
    gathering = gathered(server, "yatzee", "client", ("Ada",), **options)
    state = read_session(server, gathering)
    while state["status"] == "running":
        judged = play_event(server, gathering, SIXES)["adjudication"]
        category = [entry for entry in judged["categories"] if entry["open"]][-1]
        kind = "write" if category["satisfied"] else "strike"
        state = play_event(server, gathering, {"type": kind, "category": category["category"]})
    return gathering


def reviewed(server: Server, gathering: Gathering, game: str, **fields: Any) -> list[Any]:
    """Returns the decisions of the API's review, the costliest first."""
    record = read_session(server, gathering, "/game") | fields
    body = json.dumps(record).encode()
    decisions = json.loads(server.ask("POST", f"/v1/{game}/reviews", body).body)["decisions"]
    return sorted(decisions, key=lambda decision: -decision["loss"])


def open_costs(page: Page) -> list[str]:
    """Opens the costliest decisions on the page and returns their lines."""
    control(page, "costs").click()
    expect(page.locator(".costs h2")).to_be_focused()
    return page.locator(".costs li").all_inner_texts()


def test_costliest_yatzee_decisions_refer_to_the_game(at: Opener, server: Server) -> None:
    gathering = play_yatzee(server)
    page = at(gathering.address)
    expect(page.locator(".costs")).to_have_count(0)
    lines = open_costs(page)
    decisions = reviewed(server, gathering, "yatzee", aim="game")[:5]
    for decision, line in zip(decisions, lines, strict=True):
        assert f"{decision['loss']:.1f} points given away" in line
    expect(page.locator(".no-table")).to_have_count(0)


def test_costly_decision_opens_in_the_playground(at: Opener, server: Server) -> None:
    gathering = play_yatzee(server)
    page = at(gathering.address)
    open_costs(page)
    (worst, *_) = reviewed(server, gathering, "yatzee", aim="game")
    before = read_session(server, gathering, "/game")["log"][: worst["index"]]
    control(page, f"cost-{worst['index']}").click()
    expect(page.locator(".verdict-word")).to_have_text("Roll 1")
    written = [event for event in before if event["type"] != "roll"]
    filled = ".sheet tr:not(.sum) td:nth-child(2):not(:empty)"
    expect(page.locator(filled)).to_have_count(len(written))
    expect(control(page, "odds")).not_to_be_checked()


def test_costs_are_reachable_by_keyboard_and_fit_a_phone(at: Opener, server: Server) -> None:
    page = at(play_yatzee(server).address, bypass_csp=True, viewport=SMALLEST_PHONE)
    expect(control(page, "costs")).to_be_visible()
    tab_to(page, "costs")
    page.keyboard.press("Enter")
    expect(page.locator(".costs h2")).to_be_focused()
    assert_accessible(page)
    assert_fits(page)
