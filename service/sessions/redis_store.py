"""Sessions in Redis 6.2 or later, or Valkey: one server, behind Sentinel, or a cluster.

Keys, one hash tag a session: ``referee:{id}`` is a hash (``v``, ``doc``, ``k:<idempotency key>``,
or ``gone``), ``referee:{id}:log`` a stream whose ids are ``<version>-0`` with one field ``e``,
``referee:{id}:streams`` a sorted set of leases. Channel ``referee:bell:<id>``.
``referee:census`` says how many sessions there are, and ``referee:census:lock`` that it is not yet
time to count them again. ``referee:rate:{client}:<policy>`` is what a client has spent: a number
that goes within a minute.

How connections are kept, and what a lost answer means: ``redis_connections.py``.
"""

import random  # nosemgrep: chance-is-not-guessable
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import suppress
from hashlib import sha1
from threading import Lock
from typing import Any

from redis.crc import key_slot
from redis.exceptions import (
    AskError,
    MovedError,
    NoPermissionError,
    NoScriptError,
    OutOfMemoryError,
    ReadOnlyError,
    ResponseError,
)

from service.sessions import scripts
from service.sessions.breaker import Breaker
from service.sessions.census import Census
from service.sessions.doorbell import CHANNEL, Doorbell
from service.sessions.places import Place, Topology, parse
from service.sessions.redis_connections import BROKEN, BellWire, Connection, Connections
from service.sessions.routes import Route, route
from service.sessions.store import (
    Away,
    Bells,
    Damaged,
    Full,
    Gone,
    Kept,
    Line,
    Missing,
    Stale,
)

MINUTE = 60_000_000
"""Microseconds."""

HOPS = 4
"""Servers that a question may be sent on to: slots move, and masters change."""

Observe = Callable[[str, float, bool], None]
"""``observe(name, seconds, ok)`` after every question; not ok: there was no answer."""


