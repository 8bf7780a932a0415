"""The page that Prometheus reads: the counts of all processes, and gauges of the present state."""

from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Event, Lock, Thread

from prometheus_client import generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

from dice_referee.telemetry.metrics import REGISTRY, changed, count_stopped_worker
from dice_referee.telemetry.multiprocess import SharedPages, add

CONTENT_TYPE = CONTENT_TYPE_PLAIN_0_0_4

PUBLISH_SECONDS = 1.0
"""Seconds between two pages of a process, if something has changed."""

Sample = Callable[[], float]
"""The present value of a gauge."""

WORKER_GAUGES = {
    "referee_connections": "Connections of clients.",
    "referee_connections_limit": "Connections that would be held.",
    "referee_streams": "Feeds held open: streams and long polls.",
    "referee_streams_limit": "Feeds that would be held open.",
    "referee_redis_breakers_open": "Redis servers that a worker does not ask at the moment.",
}
"""Gauges of a worker: the page has the sum over all that run."""


class Exposition:
    """Publishes the metrics of this process, and joins them with those of all others."""

    def __init__(self, version: str, samples: Mapping[str, Sample], directory: str = "") -> None:
        """``samples`` gives the gauges their values, by name.

        ``directory`` is where processes share their metrics; without one there is but one process.
        """
        build = "referee_build_info"
        self._build = _gauge(build, "Which release answers.", f'{build}{{version="{version}"}}', 1)
        self._samples, self._directory = samples, directory
        self._shared: SharedPages | None = None
        self._published = ""
        self._publishing, self._stopped = Lock(), Event()

    def start(self) -> None:
        """Publishes from now on, in a thread of this process."""
        if self._directory:
            self._shared = SharedPages(Path(self._directory))
        Thread(target=self._run, name="metrics", daemon=True).start()

    def stop(self) -> None:
        """Publishes for the last time: the worker stops."""
        count_stopped_worker()
        self._stopped.set()
        self._publish()

    def page(self) -> bytes:
        """Returns the page as text. Takes some milliseconds, so not for an event loop."""
        # Published too: the next answer, of another process, must not have less.
        own = self._publish()
        pages = [own] if self._shared is None else self._shared.read()
        return (add(pages) + self._build).encode()

    def _run(self) -> None:
        self._publish()
        while not self._stopped.wait(PUBLISH_SECONDS):
            if changed.is_set() or self._gauges() != self._published:
                self._publish()

    def _publish(self) -> str:
        with self._publishing:
            # Cleared first: what is counted from here on is on this page or on the next.
            changed.clear()
            self._published = self._gauges()
            page = self._published + generate_latest(REGISTRY).decode()
            if self._shared is not None:
                self._shared.write(page)
            return page

    def _gauges(self) -> str:
        return "".join(
            _gauge(name, text, name, self._samples[name]())
            for name, text in WORKER_GAUGES.items()
            if name in self._samples
        )


def _gauge(name: str, text: str, sample: str, value: float) -> str:
    return f"# HELP {name} {text}\n# TYPE {name} gauge\n{sample} {float(value)}\n"
