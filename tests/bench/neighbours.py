"""The waiting times of others while one address sends all dear kinds of requests at once.

One worker, every limit at its default and on loopback too. The address sends each kind on a
connection of its own, without a pause; its minute's permits are its own affair. Another address
asks for adjudications at a steady pace. Run from the project's root:
``python -m tests.bench.neighbours [--quick]``. Ends with status 1 if the p99 of the others exceeds
the bar; ``--quick`` is too short to judge.
"""

import sys
import time
from collections import Counter
from collections.abc import Sequence
from http.client import HTTPConnection
from multiprocessing import get_context
from statistics import quantiles

import orjson

from dice_referee.games import catalogue
from tests.application import ADJUDICATIONS, ROLL_JSON
from tests.bench.dearest_cases import DearRequest, table_cases, verdicts
from tests.engines.servers import ENGINES, Single
from tests.wire import serving

BAR_MS = 50.0
SECONDS, QUICK_SECONDS = 20.0, 2.0
PAUSE = 0.02
"""Seconds between two questions of the second address."""
DEAR = ("batch of odds", "batch ", "review", "audit", "table", "comparison", "verify")
ADDRESS, OTHER = "127.66.6.6", "127.0.0.9"


def dearest() -> list[DearRequest]:
    """Returns two cases of each dear kind."""
    cases = [case for game in catalogue().values() for case in verdicts(game)]
    chosen = list[DearRequest]()
    for kind in DEAR:
        of_kind = [case for case in (*cases, *table_cases()) if case.name.startswith(kind)]
        chosen += [of_kind[0], of_kind[-1]]
    return chosen


def attack(port: int, number: int) -> None:
    """Sends one kind again and again; ended from outside."""
    case = dearest()[number]
    headers = {"Content-Type": "application/json"}
    headers |= {name.decode(): value.decode() for name, value in case.headers.items()}
    line = HTTPConnection("127.0.0.1", port, 60, (ADDRESS, 0))
    while True:
        body = orjson.dumps(case.document() if callable(case.document) else case.document)
        line.request(case.method, case.path, body, headers)
        answer = line.getresponse()
        answer.read()


def main(arguments: Sequence[str]) -> int:
    """Prints the percentiles; returns 1 if the p99 exceeds the bar."""
    quick = "--quick" in arguments
    context, waited, statuses = get_context("spawn"), list[float](), Counter[int]()
    with (
        Single(ENGINES[0]) as redis,
        serving(REDIS_URL=redis.url, WORKERS=1, RATE_LOOPBACK=1, RATE_STATELESS=60_000) as server,
    ):
        numbers = range(2 * len(DEAR))
        crowd = [context.Process(target=attack, args=(server.port, number)) for number in numbers]
        for process in crowd:
            process.start()
        line = HTTPConnection("127.0.0.1", server.port, 60, (OTHER, 0))
        end = time.monotonic() + (QUICK_SECONDS if quick else SECONDS)
        while time.monotonic() < end:
            began = time.monotonic()
            line.request("POST", ADJUDICATIONS, ROLL_JSON, {"Content-Type": "application/json"})
            answer = line.getresponse()
            answer.read()
            statuses[answer.status] += 1
            waited.append(1000 * (time.monotonic() - began))
            time.sleep(PAUSE)
        for process in crowd:
            process.terminate()
            process.join()
    cuts = quantiles(waited, n=100)
    print(f"others: {dict(statuses)}; p50 {cuts[49]:.1f} ms, p99 {cuts[98]:.1f} ms")
    return int(cuts[98] > BAR_MS and not quick)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
