"""``make bench-scale``: measures costs and computes the tables of ``deploy/capacity.md``.

Run from the project's root: ``python -m tests.bench.capacity [--quick] [--write]``. ``--write``
replaces the tables of the page (``make bench-scale WRITE=1``). Costs are microseconds of CPU time.
"""

import argparse
import os
import platform
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from http.client import HTTPConnection
from pathlib import Path
from shutil import which
from statistics import median

import orjson
import redis

from dice_referee.server.feeds import READERS
from dice_referee.server.turns import MOST_BEGUN
from dice_referee.settings import Settings
from tests.bench.contenders import PATH
from tests.bench.positions import positions
from tests.bench.process import ROOT, cpu_seconds_of, family_of
from tests.bench.sessions import CLIENTS, EVENTS, Bencher, memory_of
from tests.bench.wrk import AnswersFailed, wrk
from tests.engines.servers import ENGINES
from tests.engines.stack import Stack
from tests.wire import request

PAGE = ROOT / "deploy/capacity.md"
BEGIN = "<!-- written by python -m tests.bench.capacity --write -->"
END = "<!-- end -->"
QUERY = "?card=bonus-600&keeps=1,222&roll=15"
QUESTIONS, BATCH = 20_000, 1_000
FOLLOWERS = 2
"""Streams of each session in play."""
SECONDS_BETWEEN_EVENTS = 5
FREE = 0.5
"""Share of CPU time and streams that stays free."""
FILLED = 0.6
"""Share of ``maxmemory`` that sessions fill without an alert ``RefereeRedisMemoryNearLimit``."""
HIT = 0.45
"""Share of single verdicts that nginx answers from its cache."""
DAY = 86_400
CONNECTIONS = Settings().threads + READERS + MOST_BEGUN + 4
"""Maximum connections from a worker to a Redis server.

Each thread has its own: the operations, the readers of feeds, the begun long computations, the
event loop, the probe after an outage. Notifications and pages of logs have another each.
"""


@dataclass(frozen=True)
class Cost:
    """CPU microseconds that a piece of work takes in each server."""

    title: str
    nginx: float
    service: float
    redis: float = 0.0

    @property
    def machine(self) -> float:
        """Microseconds on the machine of nginx and the service."""
        return self.nginx + self.service


@dataclass(frozen=True)
class Costs:
    """All figures of a run."""

    post: Cost
    hit: Cost
    position: Cost
    event: Cost
    session_bytes: float
    """Bytes in Redis of a session with ``EVENTS`` events and their keys."""

    def verdict(self) -> float:
        """Returns microseconds of a single verdict, averaged over cached and computed answers."""
        return HIT * self.hit.machine + (1 - HIT) * self.post.machine


@dataclass(frozen=True)
class Deployment:
    """Machine with a core for each worker, and its Redis."""

    title: str
    workers: int
    maxmemory: int
    """Bytes."""
    ttl: int = Settings().session_ttl


def shipped_maxmemory(path: str) -> int:
    """Returns the ``maxmemory`` of a file in ``deploy/``, in bytes."""
    (megabytes,) = re.findall(r"maxmemory[ ,]+(\d+)mb", (ROOT / "deploy" / path).read_text("utf-8"))
    return int(megabytes) * 2**20


DEPLOYMENTS = (
    Deployment("`compose.yaml`", 4, shipped_maxmemory("compose.yaml")),
    Deployment("`systemd`, 2 cores, 2 GB", 2, shipped_maxmemory("redis.conf")),
    Deployment("the same, a day", 2, shipped_maxmemory("redis.conf"), DAY),
)


QUANTITIES = (
    "",
    "Workers",
    "`maxmemory`",
    "`SESSION_TTL`, days",
    "Games kept",
    "Games a day",
    "Games in play, by memory",
    "by `STREAMS`",
    "by CPU time of the service",
    "by CPU time of Redis",
    "Connections to Redis",
    "Or single verdicts a second",
    "or positions a second, in batches",
)


