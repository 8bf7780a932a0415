"""Waits of other clients beside an address that spends its permits as fast as it may.

Each attack has a control in the same round: as many ordinary requests at an even rate, by as many
connections of an address. A fresh address, with the whole budget of a minute, sends each slice.
"""

import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http.client import HTTPConnection
from itertools import count
from multiprocessing import get_context
from statistics import median, quantiles
from typing import Any, NamedTuple

import orjson

from dice_referee.app import create_app
from dice_referee.sessions.redis.store import RedisStore
from tests.application import ADJUDICATIONS, ROLL, ROLL_JSON
from tests.engines.servers import ENGINES, Single
from tests.unlimited import UNLIMITED
from tests.wire import serving

BAR = 2.0
"""Maximum ratio of the others' p99 beside an attack to that beside its control, as a median."""
PAUSE = 0.02
"""Seconds between two requests of another client."""
ENTRIES = 3747
"""Entries of the attacked session, whose log fills 19 pages."""
SILENCE = 0.5
"""Seconds without news after which a client of streams leaves."""
STREAM = "text/event-stream"
JSON = {"Content-Type": "application/json"}
ADDRESSES = count()


class Plan(NamedTuple):
    """Effort for each attack."""

    rounds: int
    seconds: float
    entries: int


FULL, QUICK = Plan(3, 12.0, ENTRIES), Plan(1, 2.0, 300)


class Sent(NamedTuple):
    """Request of a client."""

    method: str
    path: str
    body: bytes = b""
    accept: str = "*/*"


class Attack(NamedTuple):
    """Requests that an address sends again and again, each on a connection of its own."""

    name: str
    requests: Sequence[Sent]
    ordinary: Sent
    every: float = 0.0
    """Seconds between the beginnings of two rounds of the requests."""


class Waits(NamedTuple):
    """Waits of the other clients in a slice."""

    p50: float
    """In milliseconds, as all waits."""
    p99: float
    statuses: Counter[int]


def ask(line: HTTPConnection, sent: Sent, address: str, until: float) -> int:
    """Sends a request, reads the answer or the stream until a moment, and returns the status."""
    headers = {**JSON, "Accept": sent.accept, "X-Forwarded-For": address}
    line.request(sent.method, sent.path, sent.body or None, headers)
    answer = line.getresponse()
    if answer.getheader("Content-Type") != STREAM:
        answer.read()
        return answer.status
    # A client of streams reads everything, and stays until the stream is silent for a while.
    assert line.sock is not None
    line.sock.settimeout(SILENCE)
    with suppress(TimeoutError):
        while time.monotonic() < until and answer.read1():
            pass
    line.close()
    return answer.status


def attack(port: int, case: Attack, address: str, seconds: float, pipe: Any) -> None:
    """Sends the requests of an attack for some seconds. Reports their number and statuses."""
    until, statuses = time.monotonic() + seconds, Counter[int]()

    def repeat(sent: Sent) -> None:
        line = HTTPConnection("127.0.0.1", port, 120)
        while (began := time.monotonic()) < until:
            statuses[ask(line, sent, address, until)] += 1
            time.sleep(max(0.0, min(until, began + case.every) - time.monotonic()))

    with ThreadPoolExecutor(len(case.requests)) as threads:
        for _ in threads.map(repeat, case.requests):
            pass
    pipe.send(statuses)


def waits(port: int, requests: Sequence[Sent], seconds: float) -> Waits:
    """Measures the requests of others, each from an address of its own, one after another."""
    line, waited, statuses = HTTPConnection("127.0.0.1", port, 120), list[float](), Counter[int]()
    start = time.monotonic()
    while (began := time.monotonic()) < start + seconds:
        sent, number = requests[len(waited) % len(requests)], next(ADDRESSES)
        # Each of the others has the whole budget of a minute.
        statuses[ask(line, sent, f"10.9.{number // 250}.{number % 250}", began)] += 1
        waited.append(1000 * (time.monotonic() - began))
        time.sleep(PAUSE)
    cuts = quantiles(waited, n=100)
    return Waits(cuts[49], cuts[98], statuses)


