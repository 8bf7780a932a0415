"""Store behaviour on server failures. The time bounds are those of a waiting person."""

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
from dice_referee.sessions.redis.notifications import CHANNEL
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
"""Timeout in milliseconds for commands to a healthy server on a busy machine."""
TIMEOUT_MS = Settings().redis_timeout_ms
THREADS = Settings().threads
REFUSAL_SECONDS = 0.5
"""Maximum seconds until a request is refused while a single server hangs."""
GROUP_REFUSAL_SECONDS = 1.5
"""Maximum seconds until a request is refused while a Sentinel group or a cluster hangs."""
BUSY_SECONDS = 2.0
"""Maximum seconds on a busy machine. No sum of timeouts may reach this bound."""
RECOVERY_SECONDS = 10.0
"""Maximum seconds until recovery: several of the breaker's probes, once a second, may be late."""
OPEN_BREAKER_SECONDS = 0.1
"""Maximum seconds for a command that an open breaker refuses. A third of them may be later."""


# redis-py may leave a socket open after an incomplete handshake.
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
    """Runs the tests on a single engine, since faults and failovers take long."""
    binary: RedisBinary = request.param
    return binary


def stopwatch() -> Stopwatch:
    """Starts a stopwatch that excludes waits of this process's threads for a processor."""
    return Stopwatch(os.getpid())


def seconds_away(use: Callable[[], object]) -> float:
    """Returns the seconds until the store raises StoreUnavailable."""
    watch = stopwatch()
    with pytest.raises(StoreUnavailable) as away:
        use()
    assert 0 < away.value.retry <= 1
    return watch.seconds


def fails_fast_after_a_timeout(
    store: RedisStore, refusal_deadline: float = REFUSAL_SECONDS
) -> None:
    """Expects the first request to wait for the timeout, and later requests to fail at once."""
    uses: list[Callable[[], object]] = [
        lambda: store.read("a"),
        lambda: store.write("a", 0, b"one", b"entry", TTL),
        lambda: store.attendance("a", ["b"]),
    ]
    waited = [seconds_away(use) for use in uses]
    assert min(waited) < refusal_deadline
    assert max(waited) < BUSY_SECONDS
    assert store.open_breakers() >= 1
    assert sorted(seconds_away(use) for use in uses)[1] < OPEN_BREAKER_SECONDS


def reconnects(store: RedisStore) -> None:
    """Expects the store to reconnect by itself after some pauses of the breaker."""
    watch = stopwatch()
    wait_until("the server answers", lambda: _is_up(store))
    assert watch.seconds < RECOVERY_SECONDS


def _is_up(store: RedisStore) -> bool:
    try:
        return store.ping()
    except StoreUnavailable:
        return False


def test_refusing_server_is_unavailable_until_restarted(engine: RedisBinary) -> None:
    port = free_port()
    with connected(f"redis://127.0.0.1:{port}") as store:
        fails_fast_after_a_timeout(store)
        assert store.warnings() == []
        with Single(engine, port=port):
            reconnects(store)
            with pytest.raises(SessionNotFound):
                store.read("a")
    with connected("unix:///nowhere/socket") as store:
        fails_fast_after_a_timeout(store)


def test_frozen_server_is_unavailable_until_thawed(engine: RedisBinary) -> None:
    with (
        Single(engine) as server,
        connected(server.url) as warm,
        connected(server.unix_url) as cold,
    ):
        warm.ping()
        server.freeze()
        fails_fast_after_a_timeout(warm)
        fails_fast_after_a_timeout(cold)
        server.thaw()
        reconnects(warm)
        reconnects(cold)


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


def refusal_deadline(scheme: str) -> float:
    """Returns the maximum seconds until a request is refused when no server answers."""
    return GROUP_REFUSAL_SECONDS if "+" in scheme else REFUSAL_SECONDS


@pytest.mark.parametrize("scheme", SCHEMES)
def test_unreachable_server_times_out_in_every_topology(scheme: str, abyss: int) -> None:
    with connected(scheme.format(f"127.0.0.1:{abyss}")) as store:
        fails_fast_after_a_timeout(store, refusal_deadline(scheme))


