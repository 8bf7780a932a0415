"""Live table: opened, joined by link, and played in several browsers."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Request, Route, expect

from tests.e2e.browser.accessibility import assert_accessible_everywhere
from tests.e2e.browser.conftest import Opener
from tests.e2e.browser.controls import announced, control, put, tab_to, verdict
from tests.e2e.browser.gathering import (
    Gathering,
    connection,
    expect_log,
    first,
    gathered,
    gathering_at,
    name_players,
    play_event,
    read_session,
    seated,
    table_of,
    take_turns,
)
from tests.wire import Server, serving

CLIPBOARD = ["clipboard-read", "clipboard-write"]
TABLE = re.compile(r"/table/[\w-]{22}$")
LIVE, LOST = re.compile("Live"), re.compile("reconnecting")
TARGETS = {"tutto": 300, "pot": 4}


def collect_requests(page: Page) -> list[Request]:
    """Returns a list that collects every further request of the page."""
    requests: list[Request] = []
    page.on("request", lambda request: requests.append(request))
    return requests


def copied(page: Page, key: str) -> str:
    """Presses a copy button and returns the copied link."""
    control(page, key).click()
    expect(control(page, key)).to_have_text("Copied")
    link: str = page.evaluate("navigator.clipboard.readText()")
    return link


def open_both(at: Opener, gathering: Gathering, **how: Any) -> list[Page]:
    """Opens Ada's and Ben's pages, each in its own browser context."""
    also = (gathering.origin,)
    return [seated(at, gathering, seat, also=also, **how) for seat in (0, 1)]


# Playing ----------------------------------------------------------------------------------------


@pytest.mark.long
def test_many_tabs_share_the_connections_of_a_browser(at: Opener, server: Server) -> None:
    gathering = gathered(server, "tutto", dice="client")
    first_tab = at(gathering.path)
    tabs = [first_tab, *(first_tab.context.new_page() for _ in range(7))]
    for tab in tabs[1:]:
        tab.goto(gathering.address)
    for number, tab in enumerate(tabs):
        expect(connection(tab)).to_have_text(LIVE if number < 4 else "Asking every few seconds")
    play_event(server, gathering, {"type": "draw", "card": "stop"})
    for tab in tabs:
        expect_log(tab, 1)


@pytest.mark.parametrize("game", ["tutto", "pot"])
def test_starter_is_chosen_at_opening(at: Opener, server: Server, game: str) -> None:
    page = at("/table")
    control(page, f"game-{game}").click()
    name_players(page, "Ada", "Ben")
    control(page, "more").click()
    control(page, "starter").select_option(label="Ben")
    control(page, "open").click()
    expect(page).to_have_url(TABLE)
    gathering = gathering_at(page)
    assert read_session(server, gathering)["player"] == 1


@pytest.mark.parametrize("game", ["tutto", pytest.param("pot", marks=pytest.mark.long)])
def test_two_browsers_play_while_a_third_watches(at: Opener, server: Server, game: str) -> None:
    ada = at("/table", permissions=CLIPBOARD)
    control(ada, f"game-{game}").click()
    name_players(ada, "Ada", "Ben")
    ada.get_by_text("House rules").click()
    ada.get_by_label("Target").fill(str(TARGETS[game]))
    ada.keyboard.press("Tab")
    control(ada, "open").click()
    expect(ada).to_have_url(TABLE)
    expect(ada.locator("#heading")).to_contain_text("Ada, Ben")
    link, watching = copied(ada, "copy-1"), copied(ada, "copy-watch")
    ben, spectator = at("/livez"), at("/livez")
    requests = collect_requests(ben)
    ben.goto(link)
    spectator.goto(watching)
    expect(ben).to_have_url(TABLE)
    token = link.partition("token=")[2]
    gathering = gathering_at(ben)
    expect(connection(ben)).to_have_text(LIVE)
    expect(ben.locator(".who")).to_have_text("You play as Ben.")
    expect(spectator.locator(".who")).to_have_text("You are watching.")
    expect(spectator.locator(".felt button:not(.rule), .choice button:not(.rule)")).to_have_count(0)

    control(ben, "seed").fill("lucky seven")
    control(ben, "add-seed").click()
    expect(ada.locator('.log li[data-version="1"]')).to_be_visible()

    pages = [ada, ben]
    state = take_turns(server, gathering, pages, 400)
    for page in (ada, ben, spectator):
        expect(page.locator(".log li").first).to_have_attribute(
            "data-version", str(state["version"])
        )
        if state["version"] <= 200:
            expect_log(page, state["version"])
    assert state["status"] == "over"
    (winner,) = state["winners"]
    for number, page in enumerate((ada, ben, spectator)):
        name = "You" if number == winner else state["players"][winner]
        expect(page.locator(".ending")).to_contain_text(f"{name} won")
    control(spectator, "verify").click()
    expect(spectator.locator(".found")).to_have_text("Fair: every roll follows from the seed.")
    assert requests
    assert token not in "".join(request.url for request in requests)
    assert token not in server.log()
    for request in requests:
        if request.method == "POST":
            # The audit at the end of the game needs no token.
            authorization = f"Bearer {token}" if "/v1/sessions/" in request.url else None
            assert request.header_value("Authorization") == authorization


def delay_rules(page: Page) -> Callable[[], None]:
    """Chooses Yatzee, delays its rules and returns the function that releases the rules."""
    held: list[Route] = []
    rules = re.compile("/v1/yatzee/rules$")
    page.route(rules, lambda route: held.append(route))
    with page.expect_request(rules):
        control(page, "game-yatzee").click()

    def answered() -> None:
        for route in held:
            route.continue_()
        page.unroute(rules)

    return answered


def expect_yatzee(page: Page) -> None:
    """Expects the form to describe Yatzee."""
    expect(page.locator("#form .hint").first).to_contain_text("eighteen categories")


@pytest.mark.parametrize("how", ["mouse", "Space"])
def test_redrawn_button_is_still_clicked(at: Opener, how: str) -> None:
    page = at("/table")
    answered = delay_rules(page)
    name_players(page, "Ada", "Ben")
    if how == "mouse":
        control(page, "open").hover()
        page.mouse.down()
    else:
        control(page, "open").focus()
        page.keyboard.down(how)
    answered()
    expect_yatzee(page)
    if how == "mouse":
        page.mouse.up()
    else:
        page.keyboard.up(how)
    expect(page).to_have_url(TABLE)
    expect(page.locator("#heading")).to_have_text("Yatzee with six dice · Ada, Ben")


def test_table_opens_after_the_rules_of_its_game_arrive(at: Opener) -> None:
    page = at("/table")
    answered = delay_rules(page)
    control(page, "open").click()
    expect(control(page, "open")).to_be_disabled()
    answered()
    expect(page).to_have_url(TABLE)
    expect(page.locator("#heading")).to_contain_text("Yatzee with six dice")


def test_caret_stays_in_a_seed_while_other_seeds_arrive(at: Opener, server: Server) -> None:
    gathering = gathered(server, "tutto")
    ada = seated(at, gathering, 0)
    control(ada, "seed").fill("so")
    control(ada, "seed").press("ArrowLeft")
    table_of(server, gathering).change("seeds", {"seed": "from Ben"}, gathering.seats[1])
    expect(ada.locator('.log li[data-version="1"]')).to_be_visible()
    ada.keyboard.type("ol")
    expect(control(ada, "seed")).to_have_value("solo")


def test_reload_keeps_the_seat_and_the_host_rights(at: Opener, server: Server) -> None:
    gathering = gathered(server, "tutto")
    ben = at(gathering.link(1))
    expect(ben.locator(".who")).to_have_text("You play as Ben.")
    ben.reload()
    expect(ben).to_have_url(gathering.address)
    expect(ben.locator(".who")).to_have_text("You play as Ben.")
    ben.goto(gathering.origin + "/table")
    ben.get_by_role("link", name="Tutto · Ada, Ben").click()
    expect(ben.locator(".who")).to_have_text("You play as Ben.")

    host = at(gathering.link("host"))
    host.get_by_label("I play").select_option("Ben")
    expect(control(host, "draw")).to_have_count(0)
    host.reload()
    expect(host.get_by_label("I play")).to_have_value("1")
    host.get_by_label("I play").select_option("everybody, in turn")
    control(host, "draw").click()
    expect(host.locator(".log li").first).to_contain_text("entered by the host")


def test_host_undoes_dice_that_people_entered(at: Opener, server: Server) -> None:
    gathering = gathered(server, "tutto", dice="client")
    ada, ben = open_both(at, gathering, refused=True)
    host = at(gathering.link("host"))
    expect(control(ada, "draw")).to_have_count(0)
    expect(control(ben, "card-double")).to_have_count(0)
    control(ada, "card-double").click()
    expect(ben.locator(".card-title")).to_have_text("Double")
    expect(control(ada, "roll")).to_have_count(0)
    put(ada, "115556")
    announced(ben, "Ada rolls 1 1 5 5 5 6.")
    expect(ben.locator(".choice")).to_have_count(6)
    control(ben, "unfold").click()
    expect(ben.locator(".choice")).to_have_count(12)
    ada.locator(".die-button").last.click()
    control(ada, "keep-chosen").click()
    expect(ada.locator(".refusal")).to_contain_text("The 6 does not score here")
    announced(ada, "The 6 does not score here")
    control(host, "undo").click()
    expect(control(ada, "face-1")).to_be_visible()
    expect(ben.locator(".log .struck")).to_contain_text("undone")
    put(ada, "234466")
    expect(verdict(ben)).to_have_text("Ada: Bust")
    expect(control(ben, "card-stop")).to_be_visible()
    expect_log(ben, 4)


# Faults -----------------------------------------------------------------------------------------


@pytest.mark.long
def test_service_restart_neither_loses_nor_repeats_moves(at: Opener, redis_url: str) -> None:
    server = Server(REDIS_URL=redis_url, WORKERS=1)
    try:
        gathering = gathered(server, "pot")
        ada, ben = open_both(at, gathering, cut=True)
        spectator = at(gathering.address, also=(gathering.origin,), cut=True)
        state = take_turns(server, gathering, [ada, ben], 2)
        # The press that accepts 1 2 3 rolls once more (P4.1).
        before = state["version"]
        player, rival = (ada, ben) if state["player"] == 0 else (ben, ada)
        server.stop()
        for page in (ada, ben, spectator):
            expect(connection(page)).to_have_text(LOST)
        with player.expect_event("requestfailed", lambda request: request.method == "POST"):
            first(player).click()
        expect_log(player, before)
        server = Server(REDIS_URL=redis_url, WORKERS=1, port=server.port)
        for page in (player, rival, spectator):
            expect(page.locator(f'.log li[data-version="{before + 1}"]')).to_be_visible()
            expect(connection(page)).to_have_text(LIVE)
            expect(page.locator("#board")).to_have_attribute("aria-busy", "false")
        after = read_session(server, gathering)["version"]
        assert before < after <= before + 2
        for page in (player, rival, spectator):
            expect_log(page, after)
        state = take_turns(server, gathering, [ada, ben], 3)
        expect_log(spectator, state["version"])
    finally:
        server.stop()


def test_replaced_link_is_rejected(at: Opener, server: Server) -> None:
    gathering = gathered(server, "yatzee")
    ada = at(gathering.link(0), refused=True)
    host = at(gathering.link("host"), permissions=CLIPBOARD)
    control(host, "links").click()
    control(host, "reissue-0").click()
    expect(ada.locator(".log li")).to_contain_text("Ada has a new link")
    expect(ada.locator(".refusal strong")).to_have_text("Link not valid")
    expect(ada.locator(".refusal")).to_contain_text("This link is not valid any more.")
    expect(ada.locator(".who")).to_have_text("You are watching.")
    ada.goto(copied(host, "copy-0"))
    control(ada, "roll").click()
    expect_log(host, 2)


@pytest.mark.parametrize("query", ["", "?text"])
def test_truncated_link_is_reported_as_dead(at: Opener, server: Server, query: str) -> None:
    gathering = gathered(server, "yatzee")
    token = gathering.seats[0][:30]
    page = at("/livez")
    requests = collect_requests(page)
    page.goto(f"{gathering.address}{query}#seat=0&token={token}")
    notice = page.locator(".told" if query else ".refusal")
    expect(notice).to_contain_text("This link is not valid any more.")
    if not query:
        announced(page, "This link is not valid any more.")
    expect(page.locator(".who")).to_have_text("You are watching.")
    expect(control(page, "roll")).to_have_count(0)
    assert {request.method for request in requests} == {"GET"}
    # A dead link replaces no stored seat, before or after a valid link.
    page.goto(gathering.link(0))
    expect(page.locator(".who")).to_have_text("You play as Ada.")
    page.goto(f"{gathering.address}#seat=0&token={token}")
    expect(page).to_have_url(gathering.address)
    expect(page.locator(".refusal")).to_have_count(0)
    expect(page.locator(".who")).to_have_text("You play as Ada.")


@pytest.mark.long
def test_page_polls_where_streams_are_refused(at: Opener, redis_url: str) -> None:
    with serving(REDIS_URL=redis_url, WORKERS=1, STREAMS_PER_SESSION=1) as server:
        gathering = gathered(server, "pot")
        ada = at(gathering.link(0), also=(gathering.origin,), cut=True)
        expect(connection(ada)).to_have_text(LIVE)
        ben = at(gathering.link(1), also=(gathering.origin,), refused=True, cut=True)
        expect(connection(ben)).to_have_text("Asking every few seconds")
        state = take_turns(server, gathering, [ada, ben], 3)
        expect_log(ben, state["version"])


@pytest.mark.long
def test_player_takes_the_stream_of_a_spectator(at: Opener, redis_url: str) -> None:
    with serving(REDIS_URL=redis_url, WORKERS=1, STREAMS_PER_SESSION=1) as server:
        gathering = gathered(server, "tutto")
        play_event(server, gathering, {"type": "draw"})
        spectator = at(gathering.address, also=(gathering.origin,), cut=True)
        expect(connection(spectator)).to_have_text(LIVE)
        ada = at("/livez", also=(gathering.origin,), cut=True)
        requests = collect_requests(ada)
        ada.goto(gathering.link(0))
        expect(connection(ada)).to_have_text(LIVE)
        expect(connection(spectator)).to_have_text("Asking every few seconds")
        # A Stop card has ended the turn.
        [event] = read_session(server, gathering)["legal_events"]
        version = play_event(server, gathering, {"type": event})["version"]
        for page in (spectator, ada):
            expect_log(page, version)
        expect(connection(ada)).to_have_text(LIVE)
        [stream] = [each for each in requests if each.url.endswith("/stream?state=true")]
        assert stream.headers["authorization"] == f"Bearer {gathering.seats[0]}"
        assert not any(gathering.seats[0] in each.url for each in requests)


def reset_stream(page: Page) -> None:
    """Replaces the page's stream by a stream that sends a reset, and waits for its end."""

    def reset(route: Route) -> None:
        body = 'event: reset\nid: 1\ndata: {"version":1}\n\n'
        route.fulfill(content_type="text/event-stream", body=body)

    page.route("**/stream?*", reset, times=1)
    with page.expect_response("**/stream?*"):
        page.evaluate("dispatchEvent(new Event('online'))")


