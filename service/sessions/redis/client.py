"""redis-py's client for an address: opened with the first command, bounded, with circuit breakers.

Pools, reconnecting, Sentinel, the slots of a cluster and resending are the library's. A command is
sent again at most once, when its connection breaks, and never after a timeout: the scripts
recognise a write that they have done.
"""

import random  # nosemgrep: chance-is-not-guessable
import re
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from threading import Event, Lock, Thread, local
from typing import Any, TypeVar

import redis
from redis import cluster, exceptions, sentinel
from redis.backoff import NoBackoff
from redis.retry import Retry

from service.sessions.redis import deadline
from service.sessions.redis.circuit_breaker import CircuitBreaker
from service.sessions.redis.url import Address, Topology
from service.sessions.store import StoreFull, StoreUnavailable

T = TypeVar("T")

# The library types these in part.
Driver = Any
"""``redis.Redis``, or ``redis.RedisCluster``."""
RedisCluster: Any = cluster.RedisCluster
_ClusterNode: Any = cluster.ClusterNode
_Sentinel: Any = sentinel.Sentinel

RESEND = Retry(NoBackoff(), 1, (redis.ConnectionError,))
KEEPALIVE = {
    # Not every system has all of them.
    getattr(socket, name): number
    for name, number in (("TCP_KEEPIDLE", 5), ("TCP_KEEPINTVL", 1), ("TCP_KEEPCNT", 3))
    if hasattr(socket, name)
}
"""Seconds, seconds, probes: idle connections stay open on the way, and dead ones are noticed."""
AGAIN_SECONDS = 0.1
"""What all commands of a request have together beyond the time of one; the last has no less."""
LOOK_SECONDS = 1.0
"""Seconds between two looks at where the master is, and at who is back."""
BROKEN = (
    exceptions.RedisError,
    exceptions.RedisClusterException,
    OSError,
    ValueError,
    AttributeError,
)
"""What the library raises without an answer; AttributeError for a cluster node that it lacks."""
CODE = re.compile(r"(?:^|user_script: ?\d+: -)([A-Z]+) ", re.ASCII)
"""The code of a refusal: the first word, or the first of what Redis 6.2 says a script met."""

Observe = Callable[[str, float, bool], None]
"""``observe(name, seconds, ok)`` after every command; not ok: there was no answer."""


class _Request(local):
    """What the request that this thread answers has waited for Redis; None if it answers none."""

    waited: float | None = None


