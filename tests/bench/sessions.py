"""``make bench-sessions``: the cost of an event of a session.

Two workers of the service share a core, Redis and the clients the other. The baseline is a route of
the same application with a GET and a SET (``round_trips.py``), in the same run, slice by slice. Run
from the project's root: ``python -m tests.bench.sessions [--quick]``.
"""

import argparse
import json
import os
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from random import Random
from secrets import token_hex
from statistics import median, quantiles
from typing import Any, NamedTuple

import redis

from dice_referee.sessions.feed import RETRY
from dice_referee.settings import Settings
from tests.bench.process import (
    PATIENCE,
    FailedToStart,
    PinnedServer,
    cores,
    module_of,
    running_server,
)
from tests.bench.report import Target
from tests.engines.servers import ENGINES, Single, free_port
from tests.programs import SOURCES
from tests.sessions.player import choose
from tests.unlimited import MOST, UNLIMITED_ENVIRONMENT

CLIENTS = 8
BEGINNING = {"game": "tutto", "options": {"target": 1_000_000}, "players": ["Ann", "Ben", "Cleo"]}
LONGEST = {
    **BEGINNING,
    "dice": "client",
    "players": [f"{seat}{'🚀' * 39}" for seat in range(10)],
}
"""Setup of a game that never ends, since ``choose`` draws no clover."""
EVENTS = 170
"""Events of a session from its beginning to its end."""
FOLLOWERS = 100
"""Number of streams of a session whose cost is measured."""
TABLE = 4
"""Number of streams with states, as the pages of a table open."""


class Plan(NamedTuple):
    """Durations and sizes of the measurements."""

    rounds: int
    seconds: float
    opened: int
    """Number of open sessions whose memory is measured."""
    played: int
    """Number of sessions played with keys, and of sessions played without."""
    longest: int
    """Entries of the longest session."""
    followed: int
    """Number of events that streams receive."""


FULL, QUICK = Plan(7, 3.0, 10_000, 200, 10_000, 500), Plan(1, 1.0, 80, 8, 500, 50)


class Second(NamedTuple):
    """Work done in a slice of time."""

    requests: int
    cpu_microseconds: float
    """CPU time per request, of all processes of the service."""
    per_second: float
    waits: list[float]
    """Milliseconds from each request to its answer."""


class Bencher:
    """A client in a game that rarely ends, by default with its own connection.

    Sends a key with each event, as the page does.
    """

    received = 0
    """Bytes of the last answer, including the head."""

    def __init__(
        self,
        port: int,
        number: int,
        line: HTTPConnection | None = None,
        beginning: Mapping[str, Any] = BEGINNING,
    ) -> None:
        self._connection = line or HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        self._random, self._beginning = Random(number), beginning
        self._begin()

    def _begin(self) -> None:
        document = self.ask("POST", "/v1/sessions", self._beginning)
        self._at = f"/v1/sessions/{document['session']['id']}/events"
        self._state, self._host = document["session"], document["host_token"]

    def ask(self, method: str, path: str, body: Any, **headers: str) -> Any:
        sent = json.dumps(body).encode()
        all_headers = {"Content-Type": "application/json", **headers}
        self._connection.request(method, path, sent, all_headers)
        reply = self._connection.getresponse()
        content = reply.read()
        assert reply.status in (200, 201), content
        fields = sum(len(name) + len(value) + 4 for name, value in reply.getheaders())
        self.received = len(content) + fields
        return json.loads(content)

    @property
    def session(self) -> str:
        """The id of the running session."""
        return str(self._state["id"])

    @property
    def version(self) -> int:
        return int(self._state["version"])

    @property
    def stream(self) -> str:
        """Path of the event stream from the current version on."""
        return f"{self._at.removesuffix('events')}stream?after={self.version}"

    def move(self, *, keyed: bool = True) -> None:
        """Plays an event, in a new game if the last game is over."""
        if not self._state["legal_events"]:
            self._begin()
        event = choose(self._state, self._random)
        headers = {"Authorization": f"Bearer {self._host}"}
        if keyed:
            headers["Idempotency-Key"] = token_hex(16)
        document = self.ask("POST", self._at, event, **headers)
        self._state = document["session"]

    def play(self, entries: int, *, keyed: bool = True) -> None:
        """Plays until the log of a session has this many entries."""
        while self._state["version"] < entries:
            self.move(keyed=keyed)

    def close(self) -> None:
        self._connection.close()

    def round_trip(self) -> None:
        """Sends the baseline request of the benchmark, with an event as its body."""
        self.ask("POST", "/bench/round-trip", {"type": "roll"}, Authorization="Bearer none")


