"""The store on every topology and engine: connections, cluster keys, scripts, subscriptions.

The scripts themselves, which are equal in every topology, are tested in ``test_store.py``.
"""

import secrets
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from math import ceil
from queue import Queue
from typing import NamedTuple

import pytest

from dice_referee.limits.counters import MINUTE
from dice_referee.server.local_redis import RedisBinary
from dice_referee.sessions.redis.store import RedisStore
from dice_referee.sessions.store import (
    LogLine,
    Quota,
    SessionDeleted,
    StoredSession,
    TooManySessions,
    VersionConflict,
)
from tests.engines.servers import Cluster, Group, Locked, Sentinels, Single
from tests.sessions.conftest import PATIENT_MS

TTL = 60
SESSIONS = 24
"""Number of sessions in a test: enough for each master of a cluster."""


class Shape(NamedTuple):
    """A topology of servers, and the attribute with its URL."""

    start: Callable[[RedisBinary], Group]
    url: str = "url"


SHAPES = {
    "single": Shape(Single),
    "unix": Shape(Single, "unix_url"),
    "tls": Shape(Locked),
    "sentinel": Shape(Sentinels),
    "cluster": Shape(Cluster),
}


class Home(NamedTuple):
    """The servers of the sessions and their URL."""

    group: Group
    url: str

    def connect(self) -> RedisStore:
        return RedisStore(self.url, PATIENT_MS)


@pytest.fixture(params=list(SHAPES.values()), ids=list(SHAPES), scope="module")
def home(request: pytest.FixtureRequest, engine: RedisBinary) -> Iterator[Home]:
    """Starts the servers of a shape, and stops them before the next shape."""
    shape: Shape = request.param
    with shape.start(engine) as group:
        yield Home(group, getattr(group, shape.url))


@pytest.fixture(scope="module")
def store(home: Home) -> Iterator[RedisStore]:
    store = home.connect()
    yield store
    store.close()


@pytest.fixture
def second_client(home: Home) -> Iterator[RedisStore]:
    """A second_client client of the same servers, like that of another process."""
    store = home.connect()
    yield store
    store.close()


def ids() -> list[str]:
    return [secrets.token_urlsafe(16) for _ in range(SESSIONS)]


def test_every_script_finds_the_session(store: RedisStore, home: Home) -> None:
    for id in ids():
        document = id.encode() + b"\0\xff\r\n" * 30_000
        store.create(id, b"zero", TTL)
        store.write(id, 0, document, b"\r\nfirst\0", TTL, b"keys")
        assert store.read(id, keyed=True) == StoredSession(1, document, b"keys")
        assert store.log(id, 0, 10)[:2] == (1, [LogLine(1, b"\r\nfirst\0")])
        assert store.arrive(id, "ada")
        assert store.attendance(id, ["ada", "ben"]).arrivals == [True, False]
        assert home.group.ask("HEXISTS", f"referee:{{{id}}}", "doc"), "on the server of its slot"
        store.delete(id, 1, b"tombstone", TTL)
        with pytest.raises(SessionDeleted):
            store.read(id)


def test_one_of_concurrent_writes_succeeds(store: RedisStore, second_client: RedisStore) -> None:
    (id, *_) = ids()
    store.create(id, b"zero", TTL)

    def write(number: int) -> int | None:
        try:
            (store, second_client)[number % 2].write(id, 0, b"%d" % number, b"by %d" % number, TTL)
        except VersionConflict:
            return None
        return number

    with ThreadPoolExecutor(8) as people:
        winners = [number for number in people.map(write, range(24)) if number is not None]
    assert len(winners) == 1
    assert store.read(id) == StoredSession(1, b"%d" % winners[0])
    assert store.log(id, 0, 10)[:2] == (1, [LogLine(1, b"by %d" % winners[0])])


