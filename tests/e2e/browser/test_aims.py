"""Odds beyond the turn: the whole game of Yatzee, the win probability in Tutto for two."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.browser.accessibility import assert_accessible_everywhere
from tests.e2e.browser.conftest import Opener
from tests.e2e.browser.controls import announced, control, tab_to
from tests.e2e.browser.gathering import gathered, play_event, read_session
from tests.wire import Server

YATZEE: dict[str, Any] = {"roll": [4, 4, 5, 5, 5, 6], "rolls_made": 1}
PAGES = {
    "yatzee": "/#yatzee?roll=445556&rolls_made=1",
    "tutto": "/#tutto?card=bonus-300&keeps=1&roll=15234&carried=700&scores=5000,5000&player=0",
}
TUTTO: dict[str, Any] = {
    "card": "bonus-300",
    "keeps": [[1]],
    "roll": [1, 5, 2, 3, 4],
    "carried": 700,
    "scores": [5000, 5000],
    "player": 0,
}


def api_odds(server: Server, game: str, position: dict[str, Any], aim: str) -> Any:
    """Returns the odds of the API for this aim."""
    body = json.dumps({**position, "aim": aim}).encode()
    return json.loads(server.ask("POST", f"/v1/{game}/odds", body).body)


def lines(page: Page, word: str) -> list[str]:
    """Waits for this word and returns the odds on the page, a line for each choice."""
    odds = page.locator(".dock .odds:not(.odds .odds), .choice .odds:visible")
    expect(odds.first).to_contain_text(word)
    return [text.replace("\n", " ") for text in odds.all_inner_texts()]


def further(page: Page) -> None:
    """Switches to the odds beyond the turn."""
    control(page, "odds").check()
    control(page, "aim-further").check()


@pytest.mark.long
def test_yatzee_choices_show_their_value_for_the_game(at: Opener, server: Server) -> None:
    page = at(PAGES["yatzee"])
    control(page, "odds").check()
    expect(control(page, "aim-turn")).to_be_checked()
    lines(page, "probability")
    control(page, "aim-further").check()
    texts = lines(page, "still to come")
    game = api_odds(server, "yatzee", YATZEE, "game")["game"]
    values = sorted((choice["value"] for choice in game["choices"]), reverse=True)
    assert texts[0] == f"★ Best {values[0]:.1f} still to come"
    assert texts[1:] == [
        f"{value:.1f} still to come · {values[0] - value:.1f} less" for value in values[1:5]
    ]
    announced(page, f"the score sheet then brings {values[0]:.1f} points more on average")
    held = game["choices"][game["best"]]["event"]["held"]
    control(page, "game-0").click()
    expect(page.locator(".slots [aria-pressed=true]")).to_have_count(len(held))
    expect(control(page, "again")).to_be_focused()
    control(page, "aim-turn").check()
    lines(page, "probability")


def test_tutto_choices_show_their_chance_to_win(at: Opener, server: Server) -> None:
    page = at(PAGES["tutto"])
    control(page, "odds").check()
    lines(page, "expected")
    control(page, "aim-further").check()
    texts = lines(page, "to win")
    odds = api_odds(server, "tutto", TUTTO, "win")
    values = sorted((choice["value"] for choice in odds["choices"]), reverse=True)
    # The bar has the best two choices, perhaps with bank; the list has the rest.
    chances = [re.findall(r"[\d.]+% to win", line)[0] for line in texts]
    assert chances[0] == f"{100 * values[0]:.3g}% to win"
    assert sorted(chances) == sorted(f"{100 * value:.3g}% to win" for value in values)
    announced(page, "win")


def test_aim_is_chosen_by_keyboard_and_stored(at: Opener) -> None:
    page = at(PAGES["yatzee"])
    control(page, "odds").check()
    expect(control(page, "aim-turn")).to_be_visible()
    tab_to(page, "aim-turn")
    page.keyboard.press("ArrowDown")
    lines(page, "still to come")
    expect(control(page, "aim-further")).to_be_focused()
    page.reload()
    lines(page, "still to come")


def test_live_table_shows_the_odds_of_the_aim(at: Opener, server: Server) -> None:
    gathering = gathered(server, "tutto", dice="client")
    play_event(server, gathering, {"type": "draw", "card": "bonus-300"})
    play_event(server, gathering, {"type": "roll", "dice": [1, 2, 2, 2, 3, 4]})
    odds = read_session(server, gathering, "/odds?aim=win")
    page = at(gathering.link(0))
    further(page)
    lines(page, "to win")
    best = page.locator(".gold .odds, .choice .odds:visible").first
    expect(best).to_contain_text(f"{100 * odds['value']:.3g}% to win")


@pytest.mark.long
@pytest.mark.parametrize("game", PAGES)
def test_odds_of_aims_are_accessible(at: Opener, game: str) -> None:
    page = at(PAGES[game], bypass_csp=True)
    further(page)
    lines(page, "still to come" if game == "yatzee" else "to win")
    assert_accessible_everywhere(page)
