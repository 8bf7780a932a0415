"""Commands to a Redis, with circuit breakers for its servers."""

import time
from collections.abc import Callable
from contextlib import suppress
from threading import Lock, local
from types import SimpleNamespace
from typing import Any, TypeVar

from redis import exceptions

from dice_referee.sessions.redis.circuit_breaker import Changed, CircuitBreaker
from dice_referee.sessions.redis.driver import (
    Driver,
    RedisCluster,
    is_outage,
    master_of,
    masters,
    open_driver,
    outages_ignored,
    sample_keys,
    servers,
    subscription,
    word_of,
)
from dice_referee.sessions.redis.periodic import PeriodicThread
from dice_referee.sessions.redis.url import Address, Topology
from dice_referee.sessions.store import StoreFull, StoreUnavailable

T = TypeVar("T")

PROBE_SECONDS = 1.0
"""Seconds between two checks for a new master and for recovered servers."""
REFUSED_SECONDS = 30.0
"""Seconds for which a refusal counts, unless the same command succeeds meanwhile."""

Observe = Callable[[str, float, bool], None]
"""Callback ``observe(name, seconds, ok)`` after every command.

``ok`` is false if the server did not answer, or refused.
"""
Report = Callable[[str, str, str], None]
"""Callback ``report(event, level, reason)`` for a log line. ``reason`` is a single word."""


class Lane:
    """Commands that share connections to a single server, and a circuit breaker for each server."""

    def __init__(
        self,
        clients: Callable[[], Any],
        clock: Callable[[], float],
        changed: Changed = lambda *_: None,
    ) -> None:
        """``clients`` makes a namespace for the client of its user."""
        self._make, self._clock, self._changed = clients, clock, changed
        self.breakers: dict[str | None, CircuitBreaker] = {}
        self.forget()

    def forget(self) -> None:
        """Drops all connections that are not in use."""
        self.clients = self._make()

    def breaker(self, server: str | None) -> CircuitBreaker:
        return self.breakers.get(server) or self.breakers.setdefault(
            server, CircuitBreaker(self._clock, changed=self._changed)
        )


