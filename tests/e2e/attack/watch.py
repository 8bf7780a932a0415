"""Observation of a service under attack: its memory, its workers, its log."""

import re
from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread
from typing import NamedTuple, Self

from tests.engines.servers import running
from tests.wire import Server

LOGGED = re.compile(r'"status":(5\d\d)')
FAULTS = re.compile(r'Traceback|"event":"fault"|"trace":|"level":"(error|critical)"|Exception')


class Growth(NamedTuple):
    """The memory of a worker: at the start and at the end."""

    pid: int
    first_mb: float
    last_mb: float


def resident_kb(pid: int) -> int:
    """Returns the memory of a running process, in kB."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(re.findall(r"VmRSS:\s+(\d+)", status)[0])


class ProcessWatch:
    """Samples the memory of a service's workers during its ``with`` block."""

    def __init__(self, server: Callable[[], Server], every: float = 1.0) -> None:
        self._server, self._every, self._end = server, every, Event()
        self.samples: dict[int, list[int]] = {}
        self.workers = server().workers()
        self._thread = Thread(target=self._sample)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join()

    def _sample(self) -> None:
        while True:
            for pid in self._running():
                try:
                    sample = resident_kb(pid)
                except (OSError, IndexError):
                    continue  # the process has just ended
                self.samples.setdefault(pid, []).append(sample)
            if self._end.wait(self._every):
                return

    def _running(self) -> list[int]:
        try:
            return running(self._server().workers())
        except ValueError:
            return []  # the server is restarting and its log is closed

    def growth(self) -> list[Growth]:
        """Returns the growth of every worker with enough samples."""
        return [
            Growth(pid, round(seen[0] / 1024, 1), round(seen[-1] / 1024, 1))
            for pid, seen in self.samples.items()
            if len(seen) >= 4
        ]

    def died(self) -> list[int]:
        """Returns the workers that have ended since the beginning."""
        return sorted({*self.workers} - {*running(self.workers)})


def complaints(log: str, secrets: list[str]) -> list[str]:
    """Returns suspicious lines of a log: faults, undocumented statuses, secrets."""
    samples = []
    for line in log.splitlines():
        wrong = [code for code in LOGGED.findall(line) if code != "503"]
        if wrong or FAULTS.search(line) or any(secret in line for secret in secrets):
            samples.append(line[:500])
    return samples