def test_page_reloads_the_log_after_a_reset(at: Opener, server: Server) -> None:
    gathering = gathered(server, "tutto")
    play_event(server, gathering, {"type": "draw"})
    page = seated(at, gathering, 0)
    expect_log(page, 1)

    def begins(request: Request) -> bool:
        return (
            request.url.endswith("/stream?state=true") and request.headers["last-event-id"] == "0"
        )

    with page.expect_request(begins):
        reset_stream(page)
    expect_log(page, 1)
    expect(connection(page)).to_have_text(LIVE)


# The end ----------------------------------------------------------------------------------------


def test_host_abandons_and_deletes_the_table(at: Opener, server: Server) -> None:
    gathering = gathered(server, "pot")
    host, ben = (at(gathering.link(seat), refused=True) for seat in ("host", 1))
    control(host, "abandon").click()
    expect(control(host, "no")).to_be_focused()
    control(host, "no").click()
    expect(control(host, "abandon")).to_be_focused()
    control(host, "abandon").click()
    control(host, "yes").click()
    expect(ben.locator(".ending")).to_have_text("The game was abandoned")
    expect(control(ben, "delete")).to_have_count(0)
    with host.expect_download() as download:
        control(host, "export").click()
    assert download.value.suggested_filename == f"pot-{gathering.id}.json"
    control(host, "delete").click()
    control(host, "yes").click()
    expect(host.locator(".refusal")).to_have_text("The host has deleted this table.")
    expect(ben.locator(".refusal")).to_have_text("The host has deleted this table.")
    for page in (host, ben):
        page.goto(f"{gathering.origin}/table")
        expect(control(page, "open")).to_be_visible()
        expect(page.locator("#tables")).to_be_hidden()


