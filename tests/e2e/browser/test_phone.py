"""Whole games on a phone by touch: every action is in reach without scrolling."""

from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from tests.e2e.browser.conftest import Opener
from tests.e2e.browser.controls import control
from tests.e2e.browser.gathering import (
    connection,
    gathered,
    play_event,
    read_session,
    seated,
)
from tests.e2e.browser.listening import listen, wait_heard
from tests.wire import Server

PHONE: ViewportSize = {"width": 360, "height": 740}
TARGETS = {"tutto": 4000, "pot": 5}
MOST = 900


POSITIONS: dict[str, list[dict[str, Any]]] = {
    "tutto": [
        {"type": "draw", "card": "bonus-200"},
        {"type": "roll", "dice": [2, 3, 3, 6, 6, 6]},
    ],
    "pot": [{"type": "roll", "dice": [1, 3, "P"]}],
    "yatzee": [{"type": "roll", "dice": [4, 4, 4, 5, 5, 6]}],
}
"""Positions with a choice."""
LISTED = ".below button[data-key]:not([data-key=unfold], .rule, .write):visible"
NAME = "(all) => all.map((one) => (one.ariaLabel ?? one.textContent).split(',')[0])"
CATEGORY = """(all, kind) => all.map(({ dataset: { key } }) => key.split(`${kind}-`)[1])
  .filter(Boolean)"""
"""Script that returns the categories that buttons of a kind score."""


USUAL: dict[str, Any] = {"viewport": PHONE, "has_touch": True, "is_mobile": True}


def choice(page: Page | Locator, game: str) -> list[Locator]:
    """Returns the controls to press now, two to cross out."""
    dock = page.locator(".dock")
    if game == "yatzee":
        best = dock.locator("[data-key^=best-]")
        if best.count():
            return [best]
        crossing = control(page, "cross-out")
        return (
            [crossing, page.locator(".strikes button").first]
            if crossing.count()
            else [dock.locator("button")]
        )
    # A careful player stops, which is last in the bar.
    return [dock.locator("button").last]


PRESSES = {"tutto": 2.2, "yatzee": 2.6, "pot": 3.2}
"""Maximum mean number of presses per turn."""


@pytest.mark.long
@pytest.mark.parametrize("game", ["tutto", "yatzee", "pot"])
def test_whole_game_is_played_by_touch(at: Opener, seeded: Server, game: str) -> None:
    server = seeded
    options: dict[str, Any] = {"target": TARGETS[game]} if game in TARGETS else {}
    gathering = gathered(server, game, **options)
    page = seated(at, gathering, also=(gathering.origin,))
    expect(page.locator("#top")).to_be_hidden()
    expect(page.locator("#beside")).to_be_hidden()
    presses, state = 0, read_session(server, gathering)
    for _ in range(MOST):
        if state["status"] != "running":
            break
        version = state["version"]
        for press in choice(page, game):
            expect(press).to_be_in_viewport(ratio=1)
            press.tap()
            presses += 1
        # Yatzee's sheet is longer than a phone: the category to cross out may be below the fold.
        assert game == "yatzee" or page.evaluate("window.scrollY") == 0
        expect(page.locator(f'.log li[data-version="{version + 1}"]')).to_be_attached()
        expect(page.locator("#board")).to_have_attribute("aria-busy", "false")
        state = read_session(server, gathering)
    assert state["status"] == "over"
    expect(page.locator(".ending")).to_be_in_viewport()
    entries = read_session(server, gathering, "/events?after=0")["events"]
    turns, decisions = count_turns(entries), count_decisions(entries)
    print(f"presses {game}: {presses} in {turns} turns, {presses / turns:.2f} a turn")
    assert presses / turns <= PRESSES[game]
    if game == "tutto":
        # Players press to begin a turn and to decide; draws and rolls follow automatically.
        assert presses == turns + decisions


def count_turns(entries: list[dict[str, Any]]) -> int:
    """Counts turns by their outcomes, or by changes of the player."""
    ended = len([entry for entry in entries if entry["outcome"] is not None])
    players = [entry["player"] for entry in entries if entry["player"] is not None]
    changes = [player for player, successor in pairwise(players) if player != successor]
    return max(ended, 1 + len(changes))


def count_decisions(entries: list[dict[str, Any]]) -> int:
    """Counts the events that a player alone decides."""
    return len([entry for entry in entries if entry["event"]["type"] in ("keep", "bank")])


def test_straight_shows_some_keeps_and_unfolds_all(at: Opener, server: Server) -> None:
    gathering = gathered(server, "tutto", dice="client")
    play_event(server, gathering, {"type": "draw", "card": "straight"})
    play_event(server, gathering, {"type": "roll", "dice": [1, 2, 3, 4, 5, 6]})
    page = at(gathering.link(0))
    expect(page.locator(".stake")).to_have_count(0)
    expect(control(page, "keep-chosen")).to_contain_text("Set aside 1 2 3 4 5 6 and draw a card")
    expect(control(page, "unfold")).to_have_text("All 62")
    expect(control(page, "unfold")).to_be_in_viewport(ratio=1)
    keeps = page.locator('.choices [data-key^="keep-"]:visible')
    expect(keeps).to_have_count(4)
    assert page.evaluate("document.documentElement.scrollHeight") <= PHONE["height"]
    control(page, "unfold").tap()
    expect(keeps).to_have_count(62)
    expect(control(page, "keep-5")).to_be_focused()