def test_quota_holds_across_processes(store: RedisStore, second_client: RedisStore) -> None:
    limit, client, began = 10, secrets.token_hex(16), time.time()

    def owed(number: int) -> int | None:
        """Creates a session. Returns what the client owes if the creation is refused."""
        try:
            id = secrets.token_urlsafe(16)
            (store, second_client)[number % 2].create(id, b"zero", TTL, quota=Quota(client, limit))
        except TooManySessions as refusal:
            return refusal.owed
        return None

    with ThreadPoolExecutor(8) as people:
        refused = [debt for debt in people.map(owed, range(30)) if debt is not None]
    step = MINUTE // limit
    # Time passes meanwhile and allows further sessions.
    returned = ceil((time.time() - began) * 1_000_000 / step) - 1
    assert limit <= 30 - len(refused) <= limit + returned
    assert all(MINUTE - step < debt <= MINUTE for debt in refused)


def test_forgotten_scripts_are_loaded_again(store: RedisStore, home: Home) -> None:
    for node in home.group.nodes:
        node.ask("SCRIPT", "FLUSH")
    for id in ids():
        store.create(id, b"zero", TTL)
        store.write(id, 0, b"one", b"first", TTL)
        assert store.log(id, 0, 10)[:2] == (1, [LogLine(1, b"first")])


def test_closed_store_reconnects_and_is_healthy(second_client: RedisStore) -> None:
    for _ in range(2):
        second_client.ping()
        assert second_client.warnings() == []
        second_client.close()


# Last: sentinels lose their connections too, and with them the master for a moment.
def test_broken_connections_are_reopened(store: RedisStore, home: Home) -> None:
    sessions = ids()

    def write(id: str) -> None:
        version = store.read(id).version
        store.write(id, version, b"document", b"entry", TTL)

    with ThreadPoolExecutor(4) as people:
        for id in sessions:
            store.create(id, b"zero", TTL)
        list(people.map(write, sessions))
        for node in home.group.nodes:
            node.ask("CLIENT", "KILL", "TYPE", "normal")
        list(people.map(write, sessions))
    assert {store.read(id).version for id in sessions} == {2}
    assert store.open_breakers() == 0


def test_notification_of_a_write_has_its_entries(
    store: RedisStore, second_client: RedisStore
) -> None:
    id, *_ = ids()
    store.create(id, b"zero", TTL)
    messages = Queue[bytes]()
    notifications = second_client.notifications(lambda _, message: messages.put(message))
    try:
        notifications.watch(id)
        # The start of a subscription notifies, too.
        assert messages.get(timeout=120) == b""
        store.write(id, 0, b"one", b"first", TTL)
        store.write(id, 1, b"three", b"second", TTL, following=[b"third"])
        heard = {messages.get(timeout=120), messages.get(timeout=120)}
        assert heard == {b"1\nfirst", b"2\nsecond\nthird"}
    finally:
        notifications.close()


def test_notifications_arrive_only_for_watched_sessions(
    store: RedisStore, second_client: RedisStore
) -> None:
    existing, unwatched, *_ = ids()
    for id in (existing, unwatched):
        store.create(id, b"zero", TTL)
    notified: Queue[str] = Queue()
    watched = {existing}

    def notify(id: str, _: bytes) -> None:
        notified.put(id)
        raise RuntimeError("who listens may fail")

    def hear(id: str) -> None:
        """Allows repeated notifications, but none of unwatched sessions."""
        while (heard := notified.get(timeout=120)) != id:
            assert heard in watched

    notifications = second_client.notifications(notify)
    try:
        notifications.watch(existing)
        hear(existing)
        assert notified.empty()
        store.write(unwatched, 0, b"one", b"entry", TTL)
        store.write(existing, 0, b"one", b"entry", TTL)
        hear(existing)
        watched.add(unwatched)
        notifications.watch(unwatched)
        hear(unwatched)
        store.write(unwatched, 1, b"two", b"entry", TTL)
        hear(unwatched)
        notifications.unwatch(unwatched)
        watched.add("marker")
        notifications.watch("marker")
        hear("marker")
        watched.remove(unwatched)
        store.write(unwatched, 2, b"three", b"entry", TTL)
        store.delete(existing, 1, b"tombstone", TTL)
        hear(existing)
    finally:
        notifications.close()
