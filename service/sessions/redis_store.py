"""Sessions in Redis 6.2 or later, or Valkey: one server, behind Sentinel, or a cluster.

Keys, one hash tag a session: ``referee:{id}`` is a hash (``v``, ``doc``, ``k:<idempotency key>``,
or ``gone``), ``referee:{id}:log`` a stream whose ids are ``<version>-0`` with one field ``e``,
``referee:{id}:streams`` a sorted set of leases. Channel ``referee:bell:<id>``.

Connections and their wire format are redis-py's; who is asked and how long is ours. The clients of
the library bound every wait, but not their sum, and send a write again when its answer is lost.

Of a pooled connection nobody knows whether the server is still there, and a write that was sent
must not be sent again. So what can be known is looked at before: a connection that the server has
closed is readable, and one that was idle for long may have been dropped on the way without a word.
Both are left for a fresh one. What remains, a server that dies after the look, ends a write as
Away: it may have happened, and its idempotency key tells.
"""

import os
import select
import socket
import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from hashlib import sha1
from threading import Lock, Thread
from typing import Any

import redis
from redis.backoff import NoBackoff
from redis.crc import key_slot
from redis.exceptions import (
    AskError,
    MovedError,
    NoPermissionError,
    NoScriptError,
    ReadOnlyError,
    RedisError,
    ResponseError,
)
from redis.retry import Retry

from service.sessions import scripts
from service.sessions.breaker import Breaker
from service.sessions.doorbell import CHANNEL, Doorbell
from service.sessions.places import Address, Place, Topology, parse
from service.sessions.routes import route
from service.sessions.store import (
    Away,
    Bells,
    Damaged,
    Gone,
    Kept,
    Line,
    Missing,
    Stale,
)

HOPS = 4
"""Servers that a question may be sent on to: slots move, and masters change."""
IDLE_SECONDS = 10.0
"""Idle time after which a connection is not trusted any more."""
BROKEN = (RedisError, OSError, ValueError)
"""What a connection raises that is of no use any more; ValueError for an answer of no Redis."""

# The library types these in part; nobody else sees them.
_TCP: Any = redis.Connection
_TLS: Any = redis.SSLConnection
_UNIX: Any = redis.UnixDomainSocketConnection

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
        self._lines = _Lines(self._address)
        self._lock = Lock()
        self._breakers: dict[Place | None, Breaker] = defaultdict(lambda: Breaker(clock))

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

    def ping(self) -> None:
        self._question("ping", 0, _plain("PING"), again=True)

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
        self._lines.close()

    def open_breakers(self) -> int:
        """How many servers are not asked at the moment."""
        with self._lock:
            return sum(breaker.is_open for breaker in self._breakers.values())

    def _listener(self) -> "_Wire":
        end = time.monotonic() + self._seconds
        self._route.refresh(self._asker(end))
        place = next(iter(self._route.masters()), None)
        if place is None:
            raise Away("no server is known")
        return _Wire(self._lines.new(place, end), self._seconds)

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
            except _Refused:
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
            line, fresh = self._lines.take(place, end)
            try:
                if fresh and self._address.topology is Topology.SENTINEL:
                    _must_be_master(line)
                answer = put(line, asking)
            except ResponseError as refusal:
                self._lines.give(place, line)
                sent, asking = self._sent_on(refusal, place, end)
                continue
            except BROKEN as error:
                self._lines.drop(place, line)
                # Nothing was lost by asking twice, and the pool is empty now.
                if again and not fresh:
                    continue
                raise Away(f"{type(error).__name__}: {error}") from None
            self._lines.give(place, line)
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
        raise _Refused(str(refusal))

    def _asker(self, end: float) -> Callable[..., Any]:
        def ask(place: Place, parts: int, *command: str) -> Any:
            now = time.monotonic()
            line, _ = self._lines.take(
                place,
                now + (end - now) / parts,
                sentinel=self._address.topology is Topology.SENTINEL,
            )
            try:
                answer = _plain(*command)(line, False)
            except BROKEN as error:
                self._lines.drop(place, line)
                raise Away(f"{type(error).__name__}: {error}") from None
            self._lines.give(place, line)
            return answer

        return ask


