"""What sessions cost: events on one Redis and on a cluster, many that are kept, streams."""

import select
import socket
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection
from statistics import median, quantiles
from typing import Any, NamedTuple
from uuid import uuid4

import redis

from tests.bench.capacity import Cost
from tests.bench.process import private_bytes_of
from tests.bench.sessions import BEGINNING, CLIENTS, Player
from tests.bench.stateless import Plan, Say
from tests.bench.watch import Spent, watched
from tests.deploy.stack import Stack
from tests.doors.serving import Server, request, serving
from tests.engines.servers import ENGINES, Cluster, Node, Single

COUNTS = (1_000, 10_000, 100_000)
"""Sessions that are kept."""
PLAYED = 60
"""Events of a session that the others are copies of, as ``capacity.ASSUMED`` has it."""
STREAMS = 400
THROUGH_NGINX = 180
"""Of one address it lets 200 through."""
BEAT_SECONDS = 15.0
"""A heartbeat: what happens to a stream that is held happens once in it."""
MOVES = 5
"""Events of each session that is followed."""
ALONE = 300
"""Events of one player alone, for their latency."""
SETTINGS = {
    "WORKERS": 1,
    "SESSIONS_LIMIT": 10_000_000,
    "STREAMS": 10_000,
    "CONNECTIONS": 20_000,
    "STREAMS_PER_SESSION": 10_000,
}


def measure(plan: Plan, say: Say, facts: dict[str, Any]) -> dict[str, Cost]:
    """Every cost of a session; how events fare among many sessions is added to the facts."""
    with Single(ENGINES[0]) as engine, serving(REDIS_URL=engine.unix_url, **SETTINGS) as server:
        pids = {"service": [server.process.pid], "redis": [engine.process.pid]}
        costs = _events(server, pids, plan, say)
        costs |= _streams(server, pids, plan, say)
        costs |= _counts(server, engine, pids, plan, say, facts)
    return costs | _cluster(plan, say) | _nginx(plan, say)


@contextmanager
def playing(port: int) -> Iterator[list[Player]]:
    """People who play at the same time, each a session of his own."""
    with ExitStack() as stack:
        players = []
        for number in range(CLIENTS):
            player = Player(port, number)
            stack.callback(player.close)
            players.append(player)
        yield players


def play(players: Sequence[Player], act: Callable[[Player], Any], seconds: float) -> int:
    """All at once, as fast as they are answered: how often they were."""
    until = time.perf_counter() + seconds

    def one(player: Player) -> int:
        number = 0
        while time.perf_counter() < until:
            act(player)
            number += 1
        return number

    with ThreadPoolExecutor(len(players)) as pool:
        return sum(pool.map(one, players))


def _create(player: Player) -> None:
    player.ask("POST", "/v1/sessions", BEGINNING)


def _rounds(
    pids: dict[str, list[int]], plan: Plan, port: int, act: Callable[[Player], Any] = Player.move
) -> list[Spent]:
    with playing(port) as players:
        play(players, act, 1)
        return [watched(pids, lambda: play(players, act, plan.seconds)) for _ in range(plan.rounds)]


def _of(spent: Sequence[Spent], name: str, what: str = "", unit: str = "us") -> Cost:
    return Cost.of([one.cpu[name] for one in spent], unit, what)


def _told(title: str, spent: Sequence[Spent]) -> str:
    rate = Cost.of([one.per_second for one in spent], "", "").value
    cpu = ", ".join(f"{name} {_of(spent, name).value:,.0f} us" for name in spent[0].cpu)
    return f"{title}: {cpu}; {rate:,.0f} a second"


def _events(server: Server, pids: dict[str, list[int]], plan: Plan, say: Say) -> dict[str, Cost]:
    moves = _rounds(pids, plan, server.port)
    say(_told("events, one Redis", moves))
    made = _rounds(pids, plan, server.port, _create)
    say(_told("sessions created", made))
    player, sizes = Player(server.port, 2), list[int]()
    for _ in range(PLAYED):
        player.move()
        sizes.append(player.received)
    player.close()
    return {
        "service_event": _of(moves, "service", "an event of a session"),
        "service_create": _of(made, "service", "a session created"),
        "redis_event": _of(moves, "redis", "Redis: an event"),
        "redis_create": _of(made, "redis", "Redis: a session created"),
        "event_bytes": Cost.of(sizes, "bytes", "the answer to an event with its head"),
    }


