"""What is counted for Prometheus, and how. ``exposition.py`` is where Prometheus reads it.

Multiprocess mode is switched on by ``PROMETHEUS_MULTIPROC_DIR``, which gunicorn's configuration
sets before anything is imported; prometheus_client itself reads that variable.

A label has few values, all of them ours: a route is a pattern of the contract, never a path that
somebody told us.
"""

import atexit
from bisect import bisect_left
from collections import Counter as Counts
from collections import deque
from contextlib import suppress
from functools import lru_cache
from threading import Lock, Timer
from time import time
from typing import TypeVar

from prometheus_client import CollectorRegistry, Counter, Histogram

from service.http.logs import Line, write_requests

OURS = CollectorRegistry()
"""Our own metrics, and none that the library brings."""

_REQUESTS = Counter(
    "referee_requests_total", "Requests answered.", ("method", "route", "status"), registry=OURS
)
_SECONDS = Histogram(
    "referee_request_seconds",
    "Seconds from the whole request to the whole answer.",
    ("route",),
    buckets=(0.0005, 0.002, 0.01, 0.05, 0.25, 1, 5),
    registry=OURS,
)
_VERDICTS = Counter(
    "referee_verdicts_total", "Rolls adjudicated.", ("game", "status"), registry=OURS
)
_CHANGES = Counter(
    "referee_session_changes_total", "Changes to sessions made.", ("game", "kind"), registry=OURS
)
_LIMITED = Counter(
    "referee_rate_limited_total", "Requests refused by a rate limit.", ("policy",), registry=OURS
)
_REDIS = Histogram(
    "referee_redis_seconds",
    "Seconds until Redis answered a question, or was given up.",
    ("question", "ok"),
    buckets=(0.0005, 0.002, 0.01, 0.05, 0.25, 1),
    registry=OURS,
)

MOST_LINES = 10_000
"""Lines that wait for a log that nobody reads; the oldest are lost first."""

PAUSE = 0.1
"""Seconds that counts are held back, see ``Tally``."""


@lru_cache(maxsize=1024)
def _counter(method: str, route: str, status: int) -> Counter:
    return _REQUESTS.labels(method, route, str(status))


@lru_cache(maxsize=256)
def _histogram(route: str) -> Histogram:
    return _SECONDS.labels(route)


@lru_cache(maxsize=256)
def _asked(question: str, ok: bool) -> Histogram:
    return _REDIS.labels(question, "yes" if ok else "no")


@lru_cache(maxsize=256)
def _verdicts(game: str, status: str) -> Counter:
    return _VERDICTS.labels(game, status)


class Tally:
    """Counts of this process, handed to Prometheus some times a second.

    In multiprocess mode every increment is a write to a mapped file. A hundred at once cost little
    more than one, and nobody looks more often. Any thread may count: it only appends.
    """

    def __init__(self) -> None:
        self._requests: deque[tuple[str, str, int, float]] = deque()
        self._judged: deque[tuple[str, str, int]] = deque()
        self._asked: deque[tuple[str, bool, float]] = deque()
        self._lines: deque[tuple[Line, str, str, float]] = deque(maxlen=MOST_LINES)
        self._due = False
        self._handing_over, self._writing = Lock(), Lock()

    def count_request(self, method: str, route: str, status: int, seconds: float) -> None:
        """A request was answered. ``route`` is a pattern of the contract, never a path told us."""
        self._requests.append((method, route, status, seconds))
        if not self._due:
            self._call_later()

    def count_verdict(self, game: str, status: str, number: int = 1) -> None:
        """So many rolls were adjudicated with this status."""
        self._judged.append((game, status, number))
        if not self._due:
            self._call_later()

    def count_question(self, question: str, seconds: float, ok: bool) -> None:
        """Redis answered a question after so many seconds; not ok: it did not."""
        self._asked.append((question, ok, seconds))
        if not self._due:
            self._call_later()

    def log_request(self, line: Line, game: str = "", ruleset: str = "") -> None:
        """A request was answered: written down with the others of this moment."""
        self._lines.append((line, game, ruleset, time()))
        if not self._due:
            self._call_later()

    def _call_later(self) -> None:
        self._due = True
        timer = Timer(PAUSE, self.hand_over)
        timer.daemon = True
        timer.start()

    def hand_over(self) -> None:
        """Give Prometheus all that was counted."""
        # First of all: who counts from here on sees to it that we come again.
        self._due = False
        with self._handing_over:
            requests, judged = _taken(self._requests), _taken(self._judged)
            asked = _taken(self._asked)
        counts, waited = Counts[Counter](), dict[Histogram, list[float]]()
        for method, route, code, seconds in requests:
            counts[_counter(method, route, code)] += 1
            waited.setdefault(_histogram(route), []).append(seconds)
        for question, ok, seconds in asked:
            waited.setdefault(_asked(question, ok), []).append(seconds)
        for game, status, number in judged:
            counts[_verdicts(game, status)] += number
        for counter, number in counts.items():
            counter.inc(number)
        for histogram, durations in waited.items():
            _observe_all(histogram, durations)
        # Last of all: whoever reads the log may be slow, or gone.
        self._write()

    def _write(self) -> None:
        """Write the lines down, unless another thread is about it: it writes ours, too."""
        while self._lines and self._writing.acquire(blocking=False):
            try:
                with suppress(OSError, ValueError):
                    write_requests(_taken(self._lines))
            finally:
                self._writing.release()


T = TypeVar("T")


def _taken(held: deque[T]) -> list[T]:
    """What is held now; what is added meanwhile stays for the next time."""
    return [held.popleft() for _ in range(len(held))]


def _observe_all(histogram: Histogram, seconds: list[float]) -> None:
    """``histogram.observe`` for each, with one write for each bucket instead of two a request."""
    histogram._sum.inc(sum(seconds))
    bounds = histogram._upper_bounds
    for index, number in Counts(bisect_left(bounds, value) for value in seconds).items():
        histogram._buckets[index].inc(number)


def count_change(game: str, kind: str) -> None:
    """A session was changed. Seldom enough to be told at once."""
    _CHANGES.labels(game, kind).inc()


def count_rate_limited(policy: str) -> None:
    """A request was refused because its client has had enough for now."""
    _LIMITED.labels(policy).inc()


_TALLY = Tally()
count_request = _TALLY.count_request
count_verdict = _TALLY.count_verdict
count_question = _TALLY.count_question
log_request = _TALLY.log_request
hand_over = _TALLY.hand_over
# A process that ends in order has told everything.
atexit.register(hand_over)
