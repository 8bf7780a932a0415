"""Lobby that invites missing players and announces arrivals. Wrong tokens are reported at once."""

from random import Random
from typing import Any
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.browser.accessibility import assert_accessible_everywhere, assert_fits
from tests.e2e.browser.conftest import Opener
from tests.e2e.browser.controls import announced, control
from tests.e2e.browser.gathering import (
    Gathering,
    connection,
    gathered,
    gathering_at,
    name_players,
    play_event,
    read_session,
)
from tests.e2e.browser.listening import listen, wait_heard
from tests.e2e.browser.test_live import TABLE
from tests.e2e.browser.test_share import SHARING, dark_modules, encoded, for_phones, visit
from tests.sessions.player import choose
from tests.wire import Server

PHONE: dict[str, Any] = {
    "viewport": {"width": 360, "height": 740},
    "has_touch": True,
    "is_mobile": True,
}
REGION = "#arrivals"
LONG = "Wolfeschlegelsteinhausenbergerdorff-Ada."
TOKENS = """id => {
  const { host, seats } = JSON.parse(localStorage.getItem(`table:${id}`));
  return [host, Object.values(seats)];
}"""


def opened(page: Page, *names: str) -> Gathering:
    """Opens a table by the form and returns its session. The first player uses this page."""
    expect(page.locator(".names input")).not_to_have_count(0)
    while page.locator(".names input").count() < len(names):
        control(page, "add-player").click()
    name_players(page, *names)
    control(page, "open").click()
    expect(page).to_have_url(TABLE)
    expect(connection(page)).to_have_text("Live")
    gathering = gathering_at(page)
    host, seats = page.evaluate(TOKENS, gathering.id)
    origin = page.url.rpartition("/table/")[0]
    return gathering._replace(host=host, seats=seats, origin=origin)


def states(page: Page) -> list[str]:
    """Returns the lobby's list of players with the state of each seat."""
    return page.locator("#lobby .come li").all_inner_texts()


def expect_invited(page: Page, gathering: Gathering, seat: int, name: str) -> None:
    """Expects the lobby to show the QR code of this seat's link."""
    expect(page.get_by_role("heading", name=f"Invite {name}")).to_be_visible()
    code = page.get_by_role("img", name=f"QR code: {name}")
    expect(code).to_be_in_viewport(ratio=1)
    assert dark_modules(code) == encoded(page, for_phones(gathering).link(seat))


@pytest.fixture
def at_phones(at: Opener, server_for_phones: Server) -> Opener:
    """Opens pages on phones. ``/table`` is that of the server for phones."""
    own = f"http://localhost:{server_for_phones.port}"
    return lambda path: at(urljoin(own, path), also=(own,), **PHONE)


def test_lobby_shows_and_announces_arrivals_on_phones(
    at_phones: Opener, server_for_phones: Server
) -> None:
    at, server = at_phones, server_for_phones
    ada = at("/table")
    gathering = opened(ada, "Ada", "Ben", "Cleo")
    expect_invited(ada, gathering, 1, "Ben")
    assert states(ada) == ["Ada you", "Ben not here yet", "Cleo not here yet"]
    expect(ada.locator(REGION)).to_have_text("Waiting for Ben, Cleo.")
    listen(ada, REGION)

    ben = at(gathering.link(1))
    assert wait_heard(ada, REGION) == ["Ben is here. Waiting for Cleo."]
    expect_invited(ada, gathering, 2, "Cleo")
    assert states(ada) == ["Ada you", "Ben here", "Cleo not here yet"]
    expect(ben.locator(REGION)).to_have_text("Waiting for Cleo.")
    assert states(ben) == ["Ada here", "Ben you", "Cleo not here yet"]
    # A guest has no link of other players.
    expect(ben.get_by_role("heading", name="Invite")).to_have_count(0)
    listen(ben, REGION)

    at(gathering.link(2))
    for page in (ada, ben):
        assert wait_heard(page, REGION) == ["Cleo is here. Everybody is here."]
        expect(page.locator("#lobby")).to_be_hidden()
    assert read_session(server, gathering)["version"] == 0
    control(ada, "draw").tap()
    for page in (ada, ben):
        expect(page.locator(REGION)).to_be_empty()


