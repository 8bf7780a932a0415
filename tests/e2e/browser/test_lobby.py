"""Lobby that invites missing players and announces arrivals; wrong tokens are named at once."""

from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.browser.accessibility import assert_accessible_everywhere, assert_fits
from tests.e2e.browser.conftest import Opener
from tests.e2e.browser.controls import announced, control
from tests.e2e.browser.gathering import (
    Gathering,
    acts,
    connection,
    gathered,
    gathering_at,
    name_players,
    told,
)
from tests.e2e.browser.listening import listen, wait_heard
from tests.e2e.browser.test_live import TABLE
from tests.e2e.browser.test_share import SHARING, dark_modules, encoded, visit
from tests.server.serving import Server
from tests.sessions.playing import choose

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
    """Opens a table by the form and returns its session; the first player uses this page."""
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
    assert dark_modules(code) == encoded(page, gathering.link(seat))


def test_phones_in_a_lobby_see_and_hear_who_comes(at: Opener, server: Server) -> None:
    ada = at("/table", **PHONE)
    gathering = opened(ada, "Ada", "Ben", "Cleo")
    expect_invited(ada, gathering, 1, "Ben")
    assert states(ada) == ["Ada you", "Ben not here yet", "Cleo not here yet"]
    expect(ada.locator(REGION)).to_have_text("Waiting for Ben, Cleo.")
    listen(ada, REGION)

    ben = at(gathering.link(1), **PHONE)
    assert wait_heard(ada, REGION) == ["Ben is here. Waiting for Cleo."]
    expect_invited(ada, gathering, 2, "Cleo")
    assert states(ada) == ["Ada you", "Ben here", "Cleo not here yet"]
    expect(ben.locator(REGION)).to_have_text("Waiting for Cleo.")
    assert states(ben) == ["Ada here", "Ben you", "Cleo not here yet"]
    # A guest has no link of other players.
    expect(ben.get_by_role("heading", name="Invite")).to_have_count(0)
    listen(ben, REGION)

    at(gathering.link(2), **PHONE)
    for page in (ada, ben):
        assert wait_heard(page, REGION) == ["Cleo is here. Everybody is here."]
        expect(page.locator("#lobby")).to_be_hidden()
    assert told(server, gathering)["version"] == 0
    control(ada, "draw").tap()
    for page in (ada, ben):
        expect(page.locator(REGION)).to_be_empty()


def test_the_host_begins_without_waiting_and_invites_again(at: Opener, server: Server) -> None:
    page = at("/table", **PHONE)
    gathering = opened(page, "Ada", "Ben")
    control(page, "begin").tap()
    expect(page.locator("#lobby")).to_be_hidden()
    expect(page.locator("#board :focus")).to_have_count(1)
    listen(page, REGION)
    chance = Random(1)
    while (state := told(server, gathering))["player"] == 0:
        acts(server, gathering, choose(state, chance))
    expect_invited(page, gathering, 1, "Ben")
    assert wait_heard(page, REGION)[-1] == "Waiting for Ben."
    expect(control(page, "begin")).to_have_count(0)

    ben = at(gathering.link(1), **PHONE)
    assert wait_heard(page, REGION) == ["Ben is here. Everybody is here."]
    expect(page.locator("#lobby")).to_be_hidden()
    expect(ben.locator("#lobby")).to_be_hidden()
    expect(control(ben, "draw")).to_be_visible()


def test_an_invitation_is_shared_and_copied(at: Opener, origin: str) -> None:
    page = visit(at, f"{origin}/table", SHARING)
    gathering = opened(page, "Ada", "Ben")
    page.get_by_role("button", name="Share: Ben").first.click()
    page.wait_for_function("window.shared.length")
    assert page.evaluate("window.shared.map(({url}) => url)") == [gathering.link(1)]
    listen(page)
    control(page, "copy-invite-1").click()
    expect(control(page, "copy-invite-1")).to_have_text("Copied")
    assert wait_heard(page)[-1] == "Copied."


def test_a_screen_that_only_watches_invites_everybody(at: Opener) -> None:
    page = at("/table")
    control(page, "more").click()
    control(page, "here").select_option("")
    gathering = opened(page, "Ada", "Ben")
    expect_invited(page, gathering, 0, "Ada")
    at(gathering.link(0))
    expect_invited(page, gathering, 1, "Ben")
    assert states(page) == ["Ada here", "Ben not here yet"]


