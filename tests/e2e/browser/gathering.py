"""Players at a table, opened over the API or on the page. Each takes the first offer."""

import re
from typing import Any, NamedTuple

from playwright.sync_api import Locator, Page, expect

from tests.e2e.browser.conftest import Opener
from tests.e2e.browser.controls import control
from tests.wire import Server, Table, begin

OFFERS = ("bank", "draw", "roll", "keep-chosen", "accept")
"""Events in the order in which a simple player prefers them."""


class Gathering(NamedTuple):
    """A session and its secrets."""

    id: str
    host: str
    seats: list[str]
    origin: str

    @property
    def path(self) -> str:
        return f"/table/{self.id}"

    @property
    def address(self) -> str:
        return self.origin + self.path

    def link(self, seat: int | str) -> str:
        """Returns the link of a player. The host is ``"host"``."""
        token = self.host if seat == "host" else self.seats[int(seat)]
        return f"{self.address}#seat={seat}&token={token}"


def gathered(
    server: Server,
    game: str,
    dice: str = "service",
    players: tuple[str, ...] = ("Ada", "Ben"),
    bots: tuple[dict[str, Any], ...] = (),
    **options: Any,
) -> Gathering:
    """Creates a session over the API, for Ada and Ben by default."""
    table = begin(server, game=game, players=players, dice=dice, options=options, bots=bots)
    return Gathering(table.id, table.host, table.seats, f"http://localhost:{server.port}")


def gathering_at(page: Page) -> Gathering:
    """Returns the session of a page, without its secrets."""
    return Gathering(page.url.rpartition("/")[2].partition("#")[0], "", [], "")


def read_session(server: Server, gathering: Gathering, part: str = "") -> Any:
    """Returns the service's answer about the session."""
    return table_of(server, gathering).read(part)


def play_event(server: Server, gathering: Gathering, event: Any, path: str = "events") -> Any:
    """Plays an event as the host over the API and returns the session after it."""
    return table_of(server, gathering).change(path, event)["session"]


def table_of(server: Server, gathering: Gathering) -> Table:
    """Returns the session at its server, without its state."""
    at = f"/v1/sessions/{gathering.id}"
    return Table(server, at, gathering.host, gathering.seats, {})


def connection(page: Page) -> Locator:
    """Returns the page's sign of its connection."""
    return page.locator("#connection")


def seated(at: Opener, gathering: Gathering, seat: int | str = "host", **how: Any) -> Page:
    """Opens the page of this seat and waits until it is live."""
    page = at(gathering.link(seat), **how)
    expect(connection(page)).to_have_text(re.compile("Live"))
    return page


def versions(page: Page) -> list[int]:
    """Returns the versions of the page's log entries, oldest first."""
    numbers: list[int] = page.locator(".log li").evaluate_all(
        "lines => lines.map(line => Number(line.dataset.version)).reverse()"
    )
    return numbers


def expect_log(page: Page, count: int) -> None:
    """Expects every log entry once, in order."""
    expect(page.locator(".log li")).to_have_count(count)
    assert versions(page) == list(range(1, count + 1))


def take_turns(server: Server, gathering: Gathering, pages: list[Page], most: int) -> Any:
    """Presses an action, expects every page to show the result, and repeats. Returns the final
    state."""
    state = read_session(server, gathering)
    for _ in range(most):
        if state["status"] != "running":
            break
        page, version = pages[state["player"]], state["version"]
        # The pointer leaves the table: a tooltip under it could cover the next control.
        page.mouse.move(0, 0)
        press(page)
        for viewer in pages:
            expect(viewer.locator(f'.log li[data-version="{version + 1}"]')).to_be_visible()
        expect(page.locator("#board")).to_have_attribute("aria-busy", "false")
        state = read_session(server, gathering)
        # A press makes an event, and the events that follow automatically.
        assert version < state["version"] <= version + 3
    return state


def press(page: Page) -> None:
    """Takes the first offer, or crosses out the first category."""
    offer = first(page)
    key = offer.get_attribute("data-key") or ""
    offer.click()
    if key == "cross-out":
        page.locator(".strikes button").first.click()


def first(page: Page) -> Locator:
    """Returns the first offer, or the best category to score."""
    bank, *rest = (f'[data-key="{key}"]' for key in OFFERS)
    writing = '[data-key^="best-"],[data-key="cross-out"]'
    keys = ",".join((bank, *rest))
    offer = page.locator(f".felt :is({keys}, {writing}), .below :is({writing})").first
    expect(offer).to_be_visible()
    banking = page.locator(f".felt {bank}")
    return banking if banking.count() else offer


def name_players(page: Page, *names: str) -> None:
    """Fills in the names of the players."""
    for place, name in enumerate(names):
        control(page, f"player-{place}").fill(name)
