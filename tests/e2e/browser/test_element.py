"""<dice-referee> on another origin, under a strict policy there, and on our own page about it."""

import pytest
from playwright.sync_api import expect

from tests.e2e.browser.conftest import Opener
from tests.e2e.browser.elsewhere import elsewhere
from tests.e2e.browser.playing import control, put, tab_to, verdict
from tests.server.serving import Server


def test_the_element_judges_on_another_origin_and_tells_its_page(at: Opener, origin: str) -> None:
    with elsewhere(origin, "tutto", 'position="card=bonus-300&amp;roll=115556"') as address:
        page = at(address, also=(address,))
        expect(verdict(page)).to_have_text("Leg etwas heraus: bis zu 700")
        control(page, "bank").click()
        expect(verdict(page)).to_have_text("aufgehört")
        heard = page.evaluate("window.heard")
    assert [kind for kind, _ in heard] == ["verdict", "change", "step"]
    assert heard[0][1]["bank"]["turn_points"] == 700
    assert heard[1][1]["position"] == "card=bonus-300&roll=115556&event=bank"
    assert heard[2][1]["event"] == {"type": "bank"}
    assert heard[2][1]["answer"]["legal"] is True


def test_the_browser_asks_for_leave_before_the_element_posts(
    at: Opener, server: Server, origin: str
) -> None:
    with elsewhere(origin, "tutto") as address:
        page = at(address, also=(address,))
        control(page, "card-bonus-200").click()
        put(page, "123466")
        expect(verdict(page)).to_be_visible()
    logged = [line for line in server.log().splitlines() if '"/v1/tutto/transitions"' in line]
    assert any('"OPTIONS"' in line and "204" in line for line in logged)


@pytest.mark.parametrize("game", ["yatzee", "pot"])
def test_the_element_is_played_elsewhere_with_the_keyboard(
    at: Opener, origin: str, game: str
) -> None:
    with elsewhere(origin, game) as address:
        page = at(address, also=(address,))
        expect(control(page, "face-1")).to_be_visible()
        tab_to(page, "throw")
        page.keyboard.press("Enter")
        expect(control(page, "throw")).to_have_count(0)
        expect(page.locator(".refusal")).to_have_count(0)


def test_a_rule_s_note_is_dressed_in_the_shadow_root(at: Opener, origin: str) -> None:
    with elsewhere(origin, "tutto", 'lang="en" position="card=bonus-300&amp;roll=1"') as address:
        page = at(address, also=(address,), refused=True)
        page.locator(".refusal .rule").first.focus()
        note = page.get_by_role("tooltip")
        expect(note).to_contain_text("six ordinary dice")
        assert note.evaluate("(note) => getComputedStyle(note).position") == "fixed"
        assert page.evaluate("window.heard")[0][0] == "refusal"


def test_an_attribute_that_changes_lays_another_table(at: Opener, origin: str) -> None:
    with elsewhere(origin, "tutto", 'lang="it"') as address:
        page = at(address, also=(address,))
        expect(control(page, "draw")).to_contain_text("Pesca per me")
        page.locator("dice-referee").evaluate(
            "(element) => { element.setAttribute('game', 'pot'); element.lang = 'en'; }"
        )
        expect(verdict(page)).to_have_text("Player 1 to play")
        page.locator("dice-referee").evaluate("(element) => { element.setAttribute('game', 'x'); }")
        expect(page.locator(".referee")).to_have_text("There is no such game here.")


def test_the_page_about_the_element_uses_it(at: Opener, origin: str) -> None:
    page = at("/embedding")
    expect(page.locator("#events li").first).to_contain_text("verdict")
    control(page, "bank").click()
    expect(page.locator("#events")).to_contain_text("bank, legal")
    expect(page.locator("#snippet")).to_contain_text(f'src="{origin}/dice-referee.js"')
