"""Clients that play through faults and repeat requests, and the checks of their sessions.

Each client has its own session. The session's log must therefore equal the received answers, in
order.
"""

import json
import os
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

from dice_referee.sessions.keys import RECORDS
from tests.application import ADJUDICATIONS, ROLL_JSON, Reply
from tests.engines.servers import wait_until
from tests.sessions.player import BEGINNINGS, choose
from tests.stopwatch import Stopwatch
from tests.wire import Line

PATIENCE = 120.0
"""Seconds until a client without an answer fails the test."""
PAUSE = 0.01
"""Seconds between two requests of a client, so that the service gets processor time."""
MAX_REFUSAL_SECONDS = 1.0
"""Maximum seconds until a 503 without Redis. An idle machine needs 0.3."""
MAX_ENTRIES = 10_000
"""Maximum entries of a session by the contract."""

WELL = {"status": "ok", "sessions": "ok"}
DEGRADED = {"status": "degraded", "sessions": "away"}
"""Body of /readyz without Redis, with status 200."""

Games = tuple[tuple[str, str, dict[str, Any]], ...]
"""Game, source of the dice, and options beyond those of ``BEGINNINGS``."""

LONG = {"options": {"target": 1_000_000}}
GAMES: Games = (
    ("tutto", "service", LONG),  # never ends: a single session covers the whole test
    ("tutto", "client", {}),
    ("yatzee", "service", {}),
    ("pot", "service", {}),
)


class Request(NamedTuple):
    """A change that a client requested, with the final answer."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    answer: bytes
    version: int


class Answered(NamedTuple):
    """An answer, with its number of attempts."""

    status: int
    body: bytes
    attempts: int


@dataclass
class Table:
    """A session from its client's view."""

    at: str
    game: str
    host: str
    seats: list[str]
    state: dict[str, Any]
    accepted: list[dict[str, Any]] = field(default_factory=list)
    repeats: list[Request] = field(default_factory=list)
    """Requests with several attempts."""
    last: Request | None = None
    full: bool = False
    """True after the session has reached its maximum of entries."""

    @property
    def over(self) -> bool:
        return self.full or self.state["status"] != "running"

    @property
    def key(self) -> str:
        """Key of the session in Redis."""
        return f"referee:{{{self.state['id']}}}"


class Client:
    """Plays session after session on a persistent connection."""

    def __init__(
        self,
        port: int,
        number: int,
        game: str,
        dice: str,
        more: dict[str, Any],
        longest: int = MAX_ENTRIES,
    ) -> None:
        self._beginning = {"game": game, "dice": dice, **BEGINNINGS[game], **more}
        self._longest = longest
        self._random = Random(number)
        self._line = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        self._end = Event()
        self.tables: list[Table] = []
        self.moves = 0
        self.broken = 0
        """Number of connections that broke before the answer."""
        self.away: list[float] = []
        """Seconds until each 503."""

    def leave(self) -> None:
        """Makes this move the last move."""
        self._end.set()

    def play(self) -> None:
        """Plays until ``leave``, and repeats each request until it is answered."""
        try:
            while not self._end.is_set():
                if not self.tables or self.tables[-1].over:
                    self._begin_session()
                self._move(self.tables[-1])
                self._end.wait(PAUSE)
        finally:
            self._line.close()

    def _begin_session(self) -> None:
        beginning = json.dumps(self._beginning).encode()
        answer = self._answered("/v1/sessions", beginning, {})
        assert answer.status == 201, answer
        creation = json.loads(answer.body)
        at = f"/v1/sessions/{creation['session']['id']}"
        own = (at, self._beginning["game"], creation["host_token"], creation["seat_tokens"])
        self.tables.append(Table(*own, creation["session"]))

    def _move(self, table: Table) -> None:
        self._change(table, "events", choose(table.state, self._random), table.state["player"])

    def _change(
        self, table: Table, part: str, content: Any, seat: int, method: str = "POST"
    ) -> None:
        """Sends a change with a key and the token of a seat."""
        path, body = f"{table.at}/{part}", json.dumps(content).encode()
        headers = {
            "Authorization": f"Bearer {table.seats[seat]}",
            "Idempotency-Key": str(self.moves),
        }
        answer = self._answered(path, body, headers, method)
        document = json.loads(answer.body)
        if answer.status == 409:
            # A game may exceed the maximum of entries; its client starts another session.
            assert document["type"] == "/problems/session-full", document
            assert table.state["version"] >= self._longest, table.state
            table.full = True
            return
        assert answer.status == 200, answer
        table.accepted.append(document["entry"])
        table.state = document["session"]
        sent = method, path, headers, body
        table.last = Request(*sent, answer.body, table.state["version"])
        if answer.attempts > 1:
            table.repeats.append(table.last)
        self.moves += 1

    def _answered(
        self, path: str, body: bytes, headers: dict[str, str], method: str = "POST"
    ) -> Answered:
        """Returns the final answer of any status. Repeats the request after a 503."""
        attempts, started = 0, time.monotonic()
        while True:
            assert time.monotonic() - started < PATIENCE, f"{path}: {attempts} attempts"
            attempts, moment = attempts + 1, time.monotonic()
            try:
                self._line.request(
                    method, path, body, {"Content-Type": "application/json"} | headers
                )
                response = self._line.getresponse()
                answer = response.read()
            except (OSError, HTTPException):
                self._line.close()
                self.broken += 1
                time.sleep(PAUSE)
                continue
            if response.status == 503:
                self.away.append(time.monotonic() - moment)
                time.sleep(_retry_after(response, answer))
                continue
            return Answered(response.status, answer, attempts)