class RedisClient:
    """Puts commands to a Redis, each within ``seconds``. Safe to use from many threads.

    A cluster has one breaker a master, since eight threads would else wait for a dead one.
    """

    def __init__(self, address: Address, seconds: float, observe: Observe) -> None:
        self._address = address
        self._seconds = seconds
        self._observe = observe
        self._opening = Lock()
        self._driver: Driver = None
        self._breakers: dict[str | None, CircuitBreaker] = {}
        self._failed: dict[str | None, str | None] = {}
        """For each breaker the key of the last question without an answer."""
        self._request = _Request()
        self._starting = Lock()
        """Taken by the question that starts the thread which looks, and not given back."""
        self._ended = Event()

    def begin_request(self) -> None:
        """What this thread asks from now on has one time limit together."""
        self._request.waited = 0.0

    def ask(self, name: str, command: Callable[[Driver], T], key: str | None = None) -> T:
        """What ``command`` returns for redis-py's client; ``key`` is the one that it is about.

        Raises StoreUnavailable, StoreFull.
        """
        if self._starting.acquire(blocking=False):
            Thread(target=self._run, name="look", daemon=True).start()
        started, ok = time.monotonic(), False
        try:
            with deadline.TimeLimit(self._patience()):
                server = self._server(key)
                breaker = self._breaker(server)
                breaker.allow()
                try:
                    answer = command(self._opened())
                except exceptions.ResponseError as refusal:
                    if isinstance(refusal, exceptions.ClusterError):
                        self._failed[server] = key
                        breaker.failure()
                    else:
                        breaker.success()
                    raise self._refused(refusal) from None
                except BROKEN as error:
                    self._failed[server] = key
                    breaker.failure()
                    self._forget(
                        breaker.is_open and isinstance(error, exceptions.RedisClusterException)
                    )
                    reason = f"{type(error).__name__}: {error}"
                    raise StoreUnavailable(reason, word=_word(error)) from None
                breaker.success()
                ok = True
                return answer
        finally:
            seconds = time.monotonic() - started
            if self._request.waited is not None:
                self._request.waited += seconds
            self._observe(name, seconds, ok)

    def pubsub(self) -> Any:
        """A new subscription of redis-py, in a cluster at a random master. Raises as redis-py."""
        with deadline.TimeLimit(self._seconds):
            driver = self._opened()
        if not isinstance(driver, RedisCluster):
            return driver.pubsub()
        # Each of a cluster publishes everything: the processes share the load among them.
        return driver.pubsub(node=random.choice(driver.get_primaries()))  # nosec B311

    def open_breakers(self) -> int:
        """How many servers are not asked at the moment; of a cluster, only its present masters."""
        driver = self._driver
        clustered = isinstance(driver, RedisCluster)
        current = {node.name for node in driver.get_primaries()} if clustered else set()
        breakers = list(self._breakers.items())
        return sum(one.is_open for name, one in breakers if name is None or name in current)

    def close(self) -> None:
        """Closes all connections, and looks after no server any more."""
        self._ended.set()
        driver, self._driver = self._driver, None
        if driver is not None:
            driver.close()

    def _run(self) -> None:
        while not self._ended.wait(LOOK_SECONDS):
            driver = self._driver
            if driver is not None and self._address.topology is Topology.SENTINEL:
                # After a planned failover the old master takes writes for ten seconds more, which
                # are lost. If the address is new, this drops the connections to the old one.
                with suppress(*BROKEN), deadline.TimeLimit(self._seconds):
                    driver.connection_pool.get_master_address()
            for server, breaker in list(self._breakers.items()):
                if breaker.is_open:
                    self._try(server)

    def _try(self, server: str | None) -> None:
        """Asks a server that is not asked, since else only who has a session there does."""
        key = self._failed.get(server)
        if self._driver is not None and self._server(key) != server:
            # What it kept is elsewhere now.
            del self._breakers[server]
            return
        with suppress(StoreUnavailable):
            if key is None:
                self.ask("ping", lambda driver: servers(driver)[0].ping())
            else:
                self.ask("ping", lambda driver: execute(driver, "EXISTS", key), key)

    def _patience(self) -> float:
        """Seconds that a command has: fewer where its request has waited for others already.

        The rate limit and the session ask one after the other, and their request is to be refused
        in about the time of one command.
        """
        left = self._seconds + AGAIN_SECONDS - (self._request.waited or 0.0)
        return min(self._seconds, max(left, AGAIN_SECONDS))

    def _opened(self) -> Driver:
        driver = self._driver
        if driver is None:
            if not self._opening.acquire(timeout=deadline.time_left()):
                raise TimeoutError("other threads are still connecting")
            try:
                # Another thread may have opened it meanwhile.
                driver = self._driver = self._driver or _open(self._address, self._seconds)
            finally:
                self._opening.release()
        return driver

    def _server(self, key: str | None) -> str | None:
        """The master of a cluster that keeps the key; None if it is unknown, or the only one."""
        driver = self._driver
        if key is not None and isinstance(driver, RedisCluster):
            with suppress(*BROKEN):
                return str(driver.get_node_from_key(key).name)
        return None

    def _breaker(self, server: str | None) -> CircuitBreaker:
        found = self._breakers.get(server)
        return found or self._breakers.setdefault(server, CircuitBreaker(time.monotonic))

    def _forget(self, lost: bool) -> None:
        """Drops connections made before a failure; a cluster that is lost is opened anew."""
        driver = self._driver
        if isinstance(driver, RedisCluster):
            # It looks only where nodes were, and all may have moved: begin with the URL's.
            if lost:
                self._driver = None
        elif driver is not None:
            driver.connection_pool.disconnect(inuse_connections=False)

    def _refused(self, refusal: exceptions.ResponseError) -> Exception:
        # Redis 6.2 wraps what a script met into a sentence of its own.
        text = str(refusal)
        if isinstance(refusal, exceptions.OutOfMemoryError) or "OOM " in text:
            return StoreFull(text, word="OOM")
        word = _word(refusal)
        # A master whose replicas follow another may have been replaced; in a cluster it says so.
        if word in ("READONLY", "NOREPLICAS"):
            self._forget(lost=word == "READONLY")
        return StoreUnavailable(text, word=word)


