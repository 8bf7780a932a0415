"""A table that nobody holds up: who begins, who leaves, who is the host, and the last round."""

import json

from playwright.sync_api import Page, Route, expect

from tests.application import encoded
from tests.e2e.browser.accessibility import SMALLEST_PHONE, assert_accessible, assert_fits
from tests.e2e.browser.conftest import Opener
from tests.e2e.browser.controls import control
from tests.e2e.browser.gathering import (
    Gathering,
    connection,
    gathered,
    gathering_at,
    name_players,
    play_event,
    read_session,
    seated,
)
from tests.e2e.browser.listening import listen, wait_heard
from tests.e2e.browser.test_live import TABLE
from tests.wire import Server

SEED = "seed 45"
"""Seed with which the first player banks 700 after one roll, and the second can bank 250."""
CONTROLS = ("abandon", "delete", "reissue-0", "reissue-1")
"""Controls of the host."""


def open_table(page: Page, origin: str) -> Gathering:
    """Opens a table for Ada and Ben, who begins, and returns its session."""
    name_players(page, "Ada", "Ben")
    control(page, "more").click()
    control(page, "starter").select_option(label="Ben")
    control(page, "idle").select_option(label="everybody, after 2 minutes")
    control(page, "option-ending").select_option(index=1)
    control(page, "option-target").fill("300")
    page.keyboard.press("Tab")
    control(page, "open").click()
    expect(page).to_have_url(TABLE)
    gathering = gathering_at(page)
    stored = page.evaluate("(id) => JSON.parse(localStorage.getItem(`table:${id}`))", gathering.id)
    return Gathering(gathering.id, stored["host"], [*stored["seats"].values()], origin)


def expect_to_play(pages: list[Page], name: str) -> None:
    """Expects every page to mark this player in the list."""
    for page in pages:
        expect(page.locator(".people .now .person")).to_contain_text(name)


def expect_controls(page: Page, present: bool) -> None:
    """Expects all controls of the host, or none."""
    for key in CONTROLS:
        expect(control(page, key)).to_have_count(int(present))


def expect_legal(server: Server, gathering: Gathering) -> None:
    """Expects the audit of the exported game to find every move legal."""
    game = encoded(read_session(server, gathering, "/game"))
    audit = json.loads(server.ask("POST", "/v1/tutto/audits", game).body)
    assert (audit["legal"], audit["over"], audit["winners"]) == (True, True, [1])


def test_table_of_two_is_held_up_by_nobody(at: Opener, seeded: Server) -> None:
    origin = f"http://localhost:{seeded.port}"
    ada = at(f"{origin}/table", also=(origin,))
    gathering = open_table(ada, origin)
    state = read_session(seeded, gathering)
    assert (state["starter"], state["idle_seconds"]) == (1, 120)
    ben, spectator = (at(link, also=(origin,)) for link in (gathering.link(1), gathering.address))
    pages = [ada, ben, spectator]
    for page in pages:
        expect(connection(page)).to_have_text("Live")
    expect_to_play(pages, "Ben")
    control(ben, "seed").fill(SEED)
    control(ben, "add-seed").click()

    control(ada, "leave-0").click()
    expect(ada.locator(".notice")).to_contain_text("The computer plays for you.")
    for page in pages:
        expect(page.locator(".people li").first).to_contain_text("best")
    control(ada, "back-0").click()
    for page in pages:
        expect(page.locator(".people li").first).not_to_contain_text("best")

    expect_controls(ada, present=True)
    expect_controls(ben, present=False)
    control(ada, "links").click()
    control(ada, "host-1").click()
    control(ada, "no").click()
    expect(control(ada, "host-1")).to_be_focused()
    control(ada, "host-1").click()
    control(ada, "yes").click()
    expect_controls(ada, present=False)
    expect_controls(ben, present=True)
    expect_controls(spectator, present=False)
    for page in pages:
        expect(page.locator(".people li").nth(1)).to_contain_text("The host")
    assert read_session(seeded, gathering)["host_seat"] == 1
    for page, name in ((ada, "Ada"), (ben, "Ben")):
        expect(page.locator(".who")).to_have_text(f"You play as {name}.")
    ada.reload()
    expect(connection(ada)).to_have_text("Live")
    expect(ada.locator(".who")).to_have_text("You play as Ada.")
    expect_controls(ada, present=False)

    control(ben, "draw").click()
    control(ben, "bank").click()
    for page in pages:
        expect(page.locator(".last-round")).to_have_text("Last round")
    expect_to_play(pages, "Ada")
    control(ada, "draw").click()
    expect(control(ada, "bank")).to_have_text("Bank without winning 250")
    control(ada, "bank").click()
    for page, name in ((ada, "Ben"), (ben, "You"), (spectator, "Ben")):
        expect(page.locator(".ending")).to_have_text(f"{name} won by 450")
        expect(page.locator(".last-round")).to_have_count(0)
    expect_legal(seeded, gathering)

    expect(control(ben, "rematch")).to_have_text("Play again Ada begins")
    expect(control(ada, "rematch")).to_have_text("Play again you begin")
    control(ada, "rematch").click()
    for page in (ben, spectator):
        control(page, "to-rematch").click()
    expect_to_play(pages, "Ada")
    expect_controls(ada, present=False)
    expect_controls(ben, present=True)


