"""Odds beside the choices: equal to the API's, the best first, only where allowed."""

import json
from typing import Any

from playwright.sync_api import Page, Request, ViewportSize, expect

from tests.e2e.browser.accessibility import assert_accessible_everywhere
from tests.e2e.browser.conftest import Opener
from tests.e2e.browser.controls import announced, control
from tests.e2e.browser.gathering import gathered, name_players, play_event
from tests.wire import Server

TUTTO: dict[str, Any] = {"card": "bonus-300", "keeps": [[1], [2, 2, 2]], "roll": [1, 5]}
POT: dict[str, Any] = {
    "roll": [3, "P", 5],
    "rolls_made": 1,
    "coins": [3, 3],
    "pot": 2,
    "bank": 47,
    "player": 0,
    "holder": 1,
    "to_beat": 9,
}
PAGES = {
    "tutto": "/#tutto?card=bonus-300&keeps=1,222&roll=15",
    "pot": "/#pot?roll=3P5&rolls_made=1&coins=3,3&pot=2&bank=47&player=0&holder=1&to_beat=9",
}


def api_odds(server: Server, game: str, position: dict[str, Any]) -> Any:
    """Returns the odds of the API for a position."""
    return json.loads(server.ask("POST", f"/v1/{game}/odds", json.dumps(position).encode()).body)


def odds_lines(page: Page) -> list[str]:
    """Waits for the odds on the page and returns a line for each choice."""
    lines = page.locator(".dock .odds:not(.odds .odds), .choice .odds:visible")
    expect(lines.first).to_be_visible()
    return [text.replace("\n", " ") for text in lines.all_inner_texts()]


def odds_requests(page: Page) -> list[str]:
    """Returns a list that collects further requests for odds, except those for sentences."""
    questions: list[str] = []

    def asks(request: Request) -> None:
        if request.url.endswith("/odds") and request.headers.get("accept") != "text/plain":
            questions.append(request.url)

    page.on("request", asks)
    return questions


def percent(chance: float) -> str:
    """Formats a chance as the page does."""
    return f"{100 * chance:.3g}%"


def tutto_line(choice: dict[str, Any], best: bool) -> str:
    """Returns the expected line of a choice of Tutto."""
    roll = choice["next_roll"]
    bust = f"Bust {percent(roll['niete']['value'])} · " if roll else ""
    return f"{'★ Best ' if best else ''}{bust}{round(choice['value']):,} expected"


def tutto_lines(odds: Any) -> list[str]:
    """Returns the expected lines of all choices, in the page's order."""
    best = odds["choices"][odds["best"]]
    ranked = sorted(odds["choices"], key=lambda choice: -choice["value"])
    return [tutto_line(choice, choice is best) for choice in ranked]


def test_tutto_choices_show_the_odds_best_first(at: Opener, server: Server) -> None:
    page = at(PAGES["tutto"])
    expect(control(page, "keep-chosen")).to_be_visible()
    expect(page.locator(".odds")).to_have_count(0)
    control(page, "odds").check()
    odds = api_odds(server, "tutto", TUTTO)
    lines = odds_lines(page)
    assert sorted(lines) == sorted(tutto_lines(odds))
    # The bar has the best choice and marks it.
    best = tutto_line(odds["choices"][odds["best"]], best=True)
    expect(page.locator(".dock .gold .odds")).to_have_text(best)
    assert best in lines[:2]
    announced(page, "Average points for this turn with best play (O2, O5): Set aside 1 5")
    announced(page, "(Tutto): 814.")
    control(page, "odds").uncheck()
    expect(page.locator(".odds")).to_have_count(0)


def test_pot_choices_show_their_chance_to_beat_the_holder(at: Opener, server: Server) -> None:
    page = at(PAGES["pot"])
    control(page, "odds").check()
    choices = api_odds(server, "pot", POT)["choices"]
    chances = sorted((choice["beats"]["value"] for choice in choices), reverse=True)
    reroll, accepted, *rest = odds_lines(page)
    assert reroll == f"★ Best beats the holder: {percent(chances[0])}"
    [taken] = [choice for choice in choices if choice["event"]["type"] == "accept"]
    assert accepted == f"beats the holder: {percent(taken['beats']['value'])}"
    assert rest == [f"beats the holder: {percent(chance)}" for chance in chances[1:6]]
    control(page, "again").click()
    expect(page.locator(".aside .die")).to_have_count(2)


def test_forbidden_odds_have_no_switch(at: Opener, server: Server) -> None:
    page = at("/table")
    name_players(page, "Ada", "Ben")
    control(page, "more").click()
    control(page, "allow-odds").uncheck()
    page.evaluate("localStorage.setItem('odds', 'on')")
    questions = odds_requests(page)
    control(page, "open").click()
    expect(control(page, "draw")).to_be_visible()
    expect(control(page, "sound").or_(control(page, "export")).first).to_be_visible()
    expect(control(page, "odds")).to_have_count(0)
    assert questions == []


def test_odds_of_pot_are_accessible(at: Opener) -> None:
    page = at(PAGES["pot"], bypass_csp=True)
    control(page, "odds").check()
    odds_lines(page)
    assert_accessible_everywhere(page)


def test_odds_leave_the_text_of_a_card_its_width(at: Opener, server: Server) -> None:
    gathering = gathered(server, "tutto", dice="client")
    play_event(server, gathering, {"type": "draw", "card": "stop"})
    phone: ViewportSize = {"width": 360, "height": 640}
    page = at(gathering.link(1), viewport=phone, locale="fr-FR")
    control(page, "menu").click()
    control(page, "odds").check()
    control(page, "aim-further").check()
    control(page, "menu").click()
    expect(page.locator(".spot > .odds")).to_be_visible()
    # More than half of the felt, once the table is drawn.
    page.wait_for_function(
        "() => document.querySelector('.spot > .odds')"
        " && document.querySelector('.card-does')?.getBoundingClientRect().width > 150"
    )
