"""The counters and histograms of the service; ``exposition.py`` is where Prometheus reads them.

They are in the memory of each process: ``multiprocess.py`` adds up the processes. A label has few
values, all of them ours: a route is a pattern of the contract.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate
from threading import Event, Lock
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Histogram, disable_created_metrics
from prometheus_client.metrics_core import CounterMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from dice_referee.telemetry.multiprocess import ENDED_TEXT, ENDED_WORKERS, STOPPED

# The series that say when others began.
disable_created_metrics()  # type: ignore[no-untyped-call]

REGISTRY = CollectorRegistry()
"""The metrics of the service, without those that the library adds of itself."""

changed = Event()
"""Set by every request and question to Redis, and so after all other counts, which belong to one.

Cleared by the reader that is about to collect.
"""


def _counter(name: str, text: str, *labels: str) -> Counter:
    return Counter(name, text, labels, registry=REGISTRY)


TOO_MANY = 429
"""The status of refusals at once: among the durations they would hide how slow the others are."""


class RequestCounts(Collector):
    """The answers and their durations: one count is both a counter's and a histogram's.

    A counter and a histogram of the library take four times as long.
    """

    bounds = (0.0005, 0.002, 0.01, 0.05, 0.25, 1.0, 5.0)
    """Seconds; the last bucket has no bound."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._buckets: dict[tuple[str, str, int], list[int]] = {}
        self._seconds = defaultdict[str, float](float)

    def add(self, method: str, route: str, status: int, seconds: float) -> None:
        """Counts an answer that took so many seconds."""
        labels, bucket = (method, route, status), bisect_left(self.bounds, seconds)
        with self._lock:
            if labels not in self._buckets:
                self._buckets[labels] = [0] * (len(self.bounds) + 1)
            self._buckets[labels][bucket] += 1
            if status != TOO_MANY:
                self._seconds[route] += seconds

    def collect(self) -> Iterator[Metric]:
        with self._lock:
            counts = {labels: tuple(buckets) for labels, buckets in self._buckets.items()}
            seconds = dict(self._seconds)
        answers = CounterMetricFamily(
            "referee_requests", "Requests answered.", labels=("method", "route", "status")
        )
        for (method, route, status), buckets in counts.items():
            answers.add_metric((method, route, str(status)), sum(buckets))
        yield answers
        durations = HistogramMetricFamily(
            "referee_request_seconds",
            "Seconds from the whole request to the whole answer, but for a 429.",
            labels=("route",),
        )
        names = [*map(str, self.bounds), "+Inf"]
        for route, total in seconds.items():
            of_route = [
                buckets
                for (_, other, status), buckets in counts.items()
                if other == route and status != TOO_MANY
            ]
            reached = accumulate(map(sum, zip(*of_route, strict=True)))
            durations.add_metric((route,), list(zip(names, reached, strict=True)), total)
        yield durations


_REQUESTS = RequestCounts()
REGISTRY.register(_REQUESTS)
_VERDICTS = _counter("referee_verdicts_total", "Rolls adjudicated.", "game", "status")
_CHANGES = _counter("referee_session_changes_total", "Changes to sessions made.", "game", "kind")
_LIMITED = _counter("referee_rate_limited_total", "Requests refused by a rate limit.", "policy")
_ENDED = _counter(ENDED_WORKERS, ENDED_TEXT, "how")
_REDIS = Histogram(
    "referee_redis_seconds",
    "Seconds until Redis answered a question, or was given up.",
    ("question", "ok"),
    buckets=(0.0005, 0.002, 0.01, 0.05, 0.25, 1),
    registry=REGISTRY,
)


@lru_cache(maxsize=2048)
def _child(metric: Any, *labels: object) -> Any:
    """Returns the child of a metric; the library takes several microseconds to look it up."""
    return metric.labels(*labels)


def count_request(method: str, route: str, status: int, seconds: float) -> None:
    """Counts an answer and its duration. ``route`` is a pattern of the contract, never a path."""
    _REQUESTS.add(method, route, status, seconds)
    if not changed.is_set():
        changed.set()


def count_verdict(game: str, status: str, number: int = 1) -> None:
    """Counts rolls adjudicated with this status."""
    _child(_VERDICTS, game, status).inc(number)


def count_change(game: str, kind: str) -> None:
    """Counts a change to a session."""
    _child(_CHANGES, game, kind).inc()


def count_rate_limited(policy: str) -> None:
    """Counts a request that was refused by a rate limit."""
    _child(_LIMITED, policy).inc()


def count_stopped_worker() -> None:
    """Counts this process among the workers that ended as they were told."""
    _child(_ENDED, STOPPED).inc()


def observe_redis_command(command: str, seconds: float, ok: bool) -> None:
    """Counts a command to Redis and its duration; not ``ok``: it was not answered."""
    _child(_REDIS, command, "yes" if ok else "no").observe(seconds)
    changed.set()