class RedisClient:
    """Thread-safe client of a Redis. Each wait for a server ends after ``seconds``.

    A cluster has a circuit breaker for each master, or eight threads would wait for a dead master.
    Pages of logs have breakers and a connection of their own, and are read one after another: a
    server that is late with pages is still asked for sessions.
    """

    def __init__(
        self,
        address: Address,
        seconds: float,
        observe: Observe,
        report: Report = lambda *_: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._address = address
        self._seconds = seconds
        self._observe = observe
        self._report = report
        self._clock = clock
        self._opening = Lock()
        self._driver: Driver = None
        # Each thread has a connection of its own to a single server.
        self._sessions = Lane(local, clock, self._report_breaker)
        self._logs, self._reading_log = Lane(SimpleNamespace, clock), Lock()
        self._failed: dict[str | None, str | None] = {}
        """Key of the last unanswered command of each breaker."""
        self._refusals: dict[tuple[str | None, str], float] = {}
        """Time in seconds of the last refusal, by server and command, until a success."""
        self._probing = PeriodicThread("probe", PROBE_SECONDS, self._probe)

    def ask(self, name: str, command: Callable[[Driver], T], key: str | None = None) -> T:
        """Runs ``command`` with redis-py's client, and returns its result.

        ``key`` selects the server in a cluster. Raises StoreUnavailable, StoreFull.
        """
        return self._ask(self._sessions, name, command, key)

    def read_log(self, name: str, command: Callable[[Driver], T], key: str) -> T:
        """Runs a command that reads a page of a log, after other such commands, as ``ask`` does."""
        if not self._reading_log.acquire(timeout=self._seconds):
            raise StoreUnavailable("other threads are still reading logs", word="busy")
        try:
            return self._ask(self._logs, name, command, key)
        finally:
            self._reading_log.release()

    def _ask(self, lane: Lane, name: str, command: Callable[[Driver], T], key: str | None) -> T:
        self._probing.start()
        started, sent, ok = time.monotonic(), False, False
        try:
            server = master_of(self._driver, key)
            breaker = lane.breaker(server)
            breaker.allow()
            began, sent = self._clock(), True
            try:
                answer = self._answer(lane, command)
            except exceptions.ResponseError as refusal:
                if key is not None:
                    self._refusals[server, name] = self._clock()
                if isinstance(refusal, exceptions.ClusterError):
                    self._failed[server] = key
                    breaker.failure(word_of(refusal), self._clock() - began)
                else:
                    breaker.success()
                raise self._store_error(refusal) from None
            except Exception as error:
                if not is_outage(error):
                    raise
                self._failed[server] = key
                breaker.failure(word_of(error), self._clock() - began)
                self._forget(lane)
                reason = f"{type(error).__name__}: {error}"
                raise StoreUnavailable(reason, word=word_of(error)) from None
            breaker.success()
            self._refusals.pop((server, name), None)
            ok = True
            return answer
        finally:
            # An open breaker refuses immediately, which would hide how slow the server is.
            if sent:
                self._observe(name, time.monotonic() - started, ok)

    def pubsub(self) -> Any:
        return subscription(self._open())

    def open_breakers(self) -> int:
        """Counts the servers with an open breaker, in a cluster only of its present masters."""
        current, breakers = {None, *masters(self._driver)}, self._sessions.breakers
        return sum(breaker.is_open for name, breaker in list(breakers.items()) if name in current)

    def ping(self, key: str) -> None:
        """Pings the server of this key. Raises StoreUnavailable."""
        self.ask("ping", lambda driver: driver.exists(key), key)

    def check(self) -> bool:
        """Pings all servers, until the time of a single wait is over.

        Returns False if some do not answer, or have just refused a command with a key. Raises
        StoreUnavailable if all do.
        """
        until, away = self._clock() + self._seconds, StoreUnavailable("it has just refused")
        if self._driver is None:
            self.ask("ping", lambda driver: None)
        answers = list[bool]()
        for server, key in sample_keys(self._driver).items():
            try:
                if self._clock() <= until:
                    self.ping(key)
                answers.append(not self._has_failed(server))
            except StoreUnavailable as error:
                answers.append(False)
                away = error
        if not any(answers):
            raise away
        return all(answers)

    def _has_failed(self, server: str | None) -> bool:
        """Tells if the server's breaker is open, or the server has just refused a command."""
        since = self._clock() - REFUSED_SECONDS
        # A copy, because other threads add to it.
        refusals = list(self._refusals.items())
        return self._sessions.breaker(server).is_open or any(
            refused_at > since for (name, _), refused_at in refusals if name == server
        )

    def close(self) -> None:
        self._probing.close()
        driver, self._driver = self._driver, None
        self._sessions.forget()
        self._logs.forget()
        if driver is not None:
            driver.close()

    def _probe(self) -> None:
        driver = self._driver
        if driver is not None and self._address.topology is Topology.SENTINEL:
            # After a planned failover the old master accepts writes for ten more seconds, which
            # are lost. If the address is new, this drops the connections to the old one.
            with outages_ignored():
                driver.connection_pool.get_master_address()
        for server, breaker in list(self._sessions.breakers.items()):
            if breaker.is_open:
                self._try(server)

    def _try(self, server: str | None) -> None:
        """Pings a server with an open breaker. Otherwise only requests for its sessions would."""
        key = self._failed.get(server)
        if self._driver is not None and master_of(self._driver, key) != server:
            # Another server now has its slots.
            del self._sessions.breakers[server]
            return
        with suppress(StoreUnavailable):
            if key is None:
                self.ask("ping", lambda driver: servers(driver)[0].ping())
            else:
                self.ping(key)

    def _answer(self, lane: Lane, command: Callable[[Driver], T]) -> T:
        """Runs the command, again after a timeout, which this machine may have caused.

        redis-py does so for Sentinel and for a cluster. For a single server it would wait four
        times instead of twice, because it would also repeat each connection attempt.
        """
        driver = self._open()
        if self._address.topology is not Topology.SINGLE:
            return command(driver)
        # The pool checks a connection before each use, which costs 4 % of the CPU time of an event.
        clients = lane.clients
        if not hasattr(clients, "own"):
            clients.own = driver.client()
        try:
            return command(clients.own)
        except exceptions.TimeoutError:
            return command(clients.own)

    def _open(self) -> Driver:
        driver = self._driver
        if driver is None:
            if not self._opening.acquire(timeout=self._seconds):
                raise TimeoutError("other threads are still connecting")
            try:
                # Another thread may have opened it in the meantime.
                driver = self._driver = self._driver or open_driver(self._address, self._seconds)
            finally:
                self._opening.release()
        return driver

    def _report_breaker(self, is_open: bool, word: str) -> None:
        if is_open:
            self._report("redis is not asked", "warning", word)
        else:
            self._report("redis is asked again", "info", word)

    def _forget(self, lane: Lane) -> None:
        """Drops connections made before a failure. A cluster's client does so itself."""
        driver = self._driver
        if driver is None or isinstance(driver, RedisCluster):
            return
        self._logs.forget()
        if lane is self._sessions:
            lane.forget()
            driver.connection_pool.disconnect(inuse_connections=False)

    def _store_error(self, refusal: exceptions.ResponseError) -> Exception:
        # Redis 6.2 wraps the error of a script in a sentence of its own.
        text = str(refusal)
        if isinstance(refusal, exceptions.OutOfMemoryError) or "OOM " in text:
            return StoreFull(text, word="OOM")
        word = word_of(refusal)
        # A master whose replicas follow another may be outdated. A cluster reports that itself.
        if word in ("READONLY", "NOREPLICAS"):
            self._forget(self._sessions)
        return StoreUnavailable(text, word=word)