class Host(Client):
    """Also lets seats leave and come back, passes the host's rights on, and begins rematches."""

    def _move(self, table: Table) -> None:
        seat = self._random.randrange(len(table.seats))
        bots = [bot["seat"] for bot in table.state["bots"]]
        match self._random.randrange(8):
            case 0 if seat in bots:
                self._change(table, f"seats/{seat}/bot", {}, seat, "DELETE")
            case 0 | 1 if table.state["dice"] == "service" and len(table.seats) > len(bots) + 1:
                if seat not in bots:
                    self._change(table, f"seats/{seat}/bot", {"level": "careful"}, seat)
            case 2 if seat not in bots and seat != table.state["host_seat"]:
                self._pass_host(table, seat)
            case _:
                super()._move(table)

    def _pass_host(self, table: Table, seat: int) -> None:
        """Passes the host's rights on. After a lost answer reads who is the host."""
        headers = {"Authorization": f"Bearer {table.host}"}
        body = json.dumps({"seat": seat}).encode()
        answer = self._answered(f"{table.at}/host", body, headers)
        if answer.status == 401:
            assert answer.attempts > 1, answer
            after = f"{table.at}/events?after={table.state['version']}"
            [entry] = json.loads(self._answered(after, b"", {}, "GET").body)["events"]
            state = json.loads(self._answered(table.at, b"", {}, "GET").body)
        else:
            assert answer.status == 200, answer
            document = json.loads(answer.body)
            entry, state = document["entry"], document["session"]
        assert (entry["event"], state["host_seat"]) == ({"type": "hosted", "player": seat}, seat)
        table.accepted.append(entry)
        table.state, table.host = state, table.seats[seat]
        self.moves += 1

    def _begin_session(self) -> None:
        if not self.tables or self.tables[-1].full:
            super()._begin_session()
            return
        table = self.tables[-1]
        self._change(table, "rematch", {}, 0)
        at = f"/v1/sessions/{table.state['rematch']}"
        state = json.loads(self._answered(at, b"", {}, "GET").body)
        self.tables.append(Table(at, table.game, table.host, table.seats, state))


def _retry_after(response: HTTPResponse, answer: bytes) -> int:
    assert json.loads(answer)["type"] == "/problems/sessions-away", answer
    return int(response.headers["Retry-After"])