def test_moves_with_client_dice_are_checked(at: Opener, server: Server) -> None:
    gathering = gathered(server, "tutto", dice="client", target=50)
    for event in ({"type": "draw", "card": "double"}, {"type": "roll", "dice": [1, 1, 1, 2, 3, 4]}):
        play_event(server, gathering, event)
    host = at(gathering.link("host"))
    control(host, "bank").click()
    expect(host.locator(".ending")).to_have_text("Ada won by 1000")
    control(host, "verify").click()
    expect(host.locator(".found")).to_have_text("Every move was legal.")
    announced(host, "Every move was legal.")
    control(host, "undo").click()
    expect(control(host, "bank")).to_be_visible()


def test_malformed_table_address_shows_a_refusal(at: Opener) -> None:
    page = at("/table/%zz", refused=True)
    expect(page.locator(".refusal")).to_contain_text("There is no such table")
    page.get_by_role("link", name="Open another table").click()
    expect(control(page, "open")).to_be_visible()


@pytest.mark.parametrize("deleted", [False, True])
def test_missing_table_has_a_head_and_a_link(at: Opener, server: Server, deleted: bool) -> None:
    gathering = gathered(server, "tutto")
    address = gathering.link(0) if deleted else gathering._replace(id="x" * 22).address
    page = at(address, refused=True)
    if deleted:
        expect(page).to_have_title(re.compile("^● Your turn · "))
        table_of(server, gathering).delete()
    refusal = page.locator(".refusal")
    expect(refusal).to_contain_text("has deleted" if deleted else "There is no such table")
    expect(page).to_have_title("Live table · Dice Referee")
    for width, height in ((320, 568), (360, 640), (1280, 800)):
        page.set_viewport_size({"width": width, "height": height})
        expect(page.get_by_role("navigation", name="Pages")).to_be_in_viewport(ratio=1)
        expect(page.get_by_role("heading", name="Live table")).to_be_in_viewport(ratio=1)
        box = page.locator("h1").bounding_box()
        assert box
        assert box["width"] > 50
        expect(page.get_by_role("link", name="Open another table")).to_be_in_viewport(ratio=1)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("combobox", name="Language").select_option("de")
    expect(refusal).to_contain_text("gelöscht" if deleted else "Diesen Tisch gibt es nicht")
    expect(page.get_by_role("heading", name="Live-Tisch")).to_be_visible()