class _Refused(Away):
    """The server is there and will not do it."""


_Put = Callable[["_Line", bool], Any]
"""Puts a question to a line and brings the answer; first ASKING, if it is told so."""


def _plain(*command: str) -> _Put:
    def put(line: "_Line", asking: bool) -> Any:
        return line.exchange(*command)

    return put


def _must_be_master(line: "_Line") -> None:
    """Raises ReadOnlyError if it is not: a master that was deposed hangs up and answers again."""
    try:
        role = line.exchange("ROLE")[0]
    except NoPermissionError:
        return
    if role != b"master":
        raise ReadOnlyError("not the master")


def _policy(line: "_Line", asking: bool) -> str:
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
        sha1(getattr(scripts, name.upper()).encode()).hexdigest(),
    )
    for name in scripts.USED
}


def _script(name: str, keys: int, *arguments: str | bytes | int) -> _Put:
    source, digest = _SOURCES[name]

    def put(line: "_Line", asking: bool) -> Any:
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


class _Line:
    """One of redis-py's connections, that never waits beyond ``end``."""

    def __init__(self, raw: Any, end: float) -> None:
        self._raw = raw
        self._open = raw._connect
        raw._connect = self._connect
        self.end = end

    def left(self) -> float:
        """Seconds. Raises TimeoutError when there are none."""
        left = self.end - time.monotonic()
        if left <= 0:
            raise TimeoutError("no time left")
        return left

    def exchange(self, *command: str | bytes | int) -> Any:
        """A command and its answer."""
        self._raw.send_command(*command)
        return self._raw.read_response()

    def _connect(self) -> "_Timed":
        """A socket, in time.

        Looking up a name, trying its addresses one by one and shaking hands have no bound, or one
        each. So they happen in a thread, and whatever it brings too late is closed.
        """
        made: Future[socket.socket] = Future()
        try:
            self._raw.socket_connect_timeout = self._raw.socket_timeout = self.left()
            Thread(target=self._make, args=(self._open, made), daemon=True).start()
            return _Timed(made.result(self.left()), self)
        except TimeoutError:
            if not made.cancel() and made.exception() is None:
                made.result().close()
            # Not the built-in one: redis-py would report it with a port that Unix sockets lack.
            raise redis.TimeoutError("Timeout connecting to server") from None

    def connect(self) -> None:
        """Open it, log in and choose the database."""
        self._raw.connect()

    def send(self, *command: str) -> None:
        """A command whose answer is heard later."""
        self._raw.send_command(*command)

    def hear(self) -> Any:
        """What was said."""
        return self._raw.read_response()

    def waiting(self) -> bool:
        """Whether something can be heard; raises if that is the end."""
        return bool(self._raw.can_read())

    def is_quiet(self) -> bool:
        """Whether it is open, and nothing is said on it: neither an answer nor a farewell."""
        if not self._raw.is_connected:
            return False
        poll = select.poll()
        poll.register(self, select.POLLIN)
        return not poll.poll(0)

    def fileno(self) -> int:
        return int(self._raw._sock.fileno())

    def close(self) -> None:
        """Hang up. Never raises."""
        self._raw.disconnect()

    @staticmethod
    def _make(connect: Callable[[], socket.socket], made: "Future[socket.socket]") -> None:
        try:
            plain = connect()
        except BaseException as error:
            if made.set_running_or_notify_cancel():
                made.set_exception(error)
            return
        if made.set_running_or_notify_cancel():
            made.set_result(plain)
        else:
            plain.close()


