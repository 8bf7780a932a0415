"""What happens to the workers while people play."""

import os
import signal
from collections.abc import Callable
from functools import partial

from tests.doors.serving import Server, serving
from tests.engines.servers import running
from tests.faults.guests import Party, playing

Say = Callable[[str], None]
WORKERS = 3


def test_workers_that_are_killed(redis_url: str, say: Say) -> None:
    with serving(REDIS_URL=redis_url, WORKERS=WORKERS) as server:
        longest = 0.0
        with playing(server) as party:
            for number, pid in enumerate(server.workers()):
                os.kill(pid, signal.SIGKILL)
                longest = max(longest, party.plays_on())
                party.wait("another comes", partial(were_started, server, WORKERS + number + 1))
        say(f"on after {longest:.1f} s; {party.summary()}")


def test_workers_that_are_replaced_while_they_work(redis_url: str, say: Say) -> None:
    with serving(REDIS_URL=redis_url, WORKERS=WORKERS) as server:
        with playing(server) as party:
            seconds = replaced(server, party, signal.SIGHUP)
            # One more and one less, as often as there are workers: the oldest goes.
            for _ in range(WORKERS):
                seconds = max(seconds, replaced(server, party, signal.SIGTTIN, signal.SIGTTOU))
        say(f"on after {seconds:.1f} s; {party.summary()}")
        assert not any(guest.away for guest in party.guests)


def replaced(server: Server, party: Party, *signals: signal.Signals) -> float:
    """Seconds until all play on, when these signals to the master have shown their effect."""
    before = server.workers()
    seconds = 0.0
    for one in signals:
        living = len(running(before))
        server.process.send_signal(one)
        seconds = max(seconds, party.plays_on())
        if one == signal.SIGTTOU:
            party.wait("one is gone", partial(are_left, before, living - 1))
            continue
        party.wait("a new one works", partial(were_started, server, len(before) + 1))
        if one == signal.SIGHUP:
            party.wait("the old ones are gone", partial(are_left, before, 0))
    return seconds


def were_started(server: Server, number: int) -> bool:
    return len(server.workers()) >= number


def are_left(pids: list[int], number: int) -> bool:
    return len(running(pids)) <= number
