"""What streams cost: held while nothing happens, told of events, and through nginx."""

import select
import socket
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection
from statistics import median
from typing import NamedTuple

from tests.bench.capacity import Cost
from tests.bench.keeping import SETTINGS, cost_of, rounds, told
from tests.bench.process import private_bytes_of
from tests.bench.sessions import Player
from tests.bench.stateless import Plan, Say
from tests.bench.watch import watched
from tests.e2e.deploy.stack import Stack
from tests.engines.servers import ENGINES, Single
from tests.server.serving import Server, request, serving

STREAMS = 400
THROUGH_NGINX = 180
"""Of one address it lets 200 through."""
BEAT_SECONDS = 15.0
"""A heartbeat: what happens to a stream that is held happens once in it."""
MOVES = 5
"""Events of each session that is followed."""


def measure(plan: Plan, say: Say) -> dict[str, Cost]:
    """Every cost of a stream, and what nginx has of sessions."""
    return _direct(plan, say) | _through_nginx(plan, say)


class StreamCosts(NamedTuple):
    """What streams cost, by the name of the server, in microseconds of CPU time."""

    idle: dict[str, list[float]]
    """A stream, a second, while nothing happens."""
    delivery: dict[str, float]
    """An event that reaches one stream, what the event itself costs aside."""
    delivery_bytes: float


def hold(
    port: int,
    pids: Mapping[str, Sequence[int]],
    sessions: int,
    plan: Plan,
    opened: Callable[[], None],
) -> StreamCosts:
    """Two streams for each of so many sessions: held, then told of one event each."""
    streams, line = sessions * 2, HTTPConnection("127.0.0.1", port, timeout=60)
    with ExitStack() as stack:
        stack.callback(line.close)
        alone, followed = (
            [Player(port, number, line) for number in range(sessions)] for _ in range(2)
        )
        plain = watched(pids, lambda: _move(alone))
        lines = [stack.enter_context(_stream(port, player.session)) for player in followed * 2]
        heard = _Heard(lines)
        heard.until_quiet()
        opened()
        line.close()  # else it would be closed meanwhile

        def wait() -> int:
            time.sleep(BEAT_SECONDS)
            return streams

        held = [watched(pids, wait) for _ in range(max(1, plan.rounds // 2))]
        heard.until_quiet()
        said = 0

        def tell() -> int:
            nonlocal said
            number = _move(followed)
            said = heard.until_quiet()
            return number

        heard_of = watched(pids, tell)
    idle = {name: [spent.cpu[name] / spent.seconds for spent in held] for name in pids}
    meanwhile = streams * heard_of.seconds / heard_of.number
    delivery = {
        name: max(0.0, heard_of.cpu[name] - plain.cpu[name] - median(idle[name]) * meanwhile) / 2
        for name in pids
    }
    return StreamCosts(idle, delivery, said / heard_of.number / 2)


def _move(players: Sequence[Player]) -> int:
    """Some events of each session."""
    for _ in range(MOVES):
        for player in players:
            player.move()
    return MOVES * len(players)


def _direct(plan: Plan, say: Say) -> dict[str, Cost]:
    with Single(ENGINES[0]) as engine, serving(REDIS_URL=engine.unix_url, **SETTINGS) as server:
        pids = {"service": [server.process.pid], "redis": [engine.process.pid]}
        before, opened = _private(server), list[float]()
        held = hold(server.port, pids, STREAMS // 2, plan, lambda: opened.append(_private(server)))
    each = (opened[0] - before) / STREAMS
    say(_told_of(f"{STREAMS} streams", held) + f"; {each:,.0f} bytes of the service each")
    return {
        "service_stream": Cost.of(held.idle["service"], "us", "a stream held for a second"),
        "redis_stream": Cost.of(held.idle["redis"], "us", "Redis: a stream held for a second"),
        "service_delivery": _once(held.delivery["service"], "us", "an event sent to a stream"),
        "redis_delivery": _once(held.delivery["redis"], "us", "Redis: an event sent to a stream"),
        "delivery_bytes": _once(held.delivery_bytes, "bytes", "an event sent to a stream"),
        "stream_bytes": _once(each, "bytes", "memory of the service for a stream"),
    }


def _once(value: float, unit: str, what: str) -> Cost:
    return Cost(value, value, value, unit, what)


def _told_of(title: str, held: StreamCosts) -> str:
    parts = [
        f"{name} {median(held.idle[name]):,.1f} us a second each, "
        f"{held.delivery[name]:,.0f} us an event told"
        for name in held.idle
    ]
    return f"{title}: {'; '.join(parts)}"


def _private(server: Server) -> float:
    return float(sum(private_bytes_of(pid) for pid in server.workers()))


@contextmanager
def _stream(port: int, session: str) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", port)) as line:
        target = f"/v1/sessions/{session}/events"
        line.sendall(request("GET", target, None, "Accept: text/event-stream"))
        yield line


class _Heard:
    """Readers who take whatever comes."""

    def __init__(self, lines: Sequence[socket.socket]) -> None:
        self._poll = select.poll()
        self._lines = {line.fileno(): line for line in lines}
        for number in self._lines:
            self._poll.register(number, select.POLLIN)

    def until_quiet(self, seconds: float = 1.0) -> int:
        """The bytes that come until nothing has come for so long."""
        heard = 0
        while ready := self._poll.poll(seconds * 1000):
            for number, _ in ready:
                piece = self._lines[number].recv(1 << 16)
                assert piece, "a stream has ended"
                heard += len(piece)
        return heard


def _through_nginx(plan: Plan, say: Say) -> dict[str, Cost]:
    with Stack(**SETTINGS) as stack:
        pids = {"nginx": [stack.nginx_pid], "service": [one.process.pid for one in stack.services]}
        spent = rounds(pids, plan, stack.port)
        held = hold(stack.port, pids, THROUGH_NGINX // 2, plan, lambda: None)
    say(told("events through nginx", spent))
    say(_told_of(f"{THROUGH_NGINX} streams through nginx", held))
    return {
        "nginx_event": cost_of(spent, "nginx", "nginx: an event handed on, on a new connection"),
        "nginx_delivery": _once(held.delivery["nginx"], "us", "nginx: an event sent to a stream"),
    }
