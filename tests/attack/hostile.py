"""Slow and hostile clients against a service, and what honest ones notice of them."""

import json
import subprocess
import sys
from typing import NamedTuple

from tests.attack.crowd import DEAF, HALF_BODIES, HALF_HEADERS
from tests.attack.honest import Waits
from tests.doors.serving import ROOT

CALM_SECONDS = 4.0
AT_ONCE = 50.0
"""Milliseconds that are quick in any case."""


class Siege(NamedTuple):
    """Honest clients when all is calm and under attack, and what the crowd achieved."""

    calm: Waits
    attacked: Waits
    crowd: dict[str, int]

    @property
    def is_held(self) -> bool:
        """Whether nobody honest was refused, or kept waiting for long."""
        quick = self.attacked.p99 < max(AT_ONCE, 2 * self.calm.p99)
        return quick and not self.attacked.failures

    def __str__(self) -> str:
        lines = [f"{name}: {self[at]}" for at, name in enumerate(self._fields)]
        return "\n".join(lines)


def started_beside(module: str, *arguments: object) -> subprocess.Popen[str]:
    """One of the programs of this folder, as a process of its own."""
    command = [sys.executable, "-m", f"tests.attack.{module}", *map(str, arguments)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def _told(process: subprocess.Popen[str], seconds: float) -> str:
    try:
        out, _ = process.communicate(timeout=seconds + 60)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 0, out
    return out.splitlines()[-1]


def waits(port: int, seconds: float) -> Waits:
    """What honest clients wait now."""
    return Waits(
        **dict(
            zip(
                Waits._fields,
                json.loads(_told(started_beside("honest", port, seconds), seconds)),
                strict=True,
            )
        )
    )


def siege(
    port: int,
    seconds: float,
    sizes: tuple[int, int, int] = (HALF_HEADERS, HALF_BODIES, DEAF),
) -> Siege:
    """Measure, attack, and measure while the attack lasts."""
    calm = waits(port, min(seconds, CALM_SECONDS))
    crowd = started_beside("crowd", port, round(seconds) + 2, *sizes)
    try:
        assert crowd.stdout is not None
        assert crowd.stdout.readline() == "begun\n"
        attacked = waits(port, seconds)
        achieved = json.loads(_told(crowd, seconds))
    finally:
        crowd.kill()
        crowd.wait()
    return Siege(calm, attacked, achieved)
