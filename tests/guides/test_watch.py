"""The page of the guide that watches a session: what it shows is what happened."""

import json
import re
import subprocess
import time
from pathlib import Path
from typing import Any

from tests.doors.serving import Server, serving
from tests.guides.documents import GUIDES, SERVICE, files

PAGE = files((GUIDES / "sessions.md").read_text("utf-8"))["watch.html"]
WINDOW = """
globalThis.location = { hash: "#" + process.argv[2], reload: () => console.log("reload") };
const list = { append: (line) => console.log(line.textContent) };
globalThis.document = { querySelector: () => list, createElement: () => ({}) };
const open = setInterval(() => {}, 1000);
const close = EventSource.prototype.close;
EventSource.prototype.close = function () { clearInterval(open); close.call(this); };
"""
"""As much of a browser as the page needs, open until its feed is closed.

EventSource is node's own; while it waits to come back it does not keep node from ending.
"""


def post(server: Server, path: str, body: object, token: str = "") -> Any:
    fields = [f"Authorization: Bearer {token}"] if token else []
    reply = server.ask("POST", f"/v1/sessions{path}", json.dumps(body).encode(), *fields)
    assert reply.status in (200, 201), reply
    return json.loads(reply.body)


def test_the_page_shows_what_happens_and_ends_with_the_session(
    redis_url: str, tmp_path: Path
) -> None:
    script = re.search(r'<script type="module">(.*)</script>', PAGE, re.DOTALL)
    assert script is not None
    with serving(REDIS_URL=redis_url, STREAM_SECONDS=1) as server:
        begun = post(server, "", {"game": "pot", "dice": "client", "players": ["Ann", "Ben"]})
        id_, host = begun["session"]["id"], begun["host_token"]
        throw = {"type": "throw", "dice": [1, 2, 4]}
        post(server, f"/{id_}/events", throw, host)
        (tmp_path / "page.mjs").write_text(
            WINDOW + script[1].replace(SERVICE, f"127.0.0.1:{server.port}"), "utf-8"
        )
        command = ["node", "--no-warnings", "--experimental-eventsource", "page.mjs", id_]
        with subprocess.Popen(
            command, cwd=tmp_path, stdout=subprocess.PIPE, encoding="utf-8"
        ) as node:
            try:
                assert node.stdout is not None
                assert node.stdout.readline() == f"1: player 0, {compact(throw)}\n"
                time.sleep(1.5)  # the stream ends after a second: the page comes back for the rest
                post(server, f"/{id_}/events", {"type": "throw", "held": [1], "dice": [3, 5]}, host)
                assert node.stdout.readline().startswith("2: player 0,")
                server.ask("DELETE", f"/v1/sessions/{id_}", None, f"Authorization: Bearer {host}")
                assert node.communicate(timeout=15)[0] == ""
            finally:
                node.kill()
        assert node.returncode == 0


def test_a_page_of_this_machine_may_watch(redis_url: str) -> None:
    with serving(REDIS_URL=redis_url) as server:
        begun = post(server, "", {"game": "pot", "players": ["Ann", "Ben"]})
        path = f"/v1/sessions/{begun['session']['id']}"
        reply = server.ask("GET", path, None, "Origin: http://localhost:8080")
    assert reply.headers["access-control-allow-origin"] == "http://localhost:8080"


def compact(document: object) -> str:
    return json.dumps(document, separators=(",", ":"))
