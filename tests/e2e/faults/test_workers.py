"""Faults of the workers while people play."""

import os
import signal
from collections.abc import Callable
from functools import partial

import pytest
from redis import Redis

from dice_referee.server.presence import LEASE_SECONDS
from tests.e2e.faults.clients import Client, Host, Play, playing
from tests.engines.servers import running, wait_until
from tests.wire import Server, Stream, Table, begin, serving

Say = Callable[[str], None]
WORKERS = 3


@pytest.mark.parametrize("client", [Client, Host])
def test_killed_workers_lose_nothing(redis_url: str, say: Say, client: type[Client]) -> None:
    with serving(REDIS_URL=redis_url, WORKERS=WORKERS) as server:
        longest = 0.0
        with playing(server, client=client) as play:
            for number, pid in enumerate(server.workers()):
                os.kill(pid, signal.SIGKILL)
                longest = max(longest, play.wait_for_moves())
                play.wait(
                    "a new worker has started", partial(were_started, server, WORKERS + number + 1)
                )
        say(f"on after {longest:.1f} s; {play.summary()}")


def test_workers_replaced_during_work_lose_nothing(redis_url: str, say: Say) -> None:
    with serving(REDIS_URL=redis_url, WORKERS=WORKERS) as server:
        with playing(server) as play:
            seconds = replaced(server, play, signal.SIGHUP)
            # Each round adds a worker and removes the oldest.
            for _ in range(WORKERS):
                seconds = max(seconds, replaced(server, play, signal.SIGTTIN, signal.SIGTTOU))
        say(f"on after {seconds:.1f} s; {play.summary()}")
        assert not any(client.away for client in play.clients)


def replaced(server: Server, play: Play, *signals: signal.Signals) -> float:
    """Sends these signals to the master. Returns the seconds until every client plays on."""
    before = server.workers()
    seconds = 0.0
    for signum in signals:
        living = len(running(before))
        server.process.send_signal(signum)
        seconds = max(seconds, play.wait_for_moves())
        if signum == signal.SIGTTOU:
            play.wait("an old worker has ended", partial(are_left, before, living - 1))
            continue
        play.wait("a new worker has started", partial(were_started, server, len(before) + 1))
        if signum == signal.SIGHUP:
            play.wait("the old workers have ended", partial(are_left, before, 0))
    return seconds


def were_started(server: Server, number: int) -> bool:
    return len(server.workers()) >= number


def are_left(pids: list[int], number: int) -> bool:
    return len(running(pids)) <= number


@pytest.mark.long
@pytest.mark.parametrize("returns", [False, True])
def test_seat_of_a_killed_worker_ends_with_its_lease(redis_url: str, returns: bool) -> None:
    with serving(REDIS_URL=redis_url) as server, serving(REDIS_URL=redis_url, WORKERS=1) as victim:
        table = begin(server)
        bearer = f"Authorization: Bearer {table.seats[1]}"
        with server.wire() as wire, victim.wire() as own, server.wire() as later:
            watching, ben = (
                Stream(wire, f"{table.at}/stream"),
                Stream(own, f"{table.at}/stream", bearer),
            )
            assert [ben.connected(), watching.connected(), watching.connected()] == [[1], [], [1]]
            for pid in victim.workers():
                os.kill(pid, signal.SIGKILL)
            assert own.rest() == b""
            assert table.read("/events")["connected"] == [1]
            if returns:
                assert Stream(later, f"{table.at}/stream", bearer).connected() == [1]
                expire_oldest_lease(redis_url, table, 2)
                assert table.read("/events")["connected"] == [1]
                later.close()
            else:
                expire_oldest_lease(redis_url, table, 1)
            assert watching.connected() == []
            table.seed("one")
            assert watching.event()["id"] == "1"


def expire_oldest_lease(redis_url: str, table: Table, number: int) -> None:
    """Expires the lease that ends first, of this number, as time would."""
    key = f"referee:{{{table.id}}}"
    with Redis.from_url(redis_url) as client:

        def leases() -> list[bytes]:
            stored: bytes = client.hget(key, "here") or b""
            return sorted(stored.split(), key=lambda lease: int(lease.rpartition(b"/")[2]))

        wait_until("the leases are written", lambda: len(leases()) == number)
        oldest, *others = leases()
        lease, _, end = oldest.rpartition(b"/")
        now: int = client.time()[0]
        assert 0 < int(end) - now <= LEASE_SECONDS
        client.hset(key, "here", b" ".join([b"%b/%d" % (lease, now), *others]))
