"""Connections to Redis that keep to their time, and are left before they are trusted too long.

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
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from threading import Lock, Thread
from typing import Any

import redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError, ResponseError
from redis.retry import Retry

from service.sessions.places import Address, Place
from service.sessions.store import Away

IDLE_SECONDS = 10.0
"""Idle time after which a connection is not trusted any more."""
BROKEN = (RedisError, OSError, ValueError)
"""What a connection raises that is of no use any more; ValueError for an answer of no Redis."""

# The library types these in part; nobody else sees them.
_TCP: Any = redis.Connection
_TLS: Any = redis.SSLConnection
_UNIX: Any = redis.UnixDomainSocketConnection


class Connection:
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
            maker = Thread(target=self._make, args=(self._open, made), name="connect", daemon=True)
            maker.start()
            return _Timed(made.result(self.left()), self)
        except TimeoutError:
            if not made.cancel() and made.exception() is None:
                made.result().close()
            # Not the built-in one: redis-py would report it with a port that Unix sockets lack.
            raise redis.TimeoutError("Timeout connecting to server") from None

    def connect(self) -> None:
        """Open it, log in and choose the database."""
        self._raw.connect()

    def send(self, *command: str | bytes) -> None:
        """A command whose answer is heard later."""
        self._raw.send_command(*command)

    def hear(self) -> Any:
        """What was said."""
        return self._raw.read_response()

    def answer(self) -> Any:
        """The same, where a refusal is an answer as good as any."""
        try:
            return self._raw.read_response()
        except ResponseError as refusal:
            return refusal

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

    def __init__(self, plain: socket.socket, line: Connection) -> None:
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


class BellWire:
    """A line for a doorbell: as the store's, but nobody waits for what it says."""

    def __init__(self, line: Connection, seconds: float) -> None:
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


class Connections:
    """The connections of this process: those that are idle, by the server they lead to."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._lock = Lock()
        self._pid = 0
        self._idle: dict[Place, list[tuple[float, Connection]]] = {}

    def take(self, place: Place, end: float, *, sentinel: bool = False) -> tuple[Connection, bool]:
        """A connection that may wait until ``end``, and whether it is a fresh one. Raises Away."""
        while kept := self._pop(place):
            since, line = kept
            if time.monotonic() - since < IDLE_SECONDS and line.is_quiet():
                line.end = end
                return line, False
            line.close()
        return self.new(place, end, sentinel=sentinel), True

    def give(self, place: Place, line: Connection) -> None:
        """Keep it for the next question."""
        with self._lock:
            self._idle.setdefault(place, []).append((time.monotonic(), line))

    def drop(self, place: Place, line: Connection) -> None:
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

    def new(self, place: Place, end: float, *, sentinel: bool = False) -> Connection:
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
        line = Connection(made, end)
        try:
            line.connect()
        except BROKEN as error:
            line.close()
            raise Away(f"{type(error).__name__}: {error}") from None
        return line

    def _pop(self, place: Place) -> tuple[float, Connection] | None:
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
