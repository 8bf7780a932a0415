"""A stopwatch that excludes the time for which a busy machine delays the measured processes."""

import os
import threading
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path


class Stopwatch:
    """Measures the time of this thread and of other processes since its creation.

    Excludes the time for which they were runnable but not running. Only Linux reports that time.
    Elsewhere the stopwatch measures everything.
    """

    def __init__(self, *pids: int) -> None:
        self._pids = pids
        self._begun, self._waited = time.monotonic(), self._waiting()

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self._begun - max(0.0, self._waiting() - self._waited)

    def _waiting(self) -> float:
        """Returns the seconds that the threads have waited for a processor since their start."""
        own = Path(f"/proc/{os.getpid()}/task/{threading.get_native_id()}/schedstat")
        return sum(map(_run_delay, {own, *self._threads()})) / 1e9

    def _threads(self) -> Iterable[Path]:
        for pid in self._pids:
            yield from Path(f"/proc/{pid}/task").glob("*/schedstat")


def _run_delay(schedstat: Path) -> int:
    """Reads nanoseconds: the second of three (Linux, Documentation/scheduler/sched-stats)."""
    with suppress(OSError):  # the thread has ended
        return int(schedstat.read_text().split()[1])
    return 0
