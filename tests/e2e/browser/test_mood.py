"""Motion, sounds and vibration: once per event, and only with consent."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.browser.conftest import Opener
from tests.e2e.browser.controls import control, put
from tests.e2e.browser.gathering import (
    gathered,
    seated,
)
from tests.wire import Server

pytestmark = pytest.mark.long

MOVING = """() => {
  const animations = document.getAnimations().filter((one) => !(one instanceof CSSTransition));
  return [...new Set(animations.map((one) => one.animationName ?? 'flight'))].sort();
}"""
"""Names of the running animations. A chosen die rises by a transition, which is none of them."""

LISTEN = """() => {
  window.played = [];
  const { start } = OscillatorNode.prototype;
  OscillatorNode.prototype.start = function (at) {
    window.played.push(this.frequency.value);
    return start.call(this, at);
  };
  navigator.vibrate = (shakes) => window.played.push(shakes);
}"""


def played(page: Page) -> list[object]:
    """Returns the tones and vibrations since the last call."""
    effects: list[object] = page.evaluate("window.played.splice(0)")
    return effects


def test_roll_bust_and_tutto_are_animated_once(at: Opener) -> None:
    page = at("/#tutto?phase=roll&card=bonus-200&dice_to_roll=6", reduced_motion="no-preference")
    put(page, "222334")
    expect(control(page, "die-0")).to_be_visible()
    assert "tumble" in page.evaluate(MOVING)
    control(page, "die-0").click()
    assert page.evaluate(MOVING) == []
    control(page, "die-0").click()
    control(page, "keep-chosen").click()
    put(page, "346")
    expect(page.locator(".verdict.bad")).to_be_visible()
    assert {"hurt", "redden"} <= set(page.evaluate(MOVING))


def test_tutto_is_celebrated(at: Opener) -> None:
    page = at("/#tutto?phase=roll&card=double&dice_to_roll=6", reduced_motion="no-preference")
    put(page, "111222")
    expect(page.locator(".bit").first).to_be_attached()
    assert {"glow", "flight"} <= set(page.evaluate(MOVING))
    expect(page.locator(".bit")).to_have_count(0)


def test_reduced_motion_is_respected(at: Opener, server: Server) -> None:
    page = seated(at, gathered(server, "tutto", dice="client"))
    expect(control(page, "sound")).to_have_count(0)
    page.evaluate("localStorage.setItem('sound', 'on')")
    page.reload()
    page.evaluate(LISTEN)
    control(page, "card-double").click()
    put(page, "111222")
    expect(page.locator(".verdict.best")).to_be_visible()
    expect(page.locator(".bit")).to_have_count(0)
    assert page.evaluate(MOVING) == []
    assert played(page) == []


def test_sound_is_off_by_default_and_the_choice_is_stored(at: Opener, server: Server) -> None:
    gathering = gathered(server, "tutto", dice="client")
    ada, ben = (seated(at, gathering, seat, reduced_motion="no-preference") for seat in (0, 1))
    for page in (ada, ben):
        page.evaluate(LISTEN)
    control(ada, "card-double").click()
    put(ada, "111222")
    expect(ada.locator(".verdict.best")).to_be_visible()
    assert played(ada) == []
    control(ben, "sound").check()
    assert played(ben) == [660, 880, [60]]
    control(ada, "bank").click()
    expect(ben).to_have_title("● Your turn · Tutto · Dice Referee")
    assert played(ben)[-3:] == [660, 880, [60]]
    ben.reload()
    expect(control(ben, "sound")).to_be_checked()