def column(deployment: Deployment, costs: Costs) -> tuple[str, ...]:
    """Returns the ``QUANTITIES`` of a deployment that does a single kind of work."""
    core, duration = 1e6 * (1 - FREE), EVENTS * SECONDS_BETWEEN_EVENTS
    free = deployment.workers * core
    games = FILLED * deployment.maxmemory / costs.session_bytes
    daily = games * DAY / deployment.ttl
    streams = deployment.workers * Settings().streams * (1 - FREE)
    by_service = free / costs.event.machine * SECONDS_BETWEEN_EVENTS
    by_redis = core / costs.event.redis * SECONDS_BETWEEN_EVENTS
    return (
        deployment.title,
        str(deployment.workers),
        f"{deployment.maxmemory / 2**30:g} GB",
        str(deployment.ttl // DAY),
        _round(games),
        _round(daily),
        _round(daily * duration / DAY),
        _round(streams / FOLLOWERS),
        _round(by_service),
        _round(by_redis),
        f"{deployment.workers * CONNECTIONS:,}",
        _round(free / costs.verdict()),
        _round(free / costs.position.machine),
    )


def page_tables(costs: Costs, machine: str) -> str:
    """Returns the computed part of the page."""
    return "\n".join(_lines(costs, machine))


def _lines(costs: Costs, machine: str) -> Iterator[str]:
    yield f"Measured on {machine}."
    yield ""
    columns = [column(deployment, costs) for deployment in DEPLOYMENTS]
    head, *rows = [f"| {' | '.join(cells)} |" for cells in zip(QUANTITIES, *columns, strict=True)]
    yield head
    yield f"|{'---|' * (1 + len(DEPLOYMENTS))}"
    yield from rows
    yield ""
    yield (
        f"Assumed: a core for each worker; {FREE:.0%} of CPU time and `STREAMS` "
        f"({Settings().streams} a worker) stay free; sessions fill {FILLED:.0%} of `maxmemory`; a "
        f"game has {EVENTS} events with a key each, one every {SECONDS_BETWEEN_EVENTS} seconds, "
        f"and {FOLLOWERS} streams; {HIT:.0%} of single verdicts come from nginx' cache; positions "
        f"come in batches of {BATCH:,}. *In play, by memory* is a mean over `SESSION_TTL`."
    )
    yield ""
    yield "| CPU time, microseconds | nginx | service | Redis |"
    yield "|---|---|---|---|"
    for cost in (costs.post, costs.hit, costs.position, costs.event):
        yield f"| {cost.title} | {cost.nginx:,.1f} | {cost.service:,.1f} | {cost.redis:,.1f} |"
    yield ""
    yield f"A worker holds at most {CONNECTIONS} connections to a Redis server."
    yield ""
    yield (
        f"A session with {EVENTS} events and their keys takes {costs.session_bytes / 1000:.1f} KB "
        "of Redis."
    )


def _round(number: float) -> str:
    """Rounds to two digits, the precision of the measurement."""
    return f"{float(f'{number:.2g}'):,.10g}"


# Measurement ------------------------------------------------------------------------------------


class Meter:
    """CPU time of the servers of a deployment."""

    def __init__(self, stack: Stack) -> None:
        self._roots = {
            "nginx": stack.nginx_pid,
            "service": stack.services[0].process.pid,
            "redis": stack.redis.process.pid,
        }

    def cost(self, title: str, rounds: int, work: Callable[[], int]) -> Cost:
        """Returns the median cost of a piece of work, of those that ``work`` counts."""
        spent = [self._once(work) for _ in range(rounds)]
        medians = {name: median(cost[name] for cost in spent) for name in self._roots}
        return Cost(title, **{name: round(cost, 1) for name, cost in medians.items()})

    def _once(self, work: Callable[[], int]) -> Mapping[str, float]:
        families = {name: family_of(root) for name, root in self._roots.items()}
        before = {name: cpu_seconds_of(pids) for name, pids in families.items()}
        number = work()
        return {
            name: sum(now - before[name][pid] for pid, now in cpu_seconds_of(pids).items())
            * (1e6 / number)
            for name, pids in families.items()
        }


def measured_costs(rounds: int, seconds: int, folder: Path) -> Costs:
    """Measures nginx, a worker and Redis, as ``deploy/`` runs them."""
    bodies = [orjson.dumps(position) for position in positions(QUESTIONS)]
    posts, gets = folder / "posts", folder / "gets"
    posts.write_bytes(b"\n".join(bodies) + b"\n")
    gets.write_text(f"{QUERY[1:]}\n")
    starts = range(0, len(bodies), BATCH)
    batches = [b'{"positions":[%s]}' % b",".join(bodies[at : at + BATCH]) for at in starts]
    with Stack(WORKERS=1) as stack, ExitStack() as closing:
        meter, port = Meter(stack), stack.port

        def ask(file: Path, method: str) -> int:
            return wrk("nginx", port, file, seconds, method=method)["requests"]

        post = meter.cost("a verdict by POST", rounds, lambda: ask(posts, "POST"))
        hit = meter.cost("a verdict from the cache", rounds, lambda: ask(gets, "GET"))
        position = meter.cost("a position of a batch", rounds, lambda: _send(port, batches))
        # nginx closes a connection that was idle during the measurements above.
        players = [Bencher(port, number) for number in range(CLIENTS)]
        for player in players:
            closing.callback(player.close)
        with redis.Redis.from_url(stack.redis.url) as client:
            size = round(_session_bytes(client, players[0]), -2)
            for player in players * FOLLOWERS:
                closing.enter_context(_stream(stack, player))
            event = meter.cost(
                f"an event of a session with {FOLLOWERS} streams",
                rounds,
                lambda: _play(players, seconds),
            )
    return Costs(post, hit, position, event, size)


def _send(port: int, batches: Sequence[bytes]) -> int:
    """Sends the batches and returns the number of their positions. Raises AnswersFailed."""
    connection = HTTPConnection("127.0.0.1", port, timeout=60)
    for body in batches:
        connection.request("POST", f"{PATH}/batch", body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        answer.read()
        if answer.status != 200:
            raise AnswersFailed(f"a batch got {answer.status}")
    connection.close()
    return len(batches) * BATCH


def _play(players: Sequence[Bencher], seconds: int) -> int:
    """Plays all sessions at once and returns the number of events."""
    until = time.perf_counter() + seconds

    def play(player: Bencher) -> int:
        number = 0
        while time.perf_counter() < until:
            player.move()
            number += 1
        return number

    with ThreadPoolExecutor(len(players)) as pool:
        return sum(pool.map(play, players))


def _session_bytes(client: "redis.Redis", player: Bencher) -> float:
    """Plays a session to ``EVENTS`` events and returns the memory of its keys."""
    player.play(EVENTS)
    return memory_of(client, player.session)


def _stream(stack: Stack, player: Bencher) -> ExitStack:
    """Opens a stream of the player's session. A thread reads the stream until it is closed."""
    closing = ExitStack()
    wire = closing.enter_context(stack.wire())
    target = f"/v1/sessions/{player.session}/events"
    wire.send(request("GET", target, None, "Accept: text/event-stream"))
    pool = closing.enter_context(ThreadPoolExecutor(1))
    pool.submit(wire.rest)
    closing.callback(lambda: wire.socket.shutdown(2))
    return closing


def _machine() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    engine = ENGINES[0]
    return (
        f"{datetime.now(UTC).date().isoformat()}, {len(os.sched_getaffinity(0))} cores "
        f"({names[0] if names else platform.machine()}), Python {platform.python_version()}, "
        f"{engine.program.name} {'.'.join(map(str, engine.version))}"
    )


def with_tables(page: str, text: str) -> str:
    """Returns the page with these tables between its marks."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    assert begin, f"the page lacks {BEGIN}"
    assert end, f"the page lacks {END}"
    return f"{before}{BEGIN}\n{text}\n{END}{after}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--quick", action="store_true", help="one short round")
    parser.add_argument("--write", action="store_true", help="into deploy/capacity.md, too")
    arguments = parser.parse_args()
    if which("wrk") is None:
        print("needed and not found: wrk", file=sys.stderr)
        return 1
    rounds, seconds = (1, 1) if arguments.quick else (5, 5)
    with tempfile.TemporaryDirectory(prefix="referee-bench-") as folder:
        text = page_tables(measured_costs(rounds, seconds, Path(folder)), _machine())
    print(text)
    if arguments.write:
        PAGE.write_text(with_tables(PAGE.read_text("utf-8"), text), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