def slice_of(
    server: PinnedServer, players: list[Bencher], act: Callable[[Bencher], None], seconds: float
) -> Second:
    """Runs all players at once, each as fast as answers arrive."""
    until, waits = time.perf_counter() + seconds, list[float]()

    def play(player: Bencher) -> None:
        while (started := time.perf_counter()) < until:
            act(player)
            waits.append((time.perf_counter() - started) * 1000)

    before, began = server.cpu_seconds(), time.perf_counter()
    with ThreadPoolExecutor(CLIENTS) as pool:
        for done in [pool.submit(play, player) for player in players]:
            done.result()
    spent, lasted = server.cpu_seconds() - before, time.perf_counter() - began
    return Second(len(waits), spent * 1e6 / len(waits), len(waits) / lasted, waits)


@contextmanager
def running_release(url: str, folder: Path) -> Iterator[PinnedServer]:
    port, log = free_port(), folder / "server.log"
    command = [
        *module_of("-m", "gunicorn", "-c", "python:dice_referee.server.gunicorn_conf"),
        *("--workers", "2", "tests.bench.round_trips:app"),
    ]
    with running_server(
        "sessions",
        command,
        {
            "PORT": str(port),
            "PYTHONPATH": str(SOURCES),
            "REDIS_URL": url,
            # A busy machine refuses no event.
            "REDIS_TIMEOUT_MS": str(MOST["REDIS_TIMEOUT_MS"]),
            "STREAMS_PER_SESSION": str(FOLLOWERS),
            **UNLIMITED_ENVIRONMENT,
        },
        port,
        log,
    ) as server:
        started = time.perf_counter()
        while True:
            try:
                connection = HTTPConnection("127.0.0.1", port)
                connection.request("GET", "/readyz")
                if json.loads(connection.getresponse().read())["sessions"] == "ok":
                    break
            except OSError:
                pass
            if server.has_ended() or time.perf_counter() - started > PATIENCE:
                raise FailedToStart(log.read_text()[-2000:])
            time.sleep(0.05)
        yield server


def cpu_of_follower(server: PinnedServer, events: int) -> float:
    """Returns CPU microseconds of the service per event and stream."""
    alone, followed = cpu_of_followed(server, events, FOLLOWERS)
    return (followed - alone) / FOLLOWERS


def cpu_of_followed(
    server: PinnedServer, events: int, followers: int, query: str = ""
) -> tuple[float, float]:
    """Returns CPU microseconds of the service per event without and with streams."""
    player = Bencher(server.port, 0)
    alone = _cpu_of_events(server, player, events, [])
    with ExitStack() as closing:
        lines = [closing.enter_context(socket.socket()) for _ in range(followers)]
        for line in lines:
            line.settimeout(PATIENCE)
            line.connect(("127.0.0.1", server.port))
            path = f"{player.stream}{query}"
            line.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        # The service opens every stream before the measurement begins.
        for line in lines:
            _receive(line, RETRY)
        return alone, _cpu_of_events(server, player, events, lines)


def _cpu_of_events(
    server: PinnedServer, player: Bencher, events: int, lines: list[socket.socket]
) -> float:
    """Returns CPU microseconds of the service per event. Each event waits for all streams."""
    before = server.cpu_seconds()
    for _ in range(events):
        player.move()
        for line in lines:
            _receive(line, b"\nid: %d\n" % player.version)
    return (server.cpu_seconds() - before) * 1e6 / events


def _receive(line: socket.socket, expected: bytes) -> None:
    """Receives until these bytes arrive."""
    received = b""
    while expected not in received:
        received += line.recv(1 << 16)


