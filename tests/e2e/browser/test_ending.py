"""The end of a game: who won and how it went, and another one with the same people."""

import re
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.browser.conftest import Opener
from tests.e2e.browser.gathering import acts, connection, gathered
from tests.e2e.browser.playing import announced, control
from tests.e2e.browser.test_access import AXE, PHONE, grave
from tests.server.serving import Server

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


@pytest.fixture
def at(at: Opener) -> Opener:
    return partial(at, apart=True)


def test_the_end_says_who_won_how_it_went_and_leads_to_a_rematch(
    at: Opener, server: Server
) -> None:
    gathering = gathered(server, "tutto", dice="client", target=1000)
    for event in GAME:
        acts(server, gathering, event)
    ada, ben, spectator = (
        at(address) for address in (gathering.link(0), gathering.link(1), gathering.address)
    )
    for page in (ada, ben, spectator):
        expect(connection(page)).to_have_text("Live")
    control(ben, "bank").click()
    for page in (ada, ben, spectator):
        expect(page.locator(".ending")).to_have_text("Ben won")
        recap = page.locator(".recap")
        expect(recap).to_contain_text("Best turn of 4: Ben, +1,000")
        expect(recap.locator("li").first).to_have_text(re.compile("Ben 1,000 Bust"))
        expect(recap.locator("li").last).to_have_text(re.compile("Ada 250 Stop . 1"))
        expect(recap.locator("polyline")).to_have_count(2)
    expect(control(spectator, "rematch")).to_have_count(0)

    control(ada, "rematch").click()
    expect(ada).not_to_have_url(gathering.address)
    announced(ben, "Ada opens another game with the same players.")
    for page in (ben, spectator):
        control(page, "to-rematch").click()
        expect(page).to_have_url(ada.url)
    for page, who in ((ada, "You play Ada."), (ben, "You play Ben.")):
        expect(page.locator(".who")).to_have_text(who)
    expect(spectator.locator(".who")).to_have_text("You are watching.")
    control(ada, "card-stop").click()
    expect(control(ben, "card-stop")).to_be_visible()

    # The links of the first table lead on, whoever opens them later.
    late = at(gathering.link(1))
    control(late, "to-rematch").click()
    expect(late.locator(".who")).to_have_text("You play Ben.")
    expect(control(late, "card-stop")).to_be_visible()


def test_the_end_is_accessible_on_a_phone(at: Opener, server: Server) -> None:
    gathering = gathered(server, "tutto", dice="client", target=1000)
    for event in [*GAME, {"type": "bank"}]:
        acts(server, gathering, event)
    page = at(gathering.link(0), bypass_csp=True, viewport=PHONE)
    expect(page.locator(".recap")).to_be_visible()
    page.evaluate(AXE.read_text("utf-8"))
    assert grave(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    expect(control(page, "rematch")).to_be_in_viewport(ratio=1)
