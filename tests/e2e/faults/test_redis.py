"""Faults of Redis while people play, and their effects on players."""

import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any, NamedTuple

import pytest
import redis

from dice_referee.server.local_redis import RedisBinary
from tests.e2e.faults.clients import Client, Host, Play, playing
from tests.engines.proxy import Proxy
from tests.engines.servers import ENGINES, Cluster, Sentinels, Single
from tests.stopwatch import Stopwatch
from tests.wire import Server, request, serving

TIMEOUT_MS = 150
"""Default of REDIS_TIMEOUT_MS. Other tests use longer timeouts."""

WRITE_THROUGH = ("--appendfsync", "always")
"""Options that write every change to disk before its acknowledgement. With the defaults, a killed
server may lose the last changes (deploy/durability.md). These tests are about the service.
"""

Say = Callable[[str], None]


def service(url: str, workers: int = 2, **more: Any) -> AbstractContextManager[Server]:
    return serving(REDIS_URL=url, REDIS_TIMEOUT_MS=TIMEOUT_MS, WORKERS=workers, **more)


def tell(say: Say, play: Play, seconds: float, away: float | None = None) -> None:
    known = "" if away is None else f" that it is away was said within {away:.2f} s;"
    say(f"on after {seconds:.1f} s;{known} {play.summary()}")


class Deployed(NamedTuple):
    """A service and its Redis."""

    server: Server
    redis: Single


@pytest.fixture(scope="module")
def deployed(engine: RedisBinary) -> Iterator[Deployed]:
    with Single(engine, *WRITE_THROUGH) as single, service(single.url, 3) as server:
        yield Deployed(server, single)


def test_killed_redis_restarts_without_loss(deployed: Deployed, say: Say) -> None:
    with playing(deployed.server) as play:
        deployed.redis.kill()
        longest = play.away()
        play.wait_for_refusals(1)
        deployed.redis.start()
        seconds = play.wait_for_moves()
    tell(say, play, seconds, longest)


@pytest.mark.long
def test_stall_during_a_flood_is_no_outage(engine: RedisBinary, say: Say) -> None:
    """Pauses Redis for exactly the timeout, like a late process."""
    with (
        Single(engine, *WRITE_THROUGH) as single,
        service(single.url, TRUSTED_PROXIES="127.0.0.1", RATE_STATELESS=0) as server,
        flooding(server),
        playing(server) as play,
    ):

        def outages() -> int:
            return server.log().count('"redis is not asked"')

        def is_no_outage() -> bool:
            before = outages(), play.refusals()
            single.freeze()
            play.wait("a request has timed out", partial(has_closed_connections, single.port))
            single.thaw()
            play.wait_for_moves()
            return (outages(), play.refusals()) == before

        def is_noticed_in_time() -> bool:
            before, watch = outages(), Stopwatch()
            single.freeze()
            play.wait("an outage is noticed", lambda: outages() > before)
            seconds.append(watch.seconds)
            single.thaw()
            play.wait_for_moves()
            return seconds[-1] < 2

        seconds = list[float]()
        # A busy machine delays some rounds, not all.
        play.wait("a stall refuses nobody", is_no_outage)
        play.wait("an outage is noticed in time", is_noticed_in_time)
    say(f"noticed after {seconds[-1]:.2f} s, in round {len(seconds)}")


def has_closed_connections(port: int) -> bool:
    """Tells if clients have closed connections that the server at this port still holds open."""
    rows = [row.split() for row in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    close_wait = "08"
    return any(row[1].endswith(f":{port:04X}") and row[3] == close_wait for row in rows)


@contextmanager
def flooding(server: Server) -> Iterator[None]:
    """Sends page requests of a single address on 16 connections, without a pause."""
    page = request("GET", "/problems/rate-limited", None, "X-Forwarded-For: 192.0.2.1")
    ended = Event()

    def flood() -> None:
        with server.wire() as wire:
            while not ended.is_set():
                wire.send(page)
                assert wire.reply().status == 200

    with ThreadPoolExecutor(16) as pool:
        floods = [pool.submit(flood) for _ in range(16)]
        try:
            yield
        finally:
            ended.set()
    for flooded in floods:
        flooded.result()


@pytest.mark.long
def test_thawed_redis_continues_without_loss(deployed: Deployed, say: Say) -> None:
    with playing(deployed.server) as play:
        deployed.redis.freeze()
        longest = play.away()
        play.wait_for_refusals(2)
        deployed.redis.thaw()
        seconds = play.wait_for_moves()
    tell(say, play, seconds, longest)


def test_master_without_a_replica_may_refuse_writes(deployed: Deployed) -> None:
    """Refuses writes without a replica to receive them, see deploy/durability.md."""
    with playing(deployed.server) as play:
        deployed.redis.ask("CONFIG", "SET", "min-replicas-to-write", "1")
        play.wait_for_refusals(1)
        at = play.clients[0].tables[0].at
        assert deployed.server.ask("GET", at).status == 200
        deployed.redis.ask("CONFIG", "SET", "min-replicas-to-write", "0")
        play.wait_for_moves()


@pytest.mark.long
@pytest.mark.parametrize("client", [Client, Host])
def test_connections_broken_in_an_answer_lose_nothing(say: Say, client: type[Client]) -> None:
    with (
        Single(ENGINES[0]) as single,
        Proxy(single.port) as proxy,
        service(f"redis://127.0.0.1:{proxy.port}") as server,
    ):
        with playing(server, client=client) as play:
            longest = 0.0
            for size in (1, 3, 30, 300, 3000):
                proxy.cut = size
                play.wait("the connection is cut", lambda: proxy.cut == 0)
                proxy.cut = None
                longest = max(longest, play.wait_for_moves(1))
        tell(say, play, longest)


@pytest.mark.long
def test_slow_connection_to_redis_loses_nothing(say: Say) -> None:
    with (
        Single(ENGINES[0]) as single,
        Proxy(single.port) as proxy,
        service(f"redis://127.0.0.1:{proxy.port}") as server,
    ):
        with playing(server) as play:
            proxy.latency = 0.05
            play.wait_for_moves(10)
            proxy.latency = 2 * TIMEOUT_MS / 1000
            longest = play.away()
            play.wait_for_refusals(1)
            proxy.latency = 0.0
            seconds = play.wait_for_moves()
        tell(say, play, seconds, longest)


@pytest.mark.long
def test_failover_by_sentinels_loses_nothing(engine: RedisBinary, say: Say) -> None:
    with Sentinels(engine) as group, service(group.url) as server:
        with playing(server) as play:
            group.master.kill()
            seconds = play.wait_for_moves()
        tell(say, play, seconds)


@pytest.mark.long
def test_failover_of_a_cluster_loses_nothing(engine: RedisBinary, say: Say) -> None:
    with Cluster(engine) as group, service(group.url) as server:
        with playing(server) as play:
            group.master_of(play.clients[0].tables[0].key).kill()
            seconds = play.wait_for_moves()
        tell(say, play, seconds)


def test_killed_local_redis_restarts(tmp_path: Path, say: Say) -> None:
    var = tmp_path / "var"
    with service("", VAR_DIR=var) as server:
        with playing(server) as play:
            link = var / "sessions" / "server.sock"
            with redis.Redis(unix_socket_path=str(link.readlink())) as client:
                client.config_set("appendfsync", "always")
                before = client.info("server")["process_id"]
            os.kill(before, signal.SIGKILL)
            log = link.with_name("server.log")
            play.wait("Redis is restarted", lambda: "started again" in log.read_text("utf-8"))
            seconds = play.wait_for_moves()
        tell(say, play, seconds)
