"""A browser that follows a session over restarts gets each event exactly once."""

import json
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from playwright.sync_api import Page
from pytest_playwright import CreateContextCallback

from tests.e2e.faults.clients import GAMES, Play, entries, playing
from tests.e2e.faults.test_redis import WRITE_THROUGH
from tests.e2e.faults.test_workers import replaced
from tests.engines.servers import ENGINES, Single
from tests.wire import Server, listening

Say = Callable[[str], None]

FOLLOW = """
address => {
    window.heard = [];
    window.opened = 0;
    const source = new EventSource(address);
    source.onopen = () => window.opened++;
    source.onmessage = said => window.heard.push([said.lastEventId, said.data]);
    for (const kind of ["reset", "gone"])
        source.addEventListener(kind, said => window.heard.push([kind, said.data]));
}
"""


def heard(page: Page) -> list[list[str]]:
    """Returns the events that the page received: the id or the kind of each, and its data."""
    events: list[list[str]] = page.evaluate("window.heard")
    return events


def number_heard(page: Page) -> int:
    """Counts the events of the page without transferring their data, because polls repeat often."""
    number: int = page.evaluate("window.heard.length")
    return number


def seconds_to_reconnect(page: Page, play: Play, times: int) -> float:
    """Waits for a reconnection and for the next event, and returns the seconds."""

    def has_reconnected() -> bool:
        count: int = page.evaluate("window.opened")
        return count > times

    seconds = play.wait("the page has reconnected", has_reconnected)
    now = len(play.clients[0].tables[0].accepted)
    return seconds + play.wait("the page receives the next event", lambda: number_heard(page) > now)


class Blank(BaseHTTPRequestHandler):
    """Serves an empty page without a content security policy."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.send_header("Content-Type", "text/html")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def other_origin() -> Iterator[int]:
    """Serves a page from another origin and gives its port."""
    pages = ThreadingHTTPServer(("127.0.0.1", 0), Blank)
    with listening(pages):
        yield pages.server_port


@pytest.mark.long
def test_event_source_survives_restarts_of_every_server(
    new_context: CreateContextCallback, other_origin: int, say: Say
) -> None:
    with Single(ENGINES[0], *WRITE_THROUGH) as redis, ExitStack() as stack:
        settings: dict[str, Any] = {"REDIS_URL": redis.url, "WORKERS": 2}
        server = Server(**settings)
        stack.callback(server.stop)
        context = new_context()
        stack.callback(context.close)
        page = context.new_page()
        page.goto(f"http://localhost:{other_origin}")
        with playing(server, GAMES[:1]) as play:
            table = play.clients[0].tables[0]
            page.evaluate(FOLLOW, f"http://127.0.0.1:{server.port}{table.at}/events")
            seconds_to_reconnect(page, play, 0)

            replaced(server, play, signal.SIGHUP)
            rolling = seconds_to_reconnect(page, play, 1)

            server.stop()
            play.server = server = Server(port=server.port, **settings)
            stack.callback(server.stop)
            full = seconds_to_reconnect(page, play, 2)

            # A stream stays open while Redis is unavailable.
            redis.kill()
            play.wait_for_refusals(1)
            redis.start()
            play.wait_for_moves()
            away = seconds_to_reconnect(page, play, 2)
        # The log has an entry more than the client saw: the end of play cleared the table.
        log = entries(server, table.at)
        assert len(log) == len(table.accepted) + 1
        play.wait("the page has received the whole log", lambda: number_heard(page) >= len(log))
        events = heard(page)
        assert [id for id, _ in events] == [str(entry["version"]) for entry in log]
        assert [json.loads(data) for _, data in events] == log
        say(
            f"{len(events)} events; a rolling restart took it {rolling:.1f} s, "
            f"a full one {full:.1f} s, Redis {away:.1f} s"
        )
