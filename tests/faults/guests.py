"""Guests who play through faults and ask again as the contract says, and what must hold then.

A guest has one table at a time to himself, and knows therefore exactly what its log has to be: what
he was told, in the order in which he was told it.
"""

import json
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.client import HTTPConnection, HTTPException, HTTPResponse
from random import Random
from threading import Event
from typing import Any, NamedTuple

from tests.doors.serving import ADJUDICATIONS, ROLL, Line, Reply
from tests.engines.servers import wait_until
from tests.sessions.playing import BEGINNINGS, choose

PATIENCE = 30.0
"""Seconds until a guest who is not answered gives up, and the test with him."""
PAUSE = 0.01
"""Seconds that a guest thinks, so that they leave the machine to the service."""
AWAY_AT_MOST = 1.0
"""Seconds to hear that Redis is away. It takes 0.3, on a machine that has nothing else to do."""
LONGEST = 10_000
"""Entries that a session may have, as the contract says."""

WELL = {"status": "ok", "sessions": "ok"}
ILL = {"status": "degraded", "sessions": "away"}
"""What /readyz says, with 200."""

Games = tuple[tuple[str, str, dict[str, Any]], ...]
"""Game, who throws, and options that are not those of ``BEGINNINGS``."""

LONG = {"options": {"target": 1_000_000}}
GAMES: Games = (
    ("tutto", "service", LONG),  # never over: this one knows everything from the beginning
    ("tutto", "client", {}),
    ("yatzee", "service", {}),
    ("pot", "service", {}),
)


class Asked(NamedTuple):
    """A change that a guest asked for, and the answer he got in the end."""

    headers: dict[str, str]
    body: bytes
    answer: bytes


class Insisted(NamedTuple):
    """An answer, and how often he had to ask for it."""

    status: int
    body: bytes
    attempts: int


@dataclass
class Table:
    """A session as the guest knows it."""

    at: str
    game: str
    host: str
    seats: list[str]
    state: dict[str, Any]
    accepted: list[dict[str, Any]] = field(default_factory=list)
    again: list[Asked] = field(default_factory=list)
    """What he had to ask for more than once."""
    last: Asked | None = None
    full: bool = False
    """The service wants no more events of it."""

    @property
    def over(self) -> bool:
        return self.full or self.state["status"] != "running"

    @property
    def key(self) -> str:
        """Where Redis keeps it."""
        return f"referee:{{{self.state['id']}}}"


class Guest:
    """Plays session after session, on one connection while it holds."""

    def __init__(
        self,
        port: int,
        number: int,
        game: str,
        dice: str,
        more: dict[str, Any],
        longest: int = LONGEST,
    ) -> None:
        self._beginning = {"game": game, "dice": dice, **BEGINNINGS[game], **more}
        self._longest = longest
        self._random = Random(number)
        self._line = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        self._end = Event()
        self.tables: list[Table] = []
        self.moves = 0
        self.broken = 0
        """Connections that broke before the answer came."""
        self.away: list[float] = []
        """The seconds that each 503 took."""

    def leave(self) -> None:
        """Make this move your last one."""
        self._end.set()

    def play(self) -> None:
        """Until told to leave. What was begun is asked for until it is answered."""
        try:
            while not self._end.is_set():
                if not self.tables or self.tables[-1].over:
                    self._sit_down()
                self._move(self.tables[-1])
                self._end.wait(PAUSE)
        finally:
            self._line.close()

    def _sit_down(self) -> None:
        beginning = json.dumps(self._beginning).encode()
        answer = self._insist("/v1/sessions", beginning, {})
        assert answer.status == 201, answer
        made = json.loads(answer.body)
        at = f"/v1/sessions/{made['session']['id']}"
        own = (at, self._beginning["game"], made["host_token"], made["seat_tokens"])
        self.tables.append(Table(*own, made["session"]))

    def _move(self, table: Table) -> None:
        body = json.dumps(choose(table.state, self._random)).encode()
        token = table.seats[table.state["player"]]
        headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": str(self.moves)}
        answer = self._insist(f"{table.at}/events", body, headers)
        told = json.loads(answer.body)
        if answer.status == 409:
            # A game may take longer than a session can remember; its guest goes on at another.
            assert told["type"] == "/problems/session-full", told
            assert table.state["version"] == self._longest, table.state
            table.full = True
            return
        assert answer.status == 200, answer
        table.accepted.append(told["accepted"])
        table.state = told["session"]
        table.last = Asked(headers, body, answer.body)
        if answer.attempts > 1:
            table.again.append(table.last)
        self.moves += 1

    def _insist(self, path: str, body: bytes, headers: dict[str, str]) -> Insisted:
        """The answer in the end, whatever it is: but for a 503, which is asked again."""
        attempts, started = 0, time.monotonic()
        while True:
            assert time.monotonic() - started < PATIENCE, f"{path}: {attempts} attempts"
            attempts, asked = attempts + 1, time.monotonic()
            try:
                self._line.request(
                    "POST", path, body, {"Content-Type": "application/json"} | headers
                )
                response = self._line.getresponse()
                answer = response.read()
            except (OSError, HTTPException):
                self._line.close()
                self.broken += 1
                time.sleep(PAUSE)
                continue
            if response.status == 503:
                self.away.append(time.monotonic() - asked)
                time.sleep(_retry_after(response, answer))
                continue
            return Insisted(response.status, answer, attempts)


