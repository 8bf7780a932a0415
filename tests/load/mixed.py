"""Clients of every kind at the deployed service, all at once, for a given time."""

import json
import random
import time
from collections import Counter
from http.client import HTTPConnection, HTTPException
from threading import Event, Thread
from typing import Any

from tests.application import ADJUDICATIONS, BATCH
from tests.e2e.faults.clients import Client, Table
from tests.load.mutations import TARGETS
from tests.wire import Line, request

PAUSE = 0.02
PATIENCE = 35.0
"""Timeout in seconds, longer than any request, polls included."""
QUIET = 5.0
"""Seconds without events after which an onlooker reconnects."""
FOLLOWED = 15.0
"""Seconds for which an onlooker follows the same table."""
DOCUMENTED = {429, 503}
"""Refusals that any client must expect, with Retry-After."""

POSITIONS = (
    b'{"positions":[' + b",".join([b'{"card":"bonus-200","roll":[1,2,3,4,6,6]}'] * 50) + b"]}"
)
PLAIN: dict[str, tuple[tuple[str, str, bytes | None], ...]] = {
    "GET forms": tuple(("GET", target, None) for target in TARGETS[:2]),
    "catalogue": tuple(("GET", target, None) for target in TARGETS if "/v1/games" in target[:9] and "?" not in target),
    "pages": tuple(("GET", target, None) for target in ("/", "/docs", "/table", "/openapi.json", "/dice-referee.js", "/problems/not-found")),
    "singles": (
        ("POST", ADJUDICATIONS, b'{"card":"bonus-200","roll":[1,2,3,4,6,6]}'),
        ("POST", "/v1/yatzee/adjudications", b'{"dice":[1,2,2,3,4,5],"throw":2}'),
        ("POST", "/v1/tutto/transitions", b'{"card":"straight","roll":[1,2,3,4,6,6],"event":{"type":"keep","dice":[1,2,3]}}'),
    ),
    "batches": (("POST", BATCH, POSITIONS),),
}  # fmt: skip


class Logbook:
    """Waits, answers and errors of all clients."""

    def __init__(self) -> None:
        self.waits: dict[str, list[float]] = {}
        self.answers: Counter[str] = Counter()
        self.errors: Counter[str] = Counter()
        """Errors that no documentation announces."""

    def note(self, kind: str, started: float, status: int | str) -> None:
        """Records an answer, or a missing answer."""
        self.waits.setdefault(kind, []).append((time.perf_counter() - started) * 1000)
        self.answers[str(status)] += 1
        if not isinstance(status, int) or (status >= 400 and status not in DOCUMENTED):
            self.errors[f"{kind}: {status}"] += 1

    @property
    def requests(self) -> int:
        return sum(self.answers.values())


class Caller(Thread):
    """Repeats a plain request on a keep-alive connection."""

    def __init__(self, port: int, kind: str, book: Logbook, end: Event) -> None:
        super().__init__()
        self._line = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        self._kind, self._book, self._end = kind, book, end
        self._random = random.Random(kind)

    def run(self) -> None:
        while not self._end.wait(PAUSE):
            method, target, body = self._random.choice(PLAIN[self._kind])
            started = time.perf_counter()
            try:
                kind = {"Content-Type": "application/json"} if body else {}
                self._line.request(method, target, body, kind)
                answer = self._line.getresponse()
                content = answer.read()
                complete = len(content) > 2 or answer.status != 200
                self._book.note(self._kind, started, answer.status if complete else "empty")
            except (OSError, HTTPException) as error:
                self._book.note(self._kind, started, type(error).__name__)
                self._line.close()
        self._line.close()


class NotingPlayer(Thread):
    """A thread that runs a client and records its errors."""

    def __init__(self, client: Client, book: Logbook) -> None:
        super().__init__()
        self._client, self._book = client, book

    def run(self) -> None:
        try:
            self._client.play()
        except Exception as error:
            self._book.errors[f"a client: {str(error)[:200]!r}"] += 1
            raise


class Onlooker(Thread):
    """Follows a client's table by streams or polls. Must see the events that the client sees."""

    def __init__(
        self, line: Line, client: Client, book: Logbook, end: Event, *, streamed: bool
    ) -> None:
        super().__init__()
        self._line, self._client, self._book, self._end = line, client, book, end
        self._streamed = streamed
        self.seen = 0
        self.reconnections = 0
        """Number of reconnections."""

    def run(self) -> None:
        while not self._end.wait(PAUSE):
            if self._client.tables:
                self._look(self._client.tables[-1])

    def _look(self, table: Table) -> None:
        entries: list[dict[str, Any]] = []
        until = time.monotonic() + FOLLOWED
        while time.monotonic() < until and not self._end.is_set():
            before = len(entries)
            try:
                (self._follow if self._streamed else self._poll)(table, entries, until)
            except (OSError, ValueError, HTTPException):
                time.sleep(PAUSE)
            self.reconnections += 1
            self.seen += len(entries) - before
        numbers = [entry["version"] for entry in entries]
        if numbers != list(range(1, len(numbers) + 1)):
            self._book.errors["an onlooker missed an event, or saw one twice"] += 1
        known = min(len(entries), len(table.accepted))
        if entries[:known] != table.accepted[:known]:
            self._book.errors["an onlooker was told something else than the client"] += 1

    def _poll(self, table: Table, entries: list[dict[str, Any]], _: float) -> None:
        started = time.perf_counter()
        with self._line.wire() as wire:
            wire.socket.settimeout(PATIENCE)
            wire.send(
                request("GET", f"{table.at}/events?after={len(entries)}&wait=2", None, close=True)
            )
            reply = wire.reply()
        self._book.note("polls", started, reply.status)
        if reply.status in DOCUMENTED:
            time.sleep(1)
        else:
            entries += json.loads(reply.body)["events"]

    def _follow(self, table: Table, entries: list[dict[str, Any]], until: float) -> None:
        headers = {"Accept": "text/event-stream", "Last-Event-ID": str(len(entries))}
        line = HTTPConnection("127.0.0.1", self._line.port, timeout=QUIET)
        started = time.perf_counter()
        try:
            line.request("GET", f"{table.at}/events", None, headers)
            answer = line.getresponse()
            self._book.note("streams", started, answer.status)
            if answer.status in DOCUMENTED:
                time.sleep(1)
                return
            while time.monotonic() < until and not self._end.is_set():
                text = answer.readline()
                if not text:
                    return
                if text.startswith(b"data: "):
                    entries.append(json.loads(text[6:]))
        finally:
            line.close()
