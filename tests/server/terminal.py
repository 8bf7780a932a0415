"""A service at a terminal, and its reaction to Ctrl-C."""

import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

from tests.engines.servers import DEADLINE, free_port
from tests.programs import ROOT
from tests.wire import Line


class Terminal(Line):
    """A service whose three streams are a terminal, or whose log is a pipe."""

    def __init__(self, var: Path, *, is_terminal: bool, **environment: str) -> None:
        self.port = free_port()
        self._own, child_end = pty.openpty() if is_terminal else os.pipe()
        self._read: list[bytes] = []
        self.process = subprocess.Popen(
            [sys.executable, "-m", "service", "serve"],
            cwd=ROOT,
            env={**os.environ, "PORT": str(self.port), "VAR_DIR": str(var), **environment},
            stdout=child_end,
            stderr=child_end,
            start_new_session=True,
        )
        os.close(child_end)
        self._reader = Thread(target=self._read_on, daemon=True)
        self._reader.start()

    def _read_on(self) -> None:
        # Reading a terminal without programs raises an error.
        try:
            while part := os.read(self._own, 4096):
                self._read.append(part)
        except OSError:
            pass

    def lines(self) -> list[str]:
        return b"".join(self._read).decode().replace("\r", "").splitlines()

    def wait_for(self, words: str) -> None:
        end = time.monotonic() + DEADLINE
        while words not in "".join(self.lines()):
            assert time.monotonic() < end, self.lines()
            time.sleep(0.05)

    def interrupt(self) -> int:
        """Sends SIGINT to every process, as Ctrl-C does. Returns the exit status."""
        os.killpg(self.process.pid, signal.SIGINT)
        return self.wait()

    def wait(self) -> int:
        """Reads all lines, then returns the exit status."""
        status = self.process.wait(DEADLINE)
        self._reader.join(DEADLINE)
        return status

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(DEADLINE)
        os.close(self._own)


@contextmanager
def terminal(var: Path, *, is_terminal: bool = True, **environment: str) -> Iterator[Terminal]:
    started = Terminal(var, is_terminal=is_terminal, **environment)
    try:
        yield started
    finally:
        started.close()