# Access -----------------------------------------------------------------------------------------


def test_keyboard_alone_opens_a_table_and_plays_a_turn(at: Opener) -> None:
    page = at("/table")
    expect(control(page, "open")).to_be_visible()
    tab_to(page, "game-yatzee")
    page.keyboard.press("Enter")
    expect(control(page, "game-yatzee")).to_have_attribute("aria-pressed", "true")
    tab_to(page, "player-0")
    page.keyboard.type("Ada")
    tab_to(page, "out-1")
    page.keyboard.press("Enter")
    tab_to(page, "more")
    page.keyboard.press("Enter")
    tab_to(page, "dice-service")
    page.keyboard.press("ArrowDown")
    expect(control(page, "dice-client")).to_be_checked()
    tab_to(page, "open")
    page.keyboard.press("Enter")
    expect(control(page, "face-1")).to_be_visible()
    tab_to(page, "face-1")
    page.keyboard.type("123456")
    announced(page, "You roll 1 2 3 4 5 6. Roll 1 of 3. Score 40 in Royal Straight.")
    expect(page.locator(".log li")).to_have_count(1)
    tab_to(page, "best-royal")
    page.keyboard.press("Enter")
    expect(verdict(page)).to_contain_text("Royal Straight: 40")
    expect(page.locator("#board")).to_contain_text("Your turn")
    expect(control(page, "face-1")).to_be_focused()


