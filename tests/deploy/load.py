"""People who ask without a pause, each on a connection that is kept while it holds."""

import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection, HTTPException
from threading import Event
from types import TracebackType
from typing import Self

from tests.doors.serving import ADJUDICATIONS, BATCH, ROLL

QUESTIONS = (
    ("POST", ADJUDICATIONS, ROLL),
    ("GET", f"{ADJUDICATIONS}?card=bonus-400&roll=123466", None),
    ("POST", BATCH, b'{"positions":[' + b",".join([ROLL] * 50) + b"]}"),
    ("GET", "/version", None),
)
PAUSE = 0.002
"""Seconds between two questions: what they ask has this machine too."""


class Load:
    """``people`` ask one port until the end of the block; whatever is not a 200 is told."""

    def __init__(self, port: int, people: int = 4) -> None:
        self._port, self._end = port, Event()
        self._pool = ThreadPoolExecutor(people)
        self.answers = 0
        self.failures: Counter[str] = Counter()
        self._asking = [self._pool.submit(self._ask, number) for number in range(people)]

    def _ask(self, number: int) -> None:
        line = HTTPConnection("127.0.0.1", self._port, timeout=20)
        while not self._end.is_set():
            number += 1
            method, target, body = QUESTIONS[number % len(QUESTIONS)]
            try:
                line.request(method, target, body, {"Content-Type": "application/json"})
                reply = line.getresponse()
                content = reply.read()
            except (OSError, HTTPException) as error:
                line.close()
                self.failures[repr(error)] += 1
                continue
            if reply.status != 200:
                self.failures[f"{reply.status} {content!r}"] += 1
            self.answers += 1
            self._end.wait(PAUSE)
        line.close()

    def goes_on(self, answers: int = 200) -> None:
        """Wait until there are so many more answers."""
        until, started = self.answers + answers, time.monotonic()
        while self.answers < until:
            assert time.monotonic() - started < 30, self.failures
            time.sleep(0.01)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._end.set()
        for asking in self._asking:
            asking.result(30)
        self._pool.shutdown()
