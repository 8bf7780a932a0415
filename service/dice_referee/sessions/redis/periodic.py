"""Periodic work in a thread of its own."""

import logging
from collections.abc import Callable
from threading import Event, Lock, Thread

logger = logging.getLogger(__name__)


class PeriodicThread:
    """Calls ``work`` ``seconds`` after each call until closed. Logs its errors."""

    def __init__(self, name: str, seconds: float, work: Callable[[], None]) -> None:
        self._name, self._seconds, self._work = name, seconds, work
        self._starting = Lock()
        self._closed = Event()

    def start(self) -> None:
        """Starts the thread unless it runs. Each process starts its own after the fork."""
        if self._starting.acquire(blocking=False):
            try:
                Thread(target=self._run, name=self._name, daemon=True).start()
            except RuntimeError:
                # The system allows no more threads. A later call tries again.
                self._starting.release()

    def close(self) -> None:
        self._closed.set()

    def _run(self) -> None:
        while True:
            try:
                self._work()
            except Exception:
                logger.exception("Error in a periodic thread")
            if self._closed.wait(self._seconds):
                return
