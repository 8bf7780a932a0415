"""Accessibility of every page by axe-core: light and dark, phone and desktop."""

import pytest
from playwright.sync_api import expect

from tests.e2e.browser.accessibility import assert_accessible, assert_accessible_everywhere
from tests.e2e.browser.conftest import Opener
from tests.e2e.browser.controls import control

pytestmark = pytest.mark.long

PAGES = {
    "/": "[data-key=keep-chosen]",
    "/#tutto?phase=roll&card=plus-minus&dice_to_roll=4&keeps=15&carried=1300": "[data-key=roll]",
    "/#tutto?card=double&roll=115556&carried=400": ".choice:visible",
    "/#tutto?card=double&keeps=1444&roll=55&event=bank": ".verdict.good",
    "/#tutto?players=Ada,Ben&log=draw:stop": ".standings",
    "/#yatzee?roll=445556&rolls_made=1&scorecard=fives:15,house:32,royal:0": ".write",
    "/#pot?roll=222&rolls_made=1&coins=5,4,2&pot=2&bank=42&player=0&holder=1&to_beat=5": ".choice",
    "/table": "[data-key=open]",
    "/embedding": "[data-key=bank]",
    "/docs": ".operations",
    "/docs/addEvent": "#try",
    "/docs/schemas/TuttoKeepTurn": ".fields",
    "/rules/tutto": "#rules",
    "/rules/tutto/T5.4": "a[data-state][href]",
    "/play/pot": ".felt",
    "/guides": ".guides",
    "/guides/sessions": "pre",
    "/guides/perfect-play": ".scrolls",
}


@pytest.mark.parametrize("path", PAGES)
def test_axe_passes_in_both_themes_on_desktop_and_phone(at: Opener, path: str) -> None:
    page = at(path, bypass_csp=True)
    expect(page.locator(PAGES[path]).first).to_be_visible()
    assert_accessible_everywhere(page)


def test_house_rules_and_rule_notes_are_accessible(at: Opener) -> None:
    page = at("/#tutto?card=double&roll=115556", bypass_csp=True)
    page.get_by_text("House rules").click()
    control(page, "keep-chosen").wait_for()
    page.locator(".option .rule").first.focus()
    expect(page.get_by_role("tooltip")).to_be_visible()
    assert_accessible(page)


def test_dice_tumble_only_without_reduced_motion(at: Opener) -> None:
    page = at("/#tutto?phase=roll&card=double&dice_to_roll=6")
    control(page, "roll").click()
    expect(page.locator(".felt .die").first).to_be_visible()
    animations = "document.getAnimations().filter((one) => one.animationName === 'tumble').length"
    assert page.evaluate(animations) == 0
