"""Slow and hostile clients against a service, and what honest ones notice of them."""

import json
import subprocess
import sys
from typing import Any, NamedTuple

from tests.load.crowd import DEAF, HALF_BODIES, HALF_HEADERS
from tests.load.honest import Waits
from tests.programs import ROOT

CALM_SECONDS = 2.0
AT_ONCE = 50.0
"""Milliseconds that are quick in any case."""


class Siege(NamedTuple):
    """Honest clients when all is calm and under attack, and what the crowd achieved.

    ``beside`` are those of a service that is not attacked, on the same machine at the same time: so
    calm can it be there, whatever else it has to do.
    """

    calm: Waits
    attacked: Waits
    beside: Waits
    crowd: dict[str, int]

    @property
    def is_held(self) -> bool:
        """True if no honest client was refused, or kept waiting for long."""
        calm = max(self.calm.p99, self.beside.p99)
        quick = self.attacked.p99 < max(AT_ONCE, 2 * calm)
        return quick and not self.attacked.failures

    def __str__(self) -> str:
        lines = [f"{name}: {self[at]}" for at, name in enumerate(self._fields)]
        return "\n".join(lines)


def started_beside(module: str, *arguments: object) -> subprocess.Popen[str]:
    """Starts a program of this folder as a process of its own."""
    command = [sys.executable, "-m", f"tests.load.{module}", *map(str, arguments)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def _told(process: subprocess.Popen[str], seconds: float) -> Any:
    """Returns the last output of a process."""
    try:
        out, _ = process.communicate(timeout=seconds + 60)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 0, out
    return json.loads(out.splitlines()[-1])


def waits(seconds: float, *ports: int, own: tuple[str, ...] = ()) -> list[Waits]:
    """Measures the waits of honest clients now; with sessions of their ``own``, or without."""
    asking = [started_beside("honest", port, seconds, *own) for port in ports]
    return [Waits(*_told(process, seconds)) for process in asking]


def siege(
    port: int,
    beside: int,
    seconds: float,
    sizes: tuple[int, int, int] = (HALF_HEADERS, HALF_BODIES, DEAF),
) -> Siege:
    """Measures before and during an attack by a crowd; ``beside`` is left in peace."""
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
        achieved = _told(crowd, seconds)
    finally:
        crowd.kill()
        crowd.wait()
    return Siege(calm, attacked, peaceful, achieved)