def test_new_link_of_a_seat_waits_for_its_holder(at: Opener) -> None:
    host = at("/table")
    gathering = opened(host, "Ada", "Ben")
    ben = at(gathering.link(1), refused=True)
    expect(host.locator(REGION)).to_have_text("Ben is here. Everybody is here.")
    control(host, "reissue-1").click()
    expect(host.locator(REGION)).to_have_text("Waiting for Ben.")
    expect(ben.locator(".refusal strong")).to_have_text("Link not valid")
    _, seats = host.evaluate(TOKENS, gathering.id)
    expect_invited(host, gathering._replace(seats=seats), 1, "Ben")


@pytest.mark.parametrize("seat", [0, "host"])
def test_a_wrong_token_is_named_before_anything_is_pressed(
    at: Opener, server: Server, seat: int | str
) -> None:
    gathering, second = gathered(server, "tutto"), gathered(server, "tutto")
    own = gathering.host if seat == "host" else gathering.seats[0]
    another_table = second.host if seat == "host" else second.seats[0]
    another_seat = gathering.seats[0 if seat == "host" else 1]
    page = at("/livez", refused=True)
    for token in (another_table, another_seat, "x" * 43, own[:20], f"{own}A"):
        page.goto("about:blank")
        page.goto(f"{gathering.address}#seat={seat}&token={token}")
        expect(page.locator(".refusal strong")).to_have_text("Link not valid")
        announced(page, "This link is not valid any more.")
        expect(page.locator(".who")).to_have_text("You are watching.")
        expect(control(page, "draw")).to_have_count(0)
    page.reload()
    expect(page.locator(".who")).to_have_text("You are watching.")


@pytest.mark.parametrize("who", ["watcher", "one device"])
def test_a_page_that_waits_for_nobody_asks_nobody(at: Opener, server: Server, who: str) -> None:
    gathering = gathered(server, "tutto")
    page = at("/livez")
    addresses: list[str] = []
    page.on("request", lambda request: addresses.append(request.url))
    page.goto(gathering.address if who == "watcher" else gathering.link("host"))
    expect(connection(page)).to_have_text("Live")
    acts(server, gathering, {"type": "draw"})
    expect(page.locator(".log li").first).to_be_visible()
    assert not [address for address in addresses if address.endswith("/seats")]
    expect(page.locator("#lobby")).to_be_hidden()
    expect(page.locator(REGION)).to_be_empty()
    assert not any(seat["arrived"] for seat in told(server, gathering, "/seats")["seats"])


def test_a_table_against_the_house_waits_for_nobody(at: Opener) -> None:
    page = at("/table")
    control(page, "the_house").click()
    control(page, "open").click()
    expect(connection(page)).to_have_text("Live")
    expect(control(page, "draw")).to_be_visible()
    expect(page.locator("#lobby")).to_be_hidden()
    expect(page.locator(REGION)).to_be_empty()


SAID = {
    "en-GB": ("Invite Ben", "Waiting for Ben.", "Ben is here. Everybody is here."),
    "de-DE": ("Ben einladen", "Warten auf Ben.", "Ben ist da. Alle sind da."),
    "fr-FR": ("Inviter Ben", "En attente de Ben.", "Ben est là. Tout le monde est là."),
    "it-IT": ("Invita Ben", "In attesa di Ben.", "Ben è qui. Ci sono tutti."),
}


@pytest.mark.parametrize(
    "locale",
    [
        "de-DE",
        *(pytest.param(locale, marks=pytest.mark.long) for locale in ("en-GB", "fr-FR", "it-IT")),
    ],
)
def test_the_lobby_speaks_the_browser_s_language(at: Opener, locale: str) -> None:
    invite, waiting, come = SAID[locale]
    page = at("/table", locale=locale, **PHONE)
    name_players(page, "Ada", "Ben")
    control(page, "open").click()
    expect(page.locator("#lobby h2")).to_have_text(invite)
    expect(page.locator(REGION)).to_have_text(waiting)
    assert_fits(page)
    gathering = gathering_at(page)
    _, seats = page.evaluate(TOKENS, gathering.id)
    origin = page.url.rpartition("/table/")[0]
    at(gathering._replace(seats=seats, origin=origin).link(1))
    expect(page.locator(REGION)).to_have_text(come)


def test_a_lobby_of_long_names_is_not_cut(at: Opener) -> None:
    page = at("/table", bypass_csp=True)
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
