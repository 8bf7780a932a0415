"""The counters and histograms of the service; ``exposition.py`` is where Prometheus reads them.

They are prometheus_client's own, in the memory of each process: ``multiprocess.py`` adds up the
processes. A label has few values, all of them ours: a route is a pattern of the contract.
"""

from functools import lru_cache
from threading import Event
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Histogram, disable_created_metrics

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


_REQUESTS = _counter("referee_requests_total", "Requests answered.", "method", "route", "status")
_SECONDS = Histogram(
    "referee_request_seconds",
    "Seconds from the whole request to the whole answer.",
    ("route",),
    buckets=(0.0005, 0.002, 0.01, 0.05, 0.25, 1, 5),
    registry=REGISTRY,
)
_VERDICTS = _counter("referee_verdicts_total", "Rolls adjudicated.", "game", "status")
_CHANGES = _counter("referee_session_changes_total", "Changes to sessions made.", "game", "kind")
_LIMITED = _counter("referee_rate_limited_total", "Requests refused by a rate limit.", "policy")
_REDIS = Histogram(
    "referee_redis_seconds",
    "Seconds until Redis answered a question, or was given up.",
    ("question", "ok"),
    buckets=(0.0005, 0.002, 0.01, 0.05, 0.25, 1),
    registry=REGISTRY,
)


@lru_cache(maxsize=2048)
def _child(metric: Any, *labels: object) -> Any:
    """The child of a metric; the library takes several microseconds to look it up."""
    return metric.labels(*labels)


def count_request(method: str, route: str, status: int, seconds: float) -> None:
    """Counts an answer and its duration. ``route`` is a pattern of the contract, never a path."""
    _child(_REQUESTS, method, route, status).inc()
    _child(_SECONDS, route).observe(seconds)
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


def observe_redis_command(question: str, seconds: float, ok: bool) -> None:
    """Counts a question to Redis and its duration; not ``ok``: it was not answered."""
    _child(_REDIS, question, "yes" if ok else "no").observe(seconds)
    changed.set()