def memory_of_new_session(players: list[Bencher], client: Any, plan: Plan) -> float:
    """Returns bytes in Redis of a session without events."""

    def open_many(player: Bencher) -> None:
        for _ in range(plan.opened // CLIENTS):
            player.ask("POST", "/v1/sessions", BEGINNING)

    empty = _used_memory(client)
    with ThreadPoolExecutor(CLIENTS) as pool:
        for done in [pool.submit(open_many, player) for player in players]:
            done.result()
    return (_used_memory(client) - empty) / plan.opened


def memory_of_played_session(port: int, client: Any, plan: Plan, *, keyed: bool) -> float:
    """Returns bytes in Redis of a session with ``EVENTS`` events, each with or without a key."""
    before = _used_memory(client)
    for number in range(plan.played):
        player = Bencher(port, number)
        player.play(EVENTS, keyed=keyed)
        player.close()
    return (_used_memory(client) - before) / plan.played


def memory_of_longest_session(port: int, client: Any, plan: Plan) -> float:
    """Returns bytes in Redis for ten players with the longest names and the longest log."""
    player, limit = Bencher(port, 0, beginning=LONGEST), Settings().session_events
    player.play(plan.longest)
    player.close()
    return memory_of(client, player.session) * limit / plan.longest


def memory_of(client: Any, session: str) -> float:
    """Returns bytes in Redis of the keys of a session."""
    keys = [*client.scan_iter(f"referee:{{{session}}}*")]
    return float(sum(client.memory_usage(key, samples=0) or 0 for key in keys))


def _used_memory(client: Any) -> int:
    return int(client.info("memory")["used_memory"])


def run_all(plan: Plan) -> None:
    _, load_core = cores()
    os.sched_setaffinity(0, {load_core})
    with (
        tempfile.TemporaryDirectory(prefix="referee-bench-") as name,
        Single(ENGINES[0]) as engine,
        running_release(engine.unix_url, Path(name)) as server,
    ):
        players = [Bencher(server.port, number) for number in range(CLIENTS)]
        for act in (Bencher.move, Bencher.round_trip):
            slice_of(server, players, act, 1)
        events, trips = list[Second](), list[Second]()
        for _ in range(plan.rounds):
            events.append(slice_of(server, players, Bencher.move, plan.seconds))
            trips.append(slice_of(server, players, Bencher.round_trip, plan.seconds))
        print(f"{'through two workers':<22}{'CPU us':>8}{'a second':>10}{'p50 ms':>9}{'p99 ms':>9}")
        for title, slices in (("event of a session", events), ("bare GET + SET", trips)):
            waits = [wait for part in slices for wait in part.waits]
            cuts = quantiles(waits, n=100)
            cpu = median(part.cpu_microseconds for part in slices)
            rate = median(part.per_second for part in slices)
            print(f"{title:<22}{cpu:>8.0f}{rate:>10.0f}{cuts[49]:>9.2f}{cuts[98]:>9.2f}")
        ratio = median(
            event.cpu_microseconds / trip.cpu_microseconds
            for event, trip in zip(events, trips, strict=True)
        )
        print(Target("CPU an event against a bare GET + SET", ratio, 2.0).line(), flush=True)
        follower = cpu_of_follower(server, plan.followed)
        title = f"CPU us of an event for one of {FOLLOWERS} followers"
        print(Target(title, follower, 20).line(), flush=True)
        pairs = [cpu_of_followed(server, plan.followed, TABLE, "&state=true") for _ in range(3)]
        shown = median(followed / alone for alone, followed in pairs)
        title = f"CPU of an event for {TABLE} followers with states against none"
        print(Target(title, shown, 1.35).line(), flush=True)
        client = redis.Redis.from_url(engine.url)
        new = memory_of_new_session(players, client, plan)
        print(f"{plan.opened:,} open sessions: {new:,.0f} bytes each when new")
        unkeyed, played = (
            memory_of_played_session(server.port, client, plan, keyed=keyed)
            for keyed in (False, True)
        )
        print(f"{EVENTS} events: {unkeyed:,.0f} bytes without keys, {played:,.0f} with keys")
        longest = memory_of_longest_session(server.port, client, plan)
        print(Target("KB of a session with keys", played / 1000, 30).line())
        print(Target("MB of the longest log with keys", longest / 1e6, 4).line())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--quick", action="store_true", help="one short round")
    quick = parser.parse_args().quick
    try:
        run_all(QUICK if quick else FULL)
    except FailedToStart as failure:
        print(f"FAILED: {failure}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
