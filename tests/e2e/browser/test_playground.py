"""Playground: a turn of every game by mouse, and a turn by keyboard alone."""

import re
from urllib.parse import unquote

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.browser.conftest import Opener
from tests.e2e.browser.controls import announced, control, put, tab_to, verdict

ROLL = "/#tutto?card=bonus-300&roll=115556"


def address(page: Page) -> str:
    return unquote(page.url.partition("#")[2])


def expect_address(page: Page, end: str) -> None:
    """Waits for this end of the address, which changes after the table."""
    expect(page).to_have_url(re.compile(re.escape(end) + "$"))


# Lines ----------------------------------------------------------------------------------------


def test_game_line_opens_the_game(at: Opener) -> None:
    page = at("/#pot?line=pot_starter=2:Ada,Ben,Cleo:P34_34-5_accept-1-3")
    control(page, "undo").click()
    expect_address(page, "#pot?starter=1&players=Ada,Ben,Cleo&log=roll:P34.roll:34:5")


def test_unreadable_line_is_refused_with_its_place(at: Opener) -> None:
    page = at("/#tutto?line=tutto:Ada,Ben:stop_maybe", refused=True)
    expect(page.get_by_role("alert")).to_contain_text("Word 2 (character 20), “maybe”")


# Turns ------------------------------------------------------------------------------------------


def test_turn_of_tutto_is_played_with_the_mouse(at: Opener) -> None:
    page = at("/#tutto")
    control(page, "card-bonus-300").click()
    put(page, "234566")
    announced(
        page,
        "You roll 2 3 4 5 6 6. Scoring die: 5 for 50 (T1.2). "
        "Your choices: Set aside 5 and roll 5 dice: 50 at stake. Bank 50.",
    )
    expect_address(page, "/#tutto?card=bonus-300&roll=234566")
    expect(control(page, "keep-chosen")).to_have_text("Set aside 5 and roll 5 +50")
    expect(control(page, "bank")).to_have_text("Bank 50")
    # The list repeats no action of the bar, and an empty list is hidden.
    expect(page.locator(".choices")).to_be_hidden()
    expect(page.locator(".card-does")).to_have_text("A Tutto adds 300 points.")
    page.get_by_role("button", name="die 6").first.click()
    control(page, "keep-chosen").click()
    expect(page.locator(".refusal")).to_contain_text("The 6 does not score here")
    announced(page, "The 6 does not score here")
    page.get_by_role("button", name="die 6").first.click()
    page.get_by_role("button", name="die 5").click()
    expect(control(page, "keep-chosen")).to_contain_text("+50")
    expect(control(page, "keep-chosen")).to_contain_text("Set aside 5 and roll 5")
    control(page, "keep-chosen").click()
    expect(page.locator(".stake")).to_have_text("50 at stake")
    put(page, "11122")
    control(page, "bank").click()
    expect(verdict(page)).to_have_text("banked")
    expect(page.locator(".verdict-note")).to_contain_text("1050 points")
    control(page, "next-turn").click()
    expect(control(page, "draw")).to_be_visible()


def test_turn_of_tutto_is_played_with_the_keyboard_alone(at: Opener) -> None:
    page = at("/#tutto")
    expect(control(page, "draw")).to_be_visible()
    tab_to(page, "card-double")
    page.keyboard.press("Enter")
    expect(control(page, "face-1")).to_be_focused()
    page.keyboard.type("1444")
    page.keyboard.press("Backspace")
    page.keyboard.type("426")
    expect(control(page, "die-0")).to_be_focused()
    tab_to(page, "keep-chosen")
    page.keyboard.press("Enter")
    expect(control(page, "face-1")).to_be_focused()
    announced(page, "You set aside 1 4 4 4 for 500. Double. Set aside: 1 4 4 4.")
    announced(page, "500 at stake. Roll 2 dice.")
    page.keyboard.type("55")
    announced(page, "Tutto")
    tab_to(page, "bank")
    page.keyboard.press("Space")
    announced(page, "You set aside 5 5 for 100. Tutto: Double adds 600. You bank 1200.")


def test_bust_is_shown_with_its_rule(at: Opener) -> None:
    page = at("/#tutto?phase=roll&card=bonus-200&dice_to_roll=6")
    put(page, "223344")
    expect(verdict(page)).to_have_text("Bust")
    announced(page, "You roll 2 2 3 3 4 4. Bust: nothing to set aside (T2.1).")
    expect(page.locator(".verdict .rule").last).to_be_hidden()
    control(page, "why").click()
    expect(page.locator(".verdict .rule").last).to_have_text("T2.1")
    expect(page.locator(".verdict .rule").last).to_be_visible()


