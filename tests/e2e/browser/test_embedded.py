"""<dice-referee> for sessions on another origin: plays, watches, announces, fires events."""

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from tests.e2e.browser.accessibility import assert_accessible, assert_fits
from tests.e2e.browser.conftest import Opener
from tests.e2e.browser.elsewhere import elsewhere, page_at
from tests.e2e.browser.gathering import Gathering, gathered, play_event, read_session
from tests.e2e.browser.listening import listen, wait_heard
from tests.e2e.browser.test_phone import choice
from tests.e2e.guides.snippets import GUIDES, SERVICE, files
from tests.wire import Server

GUIDE = files((GUIDES / "front-end.md").read_text("utf-8"))["table.html"]
PHONE: ViewportSize = {"width": 360, "height": 740}
MOST = 200
HIDDEN = """() => {
  let [root, focused] = [document, document.activeElement];
  while (focused.shadowRoot?.activeElement) {
    root = focused.shadowRoot;
    focused = root.activeElement;
  }
  const { left, top, width, height } = focused.getBoundingClientRect();
  const over = root.elementFromPoint(left + width / 2, top + height / 2);
  const name = focused.dataset.key ?? focused.className;
  return focused.contains(over) ? "" : `${name} at ${Math.round(top)} under ${over?.className}`;
}"""
"""Script that returns the element over the focused control."""
REGION = "[role=status]:not(.connection)"


def seat(page: Page, gathering: Gathering, **properties: Any) -> Locator:
    """Adds an element for the session to the page, as the page's own script would."""
    properties = {"session": gathering.id, "service": gathering.origin, **properties}
    properties.setdefault("id", f"element-{page.locator('dice-referee').count()}")
    page.evaluate(
        """(properties) => document.querySelector("main").append(
             Object.assign(document.createElement("dice-referee"), properties))""",
        properties,
    )
    return page.locator(f"#{properties['id']}")


def events(page: Page, kind: str) -> list[Any]:
    """Returns the details of the page's events of this kind."""
    details: list[Any] = page.evaluate(
        "(kind) => window.heard.filter(([one]) => one === kind).map(([, detail]) => detail)", kind
    )
    return details


def in_element(element: Locator, key: str) -> Locator:
    """Returns the control of this element with this key."""
    return element.locator(f'[data-key="{key}"]')


@pytest.mark.long
def test_guide_page_plays_a_whole_game_by_touch(at: Opener, server: Server, origin: str) -> None:
    text = GUIDE.replace(SERVICE, f"localhost:{server.port}")
    with page_at(text, {}) as address:
        page = at(
            address, also=(address,), viewport=PHONE, has_touch=True, is_mobile=True, locale="de-DE"
        )
        seats = [page.locator("dice-referee").nth(number) for number in (0, 1)]
        regions = [f"dice-referee:nth-of-type({number}) {REGION}" for number in (1, 2)]
        expect(in_element(seats[0], "draw")).to_be_visible()
        tables = "JSON.parse(sessionStorage.getItem('table'))"
        table = page.evaluate(tables)
        gathering = Gathering(table["session"], "", table["tokens"], origin)
        announcements: list[list[str]] = [[], []]
        presses, state = 0, read_session(server, gathering)
        for region in regions:
            listen(page, region)
        while state["status"] == "running" and presses < MOST:
            [press] = choice(seats[state["player"]], "tutto")
            press.tap()
            presses += 1
            version = state["version"]
            page.wait_for_function(
                "version => [...document.querySelectorAll('dice-referee')].every("
                "one => one.table.kept.version > version && !one.table.busy)",
                arg=version,
            )
            state = read_session(server, gathering)
            for number, region in enumerate(regions):
                announcements[number] += wait_heard(page, region)
            if presses == 1:
                page.reload()
                for element, region in zip(seats, regions, strict=True):
                    expect(element.locator(".strip")).to_be_visible()
                    expect(element.locator(".felt")).to_be_visible()
                    listen(page, region)
        assert state["status"] == "over"
        assert page.evaluate(tables)["session"] == gathering.id
        winner = state["players"][state["winners"][0]]
        expect(page.locator("#news")).to_have_text(f"{winner} won")
        for element in seats:
            expect(element.locator(".recap")).to_be_visible()
        assert_fits(page)
        assert_accessible(page)
    print(f"presses: {presses}; announcements: {[len(lines) for lines in announcements]}")
    entries = read_session(server, gathering, "/events?after=0")["events"]
    for number, name in enumerate(state["players"]):
        speech = " ".join(announcements[number])
        for entry in entries:
            if entry["event"]["type"] == "roll":
                mine = entry["player"] == number
                subject = "You roll" if mine else f"{state['players'][1 - number]} rolls"
                assert f"{subject} {' '.join(map(str, sorted(entry['event']['dice'])))}." in speech
        assert speech.endswith("You win." if name == winner else f"{winner} wins.")
        assert not any(token in speech for token in gathering.seats)


