"""Connections of redis-py that keep one time limit for a command as a whole.

redis-py bounds each wait (connect, login, choice of the database, a second server, a second
attempt), not their sum. These connections shorten each wait to what is left for the command.
What has no bound at all, looking up a name and loading the certificates that TLS trusts, happens
in a thread: a connection is made in one, and a command that needs it waits as long as it may.

``connect_check_health``, ``can_read`` and ``read_response`` are public in redis-py 8.1 but not
documented: the version is pinned, and ``tests/sessions/redis/test_faults.py`` fails when they move.
"""

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import Any

import redis
from redis.sentinel import SentinelManagedConnection, SentinelManagedSSLConnection

UNLIMITED = float("inf")
ANSWER_SECONDS = 0.05
"""What a server has at least: that a thread had to wait for its turn is not the server's fault."""


class _Command(threading.local):
    end = UNLIMITED
    extended = False


_command = _Command()


class TimeLimit:
    """Bounds all that this thread asks of Redis within the block, in seconds."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    def __enter__(self) -> None:
        _command.end, _command.extended = time.monotonic() + self._seconds, False

    def __exit__(self, *_: object) -> None:
        _command.end = UNLIMITED


def time_left() -> float:
    """Seconds left, at least 0.001: a socket with timeout 0 would not block at all."""
    return max(0.001, _command.end - time.monotonic())


def _server_time() -> float:
    """Seconds for the server: those left, but once in a command no less than ANSWER_SECONDS.

    Of several servers that are asked in turn the last may have no time left.
    """
    if not _command.extended and time_left() < ANSWER_SECONDS:
        _command.end, _command.extended = time.monotonic() + ANSWER_SECONDS, True
    return time_left()


def _in_thread(connect: Callable[[], None]) -> "Future[None]":
    """Runs it in a thread of its own, within the time limit of this one."""
    done: Future[None] = Future()
    end = _command.end

    def run() -> None:
        _command.end = end
        try:
            connect()
        except BaseException as error:
            done.set_exception(error)
        else:
            done.set_result(None)

    threading.Thread(target=run, name="connect", daemon=True).start()
    return done


class _Deadline:
    """The mixin. ``socket_timeout`` is the longest single wait, in seconds.

    ``checked``: an idle connection is checked before each command.
    """

    def __init__(self, *, socket_timeout: float, checked: bool = True, **options: Any) -> None:
        self._longest = socket_timeout
        self._checked = checked
        self._connecting: Future[None] | None = None
        super().__init__(socket_timeout=socket_timeout, **options)  # type: ignore[call-arg]

    def connect_check_health(self, *arguments: Any, **options: Any) -> None:
        connecting = self._connecting
        if connecting is None or connecting.done():
            if self.is_connected:  # type: ignore[attr-defined]
                return
            self.socket_connect_timeout = self.socket_timeout = min(self._longest, time_left())
            connect = partial(super().connect_check_health, *arguments, **options)  # type: ignore[misc]
            if _command.end == UNLIMITED:
                # A subscription, which has a thread of its own and locks to subscribe again.
                connect()
                return
            self._connecting = connecting = _in_thread(connect)
        try:
            connecting.result(_server_time())
        except TimeoutError:
            # It goes on: who uses this connection next waits for it again.
            raise redis.TimeoutError("Timeout connecting to server") from None
        finally:
            if connecting.done():
                self._connecting = None

    def can_read(self, timeout: float = 0) -> bool:
        # The pool's check costs a tenth of a command. Unread answers cannot be left, since a late
        # one ends its connection; one that the server has closed fails, and the command is resent.
        if timeout == 0 and not self._checked:
            return False
        ready: bool = super().can_read(timeout)  # type: ignore[misc]
        return ready

    def read_response(self, *arguments: Any, **options: Any) -> Any:
        wait = min(self._longest, _server_time())
        # Where its own timeout is about right, two system calls to change it are saved.
        if not 0.9 < wait / self.socket_timeout < 1.1:
            options.setdefault("timeout", wait)
        # As a connection of Sentinel does not by itself: an answer that comes too late is no answer
        # to the next command.
        options.setdefault("disconnect_on_error", True)
        return super().read_response(*arguments, **options)  # type: ignore[misc]


class TcpConnection(_Deadline, redis.Connection):  # type: ignore[misc]
    """A connection to a host and port."""


class TlsConnection(_Deadline, redis.SSLConnection):  # type: ignore[misc]
    """The same, encrypted."""


class UnixConnection(_Deadline, redis.UnixDomainSocketConnection):  # type: ignore[misc]
    """A connection to a Unix socket."""


class MasterConnection(_Deadline, SentinelManagedConnection):  # type: ignore[misc]
    """A connection to the master that the sentinels name when it is made."""


class TlsMasterConnection(_Deadline, SentinelManagedSSLConnection):  # type: ignore[misc]
    """The same, encrypted."""
