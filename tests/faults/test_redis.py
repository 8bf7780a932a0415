"""What happens to Redis while people play, and what they notice of it."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import redis

from service.sessions.embedded import Engine
from tests.doors.serving import Server, serving
from tests.engines.proxy import Proxy
from tests.engines.servers import ENGINES, Cluster, Sentinels, Single
from tests.faults.guests import Party, playing

TIMEOUT_MS = 300
"""That of the settings' default; other tests are more patient."""

THROUGH = ("--appendfsync", "always")
"""What is acknowledged has been written. Else a server that is killed while its disk is slow loses
some of it, see deploy/README.md, and what is tested here is the service.
"""

Say = Callable[[str], None]


def service(url: str, workers: int = 2, **more: Any) -> AbstractContextManager[Server]:
    return serving(REDIS_URL=url, REDIS_TIMEOUT_MS=TIMEOUT_MS, WORKERS=workers, **more)


def tell(say: Say, party: Party, seconds: float, away: float | None = None) -> None:
    known = "" if away is None else f" that it is away was said within {away:.2f} s;"
    say(f"on after {seconds:.1f} s;{known} {party.summary()}")


class House(NamedTuple):
    """A service and its Redis."""

    server: Server
    redis: Single


@pytest.fixture(scope="module")
def house(engine: Engine) -> Iterator[House]:
    with Single(engine, *THROUGH) as single, service(single.url, 3) as server:
        yield House(server, single)


def test_a_server_that_is_killed_and_started_again(house: House, say: Say) -> None:
    with playing(house.server) as party:
        house.redis.kill()
        longest = party.away()
        party.all_hear_of_it(1)
        house.redis.start()
        seconds = party.plays_on()
    tell(say, party, seconds, longest)


def test_a_server_that_is_frozen_and_thawed(house: House, say: Say) -> None:
    with playing(house.server) as party:
        house.redis.freeze()
        longest = party.away()
        party.all_hear_of_it(2)
        house.redis.thaw()
        seconds = party.plays_on()
    tell(say, party, seconds, longest)


def test_a_stream_that_finds_no_place_is_refused_in_words(house: House) -> None:
    """What is read is there, and then the place among the streams is not to be had."""
    server, single = house
    beginning = b'{"game":"tutto","players":["Ann","Ben"]}'
    at = server.ask("POST", "/v1/sessions", beginning).headers["location"]
    ask = partial(server.ask, "GET", f"{at}/events", None, "Accept: text/event-stream")
    single.ask("ACL", "SETUSER", "default", "-zadd")
    try:
        ask().problem("sessions-away", 503)
    finally:
        single.ask("ACL", "SETUSER", "default", "+@all")
    single.ask("SET", f"referee:{{{at.rpartition('/')[2]}}}:streams", "something else")
    ask().problem("session-unreadable", 503)
    assert server.ask("GET", at).status == 200


def test_a_master_without_a_replica_may_refuse_to_write(house: House) -> None:
    """So deploy/README.md advises: nothing is acknowledged that no replica would hear of."""
    with playing(house.server) as party:
        house.redis.ask("CONFIG", "SET", "min-replicas-to-write", "1")
        party.all_hear_of_it(1)
        at = party.guests[0].tables[0].at
        assert house.server.ask("GET", at).status == 200
        house.redis.ask("CONFIG", "SET", "min-replicas-to-write", "0")
        party.plays_on()


def test_connections_that_break_in_the_middle_of_an_answer(say: Say) -> None:
    with (
        Single(ENGINES[0]) as single,
        Proxy(single.port) as proxy,
        service(f"redis://127.0.0.1:{proxy.port}") as server,
    ):
        with playing(server) as party:
            longest = 0.0
            for size in (1, 3, 30, 300, 3000):
                proxy.cut = size
                party.wait("it is cut off", lambda: proxy.cut == 0)
                proxy.cut = None
                longest = max(longest, party.plays_on(1))
        tell(say, party, longest)


def test_a_slow_way_to_the_server(say: Say) -> None:
    with (
        Single(ENGINES[0]) as single,
        Proxy(single.port) as proxy,
        service(f"redis://127.0.0.1:{proxy.port}") as server,
    ):
        with playing(server) as party:
            proxy.latency = 0.05
            party.plays_on(10)
            proxy.latency = 2 * TIMEOUT_MS / 1000
            longest = party.away()
            party.all_hear_of_it(1)
            proxy.latency = 0.0
            seconds = party.plays_on()
        tell(say, party, seconds, longest)


def test_a_failover_of_sentinels(engine: Engine, say: Say) -> None:
    with Sentinels(engine) as group, service(group.url) as server:
        with playing(server) as party:
            group.master.kill()
            seconds = party.plays_on()
        tell(say, party, seconds)


def test_a_failover_in_a_cluster(engine: Engine, say: Say) -> None:
    with Cluster(engine) as group, service(group.url) as server:
        with playing(server) as party:
            group.master_of(party.guests[0].tables[0].key).kill()
            seconds = party.plays_on()
        tell(say, party, seconds)


def test_a_server_of_our_own_that_is_killed(tmp_path: Path, say: Say) -> None:
    var = tmp_path / "var"
    with service("", VAR_DIR=var) as server:
        with playing(server) as party:
            before, path = _told(var)
            with redis.Redis(unix_socket_path=path) as client:
                client.config_set("appendfsync", "always")
            os.kill(int(before), signal.SIGKILL)
            party.wait("it is started again", partial(_is_another, var, before))
            seconds = party.plays_on()
        tell(say, party, seconds)


def _told(var: Path) -> list[str]:
    """The number of the server's process, and its socket."""
    return (var / "sessions" / "pid").read_text("utf-8").split()


def _is_another(var: Path, before: str) -> bool:
    # The file is written in two steps.
    told = _told(var)
    return len(told) == 2 and told[0] != before