def test_moves_of_others_are_announced_without_focus(at: Opener, server: Server) -> None:
    gathering = gathered(server, "tutto", dice="client")
    ada, ben = open_both(at, gathering)
    ben.get_by_role("link", name="API").focus()
    control(ada, "card-stop").click()
    announced(ben, "Ada draws a Stop. The turn is over (T5.1). Your turn. Draw a card.")
    expect(ben).to_have_title(re.compile("^● Your turn · "))
    expect(ben.get_by_role("link", name="API")).to_be_focused()


def test_table_uses_the_language_of_the_browser(at: Opener, server: Server) -> None:
    gathering = gathered(server, "tutto", dice="client")
    play_event(server, gathering, {"type": "draw", "card": "stop"})
    page = at(gathering.link("host"), locale="de-DE")
    expect(page.locator("#log-title")).to_have_text("Was geschah")
    expect(page.locator(".log-said")).to_contain_text("Ada zieht die Karte Stop")
    page.locator("#language").select_option("en")
    expect(page.locator("#log-title")).to_have_text("What happened")
    expect(page.locator("#language")).to_be_focused()


@pytest.mark.long
@pytest.mark.parametrize("game", ["tutto", "yatzee", "pot"])
def test_axe_finds_nothing_serious_at_a_table(at: Opener, server: Server, game: str) -> None:
    gathering = gathered(server, game)
    page = seated(at, gathering, "host", bypass_csp=True)
    take_turns(server, gathering, [page, page], 3)
    page.locator("#facts summary").click()
    control(page, "delete").click()
    assert_accessible_everywhere(page)