def test_host_starts_without_waiting(at_phones: Opener) -> None:
    page = at_phones("/table")
    # The first roll of Yatzee ends no turn, unlike a Stop of Tutto.
    control(page, "game-yatzee").click()
    opened(page, "Ada", "Ben")
    bar = page.locator(".dock")
    # The invitation is prominent, no move is before all players are present.
    expect(bar.locator(".loud")).to_have_attribute("data-key", "copy-invite-1")
    expect(control(page, "copy-invite-1")).to_have_count(1)
    clear = "rgba(0, 0, 0, 0)"
    expect(control(page, "roll")).to_have_css("background-color", clear)
    control(page, "roll").tap()
    expect(page.locator("#lobby")).to_be_hidden()
    expect(bar.locator(".loud")).to_have_attribute("data-key", "again")


def test_absent_player_is_invited_again(at_phones: Opener, server_for_phones: Server) -> None:
    at, server = at_phones, server_for_phones
    page = at("/table")
    gathering = opened(page, "Ada", "Ben")
    listen(page, REGION)
    chance = Random(1)
    while (state := read_session(server, gathering))["player"] == 0:
        play_event(server, gathering, choose(state, chance))
    expect_invited(page, gathering, 1, "Ben")
    assert wait_heard(page, REGION)[-1] == "Waiting for Ben."
    expect(page.locator(".dock .loud")).to_be_visible()

    ben = at(gathering.link(1))
    assert wait_heard(page, REGION) == ["Ben is here. Everybody is here."]
    expect(page.locator("#lobby")).to_be_hidden()
    expect(ben.locator("#lobby")).to_be_hidden()
    expect(control(ben, "draw")).to_be_visible()


def test_invitation_is_shared_and_copied(at: Opener, server_for_phones: Server) -> None:
    page = visit(at, f"http://localhost:{server_for_phones.port}/table", SHARING)
    gathering = for_phones(opened(page, "Ada", "Ben"))
    page.get_by_role("button", name="Share: Ben").first.click()
    page.wait_for_function("() => window.shared.length")
    assert page.evaluate("window.shared.map(({url}) => url)") == [gathering.link(1)]
    listen(page)
    control(page, "copy-invite-1").click()
    expect(control(page, "copy-invite-1")).to_have_text("Copied")
    assert wait_heard(page)[-1] == "Copied."


@pytest.mark.parametrize("seat", [0, "host"])
def test_wrong_token_is_reported_before_any_press(
    at: Opener, server: Server, seat: int | str
) -> None:
    gathering = gathered(server, "tutto")
    token = "x" * 43 if seat == "host" else gathering.seats[1]
    page = at(f"{gathering.address}#seat={seat}&token={token}", refused=True)
    expect(page.locator(".refusal strong")).to_have_text("Link not valid")
    announced(page, "This link is not valid any more.")
    expect(page.locator(".who")).to_have_text("You are watching.")
    expect(control(page, "draw")).to_have_count(0)
    page.reload()
    expect(page.locator(".who")).to_have_text("You are watching.")


def test_lobby_on_a_loopback_address_names_make_play(at: Opener) -> None:
    page = at("/table", **PHONE)
    opened(page, "Ada", "Ben")
    expect(page.locator("#lobby .hint")).to_contain_text("Other devices cannot reach this address.")
    expect(page.locator("#lobby svg")).to_have_count(0)
    expect(control(page, "copy-invite-1")).to_be_in_viewport(ratio=1)


def test_lobby_uses_the_language_of_the_browser(at: Opener) -> None:
    page = at("/table", locale="fr-FR", **PHONE)
    name_players(page, "Ada", "Ben")
    control(page, "open").click()
    expect(page.locator("#lobby h2")).to_have_text("Inviter Ben")
    expect(page.locator(REGION)).to_have_text("En attente de Ben.")
    assert_fits(page)


def test_long_names_in_a_lobby_are_not_cut(at: Opener, server_for_phones: Server) -> None:
    own = f"http://localhost:{server_for_phones.port}"
    page = at(f"{own}/table", also=(own,), bypass_csp=True)
    opened(page, *(f"{LONG[:-1]}{number}" for number in range(4)))
    expect(page.locator("#lobby .qr svg")).to_be_visible()
    for width, height in ((360, 740), (740, 360), (1440, 900)):
        page.set_viewport_size({"width": width, "height": height})
        assert_fits(page)
        cut = page.locator("#lobby *").evaluate_all(
            "all => all.filter((one) => one.scrollWidth > one.clientWidth + 1"
            " && getComputedStyle(one).display !== 'inline').map(({className}) => className)"
        )
        assert cut == []
    assert_accessible_everywhere(page)
