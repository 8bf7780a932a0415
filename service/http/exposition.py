"""What Prometheus reads: the counts of all workers, and how things stand at the moment."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from threading import Event, Thread

from prometheus_client import CollectorRegistry, Gauge, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector

from service.http.metrics import OURS, hand_over
from service.http.spool import reading

CONTENT_TYPE = CONTENT_TYPE_PLAIN_0_0_4

LOOK_SECONDS = 1.0
"""Seconds between two looks at what changes without anybody asking."""

Look = Callable[[], float | None]
"""How much there is now; None if nobody knows."""


def _gauge(name: str, text: str) -> Gauge:
    """A number of each worker; together they have the sum, without those that are gone."""
    return Gauge(name, text, registry=OURS, multiprocess_mode="livesum")


_GAUGES = {
    "connections": _gauge("referee_connections", "Connections of clients."),
    "connections_limit": _gauge("referee_connections_limit", "Connections that would be held."),
    "streams": _gauge("referee_streams", "Feeds held open: streams and long polls."),
    "streams_limit": _gauge("referee_streams_limit", "Feeds that would be held open."),
    "redis_breakers_open": _gauge(
        "referee_redis_breakers_open", "Redis servers that a worker does not ask at the moment."
    ),
}


class Watch:
    """Looks every second, in a thread of its own, how much of everything this worker has.

    ``begun`` is what has to be running before anybody asks.
    """

    def __init__(self, looks: Mapping[str, Look], begun: Sequence[Look] = ()) -> None:
        self._begun = begun
        self._looks = {_GAUGES[name]: look for name, look in looks.items()}
        self._seen: dict[Gauge, float] = {}
        self._ended = Event()

    def start(self) -> None:
        """Begin, in the process that the numbers are about."""
        Thread(target=self._run, name="watch", daemon=True).start()

    def stop(self) -> None:
        """Look no more."""
        self._ended.set()

    def look(self) -> None:
        """Tell what has changed: each number is a write to a mapped file."""
        for gauge, look in self._looks.items():
            now = look()
            if now is not None and now != self._seen.get(gauge):
                self._seen[gauge] = now
                gauge.set(now)

    def _run(self) -> None:
        for begin in self._begun:
            begin()
        self.look()
        while not self._ended.wait(LOOK_SECONDS):
            self.look()


class _Standing:
    """What all workers know alike, so that whoever is asked says it."""

    def __init__(self, version: str, numbers: Mapping[str, tuple[str, Look]]) -> None:
        self._version, self._numbers = version, numbers

    def collect(self) -> Iterator[Metric]:
        build = GaugeMetricFamily(
            "referee_build_info", "Which release answers.", labels=["version"]
        )
        build.add_metric([self._version], 1)
        yield build
        for name, (text, look) in self._numbers.items():
            number = look()
            if number is not None:
                yield GaugeMetricFamily(name, text, number)


class Exposition:
    """The page that Prometheus asks for. ``numbers`` are gauges: name, help and what to look at."""

    def __init__(self, version: str, numbers: Mapping[str, tuple[str, Look]]) -> None:
        self._standing = _Standing(version, numbers)
        self._path = _together()

    def __call__(self) -> bytes:
        """Read what every worker has counted: some milliseconds, so not in an event loop."""
        hand_over()
        now = CollectorRegistry()
        now.register(self._standing)
        return generate_latest(self._counted()) + generate_latest(now)

    def _counted(self) -> CollectorRegistry:
        if self._path is None:
            return OURS
        counted = CollectorRegistry()
        counted.register(_Files(self._path))
        return counted


class _Files:
    """What all processes have counted, in their files."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def collect(self) -> Iterable[Metric]:
        with reading(self._path):
            # A file that somebody is just making is empty.
            files = [str(file) for file in self._path.glob("*_*.db") if file.stat().st_size]
            metrics: Iterable[Metric] = MultiProcessCollector.merge(files)  # type: ignore[no-untyped-call]
            return metrics


def _together() -> Path | None:
    """Where several processes count together; None where there is but one."""
    try:
        return Path(MultiProcessCollector(None)._path)  # type: ignore[no-untyped-call]
    except ValueError:
        return None
