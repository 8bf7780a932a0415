"""redis-py's own clients, opened for an address and used alike in every topology.

redis-py implements pools, reconnection, Sentinel, cluster slots, timeouts and retries. It may send
a command twice: the scripts recognise a repeated write.
"""

import random
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from traceback import walk_tb
from typing import Any

import redis
from redis import cluster, exceptions, sentinel
from redis.backoff import NoBackoff
from redis.retry import Retry

from dice_referee.sessions.redis.url import Address, Topology

# redis-py types these only in part.
Driver = Any
"""``redis.Redis``, or ``redis.RedisCluster``."""
RedisCluster: Any = cluster.RedisCluster
_ClusterNode: Any = cluster.ClusterNode
_Sentinel: Any = sentinel.Sentinel

CODE = re.compile(r"(?:^|user_script: ?\d+: -)([A-Z]+) ", re.ASCII)
"""Error code of a refusal: its first word, or the first word of a script's error in Redis 6.2."""
FORBIDDEN = re.compile(
    r"(?:^|: )(?:The user executing the script can't |ACL failure in script: )",
    re.ASCII,
)
KEEPALIVE = {
    # Some systems lack some of them.
    getattr(socket, name): number
    for name, number in (("TCP_KEEPIDLE", 5), ("TCP_KEEPINTVL", 1), ("TCP_KEEPCNT", 3))
    if hasattr(socket, name)
}
"""Keepalive: seconds, seconds, probes. It keeps idle connections open, and detects dead peers."""
BROKEN = (exceptions.RedisError, exceptions.RedisClusterException, OSError)
"""Errors of redis-py and of its sockets."""


def is_outage(error: Exception) -> bool:
    """Tells if the error means that Redis did not reply, not that our own code failed.

    For a missing cluster node redis-py raises an AttributeError or a ValueError itself.
    """
    if isinstance(error, BROKEN):
        return True
    # redis-py never calls our code, so a frame of redis-py means that the error arose inside.
    modules = [str(frame.f_globals.get("__name__")) for frame, _ in walk_tb(error.__traceback__)]
    inside = any(module.partition(".")[0] == redis.__name__ for module in modules)
    return inside and isinstance(error, (AttributeError, ValueError))


@contextmanager
def outages_ignored() -> Iterator[None]:
    """Ignores an error that means an outage. Raises other errors."""
    try:
        yield
    except Exception as error:
        if not is_outage(error):
            raise


def open_driver(address: Address, seconds: float) -> Driver:
    """Opens a client whose every wait for a server ends after ``seconds``.

    A cluster's client requests its slots immediately, and raises redis-py's errors.
    """
    nodes = list(address.nodes)
    common: dict[str, Any] = {
        **address.options,
        "ssl": address.encrypted,
        # Otherwise a new connection costs three more round trips.
        "protocol": 2,
        "driver_info": None,
        "socket_timeout": seconds,
        "socket_connect_timeout": seconds,
        "socket_keepalive": True,
        "socket_keepalive_options": KEEPALIVE,
        # Retries a timeout too: only then does redis-py close the connection of Sentinel, whose
        # late
        # answer would be taken for that of the next command.
        "retry": Retry(NoBackoff(), 1),
    }
    # All of them may be asked before the master, and all may be silent.
    each = seconds / (len(nodes) + 1)
    options = {
        "socket_timeout": each,
        "socket_connect_timeout": each,
        "retry": Retry(NoBackoff(), 0),
    }
    match address.topology:
        case Topology.SINGLE:
            host, port = nodes[0]
            where = {"host": host, "port": port} if port else {"unix_socket_path": host}
            # A single retry is in time, two are not.
            retry = Retry(NoBackoff(), 1, (redis.ConnectionError,))
            return redis.Redis(**{**common, **where, "db": address.db, "retry": retry})
        case Topology.SENTINEL:
            sentinels = {**common, **options, **address.sentinel_login}
            group = _Sentinel(nodes, sentinel_kwargs=sentinels)
            return group.master_for(address.master, db=address.db, **common)
        case Topology.CLUSTER:
            # Threads that lose their masters ask these nodes in turn, not at the same time.
            startup = [
                _ClusterNode(host, port, None, redis.Redis(host, port, **{**common, **options}))
                for host, port in nodes
            ]
            return RedisCluster(
                startup_nodes=startup,
                # Always the nodes of the URL, because all discovered nodes may have moved.
                dynamic_startup_nodes=False,
                require_full_coverage=False,
                **common,
            )


def servers(driver: Driver) -> list[Any]:
    """Returns a redis-py client of each server that keeps sessions, in random order."""
    if not isinstance(driver, RedisCluster):
        return [driver]
    nodes = driver.get_primaries()
    return [driver.get_redis_connection(node) for node in random.sample(nodes, len(nodes))]  # nosec B311


def master_of(driver: Driver, key: str | None) -> str | None:
    """Returns the cluster's master of the key, or None if unknown or without a cluster."""
    if key is not None and isinstance(driver, RedisCluster):
        with outages_ignored():
            return str(driver.get_node_from_key(key).name)
    return None


def sample_keys(driver: Driver) -> dict[str | None, str]:
    """Returns a key of each server with sessions, and under None a key of an uncovered slot.

    The name of a single server is None.
    """
    names: set[str | None] = {*masters(driver)} or {None}
    keys = dict[str | None, str]()
    # Enough for a hundred masters. A master of few slots may be missed.
    for number in range(2000):
        key = f"referee:{{{number}}}"
        keys.setdefault(master_of(driver, key), key)
        if names <= keys.keys():
            break
    return keys


def masters(driver: Driver) -> set[str]:
    """Returns the names of a cluster's current masters, none for other drivers."""
    if isinstance(driver, RedisCluster):
        return {str(node.name) for node in driver.get_primaries()}
    return set()


def subscription(driver: Driver) -> Any:
    """Opens a subscription of redis-py, in a cluster at a random master. Raises its errors."""
    if not isinstance(driver, RedisCluster):
        return driver.pubsub()
    # Every node of a cluster publishes everything, so the processes share the load.
    return driver.pubsub(node=random.choice(driver.get_primaries()))  # nosec B311


def word_of(error: Exception) -> str:
    """Returns the error code at the start of the server's reply, or else the error's type.

    A missing permission is always ``NOPERM``, even inside a script.
    """
    if FORBIDDEN.search(str(error)):
        return "NOPERM"
    if first_word := CODE.search(str(error)):
        return first_word[1]
    # redis-py removes most codes from the text.
    code = error.status_code if isinstance(error, exceptions.RedisError) else None
    return code or type(error).__name__
