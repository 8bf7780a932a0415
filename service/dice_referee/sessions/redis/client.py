"""Commands to a Redis, and which of its servers are not asked for a while."""

import time
from collections.abc import Callable
from contextlib import suppress
from threading import Lock
from typing import Any, TypeVar

from redis import exceptions

from dice_referee.sessions.redis.circuit_breaker import CircuitBreaker
from dice_referee.sessions.redis.driver import (
    BROKEN,
    Driver,
    RedisCluster,
    master_of,
    masters,
    open_driver,
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
"""Seconds between two looks at where the master is, and at who is back."""
REFUSED_SECONDS = 30.0
"""Seconds for which a refusal counts, unless the same question is answered meanwhile."""

Observe = Callable[[str, float, bool], None]
"""``observe(name, seconds, ok)`` after every command that was sent; not ok: no answer, or a no."""
Report = Callable[[str, str, str], None]
"""``report(event, level, reason)``: a line for the log; ``reason`` is a word, as in refusals."""


class RedisClient:
    """Puts commands to a Redis; each wait ends after ``seconds``. Safe to use from many threads.

    A cluster has one breaker a master: otherwise eight threads would wait for a dead one.
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
        self._breakers: dict[str | None, CircuitBreaker] = {}
        self._failed: dict[str | None, str | None] = {}
        """Key of the last unanswered command, for each breaker."""
        self._refusals: dict[tuple[str | None, str], float] = {}
        """Seconds at which each server refused each command that it has not answered since."""
        self._probing = PeriodicThread("probe", PROBE_SECONDS, self._probe)

    def ask(self, name: str, command: Callable[[Driver], T], key: str | None = None) -> T:
        """Runs ``command`` with redis-py's client and returns its result, for this ``key``.

        Raises StoreUnavailable, StoreFull.
        """
        self._probing.start()
        started, sent, ok = time.monotonic(), False, False
        try:
            server = master_of(self._driver, key)
            breaker = self._breaker(server)
            breaker.allow()
            began, sent = self._clock(), True
            try:
                answer = self._answer(command)
            except exceptions.ResponseError as refusal:
                if key is not None:
                    self._refusals[server, name] = self._clock()
                if isinstance(refusal, exceptions.ClusterError):
                    self._failed[server] = key
                    breaker.failure(word_of(refusal), self._clock() - began)
                else:
                    breaker.success()
                raise self._refused(refusal) from None
            except BROKEN as error:
                self._failed[server] = key
                breaker.failure(word_of(error), self._clock() - began)
                self._forget()
                reason = f"{type(error).__name__}: {error}"
                raise StoreUnavailable(reason, word=word_of(error)) from None
            breaker.success()
            self._refusals.pop((server, name), None)
            ok = True
            return answer
        finally:
            # A refusal by an open breaker is over at once, and would hide how slow the server is.
            if sent:
                self._observe(name, time.monotonic() - started, ok)

    def pubsub(self) -> Any:
        """Opens a subscription of redis-py, in a cluster at a random master. Raises as redis-py."""
        return subscription(self._opened())

    def open_breakers(self) -> int:
        """Counts the servers with an open breaker; of a cluster, only its present masters."""
        current = {None, *masters(self._driver)}
        return sum(one.is_open for name, one in list(self._breakers.items()) if name in current)

    def ping(self, key: str) -> None:
        """Asks the server of this key for an answer. Raises StoreUnavailable."""
        self.ask("ping", lambda driver: driver.exists(key), key)

    def check(self) -> bool:
        """Pings each server, but for those that are left after one wait.

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
        """Tells if the server is not asked now, or has just refused a command."""
        since = self._clock() - REFUSED_SECONDS
        # A copy: other threads add to it.
        refusals = list(self._refusals.items())
        return self._breaker(server).is_open or any(
            refused_at > since for (name, _), refused_at in refusals if name == server
        )

    def close(self) -> None:
        """Closes all connections, and looks after no server any more."""
        self._probing.close()
        driver, self._driver = self._driver, None
        if driver is not None:
            driver.close()

    def _probe(self) -> None:
        driver = self._driver
        if driver is not None and self._address.topology is Topology.SENTINEL:
            # After a planned failover the old master takes writes for ten seconds more, which
            # are lost. If the address is new, this drops the connections to the old one.
            with suppress(*BROKEN):
                driver.connection_pool.get_master_address()
        for server, breaker in list(self._breakers.items()):
            if breaker.is_open:
                self._try(server)

    def _try(self, server: str | None) -> None:
        """Tries a server whose breaker is open; otherwise only requests for its sessions would."""
        key = self._failed.get(server)
        if self._driver is not None and master_of(self._driver, key) != server:
            # Another server keeps its slots now.
            del self._breakers[server]
            return
        with suppress(StoreUnavailable):
            if key is None:
                self.ask("ping", lambda driver: servers(driver)[0].ping())
            else:
                self.ping(key)

    def _answer(self, command: Callable[[Driver], T]) -> T:
        """Runs the command, and once more after a timeout: this machine may have been late.

        The library does so for Sentinel and for a cluster. For a single server it would wait four
        times instead of twice: connecting, too, would be tried twice each time.
        """
        driver = self._opened()
        try:
            return command(driver)
        except exceptions.TimeoutError:
            if self._address.topology is not Topology.SINGLE:
                raise
            return command(driver)

    def _opened(self) -> Driver:
        driver = self._driver
        if driver is None:
            if not self._opening.acquire(timeout=self._seconds):
                raise TimeoutError("other threads are still connecting")
            try:
                # Another thread may have opened it meanwhile.
                driver = self._driver = self._driver or open_driver(self._address, self._seconds)
            finally:
                self._opening.release()
        return driver

    def _breaker(self, server: str | None) -> CircuitBreaker:
        return self._breakers.get(server) or self._breakers.setdefault(
            server, CircuitBreaker(self._clock, changed=self._changed)
        )

    def _changed(self, is_open: bool, word: str) -> None:
        if is_open:
            self._report("redis is not asked", "warning", word)
        else:
            self._report("redis is asked again", "info", word)

    def _forget(self) -> None:
        """Drops connections made before a failure; a cluster's client does so by itself."""
        driver = self._driver
        if driver is not None and not isinstance(driver, RedisCluster):
            driver.connection_pool.disconnect(inuse_connections=False)

    def _refused(self, refusal: exceptions.ResponseError) -> Exception:
        # Redis 6.2 wraps what a script met into a sentence of its own.
        text = str(refusal)
        if isinstance(refusal, exceptions.OutOfMemoryError) or "OOM " in text:
            return StoreFull(text, word="OOM")
        word = word_of(refusal)
        # A master whose replicas follow another may have been replaced; in a cluster it says so.
        if word in ("READONLY", "NOREPLICAS"):
            self._forget()
        return StoreUnavailable(text, word=word)
