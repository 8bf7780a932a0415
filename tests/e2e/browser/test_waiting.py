"""A player who delays the others is nudged, and replaced by the computer."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.browser.accessibility import assert_accessible, assert_fits
from tests.e2e.browser.conftest import Opener
from tests.e2e.browser.controls import control
from tests.e2e.browser.gathering import (
    Gathering,
    connection,
    gathered,
    play_event,
    read_session,
    seated,
)
from tests.e2e.browser.listening import REGION, listen, wait_heard
from tests.e2e.browser.test_layout import SHIFTS
from tests.wire import Server

THUMB = 44
"""Height of a button that a thumb hits, in pixels."""
LATER = "(minutes) => { const now = Date.now; Date.now = () => now() + minutes * 60000; }"
"""Script that advances the page's clock."""
NOTE = """() => new Promise((tell) => setTimeout(() => {
  const plays = document.querySelector('[data-key="skip"]');
  tell(plays ? (document.querySelector(".notice")?.textContent ?? "") : "no bot");
}))"""
"""Script that returns the note about an idle seat after the next drawing, while a bot plays."""
TICKING = "const every = setInterval; window.setInterval = (act) => every(act, 50);"
"""Script that makes the page look for idle seats twenty times a second."""
SCROLL = """(share) => {
  const { scrollHeight, clientHeight } = document.documentElement;
  scrollTo(0, share * (scrollHeight - clientHeight));
}"""
"""Script that scrolls the page to a share of its length."""
REACHED = """(button) => {
  const { left, top, width, height } = button.getBoundingClientRect();
  return button.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}"""
"""Script that tells if nothing covers a button."""


def ben_to_move(server: Server) -> Gathering:
    """Opens a table of Yatzee at which Ben is to move."""
    gathering = gathered(server, "yatzee")
    play_event(server, gathering, {"type": "roll"})
    play_event(server, gathering, {"type": "strike", "category": "royal"})
    return gathering


def watchful(at: Opener, gathering: Gathering, width: int) -> Page:
    """Opens the page of Ada, who is the host, with a timer for idle seats that runs often."""
    page = at("/livez", viewport={"width": width, "height": 740}, bypass_csp=True)
    page.add_init_script(TICKING)
    page.goto(gathering.link("host"))
    expect(connection(page)).to_have_text("Live")
    page.goto(gathering.link(0))
    expect(page.locator(".felt.waits")).to_be_visible()
    return page


@pytest.mark.parametrize("width", [360, 768, 1280])
@pytest.mark.parametrize("share", [0, 0.5, 1])
def test_offer_at_an_idle_seat_is_in_view(
    at: Opener, server: Server, width: int, share: float
) -> None:
    page = watchful(at, ben_to_move(server), width)
    page.evaluate(SCROLL, share)
    before = page.evaluate("scrollY")
    page.evaluate(SHIFTS.replace("buffered: true", "buffered: false"))
    page.evaluate(LATER, 3)
    for key in ("nudge", "substitute"):
        expect(control(page, key)).to_be_in_viewport(ratio=1)
        assert control(page, key).evaluate(REACHED)
    expect(page.locator(".notice")).to_be_in_viewport(ratio=1)
    assert page.evaluate("scrollY") == before
    assert page.evaluate("window.shifted") <= 0.02
    for other in {0, 0.5, 1} - {share}:
        page.evaluate(SCROLL, other)
        expect(control(page, "substitute")).to_be_in_viewport(ratio=1)
        assert control(page, "substitute").evaluate(REACHED)
    assert_accessible(page)
    assert_fits(page)


def test_idle_seat_and_its_calls_are_announced_once(at: Opener, server: Server) -> None:
    page = watchful(at, ben_to_move(server), 1280)
    expect(page.locator(REGION)).to_have_text("Points: you 0, Ben 0. Ben to play.")
    listen(page)
    page.evaluate(LATER, 3)
    assert wait_heard(page) == ["Ben has not moved for 3 minutes."]
    control(page, "nudge").click()
    assert wait_heard(page) == ["Ben was called."]
    control(page, "substitute").click()
    assert "The computer now plays for Ben." in wait_heard(page)[0]


def test_absent_player_is_nudged_and_replaced(at: Opener, server: Server) -> None:
    gathering = ben_to_move(server)
    ada, ben = seated(at, gathering), seated(at, gathering, 1)
    place = ada.locator(".notice")
    expect(place).to_have_count(0)
    ada.evaluate(LATER, 3)
    control(ada, "who").select_option("0")
    expect(place).to_have_text("Ben has not moved for 3 minutes.")
    assert_fits(ada)
    for key in ("nudge", "substitute"):
        box = control(ada, key).bounding_box()
        assert box
        assert box["height"] >= THUMB

    control(ada, "nudge").click()
    expect(place).to_contain_text("Ben was called.")
    expect(ben.get_by_role("alert")).to_have_text("The others are calling you.")
    assert read_session(server, gathering)["version"] == 2

    control(ada, "substitute").click()
    expect(control(ada, "back-1")).to_have_text("Give the seat back")
    box = control(ada, "back-1").bounding_box()
    assert box
    # Its label takes one line.
    assert box["height"] <= THUMB
    state = read_session(server, gathering)
    assert state["bots"] == [{"seat": 1, "level": "best"}]
    assert state["player"] == 0
    expect(place).to_have_count(0)
    for page in (ada, ben):
        note = page.locator('.log li[data-version="3"]')
        expect(note).to_contain_text("The computer now plays for")

    expect(ben.locator(".notice")).to_contain_text("The computer plays for you.")
    expect(ben.locator(".who")).to_contain_text("The computer plays for you.")

    control(ada, "back-1").click()
    expect(control(ada, "back-1")).to_have_count(0)
    assert read_session(server, gathering)["bots"] == []
    expect(ben.locator(f'.log li[data-version="{state["version"] + 1}"]')).to_contain_text(
        "You play again"
    )
    expect(ben.locator(".notice")).to_have_count(0)
    expect(ben.locator(".who")).to_have_text("You play as Ben.")


def test_seat_of_a_bot_from_the_start_is_given_to_a_person(at: Opener, server: Server) -> None:
    bots = ({"seat": 1, "level": "best"},)
    gathering = gathered(server, "tutto", bots=bots)
    host = seated(at, gathering)
    back = control(host, "back-1")
    expect(back).to_have_text("Let a person play")
    expect(back).to_have_accessible_name("Let a person play: Ben")
    back.click()
    expect(host.locator('.log li[data-version="1"]')).to_contain_text("Ben plays again")


def test_bot_is_not_awaited_during_the_playback_of_its_turn(at: Opener, server: Server) -> None:
    gathering = ben_to_move(server)
    ada = seated(at, gathering, reduced_motion="no-preference")
    ada.evaluate(LATER, 3)
    control(ada, "who").select_option("0")
    control(ada, "substitute").click()
    expect(control(ada, "skip")).to_be_visible()
    assert ada.evaluate(NOTE) == ""
