"""Rule pages: search, cases that open in the playground, lessons with dice."""

import re

import pytest
from playwright.sync_api import Page, expect

from dice_referee.api.i18n import rulebook
from dice_referee.games import catalogue
from dice_referee.games.cases import case_table
from dice_referee.web.rules import PLAYED, SHOWN
from tests.e2e.browser.conftest import Opener

TUTTO = len(rulebook("tutto").rules)
MAX_UNLINKED = 0.02
"""Maximum share of cases without an address of the playground."""


def test_rules_are_filtered_while_typing(at: Opener) -> None:
    page = at("/rules/tutto")
    page.get_by_role("searchbox").fill("firework bust")
    expect(page.locator("#found")).to_have_text(re.compile(rf"^[1-9] of {TUTTO} rules$"))
    for text in page.locator("#rules li:visible").all_text_contents():
        assert re.search("firework", text, re.I)
    page.get_by_role("searchbox").fill("")
    expect(page.locator("#rules li:visible")).to_have_count(TUTTO)


def test_rules_are_searched_without_scripts(at: Opener) -> None:
    page = at("/rules/pot?lang=de", java_script_enabled=False)
    page.get_by_role("searchbox").fill("münzen bank")
    page.get_by_role("button").click()
    page.wait_for_url(re.compile(r"q=m%C3%BCnzen\+bank"))
    assert page.locator("html").get_attribute("lang") == "de"
    assert 0 < page.locator("#rules li:visible").count() < len(rulebook("pot").rules)


def test_language_is_kept_from_page_to_page(at: Opener) -> None:
    page = at("/rules/tutto")
    page.get_by_label("Language").select_option("it")
    expect(page.get_by_role("heading", level=1)).to_have_text("Le regole di Tutto")
    page.goto(page.url.partition("/rules")[0] + "/rules/pot/P4.5")
    expect(page.get_by_role("heading", level=1)).to_have_text("Regola P4.5")


@pytest.mark.parametrize("game", catalogue())
def test_cases_open_in_the_playground(at: Opener, game: str) -> None:
    number = max(rulebook(game).rules, key=lambda rule: len(case_table(game).of_rule(rule).cases))
    page = at(f"/rules/{game}/{number}")
    cases = case_table(game).of_rule(number).cases
    links = page.locator("a[data-state][href]")
    expect(links.first).to_be_visible()
    assert links.count() > len(cases) / 2
    judged = next(
        case
        for case in cases
        if case.status == 200 and case.resource == "adjudications" and "ruleset" not in case.request
    )
    page.get_by_role("link", name=f"Open in the playground: {judged.id}", exact=True).click()
    expect(page.locator(".steps .step").first).to_contain_text("200")
    assert page.url.partition("#")[2].startswith(game)


@pytest.mark.long
def test_nearly_every_case_links_to_the_playground(at: Opener) -> None:
    """Counts the cases of all rules and those with a link."""
    page = at("/rules/tutto/T1.1")
    total, linked = 0, 0
    for game in catalogue():
        for number in rulebook(game).rules:
            page.goto(re.sub("/rules/.*", f"/rules/{game}/{number}", page.url))
            total += page.locator("a[data-state]").count()
            linked += page.locator("a[data-state][href]").count()
    assert total >= sum(
        case.status in SHOWN and case.resource in PLAYED
        for game in catalogue()
        for case in case_table(game).cases
    )
    assert linked >= (1 - MAX_UNLINKED) * total


def felt(page: Page) -> str:
    return page.locator("dice-referee .referee").inner_text()


@pytest.mark.parametrize("game", catalogue())
def test_lesson_steps_show_their_dice_on_the_table(at: Opener, game: str) -> None:
    page = at(f"/play/{game}")
    board = page.locator("dice-referee .felt")
    expect(board).to_be_visible()
    for step in rulebook(game).words["how_to_play"].values():
        if position := step.get("position"):
            before = felt(page)
            page.locator(f'[data-position="{position}"]').click()
            expect(page.locator("dice-referee .referee")).not_to_have_text(
                before, use_inner_text=True
            )
            expect(board.locator("svg.die").first).to_be_visible()
            expect(page.locator("dice-referee [role=alert]")).to_have_count(0)


def test_unknown_address_shows_a_page_with_links(at: Opener) -> None:
    page = at("/nothing", refused=True)
    expect(page.get_by_role("heading", level=1)).to_have_text("Not found")
    page.get_by_role("main").get_by_role("link", name="Rules").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Rules")