MADE = """() => {
  window.made = 0;
  const count = (node) => 1 + (node.querySelectorAll?.("*").length ?? 0);
  const isElement = (node) => node.nodeType === Node.ELEMENT_NODE;
  new MutationObserver((records) => records.forEach(({ addedNodes }) => {
    window.made += [...addedNodes].filter(isElement).reduce((sum, node) => sum + count(node), 0);
  })).observe(document.body, { childList: true, subtree: true });
}"""
"""Counts the elements that are added to the page."""


def test_pressed_die_makes_few_elements_anew(at: Opener, server: Server) -> None:
    gathering = gathered(server, "tutto", dice="client")
    table = table_of(server, gathering)
    stops = [{"type": "draw", "card": "stop"}] * 62
    for event in (
        *stops,
        {"type": "draw", "card": "double"},
        {"type": "roll", "dice": [1, 1, 5, 3, 4, 6]},
    ):
        table.change("events", event)
    page = at(gathering.link(0))
    expect(page.locator(".log li")).to_have_count(64)
    page.evaluate(MADE)
    for chosen in ("true", "false", "true", "false"):
        page.evaluate("window.made = 0")
        # The best keep changes its place between the bar and the list.
        control(page, "die-2").click()
        expect(control(page, "die-2")).to_have_attribute("aria-pressed", chosen)
        page.evaluate("new Promise(requestAnimationFrame)")
        assert page.evaluate("window.made") <= 10, chosen
