"""What sessions cost: events on one Redis and on a cluster, many that are kept, streams."""

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from statistics import quantiles
from typing import Any
from uuid import uuid4

import redis

from service.sessions.redis.session_count import LOCK
from service.sessions.redis.store import RedisStore
from tests.bench.capacity import Cost
from tests.bench.sessions import BEGINNING, CLIENTS, Player
from tests.bench.stateless import Plan, Say
from tests.bench.watch import Spent, watched
from tests.engines.servers import ENGINES, Single
from tests.server.serving import Server, serving

COUNTS = (1_000, 10_000, 100_000)
"""Sessions that are kept."""
PLAYED = 60
"""Events of a session that the others are copies of, as ``capacity.ASSUMED`` has it."""
UNDER_WAY = ("scheduled", "in_progress")
ALONE = 300
"""Events of one player alone, for their latency."""
SETTINGS: dict[str, Any] = {
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
        costs |= _counts(server, engine, pids, plan, say, facts)
    return costs


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


def rounds(
    pids: dict[str, list[int]], plan: Plan, port: int, act: Callable[[Player], Any] = Player.move
) -> list[Spent]:
    with playing(port) as players:
        play(players, act, 1)
        return [watched(pids, lambda: play(players, act, plan.seconds)) for _ in range(plan.rounds)]


def cost_of(spent: Sequence[Spent], name: str, what: str = "", unit: str = "us") -> Cost:
    return Cost.of([one.cpu[name] for one in spent], unit, what)


def told(title: str, spent: Sequence[Spent]) -> str:
    rate = Cost.of([one.per_second for one in spent], "", "").value
    cpu = ", ".join(f"{name} {cost_of(spent, name).value:,.0f} us" for name in spent[0].cpu)
    return f"{title}: {cpu}; {rate:,.0f} a second"


def _events(server: Server, pids: dict[str, list[int]], plan: Plan, say: Say) -> dict[str, Cost]:
    moves = rounds(pids, plan, server.port)
    say(told("events, one Redis", moves))
    made = rounds(pids, plan, server.port, _create)
    say(told("sessions created", made))
    player, sizes = Player(server.port, 2), list[int]()
    for _ in range(PLAYED):
        player.move()
        sizes.append(player.received)
    player.close()
    return {
        "service_event": cost_of(moves, "service", "an event of a session"),
        "service_create": cost_of(made, "service", "a session created"),
        "redis_event": cost_of(moves, "redis", "Redis: an event"),
        "redis_create": cost_of(made, "redis", "Redis: a session created"),
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
    kept, facts["kept"], counted = 0, [], list[float]()
    for count in COUNTS:
        half = (count - kept) // 2
        for pieces, found in ((new, bare), (full, played)):
            before = _used(client)
            _copy(client, pieces, half)
            found.append((_used(client) - before) / half)
        kept = count
        _settle(client)
        player.close()  # its connection was idle for too long; the next question opens another
        waits = _waits(player)
        spent = rounds(pids, Plan(max(2, plan.rounds // 2), plan.seconds), server.port)
        counting = watched(pids, lambda count=count: _count(engine.url, client, count))  # type: ignore[misc]
        counted.append(counting.cpu["redis"])
        facts["kept"].append(
            {
                "sessions": count,
                "service_us": round(cost_of(spent, "service").value),
                "redis_us": round(cost_of(spent, "redis").value),
                "p50_ms": round(waits[0], 2),
                "p99_ms": round(waits[1], 2),
            }
        )
        say(
            told(f"{count:,} sessions kept", spent)
            + f"; alone p50 {waits[0]:.2f} ms, p99 {waits[1]:.2f} ms; "
            f"counted for {counted[-1]:.2f} us each; {bare[-1]:,.0f} bytes each when new, "
            f"{played[-1]:,.0f} after {PLAYED} events"
        )
    player.close()
    each = [(much - little) / PLAYED for much, little in zip(played, bare, strict=True)]
    return {
        "session_bytes": Cost.of(bare, "bytes", "a session in Redis, new"),
        # Of few sessions it takes less time than can be told.
        "redis_census": Cost.of(counted[1:], "us", "Redis: a kept session counted, once a minute"),
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
    """Let Redis write its file anew and its tables grow, for that is not what is measured."""
    with suppress(redis.ResponseError):  # it does so already
        client.bgrewriteaof()
    while any(int(client.info("persistence")[f"aof_rewrite_{now}"]) for now in UNDER_WAY):
        time.sleep(0.2)
    time.sleep(1.0)


def _count(url: str, client: Any, sessions: int) -> int:
    """Count all sessions, as the service does once a minute."""
    store = RedisStore(url, 5000)
    client.delete(LOCK)
    store._count.refresh()
    store.close()
    return sessions


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
