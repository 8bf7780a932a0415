"""People at one table, opened over the API or on the page; they play whatever is offered."""

import json
import re
from typing import Any, NamedTuple

from playwright.sync_api import Locator, Page, expect

from tests.e2e.browser.conftest import Opener
from tests.e2e.browser.controls import control
from tests.server.serving import Server

OFFERS = ("bank", "draw", "throw", "keep-chosen", "accept")
"""Events in the order in which a simple player prefers them."""


class Gathering(NamedTuple):
    """A session, and the secrets that its host got."""

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
        """Returns the link of a player; the host is ``"host"``."""
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
    """Ada and Ben at a table, or others."""
    wish = {"game": game, "players": players, "dice": dice, "options": options, "bots": bots}
    answer = server.ask("POST", "/v1/sessions", json.dumps(wish).encode())
    creation = json.loads(answer.body)
    origin = f"http://localhost:{server.port}"
    session, host, seats = creation["session"], creation["host_token"], creation["seat_tokens"]
    return Gathering(session["id"], host, seats, origin)


def gathering_at(page: Page) -> Gathering:
    """The table that a page is at, without its secrets."""
    return Gathering(page.url.rpartition("/")[2].partition("#")[0], "", [], "")


def told(server: Server, gathering: Gathering, part: str = "") -> Any:
    """Returns the service's answer about the session."""
    return json.loads(server.ask("GET", f"/v1/sessions/{gathering.id}{part}").body)


def acts(server: Server, gathering: Gathering, event: dict[str, Any]) -> Any:
    """The host does it, over the API."""
    path = f"/v1/sessions/{gathering.id}/events"
    field = f"Authorization: Bearer {gathering.host}"
    answer = server.ask("POST", path, json.dumps(event).encode(), field)
    assert answer.status == 200, answer
    return json.loads(answer.body)["session"]


def connection(page: Page) -> Locator:
    """Returns the page's sign of its connection."""
    return page.locator("#connection")


def seated(at: Opener, gathering: Gathering, seat: int | str = "host", **how: Any) -> Page:
    """Opens the page of who sits here, and waits until it follows the table."""
    page = at(gathering.link(seat), **how)
    expect(connection(page)).to_have_text(re.compile("Live"))
    return page


def versions(page: Page) -> list[int]:
    """The log of the page, from the first entry to the last."""
    numbers: list[int] = page.locator(".log li").evaluate_all(
        "lines => lines.map(line => Number(line.dataset.version)).reverse()"
    )
    return numbers


def expect_log(page: Page, count: int) -> None:
    """Every entry is there, and none twice."""
    expect(page.locator(".log li")).to_have_count(count)
    assert versions(page) == list(range(1, count + 1))


def take_turns(server: Server, gathering: Gathering, pages: list[Page], most: int) -> Any:
    """They play, a press at a time; every page shows what came of it. The state at last."""
    state = told(server, gathering)
    for _ in range(most):
        if state["status"] != "running":
            break
        page, version = pages[state["player"]], state["version"]
        # What the pointer comes to rest on may explain itself, over what is clicked next.
        page.mouse.move(0, 0)
        press(page)
        for viewer in pages:
            expect(viewer.locator(f'.log li[data-version="{version + 1}"]')).to_be_visible()
        expect(page.locator("#board")).to_have_attribute("aria-busy", "false")
        state = told(server, gathering)
        # One press is one event, and those that alone can follow it.
        assert version < state["version"] <= version + 3
    return state


def press(page: Page) -> None:
    """Take the first thing that is offered; what is asked back is meant."""
    offer = first(page)
    key = offer.get_attribute("data-key") or ""
    offer.click()
    if key.startswith("strike-") and control(page, "strike-yes").count():
        control(page, "strike-yes").click()


def first(page: Page) -> Locator:
    """The first thing that is offered, the best category where one is to be written."""
    bank, *rest = (f'[data-key="{key}"]' for key in OFFERS)
    writing = '[data-key^="best-"],.strikes [data-key^="strike-"]'
    keys = ",".join((bank, *rest))
    offer = page.locator(f".felt :is({keys}, {writing}), .below :is({writing})").first
    expect(offer).to_be_visible()
    banking = page.locator(f".felt {bank}")
    return banking if banking.count() else offer


def name_players(page: Page, *names: str) -> None:
    """Fill in who plays."""
    for place, name in enumerate(names):
        control(page, f"player-{place}").fill(name)