def _retry_after(response: HTTPResponse, answer: bytes) -> int:
    assert json.loads(answer)["type"] == "/problems/sessions-away", answer
    return int(response.headers["Retry-After"])


class Party:
    """Some guests at a service, and a table where nobody plays, to look at while Redis is away."""

    def __init__(self, server: Line, games: Games) -> None:
        self.server = server
        self.guests = [Guest(server.port, number, *game) for number, game in enumerate(games)]
        self._pool = ThreadPoolExecutor(len(games))
        self._playing: list[Future[None]] = []
        beginning = json.dumps({"game": "tutto", "players": ["Ann", "Ben"]}).encode()
        reply = patiently(server, "POST", "/v1/sessions", beginning, status=201)
        made = json.loads(reply.body)
        self._beginning, self._idle = beginning, reply.headers["location"]
        self._host = f"Authorization: Bearer {made['host_token']}"

    def begin(self) -> None:
        self._playing = [self._pool.submit(guest.play) for guest in self.guests]
        self.plays_on(10)

    def end(self) -> None:
        for guest in self.guests:
            guest.leave()
        for playing in self._playing:
            playing.result(2 * PATIENCE)
        self._pool.shutdown()

    def plays_on(self, moves: int = 3) -> float:
        """Seconds until every guest has made so many moves more."""
        started = time.monotonic()
        for guest, before in [(guest, guest.moves) for guest in self.guests]:
            self.wait("all play on", partial(_is_beyond, guest, before + moves))
        return time.monotonic() - started

    def wait(self, what: str, holds: Callable[[], bool]) -> float:
        """Seconds until it holds; a guest who was told what he must not be told ends it."""

        def held() -> bool:
            for playing in self._playing:
                if playing.done():
                    playing.result()
            return holds()

        return wait_until(what, held)

    def all_hear_of_it(self, times: int) -> None:
        """Until every guest was told so often that Redis is away."""
        for guest, before in [(guest, len(guest.away)) for guest in self.guests]:
            self.wait("a guest is told", partial(_has_heard, guest, before + times))

    def away(self) -> float:
        """What the service says while Redis is away; the longest that somebody waited for it."""
        keyed = (self._host, "Idempotency-Key: away")
        requests: tuple[tuple[Any, ...], ...] = (
            ("GET", self._idle),
            ("GET", f"{self._idle}/game"),
            ("GET", f"{self._idle}/events"),
            ("GET", f"{self._idle}/events?wait=10"),
            ("GET", f"{self._idle}/events", None, "Accept: text/event-stream"),
            ("POST", f"{self._idle}/events", b'{"type":"draw"}', *keyed),
            ("POST", f"{self._idle}/undo", b"{}", self._host),
            ("DELETE", self._idle, None, self._host),
            ("POST", "/v1/sessions", self._beginning),
        )
        longest = 0.0
        for request in requests:
            started = time.monotonic()
            reply: Reply = self.server.ask(*request)
            longest = max(longest, time.monotonic() - started)
            reply.problem("sessions-away", 503)
            assert reply.headers["retry-after"] == "1"
        for method, target, body in (
            ("GET", "/livez", None),
            ("GET", "/v1/games", None),
            ("POST", ADJUDICATIONS, ROLL),
        ):
            assert self.server.ask(method, target, body).status == 200
        ready = self.server.ask("GET", "/readyz")
        assert (ready.status, json.loads(ready.body)) == (200, ILL)
        assert longest < AWAY_AT_MOST
        return longest

    def _is_well(self) -> bool:
        ready: object = json.loads(self.server.ask("GET", "/readyz").body)
        return ready == WELL

    def summary(self) -> str:
        """What the guests have lived through."""
        tables = [table for guest in self.guests for table in guest.tables]
        slowest = max((seconds for guest in self.guests for seconds in guest.away), default=0.0)
        return (
            f"{sum(len(table.accepted) for table in tables)} events, "
            f"{sum(len(table.again) for table in tables)} asked for again, "
            f"{sum(guest.broken for guest in self.guests)} broken connections, "
            f"{sum(len(guest.away) for guest in self.guests)} times 503 "
            f"(after {slowest:.2f} s at most)"
        )

    def nothing_is_lost_or_doubled(self) -> None:
        """Every table of every guest is what he was told, and the service says that all is well."""
        wait_until("all is well", self._is_well)
        for guest in self.guests:
            for table in guest.tables:
                _check(self.server, table)


