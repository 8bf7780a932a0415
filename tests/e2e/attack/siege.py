"""Slow and hostile clients against a service, and their effect on honest clients."""

import json
import subprocess
import sys
from typing import Any, NamedTuple

from tests.load.crowd import DEAF, HALF_BODIES, HALF_HEADERS
from tests.load.honest import Waits
from tests.programs import ROOT

CALM_SECONDS = 2.0
QUICK_MS = 50.0
"""Milliseconds that are always quick enough."""


class Siege(NamedTuple):
    """Waits of honest clients in calm and under attack, and the crowd's achievement.

    ``beside`` are the waits at another, unattacked service on the same machine at the same time.
    They measure the machine's own noise.
    """

    calm: Waits
    attacked: Waits
    beside: Waits
    crowd: dict[str, int]

    @property
    def is_held(self) -> bool:
        """True if no honest client was refused or waited for long."""
        calm = max(self.calm.p99, self.beside.p99)
        quick = self.attacked.p99 < max(QUICK_MS, 2 * calm)
        return quick and not self.attacked.failures

    def __str__(self) -> str:
        lines = [f"{name}: {self[at]}" for at, name in enumerate(self._fields)]
        return "\n".join(lines)


def started_beside(module: str, *arguments: object) -> subprocess.Popen[str]:
    """Starts a program of this folder as a child process."""
    command = [sys.executable, "-m", f"tests.load.{module}", *map(str, arguments)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def _last_output(process: subprocess.Popen[str], seconds: float) -> Any:
    """Returns the last output of a process."""
    try:
        out, _ = process.communicate(timeout=seconds + 60)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 0, out
    return json.loads(out.splitlines()[-1])


def waits(seconds: float, *ports: int, own: tuple[str, ...] = ()) -> list[Waits]:
    """Measures the current waits of honest clients, with their ``own`` sessions or without."""
    asking = [started_beside("honest", port, seconds, *own) for port in ports]
    return [Waits(*_last_output(process, seconds)) for process in asking]


def siege(
    port: int,
    beside: int,
    seconds: float,
    sizes: tuple[int, int, int] = (HALF_HEADERS, HALF_BODIES, DEAF),
) -> Siege:
    """Measures before and during an attack by a crowd. ``beside`` is not attacked."""
    return _attacked(port, beside, seconds, "crowd", *sizes)


def burdened(port: int, beside: int, seconds: float, kind: str) -> Siege:
    """Measures before and during costly bodies from a single address."""
    return _attacked(port, beside, seconds, "heavy", kind)


def _attacked(port: int, beside: int, seconds: float, module: str, *arguments: object) -> Siege:
    (calm,) = waits(min(seconds, CALM_SECONDS), port)
    crowd = started_beside(module, port, round(seconds) + 2, *arguments)
    try:
        assert crowd.stdout is not None
        assert crowd.stdout.readline() == "begun\n"
        attacked, peaceful = waits(seconds, port, beside)
        achieved = _last_output(crowd, seconds)
    finally:
        crowd.kill()
        crowd.wait()
    return Siege(calm, attacked, peaceful, achieved)
