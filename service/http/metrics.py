"""What Prometheus is told: requests, their latency, verdicts. Correct under several workers.

Multiprocess mode is switched on by ``PROMETHEUS_MULTIPROC_DIR``, which gunicorn's configuration
sets before anything is imported; prometheus_client itself reads that variable.
"""

import asyncio
from functools import lru_cache

from prometheus_client import Counter, Histogram

_REQUESTS = Counter("referee_requests_total", "Requests answered.", ("method", "route", "status"))
_SECONDS = Histogram(
    "referee_request_seconds",
    "Seconds from the whole request to the whole answer.",
    ("route",),
    buckets=(0.0005, 0.002, 0.01, 0.05, 0.25, 1, 5),
)
_VERDICTS = Counter("referee_verdicts_total", "Rolls adjudicated.", ("game", "status"))

PAUSE = 0.1
"""Seconds that the counts of an event loop are held back, see ``Tally``."""


@lru_cache(maxsize=1024)
def _counter(method: str, route: str, status: int) -> Counter:
    return _REQUESTS.labels(method, route, str(status))


@lru_cache(maxsize=256)
def _histogram(route: str) -> Histogram:
    return _SECONDS.labels(route)


@lru_cache(maxsize=256)
def _verdicts(game: str, status: str) -> Counter:
    return _VERDICTS.labels(game, status)


def count_request(method: str, route: str, status: int, seconds: float) -> None:
    """A request was answered. ``route`` is a pattern of the contract, never a path from outside."""
    _counter(method, route, status).inc()
    _histogram(route).observe(seconds)


def count_verdict(game: str, status: str, number: int = 1) -> None:
    """So many rolls were adjudicated with this status."""
    _verdicts(game, status).inc(number)


class Tally:
    """Counts of an event loop, handed over some times a second.

    In multiprocess mode every increment is a write to a mapped file; a hundred at once cost little
    more than one, and nobody looks more often. Not for threads: they count one by one.
    """

    def __init__(self) -> None:
        self._counts: dict[Counter, int] = {}
        self._seconds: list[tuple[Histogram, float]] = []

    def count_request(self, method: str, route: str, status: int, seconds: float) -> None:
        """As the function of this name."""
        self._seconds.append((_histogram(route), seconds))
        self._add(_counter(method, route, status), 1)

    def count_verdict(self, game: str, status: str, number: int = 1) -> None:
        """As the function of this name."""
        self._add(_verdicts(game, status), number)

    def _add(self, counter: Counter, number: int) -> None:
        counts = self._counts
        if not counts:
            asyncio.get_running_loop().call_later(PAUSE, self.hand_over)
        counts[counter] = counts.get(counter, 0) + number

    def hand_over(self) -> None:
        """Give Prometheus all that was counted."""
        for counter, number in self._counts.items():
            counter.inc(number)
        for histogram, seconds in self._seconds:
            histogram.observe(seconds)
        self._counts.clear()
        self._seconds.clear()


tally = Tally()