# How many are kept ------------------------------------------------------------------------------


def _counts(
    server: Server,
    engine: Single,
    pids: dict[str, list[int]],
    plan: Plan,
    say: Say,
    facts: dict[str, Any],
) -> dict[str, Cost]:
    """Copies of one session by the thousand; an event must cost the same among them."""
    client = redis.Redis.from_url(engine.url)
    player = Player(server.port, 1)
    new = _pieces(client, player)
    for _ in range(PLAYED):
        player.move()
    full = _pieces(client, player)
    bare, played = list[float](), list[float]()
    kept, facts["kept"] = 0, []
    for count in COUNTS:
        half = (count - kept) // 2
        for pieces, found in ((new, bare), (full, played)):
            before = _used(client)
            _copy(client, pieces, half)
            found.append((_used(client) - before) / half)
        kept = count
        _settle(client)
        waits = _waits(player)
        spent = _rounds(pids, Plan(max(2, plan.rounds // 2), plan.seconds), server.port)
        facts["kept"].append(
            {
                "sessions": count,
                "service_us": round(_of(spent, "service").value),
                "redis_us": round(_of(spent, "redis").value),
                "p50_ms": round(waits[0], 2),
                "p99_ms": round(waits[1], 2),
            }
        )
        say(
            _told(f"{count:,} sessions kept", spent)
            + f"; alone p50 {waits[0]:.2f} ms, p99 {waits[1]:.2f} ms; "
            f"{bare[-1]:,.0f} bytes each when new, {played[-1]:,.0f} after {PLAYED} events"
        )
    player.close()
    each = [(much - little) / PLAYED for much, little in zip(played, bare, strict=True)]
    return {
        "session_bytes": Cost.of(bare, "bytes", "a session in Redis, new"),
        "session_event_bytes": Cost.of(each, "bytes", "what an event adds to it"),
    }


def _pieces(client: Any, player: Player) -> list[tuple[str, bytes]]:
    """The keys of the player's session, after its name, with what they hold."""
    name = f"referee:{{{player.session}}}"
    return [(end, held) for end in ("", ":log") if (held := client.dump(name + end)) is not None]


def _copy(client: Any, pieces: Sequence[tuple[str, bytes]], number: int) -> None:
    """The same under so many other names."""
    for start in range(0, number, 500):
        pipe = client.pipeline(transaction=False)
        for _ in range(min(500, number - start)):
            name = f"referee:{{{uuid4().hex}}}"
            for end, held in pieces:
                pipe.restore(name + end, 604_800_000, held)
        pipe.execute()


def _settle(client: Any) -> None:
    """Wait until Redis no longer writes its file anew, for that is not what is measured."""
    while client.info("persistence")["aof_rewrite_in_progress"]:
        time.sleep(0.2)


def _used(client: Any) -> int:
    return int(client.info("memory")["used_memory"])


def _waits(player: Player) -> tuple[float, float]:
    """Milliseconds that one player alone waits for an event: the median and one in a hundred."""
    waits = []
    for _ in range(ALONE):
        began = time.perf_counter()
        player.move()
        waits.append((time.perf_counter() - began) * 1000)
    cuts = quantiles(waits, n=100)
    return cuts[49], cuts[98]


# Streams ----------------------------------------------------------------------------------------


class Held(NamedTuple):
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
) -> Held:
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

        told = watched(pids, tell)
    idle = {name: [spent.cpu[name] / spent.seconds for spent in held] for name in pids}
    meanwhile = streams * told.seconds / told.number
    delivery = {
        name: max(0.0, told.cpu[name] - plain.cpu[name] - median(idle[name]) * meanwhile) / 2
        for name in pids
    }
    return Held(idle, delivery, said / told.number / 2)


def _move(players: Sequence[Player]) -> int:
    """Some events of each session."""
    for _ in range(MOVES):
        for player in players:
            player.move()
    return MOVES * len(players)


def _streams(server: Server, pids: dict[str, list[int]], plan: Plan, say: Say) -> dict[str, Cost]:
    before, opened = _private(server), list[float]()
    held = hold(server.port, pids, STREAMS // 2, plan, lambda: opened.append(_private(server)))
    each = (opened[0] - before) / STREAMS
    say(_told_of(f"{STREAMS} streams", held) + f"; {each:,.0f} bytes of the service each")
    return {
        "service_stream": Cost.of(held.idle["service"], "us", "a stream held for a second"),
        "redis_stream": Cost.of(held.idle["redis"], "us", "Redis: a stream held for a second"),
        "service_delivery": _once(held.delivery["service"], "us", "an event told to a stream"),
        "redis_delivery": _once(held.delivery["redis"], "us", "Redis: an event told to a stream"),
        "delivery_bytes": _once(held.delivery_bytes, "bytes", "an event told to a stream"),
        "stream_bytes": _once(each, "bytes", "memory of the service for a stream"),
    }


def _once(value: float, unit: str, what: str) -> Cost:
    return Cost(value, value, value, unit, what)


def _told_of(title: str, held: Held) -> str:
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


# A cluster, and nginx ---------------------------------------------------------------------------


def _cluster(plan: Plan, say: Say) -> dict[str, Cost]:
    """The same events on three masters with a replica each."""
    with (
        Cluster(ENGINES[0]) as cluster,
        serving(REDIS_URL=cluster.url, **SETTINGS) as server,
    ):
        pids = {
            "service": [server.process.pid],
            "masters": [node.process.pid for node in cluster.nodes[:3]],
            "replicas": [node.process.pid for node in cluster.nodes[3:]],
        }
        nodes = cluster.nodes
        before = [_bus(node) for node in nodes]
        spent = _rounds(pids, plan, server.port)
        sent = sum(_bus(node) - was for node, was in zip(nodes, before, strict=True))
        say(_told("events, cluster of three masters", spent) + f"; {sent:,} messages on the bus")
        tell, hear = _hearsay(cluster, plan, say)
    return {
        "cluster_service_event": _of(spent, "service", "an event, sessions on a cluster"),
        "cluster_event": _of(spent, "masters", "Redis: an event, all three masters of a cluster"),
        "cluster_tell": tell,
        "cluster_hear": hear,
    }


def _bus(node: Node) -> int:
    return int(node.ask("CLUSTER INFO")["cluster_stats_messages_sent"])


def _hearsay(cluster: Cluster, plan: Plan, say: Say) -> tuple[Cost, Cost]:
    """What it costs a server to tell another of an event, and that one to hear of it.

    Every server of a cluster is told of everything that is published, whoever listens.
    """
    with Node(ENGINES[0]) as lone:
        speaker, others = cluster.nodes[0], cluster.nodes[1:]
        number = int(20_000 * plan.seconds)
        pids = {"lone": [lone.process.pid], "speaker": [speaker.process.pid]}
        pids["others"] = [node.process.pid for node in others]
        told, heard = list[float](), list[float]()
        for _ in range(plan.rounds):
            alone = watched(pids, lambda: _publish(lone, number)).cpu["lone"]
            spent = watched(pids, lambda: _publish(speaker, number)).cpu
            told.append((spent["speaker"] - alone) / len(others))
            heard.append(spent["others"] / len(others))
    tell = Cost.of(told, "us", "Redis: telling another server of the cluster of an event")
    hear = Cost.of(heard, "us", "Redis: hearing of an event of another server")
    say(f"an event in a cluster: {tell.value:.2f} us to tell, {hear.value:.2f} us to hear of it")
    return tell, hear


def _publish(node: Node, number: int) -> int:
    with redis.Redis(port=node.port, protocol=2) as client:
        for _ in range(number // 500):
            pipe = client.pipeline(transaction=False)
            for _ in range(500):
                pipe.publish("referee:bell:nobody", "1")
            pipe.execute()
    return number


def _nginx(plan: Plan, say: Say) -> dict[str, Cost]:
    with Stack(**SETTINGS) as stack:
        pids = {"nginx": [stack.nginx_pid], "service": [one.process.pid for one in stack.services]}
        spent = _rounds(pids, plan, stack.port)
        held = hold(stack.port, pids, THROUGH_NGINX // 2, plan, lambda: None)
    say(_told("events through nginx", spent))
    say(_told_of(f"{THROUGH_NGINX} streams through nginx", held))
    return {
        "nginx_event": _of(spent, "nginx", "nginx: an event handed on, on a new connection"),
        "nginx_delivery": _once(held.delivery["nginx"], "us", "nginx: an event told to a stream"),
    }
