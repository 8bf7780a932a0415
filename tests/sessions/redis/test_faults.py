"""Store behaviour on server failures. Times are those of a person who waits."""

import os
import re
import secrets
import socket
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from itertools import count
from pathlib import Path
from queue import Queue
from threading import Event, Thread
from typing import Any

import pytest
import redis
from flask import Flask
from redis.exceptions import ResponseError

from dice_referee.app import create_app
from dice_referee.server.local_redis import RedisBinary
from dice_referee.sessions.health import Availability, StoreHealth
from dice_referee.sessions.redis.client import REFUSED_SECONDS, RedisClient
from dice_referee.sessions.redis.driver import Driver
from dice_referee.sessions.redis.store import RedisStore
from dice_referee.sessions.redis.url import parse
from dice_referee.sessions.store import (
    LogLine,
    Quota,
    SessionNotFound,
    Store,
    StoreFull,
    StoreUnavailable,
    TooManySessions,
    VersionConflict,
)
from dice_referee.settings import Settings
from tests.engines.proxy import Proxy
from tests.engines.servers import (
    ENGINES,
    FIRST_SOONER,
    Cluster,
    Locked,
    Node,
    Sentinels,
    Single,
    free_port,
    wait_until,
)
from tests.programs import ROOT
from tests.stopwatch import Stopwatch

RUNBOOK = (ROOT / "deploy/durability.md").read_text("utf-8")
TTL = 60
PATIENT_MS = 5000
"""Milliseconds for a question to a server that is there; the machine may be busy."""
TIMEOUT_MS = Settings().redis_timeout_ms
THREADS = Settings().threads
AT_MOST = 0.5
"""Seconds until a request is refused while a single server hangs."""
GROUP_AT_MOST = 1.5
"""Seconds while nobody in a Sentinel group or a cluster answers."""
AT_WORST = 2.0
"""Seconds where the machine is busy with something else; nothing here may add up to as much."""
BACK = 10.0
"""Seconds until a server is asked again, with a probe a second; some of them may be too late."""
AT_ONCE = 0.1
"""Seconds for a question that an open breaker refuses; one in three may have to wait its turn."""


# redis-py may leave a socket open whose handshake had no end.
pytestmark = pytest.mark.filterwarnings("ignore:Exception ignored in. <ssl")


@contextmanager
def connected(url: str, timeout_ms: int = TIMEOUT_MS) -> Iterator[RedisStore]:
    store = RedisStore(url, timeout_ms)
    try:
        yield store
    finally:
        store.close()


@pytest.fixture(params=FIRST_SOONER, scope="session")
def engine(request: pytest.FixtureRequest) -> RedisBinary:
    """Runs one engine instead of all: faults and failovers take long."""
    binary: RedisBinary = request.param
    return binary


def stopwatch() -> Stopwatch:
    """Starts a stopwatch that leaves out what any thread of this process waits for a processor."""
    return Stopwatch(os.getpid())


def seconds_away(use: Callable[[], object]) -> float:
    """Returns the seconds until the store reports an absent server."""
    watch = stopwatch()
    with pytest.raises(StoreUnavailable) as away:
        use()
    assert 0 < away.value.retry <= 1
    return watch.seconds


def is_away_and_soon_at_once(store: RedisStore, at_most: float = AT_MOST) -> None:
    """Expects the first request to wait a little, the next ones not at all."""
    uses: list[Callable[[], object]] = [
        lambda: store.read("a"),
        lambda: store.write("a", 0, b"one", b"entry", TTL),
        lambda: store.log("a", 0, 1),
    ]
    waited = [seconds_away(use) for use in uses]
    assert min(waited) < at_most
    assert max(waited) < AT_WORST
    assert store.open_breakers() >= 1
    assert sorted(seconds_away(use) for use in uses)[1] < AT_ONCE


def comes_back(store: RedisStore) -> None:
    """Expects the store to find the server again by itself, after some pauses of the breaker."""
    watch = stopwatch()
    wait_until("it is back", lambda: _is_there(store))
    assert watch.seconds < BACK


def _is_there(store: RedisStore) -> bool:
    try:
        return store.ping()
    except StoreUnavailable:
        return False


def test_a_server_that_refuses_is_away_until_it_is_started(engine: RedisBinary) -> None:
    port = free_port()
    with connected(f"redis://127.0.0.1:{port}") as store:
        is_away_and_soon_at_once(store)
        assert store.warnings() == []
        with Single(engine, port=port):
            comes_back(store)
            with pytest.raises(SessionNotFound):
                store.read("a")
    with connected("unix:///nowhere/socket") as store:
        is_away_and_soon_at_once(store)