def beside(
    port: int, case: Attack, requests: Sequence[Sent], seconds: float
) -> tuple[Waits, Counter[int]]:
    """Returns the waits of another client beside an attack, and the statuses of the attack."""
    own, other = get_context("fork").Pipe()
    address = f"10.8.{next(ADDRESSES) % 250}.1"
    process = get_context("fork").Process(target=attack, args=(port, case, address, seconds, other))
    process.start()
    waited = waits(port, requests, seconds)
    statuses: Counter[int] = own.recv()
    process.join()
    return waited, statuses


def control_of(case: Attack, statuses: Counter[int], seconds: float) -> Attack:
    """Returns as many ordinary requests as an attack has sent, at an even rate."""
    number = max(1, statuses.total())
    connections = len(case.requests)
    return case._replace(
        requests=[case.ordinary] * connections, every=seconds * connections / number
    )


def long_session(url: str, entries: int) -> str:
    """Stores a session with a long log, and returns its path."""
    store = RedisStore(url, 5000)
    client = create_app(UNLIMITED, store).test_client()
    body = {"game": "tutto", "players": ["Ann", "Ben"], "dice": "client"}
    begun: Any = client.post("/v1/sessions", json=body).get_json()
    at, token = f"/v1/sessions/{begun['session']['id']}", begun["host_token"]
    headers = {"Authorization": f"Bearer {token}"}
    for _ in range(entries):
        event = {"type": "draw", "card": "stop"}
        assert client.post(f"{at}/events", json=event, headers=headers).status_code == 200
    store.close()
    return at


def attacks(at: str) -> list[Attack]:
    """Returns the attacks: whole logs, and bodies that take long."""
    last = Sent("GET", f"{at}/stream?after={ENTRIES}", accept=STREAM)
    turn = [{"type": "draw", "card": "bonus-300"}, {"type": "roll", "dice": [2, 3, 3, 4, 4, 6]}]
    game = {"players": ["Ann", "Ben"], "log": turn * 5000, "aim": "win"}
    review = Sent("POST", "/v1/tutto/reviews", orjson.dumps(game))
    positions = {"positions": [ROLL] * 10_000}
    batch = Sent("POST", f"{ADJUDICATIONS}/batch", orjson.dumps(positions), "text/plain")
    light = Sent("POST", ADJUDICATIONS, ROLL_JSON)
    stream = last._replace(path=f"{at}/stream?after=0")
    return [
        Attack("30 streams of a whole log", [stream] * 30, last, 1.2),
        Attack("16 exports of a log", [Sent("GET", f"{at}/game")] * 16, Sent("GET", at)),
        Attack("16 reviews", [review] * 16, light),
        Attack("16 batches", [batch] * 16, light),
    ]


def report(plan: Plan, show: Callable[[str], None] = print) -> float:
    """Shows the waits beside each attack, and returns the highest ratio to its control.

    Counts a refusal of another client as an infinite ratio.
    """
    worst = 0.0
    with (
        Single(ENGINES[0]) as redis,
        serving(REDIS_URL=redis.url, WORKERS=2, TRUSTED_PROXIES="127.0.0.0/8") as server,
    ):
        at = long_session(redis.url, plan.entries)
        light = [Sent("POST", ADJUDICATIONS, ROLL_JSON), Sent("GET", at)]
        compared = [Sent("POST", "/v1/tutto/comparisons", ROLL_JSON)]
        for case in attacks(at):
            ratios = list[float]()
            for _ in range(plan.rounds):
                dear, statuses = beside(server.port, case, light, plan.seconds)
                ordinary = control_of(case, statuses, plan.seconds)
                control, _ = beside(server.port, ordinary, light, plan.seconds)
                refused = dear.statuses.keys() - {200}
                ratios.append(float("inf") if refused else dear.p99 / control.p99)
                show(
                    f"beside {case.name} {dict(statuses)}: p99 {dear.p99:.0f} ms, "
                    f"control {control.p99:.0f} ms, others {dict(dear.statuses)}"
                )
            compare, _ = beside(server.port, case, compared, plan.seconds)
            show(f"  comparisons: p99 {compare.p99:.0f} ms, others {dict(compare.statuses)}")
            show(f"p99 beside {case.name} for the control: {median(ratios):.2f} (at most {BAR})")
            worst = max(worst, median(ratios))
    return worst


if __name__ == "__main__":
    quick = "--quick" in sys.argv
    sys.exit(int(report(QUICK if quick else FULL) > BAR and not quick))