def test_die_that_may_not_be_set_aside_is_marked(at: Opener, server: Server) -> None:
    gathering = gathered(server, "tutto", dice="client")
    play_event(server, gathering, {"type": "draw", "card": "bonus-300"})
    play_event(server, gathering, {"type": "roll", "dice": [1, 3, 3, 4, 5, 6]})
    page = seated(at, gathering, 0, refused=True)
    still = [control(page, "die-0"), page.locator(".choices > h2")]
    places = [locator.bounding_box() for locator in still]
    listen(page)
    control(page, "die-1").tap()
    assert wait_heard(page)[-1].startswith("The 3 does not score here")
    expect(page.locator(".doubts")).to_contain_text("The 3 does not score here")
    expect(control(page, "keep-chosen")).to_have_text("Set aside 3")
    expect(page.locator(".dock .gold")).to_have_count(0)
    expect(page.locator(".dock .loud")).to_have_attribute("data-key", "bank")
    assert [locator.bounding_box() for locator in still] == places
    control(page, "keep-chosen").tap()
    expect(page.locator(".refusal")).to_contain_text("The 3 does not score here")
    assert still[0].bounding_box() == places[0]
    control(page, "die-1").tap()
    expect(page.locator(".refusal, .doubts p")).to_have_count(0)


def test_menu_contains_all_secondary_actions(at: Opener, server: Server) -> None:
    page = at(gathered(server, "tutto").link("host"))
    expect(control(page, "draw")).to_be_in_viewport(ratio=1)
    control(page, "menu").tap()
    expect(control(page, "menu")).to_have_attribute("aria-expanded", "true")
    for inside in (page.locator("#top"), control(page, "export"), control(page, "delete")):
        expect(inside).to_be_visible()
    expect(page.locator("#board")).to_be_hidden()
    page.keyboard.press("Escape")
    expect(page.locator("#board")).to_be_visible()
    expect(control(page, "menu")).to_be_focused()
    expect(page.locator("#beside")).to_be_hidden()


def test_back_closes_dialogs_before_leaving_the_table(
    at: Opener, server_for_phones: Server
) -> None:
    gathering = gathered(server_for_phones, "tutto")
    own = f"http://localhost:{server_for_phones.port}"
    page = at(f"{own}/livez", also=(own,))
    page.goto(gathering.link(0))
    expect(control(page, "draw")).to_be_visible()
    before = page.evaluate("history.length")
    menu, code = control(page, "menu"), page.get_by_role("dialog")

    def opens() -> None:
        menu.tap()
        control(page, "code-0").tap()
        expect(code).to_be_visible()

    opens()
    page.evaluate("history.back()")
    expect(code).to_have_count(0)
    expect(menu).to_have_attribute("aria-expanded", "true")
    page.evaluate("history.back()")
    expect(menu).to_have_attribute("aria-expanded", "false")
    expect(page.locator("#board")).to_be_visible()

    # Closed differently, neither dialog leaves a history entry.
    opens()
    control(page, "close-code").tap()
    expect(code).to_have_count(0)
    page.wait_for_function("() => history.state === 1")
    menu.tap()
    expect(menu).to_have_attribute("aria-expanded", "false")
    page.wait_for_function("() => history.state === null")
    assert page.evaluate("history.length") <= before + 2
    page.evaluate("history.back()")
    page.wait_for_url(f"{own}/livez")


def test_bar_and_list_offer_each_action_once(at: Opener, server: Server) -> None:
    """Expects a single control per action, with a unique name."""
    for game, events in POSITIONS.items():
        gathering = gathered(server, game, dice="client")
        for event in events:
            play_event(server, gathering, event)
        page = at(gathering.link(0))
        expect(page.locator(".dock > button")).to_have_count(2)
        for odds in (False, True):
            if odds:
                page.evaluate("localStorage.setItem('odds', 'on')")
                page.reload()
            expect(page.locator(".dock > button")).to_have_count(2)
            expect(page.locator(".dock .odds strong")).to_have_count(int(odds))
            bar = page.locator(".dock > button").all_text_contents()
            for name in page.locator(LISTED).evaluate_all(NAME):
                assert not [action for action in bar if action.startswith(name)], (bar, name)
            buttons = page.locator("#board button[data-key]")
            named, sheet = (buttons.evaluate_all(CATEGORY, kind) for kind in ("best", "write"))
            # The sheet offers every category that the dice satisfy, in one form.
            assert len(named) == len(set(named)), named
            assert {*named} <= {*sheet}
            for section in page.locator(".choices").all():
                expect(section.locator("li, button")).not_to_have_count(0)


def test_a_lost_connection_covers_nothing(at: Opener, server: Server) -> None:
    page = seated(at, gathered(server, "tutto"), 0, cut=True)
    below = page.locator("#arrivals, .felt").first
    expect(below).to_have_text("Waiting for Ben.")
    page.route("**/v1/**", lambda route: route.abort())
    control(page, "draw").tap()
    expect(connection(page)).to_have_text("No answer yet, sending once more …")
    line, sentence = connection(page).bounding_box(), below.bounding_box()
    assert line
    assert sentence
    assert line["y"] + line["height"] <= sentence["y"] + 1
