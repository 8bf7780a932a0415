"""A stopwatch that stands still while a busy machine lets the measured processes wait."""

import os
import threading
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path


class Stopwatch:
    """Measures from its creation on what this thread and other processes took.

    The time for which they were ready to run, and other processes had the processors, does not
    count. Only Linux tells it; elsewhere everything counts.
    """

    def __init__(self, *pids: int) -> None:
        self._pids = pids
        self._begun, self._waited = time.monotonic(), self._waiting()

    @property
    def seconds(self) -> float:
        """Seconds until now."""
        return time.monotonic() - self._begun - max(0.0, self._waiting() - self._waited)

    def _waiting(self) -> float:
        """Returns seconds that the threads have waited for a processor since they were started."""
        own = Path(f"/proc/{os.getpid()}/task/{threading.get_native_id()}/schedstat")
        return sum(map(_run_delay, {own, *self._threads()})) / 1e9

    def _threads(self) -> Iterable[Path]:
        for pid in self._pids:
            yield from Path(f"/proc/{pid}/task").glob("*/schedstat")


def _run_delay(schedstat: Path) -> int:
    """Reads nanoseconds: the second of three (Linux, Documentation/scheduler/sched-stats)."""
    with suppress(OSError):  # it has ended
        return int(schedstat.read_text().split()[1])
    return 0