def test_session_element_plays_speaks_and_fires_events(
    at: Opener, server: Server, origin: str
) -> None:
    gathering = gathered(server, "tutto", dice="client")
    with elsewhere(origin, "tutto", f'session="{gathering.id}" compact lang="en"') as address:
        page = at(address, also=(address,))
        addresses: list[str] = []
        page.on("request", lambda request: addresses.append(request.url))
        watcher = page.locator("dice-referee").first
        expect(watcher).to_have_text("Points: Ada 0, Ben 0. Ada to play.")
        expect(watcher.locator(".felt")).to_have_count(0)
        ada = seat(page, gathering, seat=0, token=gathering.seats[0], lang="en", id="ada")
        expect(in_element(ada, "card-bonus-400")).to_be_visible()
        ben = seat(page, gathering, seat=1, token=gathering.seats[1], lang="en", id="ben")
        expect(ben.locator(".turn-of")).to_have_text("Ada to play")
        expect(ben.locator(".felt button:not(.rule)")).to_have_count(0)
        for name in ("ada", "ben"):
            listen(page, f"#{name} {REGION}")
        in_element(ada, "card-bonus-400").click()
        assert wait_heard(page, f"#ada {REGION}") == [
            "You draw a Bonus 400. A Tutto adds 400 (T5.3). Roll 6 dice."
        ]
        assert wait_heard(page, f"#ben {REGION}") == ["Ada draws a Bonus 400."]
        expect(watcher).to_have_text("Ada draws a Bonus 400.")
        for face in "132651":
            in_element(ada, f"face-{face}").click()
        expect(in_element(ada, "bank")).to_contain_text("250")
        *typed, announcement = wait_heard(page, f"#ada {REGION}", least=6)
        assert typed[-1] == "5, 5 of 6."
        assert announcement.startswith("You roll 1 1 2 3 5 6. Scoring dice: 1 1 for 200, 5 for 50")
        in_element(ada, "bank").click()
        expect(in_element(ben, "card-stop")).to_be_visible()
        expect(ben.locator(".strip")).to_have_text(re.compile("Ada ?250 ?Ben ?0"))
        wait_heard(page, f"#ben {REGION}", end="Your turn. Draw a card.")
        # Each element fires every state exactly as received.
        page.wait_for_function(
            "() => window.heard.filter(([kind, one]) => kind === 'change' && one.version === 3)"
            ".length === 3"
        )
        changes = events(page, "change")
        assert changes[-1] == read_session(server, gathering)
        assert {change["version"] for change in changes} == {0, 1, 2, 3}
        assert events(page, "verdict")[0]["bank"]["turn_points"] == 250
        play_event(server, gathering, {"type": "draw", "card": "stop"})
        expect(in_element(ada, "card-stop")).to_be_visible()
        markup = page.content() + page.evaluate(
            "[...document.querySelectorAll('dice-referee')]"
            ".map((one) => one.shadowRoot.innerHTML).join()"
        )
    assert addresses
    for token in gathering.seats:
        assert token not in markup
        assert token not in "".join(addresses)
        assert token not in server.log()


