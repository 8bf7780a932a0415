"""The guide's page that watches a session shows every event."""

import json
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.e2e.guides.snippets import GUIDES, SERVICE, files
from tests.engines.servers import wait_until
from tests.wire import Server, Stream, begin, request, serving

PAGE = files((GUIDES / "sessions.md").read_text("utf-8"))["watch.html"]
WINDOW = """
globalThis.location = { hash: "#" + process.argv[2], reload: () => console.log("reload") };
const list = { append: (line) => console.log(line.textContent) };
globalThis.document = { querySelector: () => list, createElement: () => ({}) };
const open = setInterval(() => {}, 1000);
const close = EventSource.prototype.close;
EventSource.prototype.close = function () { clearInterval(open); close.call(this); };
"""
"""Subset of a browser that the page needs, open until its feed is closed.

EventSource is node's own. A pending reconnection does not keep node alive.
"""
RESET = """
globalThis.EventSource = class {
  addEventListener(kind, react) { if (kind === "reset") react(); }
};
"""
"""Stub of a stream that sends a reset and stays open."""


STREAM = '"method":"GET","route":"/v1/sessions/<session_id>/events"'
"""Part of the log line of a stream that begins."""


@contextmanager
def watching(server: Server, session_id: str, home: Path) -> Iterator["subprocess.Popen[str]"]:
    """Runs the page's script in node, which prints the lines of the page."""
    code = WINDOW + script().replace(SERVICE, f"127.0.0.1:{server.port}")
    (home / "page.mjs").write_text(code, "utf-8")
    command = ["node", "--no-warnings", "--experimental-eventsource", "page.mjs", session_id]
    with subprocess.Popen(command, cwd=home, stdout=subprocess.PIPE, encoding="utf-8") as node:
        try:
            yield node
        finally:
            node.kill()


def script() -> str:
    """Returns the page's script."""
    match = re.search(r'<script type="module">(.*)</script>', PAGE, re.DOTALL)
    assert match is not None
    return match[1]


def line(node: "subprocess.Popen[str]") -> str:
    assert node.stdout is not None
    return node.stdout.readline()


def test_page_shows_events_and_ends_with_the_session(redis_url: str, tmp_path: Path) -> None:
    with serving(REDIS_URL=redis_url, STREAM_SECONDS=1, LOG_ANSWERS=1) as server:
        table = begin(server, game="pot", dice="client")
        roll = {"type": "roll", "dice": [1, 2, 4]}
        table.change("events", roll)
        with watching(server, table.id, tmp_path) as node:
            assert line(node) == f"1: player 0, {compact(roll)}\n"
            # The stream ends after a second.
            wait_until("the page has reconnected", lambda: server.log().count(STREAM) >= 2)
            table.change("events", {"type": "roll", "held": [1], "dice": [3, 5]})
            assert line(node).startswith("2: player 0,")
            table.delete()
            assert node.communicate(timeout=120)[0] == ""
            assert node.returncode == 0


def test_page_reconnects_after_a_refusal(redis_url: str, tmp_path: Path) -> None:
    with serving(REDIS_URL=redis_url, WORKERS=1, STREAMS_PER_SESSION=1, LOG_ANSWERS=1) as server:
        table = begin(server, game="pot", dice="client")
        with server.wire() as stream:
            stream.send(request("GET", f"{table.at}/events", None, "Accept: text/event-stream"))
            assert b" 200 " in stream.file.readline()
            with watching(server, table.id, tmp_path) as node:
                wait_until("the stream is refused", lambda: '"status":429' in server.log())
                stream.close()
                table.change("events", {"type": "roll", "dice": [1, 2, 4]})
                assert line(node).startswith("1: player 0,")


def test_page_polls_when_a_player_takes_its_place(redis_url: str, tmp_path: Path) -> None:
    with serving(REDIS_URL=redis_url, WORKERS=1, STREAMS_PER_SESSION=1, LOG_ANSWERS=1) as server:
        table = begin(server, game="pot", dice="client")
        table.change("events", {"type": "roll", "dice": [1, 2, 4]})
        with watching(server, table.id, tmp_path) as node, server.wire() as wire:
            assert line(node).startswith("1: player 0,")
            token = f"Authorization: Bearer {table.seats[0]}"
            assert Stream(wire, f"{table.at}/stream", token).status == 200
            table.change("events", {"type": "roll", "held": [1], "dice": [3, 5]})
            assert line(node).startswith("2: player 0,")
            table.delete()
            assert node.communicate(timeout=120)[0] == ""


def test_page_starts_again_after_a_reset() -> None:
    code = WINDOW.replace("setInterval(() => {}, 1000)", "null") + RESET + script()
    command = ["node", "--experimental-eventsource", "--input-type=module", "--eval", code, "id"]
    process = subprocess.run(command, capture_output=True, encoding="utf-8", check=True)
    assert process.stdout == "reload\n"


def test_page_of_this_machine_may_watch(redis_url: str) -> None:
    with serving(REDIS_URL=redis_url) as server:
        reply = server.ask("GET", begin(server).at, None, "Origin: http://localhost:8080")
    assert reply.headers["access-control-allow-origin"] == "http://localhost:8080"


def compact(document: object) -> str:
    return json.dumps(document, separators=(",", ":"))
