"""Pages, a live game of two people and the text mode in Firefox."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.e2e.browser.firefox import ENTER, Firefox, Tab, firefox
from tests.e2e.browser.gathering import OFFERS, Gathering, gathered, read_session
from tests.e2e.browser.test_access import PAGES
from tests.wire import Server

pytestmark = pytest.mark.long

PHONE = (360, 740)
MOST = 400
OFFERED = [f'#board[aria-busy=false] [data-key="{key}"]' for key in OFFERS]
WIDTH = "document.documentElement.scrollWidth"


@pytest.fixture(scope="module")
def started() -> Iterator[Firefox]:
    with firefox() as browser:
        yield browser


@pytest.fixture
def browser(started: Firefox, origin: str) -> Iterator[Firefox]:
    """Checks at the end that no page logged an error or requested another origin."""
    started.bidi.events.clear()
    yield started
    started.bidi.ask("session.status")
    assert started.faults(origin) == []


def test_every_page_works_and_fits_a_phone(browser: Firefox, origin: str) -> None:
    page = browser.tab()
    page.resize(*PHONE)
    for path, selector in PAGES.items():
        page.open("about:blank")
        page.open(origin + path)
        page.wait_for_element(selector)
        assert page.evaluate(WIDTH) <= PHONE[0], path
    page.open(f"{origin}/nothing")
    page.expect("h1", "Not found")


def test_turn_is_played_in_the_playground(browser: Firefox, origin: str) -> None:
    page = browser.tab()
    page.open(f"{origin}/#tutto")
    page.click("[data-key=card-bonus-300]")
    page.wait_for_element("[data-key=face-1]")
    page.type("234566")
    page.expect(".verdict-word", "Up to 50 in this roll")
    page.wait("location.hash === '#tutto?card=bonus-300&roll=234566'")
    page.click("[data-key=keep-chosen]")
    page.expect(".stake", "50 at stake")
    page.evaluate("history.back()")
    page.wait_for_element("[data-key=keep-chosen]")
    page.click("[data-key=bank]")
    page.expect(".verdict-word", "banked")
    page.evaluate("document.querySelector('#language').focus()")
    page.type("D")
    page.expect(".verdict-word", "aufgehört")


def seated(browser: Firefox, gathering: Gathering, seat: int | str, query: str = "") -> Tab:
    page = browser.tab()
    page.resize(*PHONE)
    page.open(gathering.link(seat).replace("#", f"{query}#"))
    page.wait("document.querySelector('#connection').className === 'connection live'")
    return page


@pytest.mark.parametrize(("game", "target"), [("pot", 5), ("tutto", 1000)])
def test_two_people_play_a_live_game_to_its_end(
    browser: Firefox, server: Server, game: str, target: int
) -> None:
    gathering = gathered(server, game, target=target)
    pages = [seated(browser, gathering, seat) for seat in (0, 1)]
    state: dict[str, Any] = read_session(server, gathering)
    presses = 0
    while state["status"] == "running":
        presses += 1
        assert presses < MOST
        player = pages[state["player"]]
        player.wait_for_element(", ".join(OFFERED))
        player.click(next(offer for offer in OFFERED if player.has(offer)))
        entry = f"document.querySelector('.log li[data-version=\"{state['version'] + 1}\"]')"
        for page in pages:
            page.wait(f"Boolean({entry})")
        player.wait_for_element("#board[aria-busy=false]")
        state = read_session(server, gathering)
    for number, page in enumerate(pages):
        winner = state["winners"][0]
        page.expect(".ending", f"{'You' if number == winner else state['players'][winner]} won")
        assert page.evaluate(WIDTH) <= PHONE[0]
    pages[1].click("[data-key=menu]")
    pages[1].click("[data-key=verify]")
    pages[1].expect(".found", "Fair: every roll follows from the seed.")
    print(f"{game} in Firefox: {presses} presses, {state['version']} events")


def typed(page: Tab, line: str) -> None:
    page.wait("document.activeElement.id === 'command'")
    page.type(line + ENTER)


def test_turn_is_played_as_text(browser: Firefox, server: Server) -> None:
    gathering = gathered(server, "tutto", dice="client")
    ada = seated(browser, gathering, 0, "?text")
    ben = seated(browser, gathering, 1, "?text")
    for line in ("draw bonus 400", "roll 132651", "keep 1 1", "roll 1234", "bank"):
        typed(ada, line)
    for page in (ada, ben):
        page.wait("document.querySelector('.told').dataset.version === '5'")
    ben.expect(".told", "Ada banks")
    typed(ben, "rules t5.4")
    ben.expect(".told", "T5.4: ")
    typed(ben, "table")
    ben.wait_for_element("[data-key=card-stop]")
