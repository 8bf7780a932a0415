"""Honest clients that measure their waits: ``... -m tests.load.honest PORT SECONDS [sessions]``.

The clients run in their own process, so that only the work of the service is measured. Half of the
requests use keep-alive connections. The other half use new connections, because a crowd can keep
newcomers out. With ``sessions`` each client has its own address and session, and reads the
session's state.
"""

import json
import sys
import time
from collections import Counter
from collections.abc import Callable
from http.client import HTTPConnection, HTTPException
from threading import Thread
from typing import NamedTuple

from tests.application import ADJUDICATIONS

CLIENTS = 4
PAUSE = 0.02
"""Seconds between two requests of a client."""
SESSION_PAUSE = 0.15
"""Seconds between two requests of a client with its own session, which has a rate limit."""
PATIENCE = 10.0
Questions = tuple[tuple[str, str, bytes | None], ...]
ASKED: Questions = (
    ("GET", f"{ADJUDICATIONS}?card=bonus-200&roll=123466", None),
    ("POST", ADJUDICATIONS, b'{"card":"bonus-200","roll":[1,2,3,4,6,6]}'),
    ("GET", "/v1/games/tutto", None),
    ("GET", "/livez", None),
)


class Waits(NamedTuple):
    """Measurements of honest clients. Times are in milliseconds."""

    requests: int
    failures: dict[str, int]
    p50: float
    p99: float
    longest: float


def wait_of(line: HTTPConnection, questions: Questions, turn: int) -> float:
    """Returns milliseconds from the request, or from connecting, to the end of the answer."""
    method, target, body = questions[turn % len(questions)]
    started = time.perf_counter()
    kind = {"Content-Type": "application/json"} if body else {}
    line.request(method, target, body, kind)
    answer = line.getresponse()
    answer.read()
    assert answer.status == 200, answer.status
    return (time.perf_counter() - started) * 1000


def state_of_own(line: HTTPConnection) -> Questions:
    """Begins a session. Returns the request for its state."""
    body = b'{"game":"tutto","players":["Ann","Ben"]}'
    line.request("POST", "/v1/sessions", body, {"Content-Type": "application/json"})
    created = json.loads(line.getresponse().read())
    return (("GET", f"/v1/sessions/{created['session']['id']}", None),)


def ask(port: int, end: float, number: int, own: bool, done: Callable[[float | str], None]) -> None:
    """Runs a client until the end. Records each wait and each fault."""
    source = (f"127.8.{number}.1", 0) if own else None
    line, turn = HTTPConnection("127.0.0.1", port, PATIENCE, source), number
    questions, pause = (state_of_own(line), SESSION_PAUSE) if own else (ASKED, PAUSE)
    while time.monotonic() < end:
        try:
            done(wait_of(line, questions, turn))
        except (OSError, HTTPException, AssertionError) as error:
            done(repr(error))
            line.close()
        if number % 2:
            line.close()
        turn += 1
        time.sleep(pause)
    line.close()


def measured(port: int, seconds: float, own: bool) -> Waits:
    """Sends requests for ``seconds`` seconds."""
    waits: list[float] = []
    failures: Counter[str] = Counter()

    def done(wait: float | str) -> None:
        if isinstance(wait, str):
            failures[wait] += 1
        else:
            waits.append(wait)

    end = time.monotonic() + seconds
    clients = [Thread(target=ask, args=(port, end, number, own, done)) for number in range(CLIENTS)]
    for client in clients:
        client.start()
    for client in clients:
        client.join()
    waits.sort()
    assert waits, failures
    p50, p99 = (round(waits[int(len(waits) * part)], 1) for part in (0.5, 0.99))
    return Waits(len(waits), dict(failures), p50, p99, round(waits[-1], 1))


if __name__ == "__main__":
    print(json.dumps(measured(int(sys.argv[1]), float(sys.argv[2]), sys.argv[3:] == ["sessions"])))