class RedisStore:
    """A Store. Connects with the first question; a process asks for the first time after its fork.

    ``url`` as in ``places``; raises BadAddress. ``timeout_ms`` bounds every question as a whole.
    """

    def __init__(
        self,
        url: str,
        timeout_ms: int = 300,
        observe: Observe = lambda name, seconds, ok: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._address = parse(url)
        self._seconds = timeout_ms / 1000
        self._observe = observe
        self._route = route(self._address)
        self._connections = Connections(self._address)
        self._lock = Lock()
        self._breakers: dict[Place | None, Breaker] = defaultdict(lambda: Breaker(clock))
        self._census = Census(_Census(self._question, self._route))

    def create(self, id: str, document: bytes, ttl_seconds: int) -> None:
        self._run("create", id, document, ttl_seconds)

    def read(self, id: str, key: str | None = None) -> Kept:
        answer = self._run("read", id, *(() if key is None else (key,)), again=True)
        return Kept(int(answer[0]), answer[1], answer[2] if len(answer) > 2 else None)

    def write(
        self,
        id: str,
        expected: int,
        document: bytes,
        entry: bytes,
        ttl_seconds: int,
        key: str | None = None,
        record: bytes | None = None,
    ) -> None:
        kept = () if key is None else (key, record or b"")
        channel = CHANNEL + id
        self._run("write", id, expected, expected + 1, document, entry, ttl_seconds, channel, *kept)

    def log(self, id: str, after: int, most: int) -> tuple[int, list[Line]]:
        version, found = self._run("log", id, after + 1, most, again=True)
        try:
            lines = [Line(int(number.split(b"-")[0]), fields[1]) for number, fields in found]
        except (IndexError, ValueError):
            raise Damaged("a line of the log is none") from None
        return int(version), lines

    def bury(self, id: str, expected: int, tombstone: bytes, ttl_seconds: int) -> None:
        self._run("bury", id, expected, tombstone, ttl_seconds, CHANNEL + id)

    def lease(self, id: str, member: str, most: int, seconds: int) -> bool:
        return bool(self._run("lease", id, member, most, seconds, again=True)[0])

    def release(self, id: str, member: str) -> None:
        self._run("release", id, member, again=True)

    def spend(self, client: str, policy: str, limit: int, most: int) -> tuple[int, int]:
        key = f"referee:rate:{{{client}}}:{policy}"
        put = _script("spend", 1, key, limit, most, MINUTE)
        status, *answer = self._question("spend", key_slot(key.encode()), put, again=False)
        if status != b"ok":
            raise Damaged(key)
        spent, owed = answer
        return spent, owed

    def ping(self) -> None:
        self._question("ping", 0, _plain("PING"), again=True)

    def census(self) -> int | None:
        return self._census.number()

    def warnings(self) -> list[str]:
        policy = ""
        with suppress(Away):  # whoever asks for a session is told
            policy = self._question("config", 0, _policy, again=True)
        if policy in ("", "noeviction"):
            return []
        return [f"redis: maxmemory-policy is {policy}: sessions may be evicted; set noeviction"]

    def bells(self, ring: Callable[[str], None]) -> Bells:
        return Doorbell(self._listener, ring)

    def close(self) -> None:
        """Hang up. The next question connects again."""
        self._census.close()
        self._connections.close()

    def open_breakers(self) -> int:
        # Of a place that keeps nothing any more nobody will find out whether it came back.
        current: set[Place | None] = {*self._route.masters()} or {None}
        with self._lock:
            return sum(b.is_open for place, b in self._breakers.items() if place in current)

    def _listener(self) -> "BellWire":
        end = time.monotonic() + self._seconds
        self._route.refresh(self._asker(end))
        places = self._route.masters()
        if not places:
            raise Away("no server is known")
        # All of a cluster hear of everything: not every process shall listen to the same one.
        place = random.choice(places)  # nosec B311: whoever guesses it knows nothing
        return BellWire(self._connections.new(place, end), self._seconds)

    def _run(self, name: str, id: str, *arguments: str | bytes | int, again: bool = False) -> Any:
        """What a script answers after its status."""
        key = f"referee:{{{id}}}"
        keys = (key, f"{key}:log", f"{key}:streams")
        used = [keys[number] for number in scripts.USED[name]]
        put = _script(name, len(used), *used, *arguments)
        answer = self._question(name, key_slot(key.encode()), put, again=again)
        match answer[0]:
            case b"ok":
                return answer[1:]
            case b"missing":
                raise Missing(id)
            case b"gone":
                raise Gone(answer[1])
            case b"stale":
                raise Stale(id)
            case _:
                raise Damaged(id)

    def _question(self, name: str, slot: int, put: "_Put", *, again: bool) -> Any:
        """The answer of whoever keeps this slot, in time. Raises Away."""
        started = time.monotonic()
        end = started + self._seconds
        ok = False
        try:
            place = self._route.known(slot)
            with self._lock:
                breaker = self._breakers[place]
            trying = breaker.admit()
            try:
                if place is None:
                    self._route.refresh(self._asker(end))
                elif trying:
                    with suppress(Away):  # what is known may still be right
                        self._route.refresh(self._asker(end))
                answer = self._follow(slot, put, end, again)
            except (_Refused, Full):
                breaker.succeeded()
                raise
            except Away:
                breaker.failed()
                raise
            breaker.succeeded()
            ok = True
            return answer
        finally:
            self._observe(name, time.monotonic() - started, ok)

    def _follow(self, slot: int, put: "_Put", end: float, again: bool) -> Any:
        """Ask, and go where we are sent."""
        sent: Place | None = None
        asking = False
        for _ in range(HOPS):
            place = sent or self._route.known(slot)
            if place is None:
                raise Away("nobody keeps this slot")
            line, fresh = self._connections.take(place, end)
            try:
                if fresh and self._address.topology is Topology.SENTINEL:
                    _must_be_master(line)
                answer = put(line, asking)
            except ResponseError as refusal:
                self._connections.give(place, line)
                sent, asking = self._sent_on(refusal, place, end)
                continue
            except BROKEN as error:
                self._connections.drop(place, line)
                # Nothing was lost by asking twice, and the pool is empty now.
                if again and not fresh:
                    continue
                raise Away(f"{type(error).__name__}: {error}") from None
            self._connections.give(place, line)
            return answer
        raise Away("sent from one server to the next")

    def _sent_on(
        self, refusal: ResponseError, place: Place, end: float
    ) -> tuple[Place | None, bool]:
        """Where a refusal sends us, and whether only for this question. Raises Away if nowhere."""
        if isinstance(refusal, AskError):  # MovedError is one too
            moved = isinstance(refusal, MovedError)
            if moved:
                with suppress(Away):
                    self._route.refresh(self._asker(end))
            return Place(refusal.host or place.host, refusal.port), not moved
        # Redis 6.2 wraps what a script met into a sentence of its own.
        if isinstance(refusal, ReadOnlyError) or "READONLY" in str(refusal):
            self._route.refresh(self._asker(end))
            return None, False
        # Scripts are refused before they write anything.
        if isinstance(refusal, OutOfMemoryError) or "OOM " in str(refusal):
            raise Full(str(refusal))
        raise _Refused(str(refusal))

    def _asker(self, end: float) -> Callable[..., Any]:
        def ask(place: Place, parts: int, *command: str) -> Any:
            now = time.monotonic()
            line, _ = self._connections.take(
                place,
                now + (end - now) / parts,
                sentinel=self._address.topology is Topology.SENTINEL,
            )
            try:
                answer = _plain(*command)(line, False)
            except BROKEN as error:
                self._connections.drop(place, line)
                raise Away(f"{type(error).__name__}: {error}") from None
            self._connections.give(place, line)
            return answer

        return ask


class _Refused(Away):
    """The server is there and will not do it."""


_Put = Callable[[Connection, bool], Any]
"""Puts a question to a line and brings the answer; first ASKING, if it is told so."""


def _plain(*command: str | bytes | int) -> _Put:
    def put(line: Connection, asking: bool) -> Any:
        if asking:
            line.exchange("ASKING")
        return line.exchange(*command)

    return put


class _Census:
    """A census' questions, put like all others: in time, and not to a server that is away."""

    def __init__(self, question: Callable[..., Any], route: Route) -> None:
        self._question, self._route = question, route

    def ask(self, name: str, *more: str | bytes | int) -> Any:
        word, *rest = more
        return self._put(key_slot(name.encode()), _plain(word, name, *rest))

    def servers(self) -> list[int]:
        return self._route.slots()

    def page(self, slot: int, cursor: bytes, pattern: str, most: int) -> tuple[bytes, list[bytes]]:
        told = self._put(slot, _plain("SCAN", cursor, "MATCH", pattern, "COUNT", most))
        return told[0], told[1]

    def living(self, slot: int, keys: Sequence[bytes]) -> int:
        def put(line: Connection, asking: bool) -> int:
            for key in keys:
                line.send("HEXISTS", key, "doc")
            return sum(map(_is_one, [line.answer() for _ in keys]))

        number: int = self._put(slot, put)
        return number

    def _put(self, slot: int, put: _Put) -> Any:
        return self._question("census", slot, put, again=True)


def _is_one(answer: Any) -> bool:
    """Whether it is a yes; an error is none: the key has moved, or was no session."""
    return isinstance(answer, int) and answer == 1


def _must_be_master(line: Connection) -> None:
    """Raises ReadOnlyError if it is not: a master that was deposed hangs up and answers again."""
    try:
        role = line.exchange("ROLE")[0]
    except NoPermissionError:
        return
    if role != b"master":
        raise ReadOnlyError("not the master")


def _policy(line: Connection, asking: bool) -> str:
    """What the server does when its memory is full, or nothing if it does not tell."""
    try:
        told = line.exchange("CONFIG", "GET", "maxmemory-policy")
        return told[1].decode() if told else ""
    except ResponseError:
        pass
    try:
        memory = line.exchange("INFO", "memory")
    except ResponseError:
        return ""
    rows = [row.partition(b":") for row in memory.split(b"\r\n")]
    return next((value.decode() for name, _, value in rows if name == b"maxmemory_policy"), "")


_SOURCES = {
    name: (
        getattr(scripts, name.upper()),
        sha1(getattr(scripts, name.upper()).encode(), usedforsecurity=False).hexdigest(),
    )
    for name in scripts.USED
}


def _script(name: str, keys: int, *arguments: str | bytes | int) -> _Put:
    source, digest = _SOURCES[name]

    def put(line: Connection, asking: bool) -> Any:
        if asking:
            line.exchange("ASKING")
        try:
            return line.exchange("EVALSHA", digest, keys, *arguments)
        except NoScriptError:
            # Nothing was run: this sends it for the first time, and the server remembers it.
            if asking:
                line.exchange("ASKING")
            return line.exchange("EVAL", source, keys, *arguments)

    return put
