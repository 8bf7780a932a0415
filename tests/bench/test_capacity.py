"""Model that computes the page of capacity."""

import re
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from select import select

import pytest

from dice_referee.server.feeds import READERS
from dice_referee.server.waiting_room import QUEUE_PER_THREAD
from dice_referee.settings import Settings
from tests.bench.capacity import (
    BEGIN,
    CONNECTIONS,
    DAY,
    END,
    PAGE,
    Cost,
    Costs,
    Deployment,
    column,
    page_tables,
    with_tables,
)
from tests.engines.servers import DEADLINE, ENGINES, Single, wait_until
from tests.wire import Stream, Wire, begin, request, serving

COSTS = Costs(
    post=Cost("post", 50, 150),
    hit=Cost("hit", 20, 0),
    position=Cost("position", 1, 24),
    event=Cost("event", 100, 900, 200),
    session_bytes=45_000,
)
SMALL = Deployment("small", 2, 512 << 20, 7 * DAY)
PAGE_TEXT = PAGE.read_text("utf-8")
COMPUTED = PAGE_TEXT[PAGE_TEXT.index(BEGIN) + len(BEGIN) : PAGE_TEXT.index(END)].strip()


def test_games_follow_from_memory_and_time() -> None:
    # 0.6 x 512 MB / 45 KB, a seventh of them a day, of 850 s each.
    assert column(SMALL, COSTS)[2:7] == ("0.5 GB", "7", "7,200", "1,000", "10")
    day, double = replace(SMALL, ttl=DAY), replace(SMALL, maxmemory=1 << 30)
    assert column(day, COSTS)[4:7] == ("7,200", "7,200", "70")
    assert column(double, COSTS)[4:7] == ("14,000", "2,000", "20")


def test_half_of_streams_and_cores_stays_free() -> None:
    # 2 workers of 500 streams, two per session. An event each 5 s costs the service 1,000 us and
    # Redis 200 us, a verdict 0.55 x 200 + 0.45 x 20 = 119 us, a position 25 us.
    assert column(SMALL, COSTS)[7:] == ("250", "5,000", "12,000", "44", "8,400", "40,000")


def test_page_follows_from_its_figures() -> None:
    table = COMPUTED[COMPUTED.index("| CPU time") :]
    rows = re.findall(r"^\| (.+?) \| ([\d.,]+) \| ([\d.,]+) \| ([\d.,]+) \|$", table, re.MULTILINE)
    post, hit, position, event = [
        Cost(title, *(float(cost.replace(",", "")) for cost in times)) for title, *times in rows
    ]
    (kilobytes,) = re.findall(r"takes ([\d.]+) KB of Redis", table)
    (machine,) = re.findall(r"^Measured on (.+)\.$", COMPUTED, re.MULTILINE)
    size = 1000 * float(kilobytes)
    measured = Costs(post, hit, position, event, size)
    assert page_tables(measured, machine) == COMPUTED


@pytest.mark.long
def test_busy_worker_holds_at_most_the_stated_connections() -> None:
    """A single long computation has begun, and both readers share the connection for logs."""
    threads = Settings().threads
    with Single(ENGINES[0]) as engine, ExitStack() as closing:
        service = serving(REDIS_URL=engine.url, REDIS_TIMEOUT_MS=30_000, WORKERS=1)
        server = closing.enter_context(service)
        # No probe is due, because no circuit breaker is open.
        before = connections_to(engine.port)

        def sent(target: str) -> Wire:
            wire = closing.enter_context(server.wire())
            wire.send(request("GET", target))
            return wire

        # The thread of long computations makes value tables, and stores this session.
        tables = [begin(server, bots=[{"seat": 0, "level": "perfect"}])]
        tables += [begin(server) for _ in range(READERS - 1)]
        for table in tables:
            Stream(closing.enter_context(server.wire()), f"{table.at}/stream")
        engine.freeze()
        closing.callback(engine.thaw)
        requests = [sent(tables[0].at) for _ in range(threads * (QUEUE_PER_THREAD + 1) + 1)]
        refused, _, _ = select([wire.socket for wire in requests], [], [], DEADLINE)
        assert refused, "a thread is free"
        # The event loop asks the store itself.
        sent("/readyz")
        # The event loop, notifications, logs, and the long computation have a connection each.
        expected = before + threads + 4
        wait_until("all are open", lambda: connections_to(engine.port) == expected)
        assert expected <= CONNECTIONS


def connections_to(port: int) -> int:
    """Counts the connections to a server of this machine."""
    rows = [row.split() for row in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    established, peer = "01", f"0100007F:{port:04X}"
    return sum(row[2] == peer and row[3] == established for row in rows)


def test_page_has_placeholders_for_the_tables() -> None:
    assert with_tables(PAGE_TEXT, COMPUTED) == PAGE_TEXT
