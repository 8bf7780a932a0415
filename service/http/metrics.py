"""What Prometheus is told: requests, their latency, verdicts. Correct under several workers.

Multiprocess mode is switched on by ``PROMETHEUS_MULTIPROC_DIR``, which gunicorn's configuration
sets before anything is imported; prometheus_client itself reads that variable.
"""

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