@pytest.mark.long
@pytest.mark.parametrize("key", ["Tab", "Shift+Tab"])
@pytest.mark.parametrize("size", [(320, 480), (360, 640), (640, 400)])
@pytest.mark.parametrize("game", ["tutto", "yatzee"])
def test_actions_do_not_cover_the_focus(
    at: Opener, server: Server, origin: str, game: str, size: tuple[int, int], key: str
) -> None:
    gathering = gathered(server, game, dice="client")
    if game == "tutto":
        play_event(server, gathering, {"type": "draw", "card": "straight"})
    play_event(server, gathering, {"type": "roll", "dice": [1, 2, 3, 4, 5, 6]})
    width, height = size
    edge = "[data-key=die-0]" if key == "Tab" else "button:visible >> nth=-1"
    with elsewhere(origin, game, f'session="{gathering.id}" compact lang="en"') as address:
        page = at(address, also=(address,), viewport={"width": width, "height": height})
        element = seat(page, gathering, seat=0, token=gathering.seats[0], lang="en")
        # Before the dice are drawn, eight keys lead out of the page.
        expect(element.locator("[data-key=die-0]")).to_be_visible()
        # Tries every height of content above the table.
        for above in range(0, height, 40):
            element.evaluate("(one, above) => (one.style.marginTop = `${above}px`)", above)
            page.evaluate("scrollTo(0, 0)")
            element.locator(edge).focus()
            for _ in range(8):
                # The browser scrolls to the focus after the key.
                page.wait_for_function(f"() => !({HIDDEN})()")
                page.keyboard.press(key)
        page.close()  # closes before its server


def test_wrong_token_is_refused_and_stops_the_player(
    at: Opener, server: Server, origin: str
) -> None:
    gathering = gathered(server, "pot")
    with elsewhere(origin, "pot", f'session="{gathering.id}" compact lang="en"') as address:
        page = at(address, also=(address,), refused=True)
        # Tries the token of the other seat and an unknown token.
        for token in (gathering.seats[1], "x" * 43):
            element = seat(page, gathering, seat=0, token=token, lang="en")
            expect(element.locator(".refusal")).to_be_visible()
            assert events(page, "refusal")[-1]["type"].endswith("unauthorized")
            expect(in_element(element, "roll")).to_have_count(0)
        missing = seat(page, gathering._replace(id="A" * 22), lang="en")
        expect(missing.locator(".refusal")).to_have_text(
            "There is no such table; perhaps it has expired."
        )


def test_rematch_continues_in_the_same_element(at: Opener, server: Server, origin: str) -> None:
    gathering = gathered(server, "tutto")
    with elsewhere(origin, "tutto", f'session="{gathering.id}" compact lang="en"') as address:
        page = at(address, also=(address,))
        host = seat(page, gathering, token=gathering.host, lang="en")
        expect(in_element(host, "draw")).to_be_visible()
        play_event(server, gathering, {}, "abandon")
        in_element(host, "rematch").click()
        in_element(host, "to-rematch").click()
        expect(in_element(host, "draw")).to_be_visible()
        rematch = read_session(server, gathering)["rematch"]
        assert host.get_attribute("session") == rematch
        assert [session["status"] for session in events(page, "over")] == ["abandoned", "abandoned"]
        in_element(host, "draw").click()
        page.wait_for_function(
            "id => window.heard.some(([, one]) => one.id === id && one.version > 0)",
            arg=rematch,
        )
        # A removed element stops its stream and fires no more events.
        host.evaluate("(element) => element.remove()")
        page.evaluate("window.heard.length = 0")
        watcher = seat(page, gathering._replace(id=rematch), lang="en")
        expect(watcher.locator(".strip")).to_be_visible()
        play_event(server, gathering._replace(id=rematch), {}, "abandon")
        expect(watcher.locator(".ending")).to_be_visible()
        assert len(events(page, "over")) == 1
