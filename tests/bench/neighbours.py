"""Latencies of a client while another address sends all kinds of expensive requests at once.

A single worker runs with every limit at its default, also on loopback. The attacking address sends
each kind on its own connection without a pause, up to its minute's permits. A second address asks
for adjudications at a steady rate. The baseline is the same load of adjudications in the same run,
slice by slice. Run from the project's root: ``python -m tests.bench.neighbours [--quick]``. Ends
with status 1 if the second address's p99 exceeds a bar. ``--quick`` is too short to judge.
"""

import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from http.client import HTTPConnection
from multiprocessing import get_context
from multiprocessing.synchronize import Event
from statistics import quantiles

import orjson

from dice_referee.games import catalogue
from tests.application import ADJUDICATIONS, ROLL_JSON
from tests.bench.dearest_cases import DearRequest, table_cases, verdicts
from tests.engines.servers import ENGINES, Single
from tests.wire import serving

BAR_MS = 50.0
"""Maximum p99 of the second address in milliseconds, on a quiet machine."""
BAR_RATIO = 3.0
"""Maximum ratio of the second address's p99 to its p99 beside the load of adjudications."""
SLICES, QUICK_SLICES = 8, 1
SECONDS, SETTLING = 3.0, 0.5
"""Seconds of a slice, and of its warm-up, which does not count."""
PAUSE = 0.02
"""Seconds between two questions of the second address."""
DEAR = ("batch of odds", "batch ", "review", "audit", "table", "comparison", "verify")
ADDRESS, OTHER = "127.66.6.6", "127.0.0.9"
LIGHT = DearRequest("adjudication", "POST", ADJUDICATIONS, ROLL_JSON)


def dearest() -> list[DearRequest]:
    """Returns two cases of each expensive kind."""
    cases = [case for game in catalogue().values() for case in verdicts(game)]
    chosen = list[DearRequest]()
    for kind in DEAR:
        of_kind = [case for case in (*cases, *table_cases()) if case.name.startswith(kind)]
        chosen += [of_kind[0], of_kind[-1]]
    return chosen


def attack(port: int, dear: DearRequest, is_dear: Event) -> None:
    """Repeats requests of a single kind, or adjudications, until terminated from outside."""
    line = HTTPConnection("127.0.0.1", port, 60, (ADDRESS, 0))
    while True:
        case = dear if is_dear.is_set() else LIGHT
        headers = {"Content-Type": "application/json"}
        headers |= {name.decode(): value.decode() for name, value in case.headers.items()}
        body = case.document() if callable(case.document) else case.document
        content = body if isinstance(body, bytes) else orjson.dumps(body)
        line.request(case.method, case.path, content, headers)
        line.getresponse().read()


def waits(line: HTTPConnection, statuses: Counter[int]) -> Iterator[float]:
    """Yields the milliseconds of each question of a slice."""
    start = time.monotonic()
    while (began := time.monotonic()) < start + SECONDS:
        line.request("POST", ADJUDICATIONS, ROLL_JSON, {"Content-Type": "application/json"})
        answer = line.getresponse()
        answer.read()
        statuses[answer.status] += 1
        if began > start + SETTLING:
            yield 1000 * (time.monotonic() - began)
        time.sleep(PAUSE)


def main(arguments: Sequence[str]) -> int:
    """Prints the percentiles and returns 1 if the p99 exceeds a bar."""
    quick = "--quick" in arguments
    # Started processes inherit the cases, which are expensive to build.
    context, cases, statuses = get_context("fork"), dearest(), Counter[int]()
    waited: dict[str, list[float]] = {"light": [], "dear": []}
    with (
        Single(ENGINES[0]) as redis,
        serving(REDIS_URL=redis.url, WORKERS=1, RATE_LOOPBACK=1, RATE_STATELESS=60_000) as server,
    ):
        is_dear = context.Event()
        crowd = [
            context.Process(target=attack, args=(server.port, case, is_dear)) for case in cases
        ]
        for process in crowd:
            process.start()
        line = HTTPConnection("127.0.0.1", server.port, 60, (OTHER, 0))
        for _ in range(QUICK_SLICES if quick else SLICES):
            for load, change in (("light", is_dear.clear), ("dear", is_dear.set)):
                change()
                waited[load] += waits(line, statuses)
        for process in crowd:
            process.terminate()
            process.join()
    cuts = {load: quantiles(times, n=100) for load, times in waited.items()}
    print(f"others: {dict(statuses)}")
    for load, cut in cuts.items():
        print(f"beside {load} requests: p50 {cut[49]:.1f} ms, p99 {cut[98]:.1f} ms")
    ratio = cuts["dear"][98] / cuts["light"][98]
    print(f"p99 beside dear requests for that beside light ones: {ratio:.2f} (at most {BAR_RATIO})")
    return int((cuts["dear"][98] > BAR_MS or ratio > BAR_RATIO) and not quick)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
