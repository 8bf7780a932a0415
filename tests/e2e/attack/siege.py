"""Slow and hostile clients against a service, and their effect on honest clients."""

import json
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from http.client import HTTPConnection, HTTPException
from multiprocessing import get_context
from threading import Thread
from typing import NamedTuple

from tests.application import ADJUDICATIONS
from tests.e2e.attack.crowd import DEAF, HALF_BODIES, HALF_HEADERS
from tests.programs import ROOT

CLIENTS, PAUSE = 4, 0.02
"""Honest clients, and the seconds between two requests of a client."""
PATIENCE = 10.0
CALM_SECONDS = 2.0
QUICK_MS = 50.0
"""Milliseconds that are always quick enough."""
ASKED: tuple[tuple[str, str, bytes | None], ...] = (
    ("GET", f"{ADJUDICATIONS}?card=bonus-200&roll=123466", None),
    ("POST", ADJUDICATIONS, b'{"card":"bonus-200","roll":[1,2,3,4,6,6]}'),
    ("GET", "/v1/tutto", None),
    ("GET", "/livez", None),
)


class Waits(NamedTuple):
    """Measurements of honest clients. Times are in milliseconds."""

    requests: int
    failures: dict[str, int]
    p50: float
    p99: float
    longest: float


def measured(port: int, seconds: float) -> Waits:
    """Measures the waits of honest clients. Half of them connect anew for each request."""
    waits, failures, end = list[float](), Counter[str](), time.monotonic() + seconds

    def ask(number: int) -> None:
        line, turn = HTTPConnection("127.0.0.1", port, PATIENCE), number
        while time.monotonic() < end:
            method, target, body = ASKED[turn % len(ASKED)]
            started = time.perf_counter()
            try:
                line.request(method, target, body, {"Content-Type": "application/json"})
                answer = line.getresponse()
                answer.read()
                assert answer.status == 200, answer.status
                waits.append((time.perf_counter() - started) * 1000)
            except (OSError, HTTPException, AssertionError) as error:
                failures[repr(error)] += 1
                line.close()
            if number % 2:
                line.close()
            turn += 1
            time.sleep(PAUSE)
        line.close()

    clients = [Thread(target=ask, args=(number,)) for number in range(CLIENTS)]
    for client in clients:
        client.start()
    for client in clients:
        client.join()
    waits.sort()
    assert waits, failures
    p50, p99 = (round(waits[int(len(waits) * part)], 1) for part in (0.5, 0.99))
    return Waits(len(waits), dict(failures), p50, p99, round(waits[-1], 1))


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
        return self.attacked.p99 < max(QUICK_MS, 2 * calm) and not self.attacked.failures

    def __str__(self) -> str:
        return "\n".join(f"{name}: {self[at]}" for at, name in enumerate(self._fields))


def started_crowd(
    port: int, seconds: float, sizes: tuple[int, int, int] = (HALF_HEADERS, HALF_BODIES, DEAF)
) -> subprocess.Popen[str]:
    """Starts a crowd in its own process, and returns after its clients have begun."""
    command = [sys.executable, "-m", "tests.e2e.attack.crowd", *map(str, (port, seconds, *sizes))]
    crowd = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert crowd.stdout is not None
    assert crowd.stdout.readline() == "begun\n"
    return crowd


def siege(port: int, beside: int, seconds: float) -> Siege:
    """Measures before and during an attack by a crowd. ``beside`` is not attacked."""
    # Honest clients run in processes of their own, so that only the work of the service counts.
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        calm = pool.submit(measured, port, min(seconds, CALM_SECONDS)).result()
        crowd = started_crowd(port, round(seconds) + 2)
        try:
            attacked, peaceful = pool.map(measured, (port, beside), (seconds, seconds))
            printed, _ = crowd.communicate(timeout=seconds + 60)
        finally:
            crowd.kill()
            crowd.wait()
    return Siege(calm, attacked, peaceful, json.loads(printed))