class Play:
    """Clients of a service, and a session without moves for reads while Redis is unavailable."""

    def __init__(
        self, server: Line, games: Games, releases: int = 1, client: type[Client] = Client
    ) -> None:
        self.server, self.releases = server, releases
        self.clients = [client(server.port, number, *game) for number, game in enumerate(games)]
        self._pool = ThreadPoolExecutor(len(games))
        self._playing: list[Future[None]] = []
        beginning = json.dumps({"game": "tutto", "players": ["Ann", "Ben"]}).encode()
        reply = patiently(server, "POST", "/v1/sessions", beginning, status=201)
        creation = json.loads(reply.body)
        self._beginning, self._idle = beginning, reply.headers["location"]
        self._host = f"Authorization: Bearer {creation['host_token']}"

    def begin(self) -> None:
        self._playing = [self._pool.submit(client.play) for client in self.clients]
        self.wait_for_moves(10)

    def end(self) -> None:
        for client in self.clients:
            client.leave()
        for playing in self._playing:
            playing.result(2 * PATIENCE)
        self._pool.shutdown()

    def wait_for_moves(self, moves: int = 3) -> float:
        """Waits until every client has made this many more moves. Returns the seconds."""
        started = time.monotonic()
        for client, before in [(client, client.moves) for client in self.clients]:
            self.wait("all play on", partial(_is_beyond, client, before + moves))
        return time.monotonic() - started

    def wait(self, condition: str, holds: Callable[[], bool]) -> float:
        """Waits for the condition and returns the seconds. Raises the first error of a client."""

        def held() -> bool:
            for playing in self._playing:
                if playing.done():
                    playing.result()
            return holds()

        return wait_until(condition, held)

    def wait_for_refusals(self, times: int) -> None:
        """Waits until every client has received this many more 503s."""
        for client, before in [(client, len(client.away)) for client in self.clients]:
            self.wait("a client is refused", partial(_was_refused, client, before + times))

    def refusals(self) -> int:
        """Counts the 503s of all clients."""
        return sum(len(client.away) for client in self.clients)

    def away(self) -> float:
        """Checks the answers while Redis is unavailable. Returns the seconds of the slowest."""
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
            watch = Stopwatch(os.getpid(), *self.server.workers())
            reply: Reply = self.server.ask(*request)
            longest = max(longest, watch.seconds)
            reply.problem("sessions-away", 503)
            assert reply.headers["retry-after"] == "1"
        for method, target, body in (
            ("GET", "/livez", None),
            ("GET", "/v1", None),
            ("POST", ADJUDICATIONS, ROLL_JSON),
        ):
            assert self.server.ask(method, target, body).status == 200
        ready = self.server.ask("GET", "/readyz")
        assert (ready.status, json.loads(ready.body)) == (200, DEGRADED)
        assert longest < MAX_REFUSAL_SECONDS
        return longest

    def _is_well(self) -> bool:
        ready: object = json.loads(self.server.ask("GET", "/readyz").body)
        return ready == WELL

    def summary(self) -> str:
        """Summarizes events, repeats, broken connections and 503s of the clients."""
        tables = [table for client in self.clients for table in client.tables]
        slowest = max((seconds for client in self.clients for seconds in client.away), default=0.0)
        return (
            f"{sum(len(table.accepted) for table in tables)} events, "
            f"{sum(len(table.repeats) for table in tables)} asked for again, "
            f"{sum(client.broken for client in self.clients)} broken connections, "
            f"{self.refusals()} times 503 "
            f"(after {slowest:.2f} s at most)"
        )

    def check_sessions(self) -> None:
        """Waits until the service is well. Checks each session against its client's answers."""
        wait_until("the service is well", self._is_well)
        for client in self.clients:
            for table in client.tables:
                check_table(self.server, table, self.releases)


def _is_beyond(client: Client, moves: int) -> bool:
    return client.moves >= moves


def _was_refused(client: Client, times: int) -> bool:
    return len(client.away) >= times