def _is_beyond(guest: Guest, moves: int) -> bool:
    return guest.moves >= moves


def _has_heard(guest: Guest, times: int) -> bool:
    return len(guest.away) >= times


@contextmanager
def playing(server: Line, games: Games = GAMES) -> Iterator[Party]:
    """Guests who play; when they have ended, nothing was lost or doubled."""
    party = Party(server, games)
    try:
        party.begin()
        yield party
    finally:
        party.end()
    party.nothing_is_lost_or_doubled()


def _check(server: Line, table: Table) -> None:
    log = entries(server, table.at)
    assert [entry["version"] for entry in log] == list(range(1, len(log) + 1))
    assert log == table.accepted
    assert json.loads(patiently(server, "GET", table.at).body) == table.state
    # An answer under a known key is made from the log: the last one is what the log replays to.
    for asked in (*table.again, *([table.last] if table.last else ())):
        fields = [f"{name}: {value}" for name, value in asked.headers.items()]
        answer = patiently(server, "POST", f"{table.at}/events", asked.body, *fields)
        assert answer.body == asked.answer
    if table.state["status"] == "running":
        fields = [f"Authorization: Bearer {table.host}", "Idempotency-Key: the end"]
        answer = patiently(server, "POST", f"{table.at}/abandon", b"{}", *fields)
        table.state = json.loads(answer.body)["session"]
    record = patiently(server, "GET", f"{table.at}/game").body
    audit = json.loads(patiently(server, "POST", f"/v1/{table.game}/games", record).body)
    assert audit["legal"], audit["first_illegal"]
    if fairness := table.state["fairness"]:
        claim = {"game": table.game, "record": json.loads(record), "fairness": fairness}
        answer = patiently(server, "POST", "/v1/fairness/verify", json.dumps(claim).encode())
        verdict = json.loads(answer.body)
        assert verdict["fair"], verdict
        assert len(verdict["chances"]) == fairness["draws"]


def entries(server: Line, at: str) -> list[dict[str, Any]]:
    """The whole log, page by page."""
    log: list[dict[str, Any]] = []
    while True:
        page = json.loads(patiently(server, "GET", f"{at}/events?after={len(log)}").body)
        assert not page["reset"]
        log += page["events"]
        if len(log) >= page["version"]:
            return log


def patiently(server: Line, *request: Any, status: int = 200) -> Reply:
    """The answer in the end; this machine is so busy that Redis may be away once more."""
    started = time.monotonic()
    while (reply := server.ask(*request)).status == 503:
        assert time.monotonic() - started < PATIENCE, reply
        time.sleep(PAUSE)
    assert reply.status == status, reply
    return reply
