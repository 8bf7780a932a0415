"""End of a game: the winner, the course of the game, and a rematch."""

import re
from typing import Any

from playwright.sync_api import expect

from dice_referee.games import most_players
from tests.e2e.browser.accessibility import SMALLEST_PHONE, assert_accessible, assert_fits
from tests.e2e.browser.conftest import Opener
from tests.e2e.browser.controls import announced, control
from tests.e2e.browser.gathering import connection, gathered, play_event, read_session
from tests.wire import Server

STOP: dict[str, Any] = {"type": "draw", "card": "stop"}
GAME: list[dict[str, Any]] = [
    {"type": "draw", "card": "bonus-200"},
    {"type": "roll", "dice": [1, 1, 2, 3, 4, 5]},
    {"type": "bank"},
    {"type": "draw", "card": "double"},
    {"type": "roll", "dice": [2, 2, 3, 3, 4, 6]},
    {"type": "draw", "card": "stop"},
    {"type": "draw", "card": "bonus-300"},
    {"type": "roll", "dice": [1, 1, 1, 3, 4, 6]},
]

REACHES: list[dict[str, Any]] = [
    {"type": "draw", "card": "bonus-200"},
    {"type": "roll", "dice": [5, 5, 5, 2, 3, 4]},
    {"type": "bank"},
]

LINES = """() => {
  const lines = (of) => Object.fromEntries([...document.querySelectorAll(`${of} .curve-line`)].map(
    (line) => [line.classList[1], {
      dashes: line.querySelector("polyline")?.getAttribute("stroke-dasharray"),
      mark: line.querySelector("path")?.getAttribute("d"),
    }]));
  const { backgroundColor } = getComputedStyle(document.querySelector(".recap"));
  const colours = [...document.querySelectorAll(".recap svg *")].map(
    (part) => `${getComputedStyle(part).stroke} on ${backgroundColor}`);
  return { chart: lines(".curve"), legend: lines(".recap li"), colours };
}"""
"""Script that returns the strokes of the players' lines, in the chart and in the legend."""


def test_last_round_is_shown_to_its_end(at: Opener, server: Server) -> None:
    gathering = gathered(server, "tutto", dice="client", ending="one-more-turn", target=500)
    for event in REACHES[:-1]:
        play_event(server, gathering, event)
    ada, ben, spectator = pages = [
        at(address) for address in (gathering.link(0), gathering.link(1), gathering.address)
    ]
    for page in pages:
        expect(connection(page)).to_have_text("Live")
        expect(page.locator(".last-round")).to_have_count(0)
    control(ada, "bank").click()
    for page in pages:
        expect(page.locator(".last-round")).to_have_text("Last round")
        expect(page.locator(".verdict")).to_contain_text("One more turn, then the game ends:")
        announced(page, "The target is reached. One more turn, then the game ends:")
    assert_accessible(spectator)
    play_event(server, gathering, {"type": "draw", "card": "bonus-200"})
    play_event(server, gathering, {"type": "roll", "dice": [1, 2, 3, 4, 6, 6]})
    expect(control(ben, "bank")).to_have_text("Bank without winning 100")
    expect(ada.locator(".last-round")).to_have_text("Last round")
    control(ben, "bank").click()
    for page in pages:
        expect(page.locator(".ending")).to_be_visible()
        expect(page.locator(".last-round")).to_have_count(0)
    # Ada has begun this game, so Ben begins the next.
    expect(control(ada, "rematch")).to_have_text("Play again Ben begins")
    expect(control(ben, "rematch")).to_have_text("Play again you begin")
    control(ben, "rematch").click()
    expect(control(ada, "to-rematch")).to_be_visible()
    rematch = read_session(server, gathering)["rematch"]
    begun = read_session(server, gathering._replace(id=rematch))
    assert (begun["starter"], begun["player"]) == (1, 1)


def test_end_shows_winner_course_and_rematch(at: Opener, server: Server) -> None:
    gathering = gathered(server, "tutto", dice="client", target=1000)
    for event in GAME:
        play_event(server, gathering, event)
    ada, ben, spectator = (
        at(address) for address in (gathering.link(0), gathering.link(1), gathering.address)
    )
    for page in (ada, ben, spectator):
        expect(connection(page)).to_have_text("Live")
    control(ben, "bank").click()
    for page, first, last in ((ada, "Ben", "You"), (ben, "You", "Ada"), (spectator, "Ben", "Ada")):
        expect(page.locator(".ending")).to_have_text(f"{first} won by 750")
        recap = page.locator(".recap")
        whose = "yours" if page == ben else "Ben"
        expect(recap).to_contain_text(f"Best turn of 4: {whose}, +1000")
        expect(recap.locator("li").first).to_have_text(re.compile(f"{first} 1000 Bust"))
        expect(recap.locator("li").last).to_have_text(re.compile(f"{last} 250 Stop . 1"))
        expect(recap.locator(".curve polyline")).to_have_count(2)
    expect(control(spectator, "rematch")).to_have_count(0)

    control(ada, "rematch").click()
    expect(ada).not_to_have_url(gathering.address)
    announced(ben, "Ada opens another game with the same players.")
    for page in (ben, spectator):
        control(page, "to-rematch").click()
        expect(page).to_have_url(ada.url)
    for page, identity in ((ada, "You play as Ada."), (ben, "You play as Ben.")):
        expect(page.locator(".who")).to_have_text(identity)
    expect(spectator.locator(".who")).to_have_text("You are watching.")
    # Ada has begun the first game.
    control(ben, "card-stop").click()
    expect(control(ada, "card-stop")).to_be_visible()

    # A link of the first table, opened later, also offers the rematch.
    late = at(gathering.link(0))
    control(late, "to-rematch").click()
    expect(late.locator(".who")).to_have_text("You play as Ada.")
    expect(control(late, "card-stop")).to_be_visible()


def test_lines_of_players_differ_without_colours(at: Opener, server: Server) -> None:
    names = tuple(f"Player {number}" for number in range(most_players()))
    gathering = gathered(server, "tutto", dice="client", players=names, target=1000)
    for event in (*[STOP] * (len(names) - 1), *GAME[6:], {"type": "bank"}):
        play_event(server, gathering, event)
    page = at(gathering.address)
    expect(page.locator(".recap li")).to_have_count(len(names))
    for colours in ("own", "forced", "printed"):
        page.emulate_media(
            forced_colors="active" if colours == "forced" else "none",
            media="print" if colours == "printed" else "screen",
        )
        drawn = page.evaluate(LINES)
        assert len({line["mark"] for line in drawn["chart"].values()}) == len(names)
        assert len({line["dashes"] for line in drawn["chart"].values()}) > 4
        assert drawn["chart"] == drawn["legend"]
        black = {*drawn["colours"]} == {"rgb(0, 0, 0) on rgb(255, 255, 255)"}
        assert black == (colours != "own")


def test_end_is_accessible_on_a_phone(at: Opener, server: Server) -> None:
    gathering = gathered(server, "tutto", dice="client", target=1000)
    for event in [*GAME, {"type": "bank"}]:
        play_event(server, gathering, event)
    page = at(gathering.link(0), bypass_csp=True, viewport=SMALLEST_PHONE)
    expect(page.locator(".recap")).to_be_visible()
    assert_accessible(page)
    assert_fits(page)
    expect(control(page, "rematch")).to_be_in_viewport(ratio=1)