@contextmanager
def playing(
    server: Line, games: Games = GAMES, releases: int = 1, client: type[Client] = Client
) -> Iterator[Play]:
    """Runs clients during a block and checks afterwards that nothing is lost or doubled.

    ``releases`` is the number of releases that serve during the block.
    """
    play = Play(server, games, releases, client)
    try:
        play.begin()
        yield play
    finally:
        play.end()
    play.check_sessions()


def _agree(left: object, right: object) -> bool:
    """Compares two documents by the fields that both have."""
    if isinstance(left, dict) and isinstance(right, dict):
        return all(_agree(left[key], right[key]) for key in left.keys() & right.keys())
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(_agree, left, right))
    return left == right


def check_table(server: Line, table: Table, releases: int = 1) -> None:
    """Compares a session with the answers to its client, audits the session, and verifies its dice.

    Several releases may answer the same request with more or fewer fields. An AssertionError names
    the difference.
    """
    log = entries(server, table.at)
    versions = [entry["version"] for entry in log]
    assert versions == list(range(1, len(log) + 1)), f"the versions of its log are {versions}"
    by_people = [entry for entry in log if entry["by"] != "bot"]
    assert by_people == table.accepted, _difference(by_people, table.accepted)
    state = json.loads(patiently(server, "GET", table.at).body)
    assert state == table.state, f"its state is {state}, and its client was told {table.state}"
    # The service rebuilds the answer to a repeated key from a state and the log. Older keys expire.
    repeats = [request for request in table.repeats if request.version > len(log) - RECORDS]
    for request in (*repeats, *([table.last] if table.last else ())):
        fields = [f"{name}: {value}" for name, value in request.headers.items()]
        answer = patiently(server, request.method, request.path, request.body, *fields)
        repeated = f"the same request is answered with {answer.body!r}, and was with"
        if releases == 1:
            assert answer.body == request.answer, f"{repeated} {request.answer!r}"
        else:
            both = json.loads(answer.body), json.loads(request.answer)
            assert _agree(*both), f"{repeated} {request.answer!r}"
    if table.state["status"] == "running":
        fields = [f"Authorization: Bearer {table.host}", "Idempotency-Key: the end"]
        answer = patiently(server, "POST", f"{table.at}/abandon", b"{}", *fields)
        table.state = json.loads(answer.body)["session"]
    record = patiently(server, "GET", f"{table.at}/game").body
    audit = json.loads(patiently(server, "POST", f"/v1/{table.game}/audits", record).body)
    assert audit["legal"], f"its record is not legal: {audit['first_illegal']}"
    if fairness := table.state["fairness"]:
        claim = {"game": table.game, "record": json.loads(record), "fairness": fairness}
        answer = patiently(server, "POST", "/v1/fairness/verify", json.dumps(claim).encode())
        verdict = json.loads(answer.body)
        assert verdict["fair"], f"its dice are not fair: {verdict}"
        draws = len(verdict["chances"])
        assert draws == fairness["draws"], f"it has {draws} draws, and says {fairness['draws']}"


def _difference(log: list[dict[str, Any]], accepted: list[dict[str, Any]]) -> str:
    """Describes the first difference between a log and the acknowledged entries."""
    for entry, answer in zip(log, accepted, strict=False):
        if entry != answer:
            return f"its log has {entry}, and its client was told {answer}"
    return f"its log has {len(log)} entries, and {len(accepted)} were acknowledged"


def entries(server: Line, at: str) -> list[dict[str, Any]]:
    """Returns the whole log, read page by page."""
    log: list[dict[str, Any]] = []
    while True:
        page = json.loads(patiently(server, "GET", f"{at}/events?after={len(log)}").body)
        assert not page["reset"]
        log += page["events"]
        if len(log) >= page["version"]:
            return log


def patiently(server: Line, *request: Any, status: int = 200) -> Reply:
    """Repeats a request until the answer is no longer a 503: a busy machine may lose Redis."""
    started = time.monotonic()
    while (reply := server.ask(*request)).status == 503:
        assert time.monotonic() - started < PATIENCE, reply
        time.sleep(PAUSE)
    assert reply.status == status, reply
    return reply
