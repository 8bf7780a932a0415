"""Clients that send requests steadily, each on a persistent connection."""

import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection, HTTPException
from threading import Event
from typing import Self

from tests.application import ADJUDICATIONS, BATCH, ROLL_JSON
from tests.engines.servers import DEADLINE, wait_until

QUESTIONS = (
    ("POST", ADJUDICATIONS, ROLL_JSON),
    ("GET", f"{ADJUDICATIONS}?card=bonus-400&roll=123466", None),
    ("POST", BATCH, b'{"positions":[' + b",".join([ROLL_JSON] * 50) + b"]}"),
    ("GET", "/version", None),
)
PAUSE = 0.01
"""Seconds between two requests of a client, which shares the machine with the service."""
IDLE_SECONDS = 0.1
"""Seconds after which a connection may close before its next request. A stopping worker keeps an
idle connection open for a second, and a busy machine may delay a client or the worker.
"""


class Load:
    """Clients of a port until the end of the block. ``failures`` counts all answers but 200."""

    def __init__(self, port: int, clients: int = 4) -> None:
        self._port, self._end = port, Event()
        self._pool = ThreadPoolExecutor(clients)
        self.answers = 0
        self.failures: Counter[str] = Counter()
        self._asking = [self._pool.submit(self._ask, number) for number in range(clients)]

    def _ask(self, number: int) -> None:
        line = HTTPConnection("127.0.0.1", self._port, timeout=DEADLINE)
        answered = sent = time.monotonic()
        while not self._end.is_set():
            number += 1
            method, target, body = QUESTIONS[number % len(QUESTIONS)]
            try:
                line.request(method, target, body, {"Content-Type": "application/json"})
                sent = time.monotonic()
                reply = line.getresponse()
                content = reply.read()
            except (OSError, HTTPException) as error:
                line.close()
                now = time.monotonic()
                # Without a later ``sent``, the request itself has failed.
                if (sent if sent > answered else now) - answered < IDLE_SECONDS:
                    self.failures[repr(error)] += 1
                answered = now
                continue
            if reply.status != 200:
                self.failures[f"{reply.status} {content!r}"] += 1
            self.answers += 1
            answered = time.monotonic()
            self._end.wait(PAUSE)
        line.close()

    def wait_for_answers(self, answers: int = 200) -> None:
        """Waits for this many more answers."""
        until = self.answers + answers
        wait_until("clients are answered", lambda: self.answers >= until)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        for asking in self._asking:
            asking.result(DEADLINE)
        self._pool.shutdown()