def test_turn_of_yatzee_is_played_with_the_mouse(at: Opener) -> None:
    page = at("/#yatzee")
    put(page, "445556")
    for die in (2, 3, 4):
        control(page, f"die-{die}").click()
    control(page, "again").click()
    put(page, "551")
    expect(verdict(page)).to_have_text("Roll 2")
    control(page, "best-fives").click()
    expect(verdict(page)).to_contain_text("Fives: 25")
    expect(page.get_by_role("row", name=re.compile("^Fives"))).to_contain_text("25")
    control(page, "next-turn").click()
    put(page, "123456")
    expect(page.locator("[data-key$=-fives]:not(.strike)")).to_have_count(0)
    control(page, "strike").click()
    control(page, "strike-yatzee").click()
    expect(verdict(page)).to_contain_text("Yatzee: crossed out")


def test_turn_of_pot_is_played_with_the_mouse(at: Opener) -> None:
    page = at("/#pot")
    put(page, "13P")
    expect(verdict(page)).to_have_text("Sum 4")
    control(page, "die-2").click()
    control(page, "again").click()
    put(page, "23")
    expect(verdict(page)).to_have_text("Sum 5")
    expect(control(page, "accept")).to_have_text("Take the POT with 5")
    control(page, "accept").click()
    expect(page.locator(".purse").first).to_contain_text("holder of the POT")
    expect(page.locator(".purse.now")).to_contain_text("Player 2")
    put(page, "POT")
    expect(page.locator(".verdict-note")).to_contain_text("wins the round")


def test_whole_game_is_played_until_a_player_has_won(at: Opener) -> None:
    page = at("/#tutto?target=50&players=Ada,Ben&log=draw:stop")
    expect(page.locator(".standings li.now")).to_contain_text("Ben")
    control(page, "card-bonus-200").click()
    put(page, "123466")
    control(page, "bank").click()
    expect(page.locator(".winners")).to_have_text("Ben won")
    expect_address(page, "log=draw:stop.draw:bonus-200.roll:123466.bank")
    control(page, "undo").click()
    expect(page.locator(".winners")).to_have_count(0)
    expect(control(page, "bank")).to_be_visible()


def test_yatzee_sheet_has_a_column_for_each_player(at: Opener) -> None:
    page = at("/#yatzee")
    control(page, "whole_game").click()
    page.get_by_label("Players, with commas between").fill("Ada, Zoë")
    control(page, "begin").click()
    put(page, "123456")
    control(page, "best-royal").click()
    expect(page.locator(".sheet thead")).to_contain_text("Zoë")
    expect(page.locator(".sheet thead th.now")).to_have_text("Zoë")
    page.reload()
    expect(page.locator(".sheet thead th.now")).to_have_text("Zoë")
    expect(page.locator(".verdict-word")).to_have_count(0)


# The address ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fragment", "text"),
    [
        ("tutto?double_scope=card&card=double&keeps=1444&roll=55&event=bank", "banked"),
        ("pot?phase=reroll&rolls_made=1&held=2&coins=4,3,3&pot=1&bank=44&player=0", "Player 1"),
    ],
)
def test_address_contains_the_position(at: Opener, fragment: str, text: str) -> None:
    page = at(f"/#{fragment}")
    expect(verdict(page)).to_contain_text(text)
    felt = page.locator(".felt").inner_text()
    page.reload()
    expect(verdict(page)).to_contain_text(text)
    assert page.locator(".felt").inner_text() == felt
    assert sorted(re.split("[?&]", address(page))) == sorted(re.split("[?&]", fragment))


def test_back_button_and_undo_step_back(at: Opener) -> None:
    page = at("/#tutto")
    control(page, "card-straight").click()
    put(page, "112346")
    expect(verdict(page)).to_have_text("Set dice aside")
    page.go_back()
    expect(control(page, "face-1")).to_be_visible()
    control(page, "undo").click()
    expect(control(page, "card-straight")).to_be_visible()
    expect(control(page, "undo")).to_be_disabled()
    page.go_forward()
    page.go_forward()
    expect(verdict(page)).to_have_text("Set dice aside")


def test_impossible_address_is_explained(at: Opener) -> None:
    page = at("/#tutto?card=bonus-200&keeps=1&roll=115556", refused=True)
    expect(page.locator(".refusal")).to_contain_text("T1.1")
    control(page, "anew").click()
    expect(control(page, "draw")).to_be_visible()


def test_address_of_an_unknown_game_starts_a_game(at: Opener) -> None:
    page = at("/#chess?roll=1")
    expect(control(page, "draw")).to_be_visible()


@pytest.mark.parametrize("fragment", ["tutto?ruleset=none", "pot?dice=xyz&rolls=a"])
def test_refusal_is_shown_in_place_of_the_table(at: Opener, fragment: str) -> None:
    page = at(f"/#{fragment}", refused=True)
    expect(page.locator(".refusal")).to_be_visible()
    control(page, "game-tutto").click()
    expect(control(page, "draw")).to_be_visible()


