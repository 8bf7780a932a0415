"""Work that a thread of its own does again and again."""

from collections.abc import Callable
from threading import Event, Lock, Thread


class PeriodicThread:
    """Calls ``work``, which raises nothing, and again ``seconds`` after each call, until closed."""

    def __init__(self, name: str, seconds: float, work: Callable[[], None]) -> None:
        self._name, self._seconds, self._work = name, seconds, work
        self._starting = Lock()
        """Taken by the call that starts the thread, and kept once the thread runs."""
        self._closed = Event()

    def start(self) -> None:
        """Starts the thread if no call did before: after the fork, each process has its own."""
        if self._starting.acquire(blocking=False):
            try:
                Thread(target=self._run, name=self._name, daemon=True).start()
            except RuntimeError:
                # The system allows no more threads: a later call tries again.
                self._starting.release()

    def close(self) -> None:
        """Ends the thread, at the latest after the call of ``work`` that it is in."""
        self._closed.set()

    def _run(self) -> None:
        while True:
            self._work()
            if self._closed.wait(self._seconds):
                return
