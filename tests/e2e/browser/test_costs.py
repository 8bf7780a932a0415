"""Costliest decisions at the end of a game; each opens in the playground."""

import json
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.browser.accessibility import SMALLEST_PHONE, assert_accessible, assert_fits
from tests.e2e.browser.conftest import Opener
from tests.e2e.browser.controls import control, tab_to
from tests.e2e.browser.gathering import Gathering, acts, gathered, told
from tests.e2e.browser.test_ending import GAME
from tests.server.serving import Server

SIXES: dict[str, Any] = {"type": "throw", "dice": [6, 6, 6, 6, 6, 6]}
STOP: dict[str, Any] = {"type": "draw", "card": "stop"}
TUTTO: list[dict[str, Any]] = [
    {"type": "roll", "dice": [1, 1, 1, 1, 1, 1]},
    {"type": "keep", "dice": [1, 1, 1, 1, 1, 1]},
]
"""Two of these on a cloverleaf win the game."""


def played_tutto(server: Server, players: tuple[str, ...] = ("Ada", "Ben"), **options: Any) -> Any:
    """Plays a game of Tutto to its end."""
    gathering = gathered(server, "tutto", "client", players, target=1000, **options)
    stops = [{"type": "draw", "card": "stop"}] * (len(players) - 2)
    for event in [*GAME[:6], *stops, *GAME[6:], {"type": "bank"}]:
        acts(server, gathering, event)
    return gathering


def played_yatzee(server: Server, **options: Any) -> Gathering:
    """Plays a game of Yatzee with sixes only, from the last category to the first."""
    gathering = gathered(server, "yatzee", "client", ("Ada",), **options)
    state = told(server, gathering)
    while state["status"] == "running":
        judged = acts(server, gathering, SIXES)["adjudication"]
        category = [entry for entry in judged["categories"] if entry["open"]][-1]
        kind = "write" if category["satisfied"] else "strike"
        state = acts(server, gathering, {"type": kind, "category": category["category"]})
    return gathering


def reviewed(server: Server, gathering: Gathering, game: str, **fields: Any) -> list[Any]:
    """Returns the decisions of the API's review, the costliest first."""
    record = told(server, gathering, "/game") | fields
    body = json.dumps(record).encode()
    decisions = json.loads(server.ask("POST", f"/v1/{game}/games/review", body).body)["decisions"]
    return sorted(decisions, key=lambda decision: -decision["loss"])


def opened(page: Page) -> list[str]:
    """Opens the costliest decisions on the page and returns their lines."""
    control(page, "costs").click()
    expect(page.locator(".costs h2")).to_be_focused()
    return page.locator(".costs li").all_inner_texts()


def test_the_costliest_decisions_of_yatzee_are_of_the_game(at: Opener, server: Server) -> None:
    gathering = played_yatzee(server)
    page = at(gathering.address)
    expect(page.locator(".costs")).to_have_count(0)
    lines = opened(page)
    decisions = reviewed(server, gathering, "yatzee", aim="game")[:5]
    for decision, line in zip(decisions, lines, strict=True):
        assert f"{decision['loss']:.1f} points given away" in line
    expect(page.locator(".no-table")).to_have_count(0)


def test_a_costly_decision_opens_in_the_playground(at: Opener, server: Server) -> None:
    gathering = played_yatzee(server)
    page = at(gathering.address)
    opened(page)
    (worst, *_) = reviewed(server, gathering, "yatzee", aim="game")
    before = told(server, gathering, "/game")["log"][: worst["index"]]
    control(page, f"cost-{worst['index']}").click()
    expect(page.locator(".verdict-word")).to_have_text("Roll 1")
    written = [event for event in before if event["type"] != "throw"]
    filled = ".sheet tr:not(.sum) td:nth-child(2):not(:empty)"
    expect(page.locator(filled)).to_have_count(len(written))
    expect(control(page, "odds")).not_to_be_checked()


def test_house_rules_of_yatzee_are_measured_by_the_turn(at: Opener, server: Server) -> None:
    gathering = played_yatzee(server, upper_bonus=35)
    page = at(gathering.address, refused=True)
    lines = opened(page)
    expect(page.locator(".no-table")).to_contain_text("each decision is measured by its turn alone")
    decisions = reviewed(server, gathering, "yatzee")[:5]
    assert f"{decisions[0]['loss']:.1f} points given away" in lines[0]


def test_the_costliest_decisions_of_tutto_are_chances_to_win(at: Opener, server: Server) -> None:
    gathering = gathered(server, "tutto", "client")
    for event in [*GAME[:3], STOP, {"type": "draw", "card": "clover"}, *TUTTO, *TUTTO]:
        acts(server, gathering, event)
    page = at(gathering.address)
    expect(page.locator(".ending")).to_contain_text("Ada won")
    lines = opened(page)
    decisions = reviewed(server, gathering, "tutto", aim="win")
    losses = [100 * decision["loss"] for decision in decisions if 100 * decision["loss"] >= 0.05]
    assert losses
    for loss, line in zip(losses, lines, strict=True):
        assert f"{loss:.1f} percentage points of win chance given away" in line


def test_costs_in_tutto_of_three_are_points(at: Opener, server: Server) -> None:
    page = at(played_tutto(server, ("Ada", "Ben", "Cleo")).address)
    (first, *_) = opened(page)
    assert "points given away" in first
    assert "win chance" not in first


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "Punkte verschenkt"),
        pytest.param("fr", "points perdus", marks=pytest.mark.long),
        pytest.param("it", "punti persi", marks=pytest.mark.long),
    ],
)
def test_costs_are_told_in_other_languages(
    at: Opener, server: Server, language: str, text: str
) -> None:
    page = at(played_tutto(server, ("Ada", "Ben", "Cleo")).address, locale=language)
    assert text in opened(page)[0]


def test_a_refused_review_is_told_and_can_be_asked_again(at: Opener, server: Server) -> None:
    gathering = played_yatzee(server)
    page = at(gathering.address, refused=True)
    expect(page.locator(".recap")).to_contain_text("Luck")
    refusal = {"status": 429, "json": {"title": "Too many requests", "detail": "Wait a little."}}
    page.route("**/games/review", lambda route: route.fulfill(**refusal))
    control(page, "costs").click()
    expect(page.locator(".costs .hint")).to_have_text("Wait a little.")
    expect(page.locator("#status")).to_contain_text("Wait a little.")
    page.unroute("**/games/review")
    assert len(opened(page)) == 5


def test_costs_are_reached_by_keyboard_and_fit_a_phone(at: Opener, server: Server) -> None:
    page = at(played_yatzee(server).address, bypass_csp=True, viewport=SMALLEST_PHONE)
    expect(control(page, "costs")).to_be_visible()
    tab_to(page, "costs")
    page.keyboard.press("Enter")
    expect(page.locator(".costs h2")).to_be_focused()
    assert_accessible(page)
    assert_fits(page)
