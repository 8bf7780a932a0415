"""A player who delays the others is nudged, and replaced by the computer."""

from playwright.sync_api import expect

from tests.e2e.browser.accessibility import assert_fits
from tests.e2e.browser.conftest import Opener
from tests.e2e.browser.controls import control
from tests.e2e.browser.gathering import gathered, play_event, read_session, seated
from tests.wire import Server

THUMB = 44
"""Height of a button that a thumb hits, in pixels."""
LATER = "(minutes) => { const now = Date.now; Date.now = () => now() + minutes * 60000; }"
"""Script that advances the page's clock."""
NOTE = """() => new Promise((tell) => setTimeout(() => {
  const plays = document.querySelector('[data-key="skip"]');
  tell(plays ? document.querySelector("#waiting").textContent : "");
}))"""
"""Script that returns the note about an idle seat after the next drawing, if a bot plays."""


def test_absent_player_is_nudged_and_replaced(at: Opener, server: Server) -> None:
    gathering = gathered(server, "yatzee")
    play_event(server, gathering, {"type": "roll"})
    play_event(server, gathering, {"type": "strike", "category": "royal"})
    ada, ben = seated(at, gathering), seated(at, gathering, 1)
    place = ada.locator("#waiting")
    expect(place).to_be_empty()
    ada.evaluate(LATER, 3)
    control(ada, "who").select_option("0")
    expect(place).to_contain_text("Ben has not moved for 3 minutes.")
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
    expect(place).to_be_empty()
    for page in (ada, ben):
        note = page.locator('.log li[data-version="3"]')
        expect(note).to_contain_text("The computer now plays for")

    expect(ben.locator("#waiting")).to_contain_text("The computer plays for you.")
    expect(ben.locator(".who")).to_contain_text("The computer plays for you.")

    control(ada, "back-1").click()
    expect(control(ada, "back-1")).to_have_count(0)
    assert read_session(server, gathering)["bots"] == []
    expect(ben.locator(f'.log li[data-version="{state["version"] + 1}"]')).to_contain_text(
        "You play again"
    )
    expect(ben.locator("#waiting")).to_be_empty()
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
    gathering = gathered(server, "yatzee")
    play_event(server, gathering, {"type": "roll"})
    play_event(server, gathering, {"type": "strike", "category": "royal"})
    ada = seated(at, gathering, reduced_motion="no-preference")
    ada.evaluate(LATER, 3)
    control(ada, "who").select_option("0")
    control(ada, "substitute").click()
    expect(control(ada, "skip")).to_be_visible()
    assert ada.evaluate(NOTE) == ""