def test_a_frozen_server_is_away_until_it_is_thawed(engine: RedisBinary) -> None:
    with (
        Single(engine) as server,
        connected(server.url) as warm,
        connected(server.unix_url) as cold,
    ):
        warm.ping()
        server.freeze()
        is_away_and_soon_at_once(warm)
        is_away_and_soon_at_once(cold)
        server.thaw()
        comes_back(warm)
        comes_back(cold)


@pytest.fixture
def abyss() -> Iterator[int]:
    """A port that neither accepts nor refuses connections."""
    with ExitStack() as stack:
        listener = stack.enter_context(socket.socket())
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        for _ in range(2):
            knocking = stack.enter_context(socket.socket())
            knocking.setblocking(False)
            knocking.connect_ex(listener.getsockname())
        yield listener.getsockname()[1]


SCHEMES = ["redis://{}", "rediss://{}", "redis+sentinel://{0},{0},{0}/dice"]
SCHEMES += ["redis+cluster://{0},{0},{0}", "rediss+cluster://{0},{0},{0}"]


def at_most(scheme: str) -> float:
    """Returns seconds until a request is refused while nobody answers."""
    return GROUP_AT_MOST if "+" in scheme else AT_MOST


@pytest.mark.parametrize("scheme", SCHEMES)
def test_an_unreachable_server_is_away_in_time_in_every_topology(scheme: str, abyss: int) -> None:
    with connected(scheme.format(f"127.0.0.1:{abyss}")) as store:
        is_away_and_soon_at_once(store, at_most(scheme))


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_silent_server_is_away_in_time_in_every_topology(scheme: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = scheme.format(f"127.0.0.1:{silent.getsockname()[1]}")
        with connected(url) as store:
            is_away_and_soon_at_once(store, at_most(scheme))


def refused_after(app: Flask) -> float:
    """Returns seconds until a new session is refused because the store is away."""
    client, body = app.test_client(), {"game": "tutto", "players": ["A", "B"]}
    watch = Stopwatch()  # of this thread: what several wait for would count several times
    answer = client.post("/v1/sessions", json=body)
    seconds = watch.seconds
    assert answer.status_code == 503
    assert answer.get_json()["type"] == "/problems/sessions-away"
    return seconds


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_request_is_refused_in_time(scheme: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = scheme.format(f"127.0.0.1:{silent.getsockname()[1]}")

        def in_time() -> bool:
            with connected(url) as store:
                return refused_after(create_app(Settings(), store)) < at_most(scheme)

        # A busy machine delays some requests, not all.
        wait_until("a request is refused in time", in_time)


@pytest.mark.parametrize("kind", [Single, Sentinels, Cluster])
def test_all_threads_are_refused_in_time(
    kind: type[Single] | type[Sentinels] | type[Cluster], say: Callable[[str], None]
) -> None:
    """Those that look for a new master one after the other, too."""
    longest = list[float]()
    with kind(ENGINES[0]) as group, ThreadPoolExecutor(THREADS) as threads:
        nodes: list[Node] = list(group.nodes)
        if isinstance(group, Sentinels):
            nodes += group.sentinels

        def in_time() -> bool:
            with connected(group.url) as store:
                list(threads.map(partial(_answers, store), map(str, range(20 * THREADS))))
                wait_until("it answers", partial(_answers, store, "0"))
                wait_until("no breaker is open", partial(_asks_everyone, store))
                for node in nodes:
                    node.freeze()
                # One question each.
                app = create_app(Settings(rate_sessions=0), store)
                longest.append(max(threads.map(refused_after, [app] * THREADS)))
                for node in nodes:
                    node.thaw()
            return longest[-1] < (AT_MOST if kind is Single else GROUP_AT_MOST)

        # A busy machine delays some rounds, not all.
        wait_until("all are refused in time", in_time)
    say(f"the last after {longest[-1]:.2f} s")


def test_a_server_of_another_kind_is_away(engine: RedisBinary) -> None:
    with Single(engine, "--requirepass", "secret", login=("default", "secret")) as server:
        with connected(server.url) as store:
            seconds_away(store.ping)
        with connected(f"rediss://127.0.0.1:{server.port}") as store:
            assert seconds_away(store.ping) < AT_WORST
        with connected(f"redis+cluster://:secret@127.0.0.1:{server.port}") as store:
            seconds_away(store.ping)
        with connected(f"redis://:secret@127.0.0.1:{server.port}", 2000) as store:
            store.ping()


def test_an_untrusted_certificate_is_refused(engine: RedisBinary) -> None:
    with Locked(engine) as locked:
        with connected(locked.url.partition("?")[0], 1000) as store:
            seconds_away(store.ping)
        with connected(locked.bare_url, 1000) as store:
            seconds_away(store.ping)
        with connected(locked.url, 1000) as store:
            store.ping()


def test_acknowledged_writes_survive_a_killed_redis(
    engine: RedisBinary,
) -> None:
    # With everysec it does not while the disk is slow: see deploy/durability.md.
    with (
        Single(engine, "--appendfsync", "always") as server,
        # A disk may take its time; how long is not asked here.
        connected(server.url, 5000) as store,
    ):
        store.create("a", b"zero", TTL)
        for version in range(20):
            store.write("a", version, b"%d" % (version + 1), b"e%d" % (version + 1), TTL)
        server.kill()
        server.start()
        # The pooled connection is dead, and this is a write: it is neither lost nor refused.
        store.write("a", 20, b"21", b"e21", TTL)
        assert store.read("a").document == b"21"
        assert store.log("a", 0, 100)[1] == [LogLine(n, b"e%d" % n) for n in range(1, 22)]


@pytest.mark.parametrize("kind", [Single, Sentinels])
def test_an_answer_that_comes_too_late_answers_no_other_command(
    engine: RedisBinary, kind: type[Single] | type[Sentinels]
) -> None:
    with kind(engine) as group, connected(group.url, 1000) as store:
        for id in ("a", "b"):
            store.create(id, id.encode(), TTL)
        node = group.master if isinstance(group, Sentinels) else group
        if isinstance(group, Sentinels):
            for sentinel in group.sentinels:  # the master stays the master
                sentinel.ask("SENTINEL", "SET", group.name, "down-after-milliseconds", 60_000)
        node.freeze()
        seconds_away(lambda: store.read("a"))
        node.thaw()
        for id in ("b", "a", "b"):
            assert store.read(id).document == id.encode()


def test_idle_connections_have_tcp_keepalive(
    engine: RedisBinary,
) -> None:
    """A connection that a firewall forgot looks open for ever; keepalive finds out."""
    with Single(engine) as server, connected(server.url, PATIENT_MS) as store:
        store.ping()
        rows = [row.split() for row in Path("/proc/net/tcp").read_text().splitlines()[1:]]
        timers = [row[5] for row in rows if row[2].endswith(f":{server.port:04X}")]
        # 02: the timer of keepalive, and when it goes off, in hundredths of a second.
        assert any(timer.startswith("02:") and int(timer[3:], 16) <= 500 for timer in timers)


def entries_added(server: Single) -> int:
    """Counts the calls of XADD."""
    counts: Any = server.info("commandstats")["cmdstat_xadd"]
    return int(counts["calls"])


def test_write_with_a_cut_reply_is_not_retried(
    engine: RedisBinary,
) -> None:
    with (
        Single(engine) as server,
        Proxy(server.port) as proxy,
        connected(f"redis://127.0.0.1:{proxy.port}", PATIENT_MS) as store,
        connected(server.url, PATIENT_MS) as second,
    ):
        store.create("a", b"zero", TTL)
        store.write("a", 0, b"one", b"first", TTL, "k1", b"r1")
        added = entries_added(server)
        proxy.cut = 2
        seconds_away(lambda: store.write("a", 1, b"two", b"second", TTL, "k2", b"r2"))
        proxy.cut = None
        assert second.read("a", "k2").record == b"r2"
        assert second.log("a", 0, 10) == (2, [LogLine(1, b"first"), LogLine(2, b"second")])
        assert entries_added(server) == added + 1
        # A read is asked again on a fresh connection, unnoticed by the client.
        assert store.read("a").version == 2
        proxy.hang_up()
        assert store.read("a").version == 2


def test_notifications_announce_watched_sessions_after_a_break(engine: RedisBinary) -> None:
    notified: Queue[str] = Queue()
    with (
        Single(engine) as server,
        Proxy(server.port) as proxy,
        connected(f"redis://127.0.0.1:{proxy.port}", PATIENT_MS) as store,
        ExitStack() as stack,
    ):
        store.create("a", b"zero", TTL)
        notifications = store.notifications(notified.put)
        stack.callback(notifications.close)
        notifications.watch("a")
        assert notified.get(timeout=120) == "a"
        proxy.hang_up()
        assert notified.get(timeout=120) == "a"
        store.write("a", 0, b"one", b"entry", TTL)
        assert notified.get(timeout=120) == "a"
        server.kill()
        notifications.watch("b")
        notifications.unwatch("b")
        server.start()
        assert notified.get(timeout=120) == "a"


def test_notifications_of_an_absent_server_end_silently() -> None:
    with connected("redis://127.0.0.1:1") as store:
        notifications = store.notifications(lambda id: None)
        notifications.watch("a")
        notifications.unwatch("a")
        watch = stopwatch()
        notifications.close()
        notifications.watch("a")
        assert watch.seconds < 1
        store.notifications(lambda id: None).close()


def test_a_memory_that_forgets_is_warned_of(engine: RedisBinary) -> None:
    with Single(engine, "--maxmemory-policy", "allkeys-lru") as server:
        with connected(server.url, PATIENT_MS) as store:
            (line,) = store.warnings()
            assert "allkeys-lru" in line
        server.ask("ACL", "SETUSER", "poor", "on", ">p", "~*", "&*", "+@all", "-config", "-acl")
        with connected(server.url.replace("//", "//poor:p@"), PATIENT_MS) as store:
            (line,) = store.warnings()
            assert "allkeys-lru" in line
        server.ask("ACL", "SETUSER", "poor", "-info")
        with connected(server.url.replace("//", "//poor:p@"), PATIENT_MS) as store:
            assert store.warnings() == []


def test_a_server_whose_memory_is_full_says_so_and_is_still_read(engine: RedisBinary) -> None:
    with Single(engine) as server, connected(server.url, PATIENT_MS) as store:
        store.create("a", b"zero", TTL)
        server.ask("CONFIG", "SET", "maxmemory", "1")
        for _ in range(5):
            with pytest.raises(StoreFull) as full:
                store.write("a", 0, b"one", b"entry", TTL)
            assert full.value.word == "OOM"
            assert store.read("a").version == 0
        with pytest.raises(StoreFull) as full:
            store.create("b", b"zero", TTL)
        assert full.value.word == "maxmemory"
        server.ask("CONFIG", "SET", "maxmemory", "0")
        store.write("a", 0, b"one", b"entry", TTL)
        server.ask("CONFIG", "SET", "maxmemory", "1")
        store.delete("a", 1, b"tombstone", TTL)


def word_of(use: Callable[[], object]) -> str:
    """Returns the reason of the refusal."""
    with pytest.raises(StoreUnavailable) as refused:
        use()
    return refused.value.word


def test_a_refusal_says_in_a_word_why(engine: RedisBinary) -> None:
    with Single(engine) as server, connected(server.url, PATIENT_MS) as store:
        write = partial(store.create, "a", b"zero", TTL)
        server.ask("ACL", "SETUSER", "default", "-evalsha", "-eval")
        assert word_of(write) == "NOPERM"
        server.ask("ACL", "SETUSER", "default", "+@all")
        server.ask("REPLICAOF", "127.0.0.1", free_port())
        assert word_of(write) == "READONLY"
        server.ask("REPLICAOF", "NO", "ONE")
        server.ask("CONFIG", "SET", "requirepass", "secret")
        with connected(server.url, PATIENT_MS) as stranger:
            assert word_of(stranger.ping) == "NOAUTH"
    # A port that is held but not listening: that of the server may be another server's by now.
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        with connected(f"redis://127.0.0.1:{held.getsockname()[1]}") as away:
            words = [word_of(away.ping) for _ in range(4)]
        assert words == [
            *["ConnectionError"] * 3,
            "not-asked: ConnectionError",
        ]


RIGHTS = "-type", "-hmget", "-hset", "-xadd", "-evalsha"


@pytest.mark.parametrize("right", RIGHTS)
def test_a_missing_right_is_told_as_such(engine: RedisBinary, right: str) -> None:
    """Inside a script as well as before it."""
    with Single(engine) as server, connected(server.url, PATIENT_MS) as store:
        store.create("a", b"zero", TTL)
        store.write("a", 0, b"one", b"entry", TTL)
        server.ask("ACL", "SETUSER", "default", right)
        uses: list[Callable[[], object]] = [
            partial(store.create, "b", b"zero", TTL, [b"entry"]),
            partial(store.read, "a"),
            partial(store.write, "a", 1, b"two", b"entry", TTL),
        ]
        words = set()
        for use in uses:
            with suppress(SessionNotFound):
                try:
                    use()
                except StoreUnavailable as refused:
                    words.add(refused.word)
        assert words == {"NOPERM"}


def test_a_server_that_refuses_sessions_is_not_healthy(engine: RedisBinary) -> None:
    """It answers all the same; a refusal counts until the same question is answered."""
    with Single(engine) as server, connected(server.url, PATIENT_MS) as store:
        store.create("a", b"zero", TTL)
        health = StoreHealth(store, count(0).__next__)
        assert health.ask() is Availability.OK
        for refuse, use, allow in (
            (("ACL", "SETUSER", "default", "-type"), lambda: store.read("a"), "+type"),
            (("ACL", "SETUSER", "default", "-hmget"), lambda: store.log("a", 0, 1), "+hmget"),
            (("ACL", "SETUSER", "default", "-evalsha"), lambda: store.read("a"), "+evalsha"),
            (("CONFIG", "SET", "maxmemory", "1"), lambda: _write(store), "0"),
            (("CONFIG", "SET", "min-replicas-to-write", "1"), lambda: _create(store), "0"),
        ):
            server.ask(*refuse)
            with pytest.raises(StoreUnavailable):
                use()
            assert server.ask("PING")
            assert health.ask() is Availability.AWAY, refuse
            server.ask(*refuse[:-1], allow)
            use()
            assert health.ask() is Availability.OK, refuse


def _write(store: RedisStore) -> None:
    store.write("a", 0, b"one", b"entry", TTL)


def _create(store: RedisStore) -> None:
    store.create(secrets.token_hex(8), b"zero", TTL)


def test_a_refusal_without_another_question_is_forgotten() -> None:
    now = [100.0]

    def refuse(driver: Driver) -> None:
        raise ResponseError("OOM command not allowed")

    with Single(ENGINES[0]) as server:
        client = RedisClient(parse(server.url), 5, lambda *_: None, clock=lambda: now[0])
        assert client.check()
        with pytest.raises(StoreUnavailable):
            client.ask("config", refuse)
        assert client.check(), "no session was refused"
        with pytest.raises(StoreUnavailable):
            client.ask("write", refuse, "referee:{a}")
        with pytest.raises(StoreUnavailable):
            client.check()
        now[0] += REFUSED_SECONDS
        assert client.check()
        client.close()


def test_a_question_that_a_breaker_refuses_is_not_timed() -> None:
    timed: list[tuple[str, bool]] = []

    def hang(driver: Driver) -> None:
        raise TimeoutError

    client = RedisClient(
        parse("redis://h"), 1, lambda name, _, ok: timed.append((name, ok)), clock=lambda: 100.0
    )
    for _ in range(10):
        with pytest.raises(StoreUnavailable):
            client.ask("read", hang)
    assert timed == [("read", False)] * 3
    client.close()


def test_an_outage_is_logged_with_its_word_once(engine: RedisBinary) -> None:
    replies: list[tuple[str, str, str]] = []
    with Single(engine) as server:
        server.ask("CONFIG", "SET", "requirepass", "secret")
        wrong = server.url.replace("//", "//:wrong@")
        store = RedisStore(wrong, PATIENT_MS, report=lambda *line: replies.append(line))
        words = [word_of(partial(store.read, "a")) for _ in range(20)]
        assert set(words) <= {"WRONGPASS", "not-asked: WRONGPASS"}
        assert replies == [("redis is not asked", "warning", "WRONGPASS")]
        client: Any = redis.Redis(port=server.port, password="secret")
        client.config_set("requirepass", "wrong")
        wait_until("it is asked again", lambda: store.open_breakers() == 0)
        assert replies[1:] == [("redis is asked again", "info", "WRONGPASS")]
        store.close()


def test_followers_are_notified_once_they_may_subscribe(engine: RedisBinary) -> None:
    notified: Queue[str] = Queue()
    with Single(engine) as server, connected(server.url, PATIENT_MS) as store:
        server.ask("ACL", "SETUSER", "default", "-subscribe")
        notifications = store.notifications(notified.put)
        notifications.watch("a")
        wait_until("Redis has refused", lambda: server.ask("ACL", "LOG") != [])
        assert notified.empty()
        server.ask("ACL", "SETUSER", "default", "+subscribe")
        assert notified.get(timeout=120) == "a"
        notifications.close()


class Player:
    """Writes and listens without a pause, and remembers what was acknowledged."""

    def __init__(self, url: str, ids: list[str]) -> None:
        self._store = RedisStore(url, TIMEOUT_MS)
        self._notifications = self._store.notifications(lambda id: None)
        self._ids = ids
        self.acknowledged: dict[str, list[bytes]] = {id: [] for id in ids}
        """The entries of every session, by version."""
        self.doubtful = 0
        self._end = Event()
        self._thread = Thread(target=self._play)
        with connected(url, 2000) as patient:
            for id in ids:
                patient.create(id, b"0", TTL)

    def __enter__(self) -> "Player":
        for id in self._ids:
            self._notifications.watch(id)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join()
        self._notifications.close()
        self._store.close()

    def misses_nobody(self) -> bool:
        """Tells if no breaker is open, so that every server is asked."""
        return _asks_everyone(self._store)

    def is_beyond(self, id: str, version: int) -> bool:
        return len(self.acknowledged[id]) > version

    def moves(self) -> int:
        return min(map(len, self.acknowledged.values()))

    def _play(self) -> None:
        number = 0
        while not self._end.is_set():
            for id in self._ids:
                number += 1
                with suppress(StoreUnavailable):
                    self._move(id, b"%d" % number)

    def _move(self, id: str, entry: bytes) -> None:
        done = self.acknowledged[id]
        watch = stopwatch()
        try:
            self._store.write(id, len(done), entry, entry, TTL)
        except StoreUnavailable:
            assert watch.seconds < AT_WORST
            self._end.wait(0.01)
            raise
        except VersionConflict:
            # An answer was lost: what was written in doubt was written after all.
            self.doubtful += 1
            done.extend(line.entry for line in self._store.log(id, len(done), 10)[1])
            return
        done.append(entry)

    def all_is_there_once(self, store: Store) -> None:
        """Expects every acknowledged entry at its version, in an unbroken log."""
        for id, entries in self.acknowledged.items():
            version, lines = store.log(id, 0, 1 << 20)
            assert [line.version for line in lines] == list(range(1, version + 1))
            assert [line.entry for line in lines][: len(entries)] == entries
            assert version - len(entries) in (0, 1), "at most the last answer was lost"
            assert len({line.entry for line in lines}) == version


def plays_on(player: Player, fault: Callable[[], None]) -> float:
    """Returns seconds from a fault until every session is written to again."""
    wait_until("the game is on", lambda: player.moves() > 20)
    fault()
    started = time.monotonic()
    for id, entries in player.acknowledged.items():
        wait_until("it plays on", partial(player.is_beyond, id, len(entries) + 3))
    seconds = time.monotonic() - started
    wait_until("no watcher is left behind", player.misses_nobody)
    return seconds


def test_a_failover_by_sentinels_loses_nothing_acknowledged(
    engine: RedisBinary, say: Callable[[str], None]
) -> None:
    with Sentinels(engine) as group:
        group.sentinels[0].freeze()  # and one of them does not even answer
        with Player(group.url, ["a", "b"]) as player:
            seconds = plays_on(player, group.master.kill)
        with connected(group.url, PATIENT_MS) as store:
            wait_until("the new master is known", lambda: _is_there(store))
            player.all_is_there_once(store)
        say(f"on after {seconds:.1f} s")


class Keeper:
    """Creates sessions without a pause, and remembers when each was acknowledged."""

    def __init__(self, url: str) -> None:
        self._store = RedisStore(url, TIMEOUT_MS)
        self._kept: list[tuple[str, float]] = []
        self._end = Event()
        self._thread = Thread(target=self._keep)

    def __enter__(self) -> "Keeper":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join()
        self._store.close()

    def has_begun(self) -> bool:
        return len(self._kept) > 20

    def seconds_lost(self, store: Store) -> float:
        """Returns the seconds between the first lost entry and the last."""
        missing = [moment for id, moment in self._kept if _lacks(store, id)]
        return max(missing) - min(missing) if missing else 0.0

    def _keep(self) -> None:
        while not self._end.wait(0.005):
            id = secrets.token_hex(8)
            with suppress(StoreUnavailable):
                self._store.create(id, b"zero", TTL)
                self._kept.append((id, time.monotonic()))


def _lacks(store: Store, id: str) -> bool:
    try:
        store.read(id)
    except SessionNotFound:
        return True
    return False


def _answers(store: Store, id: str) -> bool:
    """Tells if the server of this session, which does not exist, says so in time."""
    with suppress(StoreUnavailable):
        return _lacks(store, id)
    return False


def _asks_everyone(store: RedisStore) -> bool:
    return store.open_breakers() == 0


@pytest.mark.long
@pytest.mark.parametrize("paused", [False, True], ids=["asked for", "after a pause of writes"])
def test_a_planned_failover_by_sentinels_loses_little_or_nothing(
    engine: RedisBinary, paused: bool, say: Callable[[str], None]
) -> None:
    """They promote at once, but leave the old master a master for ten seconds."""
    heard: Queue[str] = Queue()
    with (
        Sentinels(engine) as group,
        Keeper(group.url) as keeper,
        connected(group.url, PATIENT_MS) as store,
        ExitStack() as stack,
    ):
        notifications = store.notifications(heard.put)
        stack.callback(notifications.close)
        notifications.watch("a")
        store.ping()
        wait_until("sessions are kept", keeper.has_begun)
        assert heard.get(timeout=120) == "a"
        if paused:
            (pause,) = re.findall(r"^redis-cli .* (client pause \d+ write)", RUNBOOK, re.M)
            group.master.ask(*pause.split())
        group.sentinels[0].ask("SENTINEL", "FAILOVER", group.name)
        wait_until("it is promoted", lambda: group.replica.info("replication")["role"] == "master")
        promoted = time.monotonic()
        # Of what is told to the new master one hears there only.
        assert heard.get(timeout=120) == "a"
        late = time.monotonic() - promoted
        wait_until("it is demoted", lambda: group.master.info("replication")["role"] == "slave")
        wait_until("the new master is known", lambda: _is_there(store))
        lost = keeper.seconds_lost(store)
        say(f"lost {lost:.1f} s, listens again after {late:.1f} s")
        assert lost < (0.001 if paused else 3)
        assert late < 8


def test_a_failover_of_a_cluster_loses_nothing_acknowledged(
    engine: RedisBinary, say: Callable[[str], None]
) -> None:
    with Cluster(engine) as group:
        ids = _one_a_master(group)
        dying = group.master_of(f"referee:{{{ids[0]}}}")
        with Player(group.url, ids) as player:
            seconds = plays_on(player, dying.freeze)
        with connected(group.url, PATIENT_MS) as store:
            wait_until("the cluster is whole", lambda: _is_there(store))
            player.all_is_there_once(store)
            dying.kill()
            # What moved is found where it is now.
            _move_slot(group, ids[1])
            version = store.read(ids[1]).version
            store.write(ids[1], version, b"moved", b"moved", TTL)
        say(f"on after {seconds:.1f} s")


def test_processes_on_different_masters_hear_all_messages() -> None:
    with Cluster(ENGINES[0]) as group, ExitStack() as stack:
        ids, notified = _one_a_master(group), Queue[str]()
        stores = [stack.enter_context(connected(group.url, 2000)) for _ in range(20)]
        for id in ids:
            stores[0].create(id, b"zero", TTL)
        for store in stores:
            notifications = store.notifications(notified.put)
            stack.callback(notifications.close)
            for id in ids:
                notifications.watch(id)
        everyone = len(ids) * len(stores)
        first = [notified.get(timeout=120) for _ in range(everyone)]
        assert sorted(first) == sorted(ids * len(stores))
        listeners = [_listeners(node) for node in group.nodes[:3]]
        assert sum(listeners) == len(stores)
        assert sum(map(bool, listeners)) > 1, listeners
        for id in ids:
            stores[0].write(id, 0, b"one", b"entry", TTL)
        then = [notified.get(timeout=120) for _ in range(everyone)]
        assert sorted(then) == sorted(ids * len(stores))


def _listeners(node: Node) -> int:
    lines: bytes = node.ask("CLIENT", "LIST", "TYPE", "pubsub")
    return lines.count(b"\n")


def _one_a_master(group: Cluster) -> list[str]:
    """Returns ids of sessions on every master."""
    ends: dict[int, str] = {}
    for number in range(100):
        ends.setdefault(group.master_of(f"referee:{{{number}}}").port, str(number))
    assert len(ends) == 3
    return list(ends.values())


@pytest.mark.parametrize("comes_back", [True, False], ids=["thawed", "killed"])
def test_idle_master_is_not_reported_away_for_ever(engine: RedisBinary, comes_back: bool) -> None:
    with Cluster(engine) as group, connected(group.url) as store:
        id = _one_a_master(group)[0]
        lost = group.master_of(f"referee:{{{id}}}")
        wait_until("the cluster answers", partial(_answers, store, id))
        lost.freeze()
        for _ in range(3):
            seconds_away(lambda: store.read(id))
        assert store.open_breakers() == 1
        (lost.thaw if comes_back else lost.kill)()
        wait_until("it is asked again", partial(_asks_everyone, store))
        wait_until("it answers", partial(_answers, store, id))


def test_one_shard_away_is_one_shard_away(engine: RedisBinary) -> None:
    with Cluster(engine) as group, connected(group.url) as store:
        ids = _one_a_master(group)
        masters, health = group.nodes[:3], StoreHealth(store, count(0).__next__)
        wait_until("all is well", lambda: health.ask() is Availability.OK)
        lost = group.master_of(f"referee:{{{ids[0]}}}")
        for node in (group.nodes[3 + masters.index(lost)], lost):
            node.kill()
        remaining = [node for node in group.nodes if node.process.poll() is None]
        for node in remaining:
            # From now on a cluster that wants all its slots refuses everything.
            wait_until("the loss is known", partial(_has_failed_slots, node))
        wait_until("a shard is away", lambda: health.ask() is Availability.DEGRADED)
        client = next(
            name
            for name in map(str, range(100))
            if [group.master_of(f"{{{name}{end}}}") is lost for end in ("", "/")] == [True, False]
        )
        dead, living = ids[0], ids[1:]
        # Once the breaker is open, no id takes a wait.
        wait_until("the lost master is not asked", lambda: _is_not_asked(store, dead))
        for id in living:
            assert store.choose_id(iter([dead, dead, id]).__next__) == id
            store.create(id, b"zero", TTL, quota=Quota(client, len(living)))
            assert store.read(id).document == b"zero"
        with pytest.raises(TooManySessions):
            store.create("more", b"zero", TTL, quota=Quota(client, len(living)))
        with pytest.raises(StoreUnavailable):
            store.choose_id(iter([dead, dead, dead, living[0]]).__next__)
        for node in remaining:
            node.kill()
        wait_until("all are away", lambda: health.ask() is Availability.AWAY)


def test_cluster_that_wants_all_its_slots_is_away_without_one() -> None:
    with Cluster(ENGINES[0]) as group, connected(group.url) as store:
        health = StoreHealth(store, count(0).__next__)
        wait_until("all is well", lambda: health.ask() is Availability.OK)
        for node in group.nodes:
            node.ask("CONFIG", "SET", "cluster-require-full-coverage", "yes")
        for node in (group.nodes[3], group.nodes[0]):
            node.kill()
        wait_until("all refuse", lambda: health.ask() is Availability.AWAY)


def _has_failed_slots(node: Node) -> bool:
    return bool(int(node.ask("CLUSTER INFO")["cluster_slots_fail"]))


def _is_not_asked(store: RedisStore, id: str) -> bool:
    """Asks for a session; returns True once a breaker refuses it."""
    with suppress(StoreUnavailable):
        store.read(id)
    return store.open_breakers() == 1


def _move_slot(group: Cluster, id: str) -> None:
    """Moves the session's slot to another master, key by key."""
    key = f"referee:{{{id}}}"
    source = group.master_of(key)
    target = next(
        node
        for node in group.nodes[1:]
        if node.process.poll() is None
        and node is not source
        and node.info("replication")["role"] == "master"
    )
    slot = int(str(source.ask("CLUSTER", "KEYSLOT", key)))
    source_id, target_id = source.ask("CLUSTER", "MYID"), target.ask("CLUSTER", "MYID")
    target.ask("CLUSTER", "SETSLOT", slot, "IMPORTING", source_id)
    source.ask("CLUSTER", "SETSLOT", slot, "MIGRATING", target_id)
    while keys := source.ask("CLUSTER", "GETKEYSINSLOT", slot, 100):
        source.ask("MIGRATE", "127.0.0.1", target.port, "", 0, 5000, "KEYS", *keys)
    with connected(group.url, 2000) as store:
        assert store.read(id).version > 0, "asked for where it is going"
    nodes: list[Node] = [target, source]
    for node in nodes:
        node.ask("CLUSTER", "SETSLOT", slot, "NODE", target_id)