@pytest.mark.parametrize("scheme", SCHEMES)
def test_silent_server_times_out_in_every_topology(scheme: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = scheme.format(f"127.0.0.1:{silent.getsockname()[1]}")
        with connected(url) as store:
            fails_fast_after_a_timeout(store, refusal_deadline(scheme))


def refused_after(app: Flask) -> float:
    """Returns the seconds until a new session is refused with 503."""
    client, body = app.test_client(), {"game": "tutto", "players": ["A", "B"]}
    watch = Stopwatch()  # Counts only this thread: the waits of several threads would add up
    answer = client.post("/v1/sessions", json=body)
    seconds = watch.seconds
    assert answer.status_code == 503
    assert answer.get_json()["type"] == "/problems/sessions-away"
    return seconds


@pytest.mark.parametrize("scheme", SCHEMES)
def test_request_without_redis_is_refused_in_time(scheme: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = scheme.format(f"127.0.0.1:{silent.getsockname()[1]}")

        def in_time() -> bool:
            with connected(url) as store:
                return refused_after(create_app(Settings(), store)) < refusal_deadline(scheme)

        # A busy machine delays some requests, not all.
        wait_until("a request is refused in time", in_time)


@pytest.mark.long
@pytest.mark.parametrize("kind", [Single, Sentinels, Cluster])
def test_all_threads_are_refused_in_time(
    kind: type[Single] | type[Sentinels] | type[Cluster], say: Callable[[str], None]
) -> None:
    """Covers threads that look for a new master in turn."""
    longest = list[float]()
    with kind(ENGINES[0]) as group, ThreadPoolExecutor(THREADS) as threads:
        nodes: list[Node] = list(group.nodes)
        if isinstance(group, Sentinels):
            nodes += group.sentinels

        def in_time() -> bool:
            with connected(group.url) as store:
                list(threads.map(partial(_answers, store), map(str, range(20 * THREADS))))
                wait_until("the server answers", partial(_answers, store, "0"))
                wait_until("no breaker is open", partial(_has_closed_breakers, store))
                for node in nodes:
                    node.freeze()
                # Each thread asks once.
                app = create_app(Settings(rate_sessions=0), store)
                longest.append(max(threads.map(refused_after, [app] * THREADS)))
                for node in nodes:
                    node.thaw()
            return longest[-1] < (REFUSAL_SECONDS if kind is Single else GROUP_REFUSAL_SECONDS)

        # A busy machine delays some rounds, not all.
        wait_until("all requests are refused in time", in_time)
    say(f"the last after {longest[-1]:.2f} s")


def test_server_with_other_login_or_protocol_is_unavailable(engine: RedisBinary) -> None:
    with Single(engine, "--requirepass", "secret", login=("default", "secret")) as server:
        with connected(server.url) as store:
            seconds_away(store.ping)
        with connected(f"rediss://127.0.0.1:{server.port}") as store:
            assert seconds_away(store.ping) < BUSY_SECONDS
        with connected(f"redis+cluster://:secret@127.0.0.1:{server.port}") as store:
            seconds_away(store.ping)
        with connected(f"redis://:secret@127.0.0.1:{server.port}", 2000) as store:
            store.ping()


def test_untrusted_certificate_is_refused(engine: RedisBinary) -> None:
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
    # With everysec, a slow disk loses acknowledged writes: see deploy/durability.md.
    with (
        Single(engine, "--appendfsync", "always") as server,
        # The disk may be slow. This test does not measure time.
        connected(server.url, 5000) as store,
    ):
        store.create("a", b"zero", TTL)
        for version in range(20):
            store.write("a", version, b"%d" % (version + 1), b"e%d" % (version + 1), TTL)
        server.kill()
        server.start()
        # The pooled connection is dead. The write must be neither lost nor refused.
        store.write("a", 20, b"21", b"e21", TTL)
        assert store.read("a").document == b"21"
        assert store.log("a", 0, 100)[1] == [LogLine(n, b"e%d" % n) for n in range(1, 22)]


@pytest.mark.long
@pytest.mark.parametrize("kind", [Single, Sentinels])
def test_late_answer_is_never_read_by_another_command(
    engine: RedisBinary, kind: type[Single] | type[Sentinels]
) -> None:
    with kind(engine) as group, connected(group.url, 1000) as store:
        for id in ("a", "b"):
            store.create(id, id.encode(), TTL)
        node = group.master if isinstance(group, Sentinels) else group
        if isinstance(group, Sentinels):
            for sentinel in group.sentinels:  # prevents a failover
                sentinel.ask("SENTINEL", "SET", group.name, "down-after-milliseconds", 60_000)
        node.freeze()
        seconds_away(lambda: store.read("a"))
        node.thaw()
        for id in ("b", "a", "b"):
            assert store.read(id).document == id.encode()


def test_idle_connections_have_tcp_keepalive(
    engine: RedisBinary,
) -> None:
    """Keepalive detects connections that a firewall has dropped silently."""
    with Single(engine) as server, connected(server.url, PATIENT_MS) as store:
        store.ping()
        rows = [row.split() for row in Path("/proc/net/tcp").read_text().splitlines()[1:]]
        timers = [row[5] for row in rows if row[2].endswith(f":{server.port:04X}")]
        # 02 is the keepalive timer, followed by its expiry in hundredths of a second.
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
        store.write("a", 0, b"one", b"first", TTL, b"k1")
        added = entries_added(server)
        proxy.cut = 2
        seconds_away(lambda: store.write("a", 1, b"two", b"second", TTL, b"k2"))
        proxy.cut = None
        assert second.read("a", keyed=True).keys == b"k2"
        assert second.log("a", 0, 10)[:2] == (2, [LogLine(1, b"first"), LogLine(2, b"second")])
        assert entries_added(server) == added + 1
        # A read is retried on a fresh connection, unnoticed by the client.
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
        notifications = store.notifications(lambda id, _: notified.put(id))
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


def test_notifications_of_an_unreachable_server_end_silently() -> None:
    with connected("redis://127.0.0.1:1") as store:
        notifications = store.notifications(lambda *_: None)
        notifications.watch("a")
        notifications.unwatch("a")
        watch = stopwatch()
        notifications.close()
        notifications.watch("a")
        assert watch.seconds < 1
        store.notifications(lambda *_: None).close()


def test_eviction_policy_is_reported_as_a_warning(engine: RedisBinary) -> None:
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


def test_full_memory_refuses_writes_and_allows_reads(engine: RedisBinary) -> None:
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
    """Returns the word of the refusal."""
    with pytest.raises(StoreUnavailable) as refused:
        use()
    return refused.value.word


def test_refusals_name_their_reason_in_one_word(engine: RedisBinary) -> None:
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
    # A bound port without a listener: another server may have taken the old port.
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
def test_missing_right_is_reported_as_noperm(engine: RedisBinary, right: str) -> None:
    """Covers commands inside a script and before the script."""
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


def test_server_that_refuses_sessions_is_unhealthy(engine: RedisBinary) -> None:
    """PING succeeds all the same. A refusal counts until the same command succeeds."""
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


def test_refusal_expires_without_another_command() -> None:
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


def test_command_refused_by_the_breaker_is_not_timed() -> None:
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


def test_outage_is_logged_once_with_its_word(engine: RedisBinary) -> None:
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
        wait_until("the breakers are closed", lambda: store.open_breakers() == 0)
        assert replies[1:] == [("redis is asked again", "info", "WRONGPASS")]
        store.close()


def test_followers_are_notified_after_subscriptions_are_allowed(engine: RedisBinary) -> None:
    notified: Queue[str] = Queue()
    with Single(engine) as server, connected(server.url, PATIENT_MS) as store:
        server.ask("ACL", "SETUSER", "default", "-subscribe")
        notifications = store.notifications(lambda id, _: notified.put(id))
        notifications.watch("a")
        wait_until("Redis has refused", lambda: server.ask("ACL", "LOG") != [])
        assert notified.empty()
        server.ask("ACL", "SETUSER", "default", "+subscribe")
        assert notified.get(timeout=120) == "a"
        notifications.close()


class Player:
    """Writes and listens continuously, and records what was acknowledged."""

    def __init__(self, url: str, ids: list[str]) -> None:
        self._store = RedisStore(url, TIMEOUT_MS)
        self._notifications = self._store.notifications(lambda *_: None)
        self._ids = ids
        self.acknowledged: dict[str, list[bytes]] = {id: [] for id in ids}
        """The acknowledged entries of every session, by version."""
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

    def has_closed_breakers(self) -> bool:
        """Tells if all breakers are closed and every server is asked."""
        return _has_closed_breakers(self._store)

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
            assert watch.seconds < BUSY_SECONDS
            self._end.wait(0.01)
            raise
        except VersionConflict:
            # The answer was lost, but the write had succeeded.
            self.doubtful += 1
            done.extend(line.entry for line in self._store.log(id, len(done), 10)[1])
            return
        done.append(entry)

    def has_every_entry_once(self, store: Store) -> None:
        """Expects every acknowledged entry at its version, in a log without gaps."""
        for id, entries in self.acknowledged.items():
            version, lines, _ = store.log(id, 0, 1 << 20)
            assert [line.version for line in lines] == list(range(1, version + 1))
            assert [line.entry for line in lines][: len(entries)] == entries
            assert version - len(entries) in (0, 1), "only the last answer was lost"
            assert len({line.entry for line in lines}) == version


def seconds_to_recover(player: Player, fault: Callable[[], None]) -> float:
    """Returns the seconds from a fault until every session accepts writes."""
    wait_until("the player has made moves", lambda: player.moves() > 20)
    fault()
    started = time.monotonic()
    for id, entries in player.acknowledged.items():
        wait_until("every session is played on", partial(player.is_beyond, id, len(entries) + 3))
    seconds = time.monotonic() - started
    wait_until("no breaker is open", player.has_closed_breakers)
    return seconds


def test_failover_by_sentinels_keeps_acknowledged_writes(
    engine: RedisBinary, say: Callable[[str], None]
) -> None:
    with Sentinels(engine) as group:
        group.sentinels[0].freeze()  # one sentinel does not answer
        with Player(group.url, ["a", "b"]) as player:
            seconds = seconds_to_recover(player, group.master.kill)
        with connected(group.url, PATIENT_MS) as store:
            wait_until("the new master answers", lambda: _is_up(store))
            player.has_every_entry_once(store)
        say(f"on after {seconds:.1f} s")


class Keeper:
    """Creates sessions continuously, and records the time of each acknowledgement."""

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
        missing = [moment for id, moment in self._kept if _has_lost(store, id)]
        return max(missing) - min(missing) if missing else 0.0

    def _keep(self) -> None:
        while not self._end.wait(0.005):
            id = secrets.token_hex(8)
            with suppress(StoreUnavailable):
                self._store.create(id, b"zero", TTL)
                self._kept.append((id, time.monotonic()))


def _has_lost(store: Store, id: str) -> bool:
    try:
        store.read(id)
    except SessionNotFound:
        return True
    return False


def _answers(store: Store, id: str) -> bool:
    """Tells if the server answers in time that this unknown session is missing."""
    with suppress(StoreUnavailable):
        return _has_lost(store, id)
    return False


def _has_closed_breakers(store: RedisStore) -> bool:
    return store.open_breakers() == 0


@pytest.mark.long
@pytest.mark.parametrize("paused", [False, True], ids=["asked for", "after a pause of writes"])
def test_planned_failover_by_sentinels_loses_at_most_seconds(
    engine: RedisBinary, paused: bool, say: Callable[[str], None]
) -> None:
    """Sentinels promote at once, but leave the old master writable for ten seconds."""
    heard: Queue[str] = Queue()
    with (
        Sentinels(engine) as group,
        Keeper(group.url) as keeper,
        connected(group.url, PATIENT_MS) as store,
        ExitStack() as stack,
    ):
        notifications = store.notifications(lambda id, _: heard.put(id))
        stack.callback(notifications.close)
        notifications.watch("a")
        store.ping()
        wait_until("sessions are created", keeper.has_begun)
        assert heard.get(timeout=120) == "a"
        if paused:
            (pause,) = re.findall(r"^redis-cli .* (client pause \d+ write)", RUNBOOK, re.M)
            group.master.ask(*pause.split())
        group.sentinels[0].ask("SENTINEL", "FAILOVER", group.name)
        wait_until(
            "the replica is promoted", lambda: group.replica.info("replication")["role"] == "master"
        )
        promoted = time.monotonic()
        # The new master's notifications reach only its own subscribers.
        assert heard.get(timeout=120) == "a"
        late = time.monotonic() - promoted
        wait_until(
            "the old master is demoted", lambda: group.master.info("replication")["role"] == "slave"
        )
        wait_until("the new master answers", lambda: _is_up(store))
        lost = keeper.seconds_lost(store)
        say(f"lost {lost:.1f} s, listens again after {late:.1f} s")
        assert lost < (0.001 if paused else 3)
        assert late < 8


@pytest.mark.long
def test_failover_of_a_cluster_keeps_acknowledged_writes(
    engine: RedisBinary, say: Callable[[str], None]
) -> None:
    with Cluster(engine) as group:
        ids = _id_on_each_master(group)
        dying = group.master_of(f"referee:{{{ids[0]}}}")
        with Player(group.url, ids) as player:
            seconds = seconds_to_recover(player, dying.freeze)
        with connected(group.url, PATIENT_MS) as store:
            wait_until("the cluster answers", lambda: _is_up(store))
            player.has_every_entry_once(store)
            dying.kill()
            # A moved session is found at its new server.
            _move_slot(group, ids[1])
            version = store.read(ids[1]).version
            store.write(ids[1], version, b"moved", b"moved", TTL)
        say(f"on after {seconds:.1f} s")


@pytest.mark.long
def test_processes_on_different_masters_receive_all_messages() -> None:
    with Cluster(ENGINES[0]) as group, ExitStack() as stack:
        ids, notified = _id_on_each_master(group), Queue[str]()
        stores = [stack.enter_context(connected(group.url, 2000)) for _ in range(20)]
        for id in ids:
            stores[0].create(id, b"zero", TTL)
        for store in stores:
            notifications = store.notifications(lambda id, _: notified.put(id))
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


def _id_on_each_master(group: Cluster) -> list[str]:
    """Returns session ids that cover every master."""
    ends: dict[int, str] = {}
    for number in range(100):
        ends.setdefault(group.master_of(f"referee:{{{number}}}").port, str(number))
    assert len(ends) == 3
    return list(ends.values())


@pytest.mark.long
@pytest.mark.parametrize("reconnects", [True, False], ids=["thawed", "killed"])
def test_idle_master_is_available_again_after_a_failover(
    engine: RedisBinary, reconnects: bool
) -> None:
    with Cluster(engine) as group, connected(group.url) as store:
        id = _id_on_each_master(group)[0]
        lost = group.master_of(f"referee:{{{id}}}")
        wait_until("the cluster answers", partial(_answers, store, id))
        lost.freeze()
        for _ in range(3):
            seconds_away(lambda: store.read(id))
        assert store.open_breakers() == 1
        (lost.thaw if reconnects else lost.kill)()
        wait_until("the breakers are closed", partial(_has_closed_breakers, store))
        wait_until("the master answers", partial(_answers, store, id))


@pytest.mark.long
def test_lost_shard_leaves_other_shards_available(engine: RedisBinary) -> None:
    with Cluster(engine) as group, connected(group.url) as store:
        ids = _id_on_each_master(group)
        masters, health = group.nodes[:3], StoreHealth(store, count(0).__next__)
        wait_until("the store is healthy", lambda: health.ask() is Availability.OK)
        lost = group.master_of(f"referee:{{{ids[0]}}}")
        for node in (group.nodes[3 + masters.index(lost)], lost):
            node.kill()
        remaining = [node for node in group.nodes if node.process.poll() is None]
        for node in remaining:
            # From now on a cluster that requires all slots refuses every command.
            wait_until("the loss is known", partial(_has_failed_slots, node))
        wait_until("the store is degraded", lambda: health.ask() is Availability.DEGRADED)
        client = next(
            name
            for name in map(str, range(100))
            if [group.master_of(f"{{{name}{end}}}") is lost for end in ("", "/")] == [True, False]
        )
        dead, living = ids[0], ids[1:]
        # A nudge needs only the session's server, whichever server its channel's name selects.
        called = next(
            id
            for id in map(str, range(100))
            if [group.master_of(key) is lost for key in (f"{{{id}}}", CHANNEL + id)]
            == [False, True]
        )
        assert store.nudge(called, 0) == 0
        # An open breaker refuses without a timeout.
        wait_until("the lost master's breaker is open", lambda: _is_not_asked(store, dead))
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
        wait_until("the store is unavailable", lambda: health.ask() is Availability.AWAY)


@pytest.mark.long
def test_cluster_requiring_all_slots_is_unavailable_without_one() -> None:
    with Cluster(ENGINES[0]) as group, connected(group.url) as store:
        health = StoreHealth(store, count(0).__next__)
        wait_until("the store is healthy", lambda: health.ask() is Availability.OK)
        for node in group.nodes:
            node.ask("CONFIG", "SET", "cluster-require-full-coverage", "yes")
        for node in (group.nodes[3], group.nodes[0]):
            node.kill()
        wait_until("the store is unavailable", lambda: health.ask() is Availability.AWAY)


def _has_failed_slots(node: Node) -> bool:
    return bool(int(node.ask("CLUSTER INFO")["cluster_slots_fail"]))


def _is_not_asked(store: RedisStore, id: str) -> bool:
    """Reads a session. Returns True once a breaker refuses the read."""
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