class _Timed:
    """A socket whose every wait ends when its line's time does."""

    def __init__(self, plain: socket.socket, line: _Line) -> None:
        self._plain = plain
        self._line = line
        self._waits = True

    def __getattr__(self, name: str) -> Any:
        return getattr(self._plain, name)

    def settimeout(self, seconds: float | None) -> None:
        self._waits = seconds != 0
        self._plain.settimeout(seconds)

    def recv(self, size: int) -> bytes:
        self._arm()
        return self._plain.recv(size)

    def recv_into(self, buffer: Any) -> int:
        self._arm()
        return self._plain.recv_into(buffer)

    def sendall(self, data: Any) -> None:
        self._arm()
        self._plain.sendall(data)

    def _arm(self) -> None:
        if self._waits:
            self._plain.settimeout(self._line.left())


class _Wire:
    """A line for a doorbell: as the store's, but nobody waits for what it says."""

    def __init__(self, line: _Line, seconds: float) -> None:
        self._line = line
        self._seconds = seconds

    def fileno(self) -> int:
        return self._line.fileno()

    def send(self, *command: str) -> None:
        self._guard(self._line.send, *command)

    def waiting(self) -> bool:
        return bool(self._guard(self._line.waiting))

    def hear(self) -> Any:
        return self._guard(self._line.hear)

    def close(self) -> None:
        self._line.close()

    def _guard(self, do: Callable[..., Any], *arguments: Any) -> Any:
        self._line.end = time.monotonic() + self._seconds
        try:
            return do(*arguments)
        except BROKEN as error:
            raise Away(f"{type(error).__name__}: {error}") from None


class _Lines:
    """The connections of this process: those that are idle, by the server they lead to."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._lock = Lock()
        self._pid = 0
        self._idle: dict[Place, list[tuple[float, _Line]]] = {}

    def take(self, place: Place, end: float, *, sentinel: bool = False) -> tuple[_Line, bool]:
        """A connection that may wait until ``end``, and whether it is a fresh one. Raises Away."""
        while kept := self._pop(place):
            since, line = kept
            if time.monotonic() - since < IDLE_SECONDS and line.is_quiet():
                line.end = end
                return line, False
            line.close()
        return self.new(place, end, sentinel=sentinel), True

    def give(self, place: Place, line: _Line) -> None:
        """Keep it for the next question."""
        with self._lock:
            self._idle.setdefault(place, []).append((time.monotonic(), line))

    def drop(self, place: Place, line: _Line) -> None:
        """It failed, and with it all that lead to the same server."""
        with self._lock:
            others = self._idle.pop(place, [])
        for one in (line, *(other for _, other in others)):
            one.close()

    def close(self) -> None:
        """Hang up what is idle."""
        with self._lock:
            idle, self._idle = self._idle, {}
        for _, line in (one for lines in idle.values() for one in lines):
            line.close()

    def new(self, place: Place, end: float, *, sentinel: bool = False) -> _Line:
        """A connection that leads there. Raises Away."""
        user, password = self._address.sentinel_login if sentinel else self._address.login
        common: dict[str, Any] = {
            "db": 0 if sentinel else self._address.db,
            "username": user,
            "password": password,
            # Without these a new connection asks three questions more than it must.
            "protocol": 2,
            "driver_info": None,
            "retry": Retry(NoBackoff(), 0),
        }
        if place.port == 0:
            made: Any = _UNIX(path=place.host, **common)
        elif self._address.tls is None:
            made = _TCP(host=place.host, port=place.port, **common)
        else:
            made = _TLS(host=place.host, port=place.port, **_options(self._address.tls), **common)
        line = _Line(made, end)
        try:
            line.connect()
        except BROKEN as error:
            line.close()
            raise Away(f"{type(error).__name__}: {error}") from None
        return line

    def _pop(self, place: Place) -> tuple[float, _Line] | None:
        with self._lock:
            if self._pid != os.getpid():
                # Those of the process that forked us are not ours to speak on.
                self._pid, self._idle = os.getpid(), {}
            idle = self._idle.get(place)
            return idle.pop() if idle else None


def _options(tls: Mapping[str, str]) -> dict[str, Any]:
    """Options of TLS, as redis-py takes them."""
    options: dict[str, Any] = dict(tls)
    unchecked = tls.get("ssl_check_hostname") == "0" or tls.get("ssl_cert_reqs") == "none"
    return {**options, "ssl_check_hostname": not unchecked}