def test_list_of_players_shows_who_is_connected(at: Opener, server: Server) -> None:
    gathering = gathered(server, "tutto")
    ada, ben, spectator = (
        at(link) for link in (gathering.link(0), gathering.link(1), gathering.address)
    )
    people = spectator.locator(".people .person")
    expect(people).to_contain_text(["online", "online"])
    expect(ada.locator(".people .person")).to_contain_text(["you", "online"])
    assert_accessible(spectator)
    ben.close()
    expect(people).to_contain_text(["online", "offline"])
    expect(ada.locator(".people .person").nth(1)).to_contain_text("offline")
    again = at(gathering.link(1))
    expect(people).to_contain_text(["online", "online"])
    expect(again.locator(".people .person")).to_contain_text(["online", "you"])


def test_lost_answer_shows_the_new_host(at: Opener, server: Server) -> None:
    gathering = gathered(server, "tutto", dice="client")
    ada, ben = seated(at, gathering, refused=True, cut=True), seated(at, gathering, 1)
    ada.goto(gathering.link(0))
    listen(ben)
    lost: list[Route] = []

    def lose_answer(route: Route) -> None:
        if lost:
            route.continue_()
        else:
            lost.append(route)
            route.fetch()
            route.abort()

    ada.route("**/host", lose_answer)
    control(ada, "host-1").click()
    with (
        ada.expect_response(f"**/v1/sessions/{gathering.id}"),
        ada.expect_response("**/host") as second,
    ):
        control(ada, "yes").click()
    assert second.value.status == 401
    expect_controls(ada, present=False)
    expect(ada.locator("#people .found")).to_have_count(0)
    assert "You are now the host." in " ".join(wait_heard(ben))
    # The host may take back events of others.
    play = gathering._replace(host=gathering.seats[0])
    play_event(server, play, {"type": "draw", "card": "stop"})
    control(ben, "undo").click()
    expect(ben.locator('.log li[data-version="3"]')).to_be_visible()


def test_question_to_the_host_is_accessible(at: Opener, server: Server) -> None:
    gathering = gathered(server, "tutto", players=("Ada", "Ben", "Cleo"))
    seated(at, gathering, 1)
    page = at(gathering.link("host"), bypass_csp=True, viewport=SMALLEST_PHONE, locale="de-DE")
    expect(connection(page)).to_be_attached()
    page.goto(gathering.link(0))
    control(page, "menu").click()
    control(page, "host-1").click()
    expect(control(page, "no")).to_be_focused()
    assert_accessible(page)
    assert_fits(page)
    expect(control(page, "host-2")).to_have_count(0)
