"""The counters, histograms and gauges of the service, and the page for Prometheus.

Nothing is counted unless the page is served. Labels have few values, all from the service: a route
is a pattern of the contract. gunicorn's master sets a directory for prometheus_client's
multiprocess mode. Each process then counts in files of its own, and the page adds up the files. The
files belong to the worker's slot: a new worker continues those of its predecessor. Files for each
process id would accumulate: those of 200 ended workers took 39 MB of shared memory.
"""

import os
from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache
from typing import Any

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    disable_created_metrics,
    generate_latest,
    values,
)
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

CONTENT_TYPE = CONTENT_TYPE_PLAIN_0_0_4

# Series with the creation time of other series.
disable_created_metrics()  # type: ignore[no-untyped-call]


class Process:
    slot: int | str = "master"
    counts = False
    """True if a page with the metrics is served."""


REGISTRY = CollectorRegistry()


def _counter(name: str, text: str, *labels: str) -> Counter:
    return Counter(name, text, labels, registry=REGISTRY)


def _histogram(name: str, text: str, labels: tuple[str, ...], buckets: tuple[float, ...]) -> Any:
    return Histogram(name, text, labels, buckets=buckets, registry=REGISTRY)


TOO_MANY = 429
"""Status of immediate refusals, which would distort the durations of other answers."""

_REQUESTS = _counter("referee_requests_total", "Requests answered.", "method", "route", "status")
_DURATIONS = _histogram(
    "referee_request_duration_seconds",
    "Seconds from the whole request to the whole answer, but for a 429.",
    ("route",),
    (0.0005, 0.002, 0.01, 0.05, 0.25, 1, 5),
)
_VERDICTS = _counter("referee_verdicts_total", "Rolls adjudicated.", "game", "status")
_CHANGES = _counter("referee_session_changes_total", "Changes to sessions made.", "game", "kind")
_LIMITED = _counter("referee_rate_limited_total", "Requests refused by a rate limit.", "policy")
_ENDED = _counter("referee_workers_ended_total", "Workers that have ended.", "how")
_REDIS = _histogram(
    "referee_redis_command_duration_seconds",
    "Seconds until Redis answered a command, or was given up.",
    ("command", "ok"),
    (0.0005, 0.002, 0.01, 0.05, 0.25, 1),
)
_BUILD = Gauge(
    "referee_build_info",
    "Release that answers.",
    ("version",),
    registry=REGISTRY,
    multiprocess_mode="livemax",
)

GAUGES = {
    "referee_connections": "Connections of clients.",
    "referee_connections_limit": "Connections that would be held.",
    "referee_streams": "Feeds held open: streams and long polls.",
    "referee_streams_limit": "Feeds that would be held open.",
    "referee_redis_breakers_open": "Redis servers that a worker does not ask at the moment.",
}
"""Gauges of a worker and their texts. The page sums them over the living workers."""


@lru_cache(maxsize=2048)
def _child(metric: Any, *labels: object) -> Any:
    """Caches the child of a metric, whose look-up takes the library several microseconds."""
    return metric.labels(*labels)


@lru_cache
def _gauge(name: str) -> Gauge:
    """Creates the gauge on its first value, so processes without a value do not have the gauge."""
    return Gauge(name, GAUGES[name], registry=REGISTRY, multiprocess_mode="livesum")


def _count(metric: Counter, *labels: object, number: int = 1) -> None:
    if Process.counts:
        _child(metric, *labels).inc(number)


def count_request(method: str, route: str, status: int, seconds: float | None = None) -> None:
    """Counts an answer and its duration, if known.

    ``route`` is a pattern of the contract, never a path.
    """
    if not Process.counts:
        return
    _child(_REQUESTS, method, route, status).inc()
    if seconds is not None and status != TOO_MANY:
        _child(_DURATIONS, route).observe(seconds)


def count_verdict(game: str, status: str, number: int = 1) -> None:
    _count(_VERDICTS, game, status, number=number)


def count_change(game: str, kind: str) -> None:
    _count(_CHANGES, game, kind)


def count_rate_limited(policy: str) -> None:
    _count(_LIMITED, policy)


def observe_redis_command(command: str, seconds: float, ok: bool) -> None:
    """Counts a command to Redis and its duration. ``ok`` is false without an answer."""
    if Process.counts:
        _child(_REDIS, command, "yes" if ok else "no").observe(seconds)


def set_gauge(name: str, value: float) -> None:
    _gauge(name).set(value)


def share_metrics() -> None:
    """Counts from now on in the directory of ``PROMETHEUS_MULTIPROC_DIR``."""
    values.ValueClass = values.MultiProcessValue(lambda: Process.slot)  # type: ignore[no-untyped-call]


def begin_metrics(version: str) -> None:
    """Counts from now on, and sets the metrics that need a value before the first request."""
    Process.counts = True
    _child(_BUILD, version).set(1)
    # Prometheus sees no increase at the start of a series.
    for how in ("stopped", "died"):
        _child(_ENDED, how)


def count_ended_worker(slot: int, stopped: bool) -> None:
    """Counts a worker that has ended, and removes its gauges. ``stopped`` is false if it died."""
    _child(_ENDED, "stopped" if stopped else "died").inc()
    mark_process_dead(slot)  # type: ignore[no-untyped-call]


class AllProcesses(MultiProcessCollector):
    """Collector that sums the metrics of all processes.

    A starting worker makes an empty file before it writes to the file. The library's collector
    fails on an empty file.
    """

    @staticmethod
    def merge(files: Iterable[str], accumulate: bool = True) -> Any:
        written = [file for file in files if _has_content(file)]
        return MultiProcessCollector.merge(written, accumulate)  # type: ignore[no-untyped-call]


def _has_content(file: str) -> bool:
    # The gauges of a worker end with it.
    with suppress(FileNotFoundError):
        return os.path.getsize(file) > 0
    return False


def metrics_page() -> bytes:
    """Returns the metrics of all processes. Reads files, so it must not run in an event loop."""
    registry = CollectorRegistry()
    AllProcesses(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry)