def _word(error: Exception) -> str:
    """What the server said first, in capitals; the kind of the error where it said no such word."""
    said = CODE.search(str(error))
    if said is not None:
        return said[1]
    # The library takes most codes out of the text.
    code = error.status_code if isinstance(error, exceptions.RedisError) else None
    return code or type(error).__name__


def execute(driver: Driver, *command: str | bytes | int) -> Any:
    """The answer to a command. Raises as redis-py.

    As ``Redis.execute_command``, in three quarters of its CPU time.
    """
    if isinstance(driver, RedisCluster):
        return driver.execute_command(*command)
    pool = driver.connection_pool
    connection = pool.get_connection()
    try:
        connection.send_command(*command)
        return connection.read_response()
    except redis.ConnectionError:
        # Not ``send_command`` alone: only this asks the sentinels anew.
        connection.disconnect()
        connection.connect()
        connection.send_command(*command)
        return connection.read_response()
    finally:
        pool.release(connection)


def servers(driver: Driver) -> list[Any]:
    """A client of redis-py for each server that keeps sessions, in random order."""
    if not isinstance(driver, RedisCluster):
        return [driver]
    nodes = driver.get_primaries()
    return [driver.get_redis_connection(one) for one in random.sample(nodes, len(nodes))]  # nosec B311


def _open(address: Address, seconds: float) -> Driver:
    """A client. That of a cluster asks for its slots at once, and raises as redis-py."""
    nodes = list(address.nodes)
    on_path = nodes[0].port == 0
    common: dict[str, Any] = {
        **address.options,
        # Without these a new connection costs three round trips more.
        "protocol": 2,
        "driver_info": None,
        **({} if on_path else {"socket_keepalive": True, "socket_keepalive_options": KEEPALIVE}),
    }
    tcp: Any = deadline.TlsConnection if address.encrypted else deadline.TcpConnection
    # A cluster looks for its slots anew when a connection fails: there each is checked before use.
    single: dict[str, Any] = {
        "db": address.db,
        "socket_timeout": seconds,
        "retry": RESEND,
        "checked": False,
    }
    match address.topology:
        case Topology.SINGLE:
            where = {"path": nodes[0].host} if on_path else nodes[0]._asdict()
            kind = deadline.UnixConnection if on_path else tcp
            pool = redis.ConnectionPool(connection_class=kind, **common, **single, **where)
            return redis.Redis.from_pool(pool)
        case Topology.SENTINEL:
            login = {**address.sentinel_login, "ssl": address.encrypted}
            # All of them may be asked before the master is, and one may not answer.
            each = {"socket_timeout": seconds / (len(nodes) + 1), "retry": Retry(NoBackoff(), 0)}
            group = _Sentinel(nodes, sentinel_kwargs={**common, **login, **each})
            for one in group.sentinels:
                one.connection_pool.connection_class = tcp
            kind = deadline.TlsMasterConnection if address.encrypted else deadline.MasterConnection
            return group.master_for(address.master, connection_class=kind, **common, **single)
        case Topology.CLUSTER:
            return RedisCluster(
                # Without a URL it does not take a class of connections.
                url=f"redis://{nodes[0]}",
                startup_nodes=[_ClusterNode(*node) for node in nodes],
                connection_class=tcp,
                **common,
                # The rest is for asking another node where the slots are now.
                socket_timeout=seconds * 2 / 3,
                retry=Retry(NoBackoff(), 1),
                require_full_coverage=False,
            )
