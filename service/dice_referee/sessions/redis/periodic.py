"""Periodic work in a thread of its own."""

from collections.abc import Callable
from threading import Event, Lock, Thread


class PeriodicThread:
    """Calls ``work``, which raises nothing, ``seconds`` after each call until closed."""

    def __init__(self, name: str, seconds: float, work: Callable[[], None]) -> None:
        self._name, self._seconds, self._work = name, seconds, work
        self._starting = Lock()
        """Acquired by the call that starts the thread, and held while the thread runs."""
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
        """Stops the thread after the current call of ``work``."""
        self._closed.set()

    def _run(self) -> None:
        while True:
            self._work()
            if self._closed.wait(self._seconds):
                return
