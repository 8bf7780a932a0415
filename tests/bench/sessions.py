"""Clients that play sessions as fast as answers arrive, and the memory of a session."""

import json
import time
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from random import Random
from secrets import token_hex
from typing import Any

from tests.bench.process import PATIENCE, PinnedServer
from tests.sessions.player import choose

CLIENTS = 8
BEGINNING = {"game": "tutto", "options": {"target": 1_000_000}, "players": ["Ann", "Ben", "Cleo"]}
EVENTS = 60
"""Events of a session from its beginning to its end."""


class Bencher:
    """A client in a game that rarely ends. Sends a key with each event, as the page does."""

    def __init__(self, port: int, number: int) -> None:
        self._connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        self._random = Random(number)
        self._begin()

    def _begin(self) -> None:
        document = self._ask("/v1/sessions", BEGINNING)
        self._at = f"/v1/sessions/{document['session']['id']}/events"
        self._state, self._host = document["session"], document["host_token"]

    def _ask(self, path: str, body: Any, **headers: str) -> Any:
        all_headers = {"Content-Type": "application/json", **headers}
        self._connection.request("POST", path, json.dumps(body).encode(), all_headers)
        reply = self._connection.getresponse()
        content = reply.read()
        assert reply.status in (200, 201), content
        return json.loads(content)

    @property
    def session(self) -> str:
        """The id of the running session."""
        return str(self._state["id"])

    def move(self) -> None:
        """Plays an event, in a new game if the last game is over."""
        if not self._state["legal_events"]:
            self._begin()
        event = choose(self._state, self._random)
        headers = {"Authorization": f"Bearer {self._host}", "Idempotency-Key": token_hex(16)}
        self._state = self._ask(self._at, event, **headers)["session"]

    def play(self, entries: int) -> None:
        """Plays until the log of a session has this many entries."""
        while self._state["version"] < entries:
            self.move()

    def close(self) -> None:
        self._connection.close()


def cpu_of_events(server: PinnedServer, players: list[Bencher], seconds: float) -> float:
    """Runs all players at once. Returns the CPU microseconds of the service per event."""
    until, before = time.perf_counter() + seconds, server.cpu_seconds()

    def play(player: Bencher) -> int:
        events = 0
        while time.perf_counter() < until:
            player.move()
            events += 1
        return events

    with ThreadPoolExecutor(len(players)) as pool:
        events = sum(pool.map(play, players))
    return (server.cpu_seconds() - before) * 1e6 / events


def memory_of(client: Any, session: str) -> float:
    """Returns bytes in Redis of the keys of a session."""
    keys = [*client.scan_iter(f"referee:{{{session}}}*")]
    return float(sum(client.memory_usage(key, samples=0) or 0 for key in keys))