def test_house_rules_from_the_catalogue_change_the_verdict(at: Opener) -> None:
    page = at("/#tutto?card=firework&roll=111534")
    expect(page.locator(".choice:visible")).to_have_count(0)
    page.get_by_text("House rules").click()
    page.get_by_label("Setting aside on the Firework").focus()
    page.get_by_label("Setting aside on the Firework").select_option("At least one")
    expect(page.locator(".choice:visible")).to_have_count(3)
    expect_address(page, "firework_keep=any&card=firework&roll=111534")
    expect(page.get_by_label("Setting aside on the Firework")).to_be_focused()
    control(page, "unfold").click()
    expect(page.locator(".choice:visible")).to_have_count(6)
    page.get_by_label("Target").fill("3000")
    page.keyboard.press("Tab")
    expect(page.locator(".count")).to_have_text("2 changed")
    page.get_by_label("Ruleset").select_option("volle-lotte")
    expect(page.locator(".choice:visible")).to_have_count(3)
    expect_address(page, "/#tutto?ruleset=volle-lotte&card=firework&roll=111534")


# Rules, requests, languages ---------------------------------------------------------------------


def test_rule_note_shows_on_hover_and_on_focus(at: Opener) -> None:
    page = at(ROLL)
    chip = page.locator(".choice .rule:visible").first
    note = page.get_by_role("tooltip")
    chip.hover()
    expect(note).to_contain_text("Two faces score as single dice")
    expect(note).to_contain_text("official")
    expect(note).to_contain_text("Source: ")
    page.keyboard.press("Escape")
    expect(note).to_be_hidden()
    control(page, "why").click()
    page.locator(".verdict .rule").last.focus()
    expect(note).to_be_visible()
    described = page.locator(".verdict .rule").last.get_attribute("aria-describedby")
    assert described == note.get_attribute("id")


def test_each_step_shows_its_request_as_curl_and_its_answer(at: Opener) -> None:
    page = at(ROLL, permissions=["clipboard-read", "clipboard-write"])
    step = page.locator(".step").first
    expect(step).to_contain_text("/v1/tutto/adjudications")
    expect(step.locator(".json")).to_contain_text('"status": "scoring"')
    step.get_by_role("button", name="Copy the curl line").click()
    expect(step.get_by_role("button")).to_have_text("Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("curl -s 'http://localhost:")
    assert '"roll":[1,1,5,5,5,6]' in copied


def test_playground_uses_the_language_of_the_browser(at: Opener) -> None:
    page = at(ROLL, locale="it-IT")
    expect(page.locator(".choices h2")).to_have_text("Le tue scelte")
    expect(verdict(page)).to_have_text("Fino a 700 in questo lancio")
    assert page.locator("html").get_attribute("lang") == "it"


def test_chosen_language_is_stored(at: Opener) -> None:
    page = at(ROLL)
    expect(page.locator(".choices h2")).to_have_text("Your choices")
    page.get_by_label("Language").select_option("de")
    expect(page.locator(".choices h2")).to_have_text("Deine Möglichkeiten")
    expect(page.get_by_label("Sprache")).to_be_focused()
    expect(page.locator(".step").first).to_contain_text("Accept-Language: de")
    page.reload()
    expect(page.locator(".choices h2")).to_have_text("Deine Möglichkeiten")
    expect_address(page, "/#tutto?card=bonus-300&roll=115556")


def test_first_page_shows_a_roll_and_its_verdict(at: Opener) -> None:
    page = at("/")
    expect(verdict(page)).to_have_text("Up to 700 in this roll")
    expect(control(page, "bank")).to_have_text("Bank 700")
    # The request shown matches the position shown.
    expect(page.locator(".step")).to_have_count(1)
    expect(page.locator(".step")).to_contain_text("/v1/tutto/adjudications")
    expect(page.locator("#games button")).to_have_text(["Tutto", "POT", "Yatzee with six dice"])
    control(page, "anew").click()
    expect(control(page, "draw")).to_be_visible()
    expect(page.locator(".step")).to_have_count(1)
    page.go_back()
    expect(verdict(page)).to_have_text("Up to 700 in this roll")


WRITTEN = ",".join(
    f"{category}:0"
    for category in (
        *("ones", "twos", "threes", "fours", "fives", "sixes"),
        *("one-pair", "two-pairs", "three-pairs", "three-of-a-kind", "four-of-a-kind"),
        *("two-triples", "small-straight", "large-straight", "house", "chance"),
    )
)


def test_crossing_out_takes_two_presses(at: Opener) -> None:
    page = at(f"/#yatzee?roll=112456&rolls_made=3&scorecard={WRITTEN}")
    expect(page.locator(".dock > .loud")).to_have_text("Cross out …")
    control(page, "cross-out").click()
    expect(control(page, "strike-royal")).to_be_focused()
    control(page, "strike-royal").click()
    expect(verdict(page)).to_contain_text("Royal Straight: crossed out")
