"""A server under test: pinned to a core, measured through /proc, stopped by its pid."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from http.client import HTTPConnection, HTTPException
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
"""The project, the default working directory of a server."""
PATIENCE = 120.0
"""Seconds that a server has to start or to stop."""
TICKS = os.sysconf("SC_CLK_TCK")


class FailedToStart(RuntimeError):
    """A contender did not answer. The message ends with the contender's output."""


@cache
def cores() -> tuple[int, int]:
    """Returns the cores of the server and of the load, which are equal on a single core.

    The first call must precede the move of this process to the core of the load.
    """
    usable = sorted(os.sched_getaffinity(0))
    return usable[0], usable[-1]


class PinnedServer:
    """A running server and its children."""

    def __init__(self, name: str, port: int, process: subprocess.Popen[bytes]) -> None:
        self.name, self.port, self._process = name, port, process

    def family(self) -> list[int]:
        """Returns the pids of the server and its descendants."""
        return family_of(self._process.pid)

    def workers(self) -> list[int]:
        """Returns the pids of the worker processes: the descendants, or the server without any."""
        return self.family()[1:] or self.family()

    def cpu_seconds(self) -> float:
        """Returns the user and system CPU seconds of the server and its descendants."""
        return sum(cpu_seconds_of(self.family()).values())

    def private_bytes(self) -> float:
        """Returns the mean private memory of the workers, in bytes."""
        return _mean([private_bytes_of(pid) for pid in self.workers()])

    def has_ended(self) -> bool:
        return self._process.poll() is not None

    def stop(self) -> None:
        """Stops the server, and kills its processes after ``PATIENCE`` seconds."""
        family = self.family()
        self._process.terminate()
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            for pid in family:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            self._process.wait()


@contextmanager
def running_server(
    name: str,
    command: Sequence[str],
    environment: Mapping[str, str],
    port: int,
    log: Path,
    tree: Path = ROOT,
) -> Iterator[PinnedServer]:
    """Runs the server on the first core. ``log`` receives its output."""
    core, _ = cores()
    started_with = {**os.environ, **environment}
    # A server may cache compiled modules, as an installed server does.
    started_with.pop("PYTHONDONTWRITEBYTECODE", None)
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            cwd=tree,
            env=started_with,
            stdout=output,
            stderr=output,
            preexec_fn=lambda: os.sched_setaffinity(0, {core}),
        )
    server = PinnedServer(name, port, process)
    try:
        yield server
    finally:
        server.stop()


def seconds_to_answer(
    server: PinnedServer, path: str, body: bytes, since: float, log: Path
) -> float:
    """Returns seconds from ``since`` (perf_counter) to the first answer. Raises FailedToStart."""
    while time.perf_counter() - since < PATIENCE and not server.has_ended():
        connection = HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
        try:
            connection.request("POST", path, body, {"Content-Type": "application/json"})
            if connection.getresponse().status == 200:
                return time.perf_counter() - since
            break
        except (OSError, HTTPException):
            time.sleep(0.005)
        finally:
            connection.close()
    tail = log.read_bytes().decode(errors="replace")[-2000:]
    raise FailedToStart(f"{server.name} gave no answer; it wrote:\n{tail}")


def family_of(root: int) -> list[int]:
    """Returns the pids of a process and all its descendants."""
    parents = {pid: int(fields[1]) for pid, fields in _processes()}
    pids = [root]
    for pid in pids:
        pids += [child for child, parent in parents.items() if parent == pid]
    return pids


def cpu_seconds_of(pids: Sequence[int]) -> dict[int, float]:
    """Returns the user and system CPU seconds of each process. Omits processes that have ended."""
    wanted = set(pids)
    return {
        pid: (int(fields[11]) + int(fields[12])) / TICKS
        for pid, fields in _processes()
        if pid in wanted
    }


def _processes() -> Iterator[tuple[int, list[str]]]:
    """Yields every pid with the fields of its ``stat`` from the third on."""
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            yield int(path.parent.name), path.read_text().rpartition(")")[2].split()


def private_bytes_of(pid: int) -> int:
    """Returns the bytes of private memory of a process."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    private = [line for line in lines if line.startswith(("Private_Clean:", "Private_Dirty:"))]
    return sum(int(line.split()[1]) for line in private) * 1024


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers)


def module_of(*arguments: str) -> list[str]:
    """Returns a command of this interpreter."""
    return [sys.executable, *arguments]
