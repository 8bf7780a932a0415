"""Connected seats, at real gunicorns with a real Redis."""

import asyncio
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from redis import Redis

from dice_referee.server import presence
from dice_referee.server.presence import LEASE_SECONDS, RECONNECTION_SECONDS, Presence
from tests.engines.servers import ENGINES, Single, wait_until
from tests.server.test_asgi import SECONDS
from tests.stopwatch import Stopwatch
from tests.wire import Server, Stream, Table, begin, request, serving, wait_for_follower


@pytest.fixture(scope="module")
def server(redis_url: str) -> Iterator[Server]:
    with serving(REDIS_URL=redis_url, WORKERS=2, HEARTBEAT_SECONDS=1) as running:
        yield running


@pytest.fixture(scope="module")
def other(redis_url: str) -> Iterator[Server]:
    """A server of the same sessions, whose streams end after a second."""
    with serving(REDIS_URL=redis_url, WORKERS=1, STREAM_SECONDS=1) as running:
        yield running


@pytest.fixture
def table(server: Server) -> Table:
    return begin(server)


@pytest.fixture
def follow(table: Table) -> Iterator[Callable[..., Stream]]:
    """Opens streams of the table, by default at its server and without a token."""
    opened = list[Stream]()

    def follow(token: str = "", server: Server | None = None) -> Stream:
        bearer = (f"Authorization: Bearer {token}",) if token else ()
        opened.append(Stream((server or table.server).wire(), f"{table.at}/stream", *bearer))
        return opened[-1]

    yield follow
    for stream in opened:
        stream.close()


def listed(table: Table) -> list[bool]:
    return [seat["connected"] for seat in table.read("/seats")["seats"]]


def leases(table: Table, redis_url: str) -> bytes | None:
    with Redis.from_url(redis_url) as client:
        held: bytes | None = client.hget(f"referee:{{{table.id}}}", "here")
    return held


def test_connected_seats_are_told_to_all(table: Table, follow: Callable[..., Stream]) -> None:
    watching = [follow() for _ in range(6)]
    assert [stream.connected() for stream in watching] == [[]] * 6
    assert listed(table) == [False, False]
    ben = follow(table.seats[1])
    assert ben.connected() == [1]
    assert [stream.connected() for stream in watching] == [[1]] * 6
    assert listed(table) == [False, True]
    assert table.read("/events")["connected"] == [1]
    assert table.read("/events?wait=1")["connected"] == [1]
    ada = follow(table.seats[0])
    assert ada.connected() == [0, 1]
    assert [stream.connected() for stream in (ben, *watching)] == [[0, 1]] * 7
    ben.close()
    assert [stream.connected() for stream in (ada, *watching)] == [[0]] * 7
    assert listed(table) == [True, False]
    assert table.read("/events")["connected"] == [0]


def test_poll_ends_when_a_seat_connects(
    table: Table, redis_url: str, follow: Callable[..., Stream]
) -> None:
    with table.server.wire() as wire:
        wire.send(request("GET", f"{table.at}/events?wait=30"))
        wait_for_follower(redis_url, table.at)
        ben = follow(table.seats[1])
        assert ben.connected() == [1]
        page = json.loads(wire.reply().body)
        assert (page["events"], page["version"], page["connected"]) == ([], 0, [1])


def test_poll_waits_while_the_same_seats_are_connected(
    table: Table, follow: Callable[..., Stream]
) -> None:
    follow(table.seats[1])
    wait_until("the seat is connected", lambda: listed(table) == [False, True])
    with table.server.wire() as wire:
        wire.send(request("GET", f"{table.at}/events?wait=30"))
        assert follow(table.seats[1]).connected() == [1]
        table.seed("one")
        page = json.loads(wire.reply().body)
        assert (page["version"], page["connected"]) == (1, [1])


def test_poll_waits_although_redis_refuses_a_lease() -> None:
    with Single(ENGINES[0]) as redis, serving(REDIS_URL=redis.url, WORKERS=1) as server:
        table = begin(server)
        redis.ask("CONFIG", "SET", "maxmemory", 1)
        with server.wire() as wire:
            ben = Stream(wire, f"{table.at}/stream", f"Authorization: Bearer {table.seats[1]}")
            assert ben.connected() == [1]
            watch = Stopwatch()
            assert table.read("/events?wait=1")["connected"] == [1]
            assert watch.seconds > 0.9
            assert listed(table) == [False, False]


def test_seat_stays_while_one_of_its_streams_lives(
    table: Table, other: Server, follow: Callable[..., Stream]
) -> None:
    watching, ada = follow(), follow(table.seats[0])
    assert [watching.connected(), watching.connected()] == [[], [0]]
    ben = follow(table.seats[1], other)
    assert [ben.connected(), watching.connected()] == [[0, 1]] * 2
    # The stream ends regularly, and its client continues at another server.
    assert ben.event() == {}
    assert listed(table) == [True, True]
    ben = follow(table.seats[1])
    second = follow(table.seats[1])
    assert [ben.connected(), second.connected()] == [[0, 1]] * 2
    ben.close()
    ada.close()
    assert watching.connected() == [1]


@pytest.mark.long
def test_stream_that_ends_leaves_a_short_lease(
    table: Table, other: Server, follow: Callable[..., Stream], redis_url: str
) -> None:
    def seconds() -> int:
        with Redis.from_url(redis_url) as client:
            now: int = client.time()[0]
        return int((leases(table, redis_url) or b"/0").rpartition(b"/")[2]) - now

    watching, ben = follow(), follow(table.seats[1], other)
    assert [watching.connected(), watching.connected()] == [[], [1]]
    assert RECONNECTION_SECONDS < seconds() <= LEASE_SECONDS
    assert ben.event() == {}
    wait_until("the lease is short", lambda: seconds() <= RECONNECTION_SECONDS)
    assert watching.connected() == []


def test_table_without_seats_that_watch_is_not_written(
    table: Table, follow: Callable[..., Stream], redis_url: str
) -> None:
    def stored() -> Any:
        with Redis.from_url(redis_url) as client:
            return client.hgetall(f"referee:{{{table.id}}}")

    before = stored()
    for stream in (follow(), follow(table.host)):
        assert stream.connected() == []
        # A heartbeat checks the token.
        wait_until("a heartbeat is sent", lambda stream=stream: stream.line() == ": heartbeat")  # type: ignore[misc]
    table.read("/events?wait=1")
    table.read("/seats")
    assert stored() == before


def test_seat_of_a_bot_is_not_connected(table: Table, follow: Callable[..., Stream]) -> None:
    watching, ben = follow(), follow(table.seats[1])
    assert [watching.connected(), watching.connected()] == [[], [1]]
    table.change("seats/1/bot", {"level": "bold"})
    assert listed(table) == [False, False]
    assert watching.event()["id"] == "1"
    assert watching.connected() == []
    back = table.server.ask(
        "DELETE", f"{table.at}/seats/1/bot", None, f"Authorization: Bearer {table.host}"
    )
    assert back.status == 200
    assert watching.event()["id"] == "2"
    assert watching.connected() == [1]
    assert listed(table) == [False, True]
    ben.close()


def test_void_token_is_not_connected(table: Table, follow: Callable[..., Stream]) -> None:
    watching, ben = follow(), follow(table.seats[1])
    assert [watching.connected(), watching.connected()] == [[], [1]]
    table.change("seats/1/token")
    assert watching.event()["id"] == "1"
    assert watching.connected() == []
    assert [ben.event()["id"], ben.event()] == ["1", {}]


def test_seat_that_hosts_is_connected(table: Table, follow: Callable[..., Stream]) -> None:
    table.change("host", {"seat": 1})
    hosting = follow(table.seats[1])
    assert hosting.event()["id"] == "1"
    assert hosting.connected() == [1]


class Writes:
    """A store that records leases. Each write ends when the test ends it."""

    def __init__(self) -> None:
        self.seconds, self.writing = list[int](), list[asyncio.Future[None]]()

    def hold(self, _id: str, _seat: int, _holder: str, seconds: int) -> None:
        self.seconds.append(seconds)

    def run(self, write: Callable[[], None]) -> asyncio.Future[None]:
        write()
        self.writing.append(asyncio.get_running_loop().create_future())
        return self.writing[-1]

    async def end(self, error: Exception | None = None) -> None:
        writing = self.writing.pop()
        if error is None:
            writing.set_result(None)
        else:
            writing.set_exception(error)
        await asyncio.sleep(0)


def of_writes(steps: Callable[[Presence, Writes], Any]) -> list[int]:
    async def run() -> list[int]:
        writes = Writes()
        await steps(Presence(writes, writes.run), writes)  # type: ignore[arg-type]
        return writes.seconds

    return asyncio.run(asyncio.wait_for(run(), SECONDS))


def test_streams_of_a_seat_share_a_lease() -> None:
    async def steps(held: Presence, writes: Writes) -> None:
        held.enter("session", 1)
        held.enter("session", 1)
        await writes.end()
        held.leave("session", 1, 0)
        assert held.seats("session", (0,)) == (0, 1)
        held.leave("session", 1, RECONNECTION_SECONDS)
        assert held.seats("session", (0,)) == (0,)
        await writes.end()
        held.enter("session", 1)

    assert of_writes(steps) == [LEASE_SECONDS, RECONNECTION_SECONDS, LEASE_SECONDS]


def test_leases_are_written_in_order() -> None:
    async def steps(held: Presence, writes: Writes) -> None:
        held.enter("session", 1)
        held.leave("session", 1, 0)
        held.enter("session", 1)
        held.leave("session", 1, 0)
        assert writes.seconds == [LEASE_SECONDS]
        await writes.end()
        await writes.end()

    assert of_writes(steps) == [LEASE_SECONDS, 0]


@pytest.mark.parametrize("error", [None, RuntimeError("no store")])
def test_lease_is_renewed_until_the_stream_ends(
    error: Exception | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "RETRY_SECONDS" if error else "RENEWAL_SECONDS", 0)

    async def steps(held: Presence, writes: Writes) -> None:
        held.enter("session", 1)
        for number in (1, 2, 3):
            while len(writes.seconds) < number:
                await asyncio.sleep(0)
            await writes.end(error)
        held.leave("session", 1, 0)
        while len(writes.seconds) < 4:
            await asyncio.sleep(0)
        await writes.end()
        # A renewal without delay would be due in the next rounds of the loop.
        for _ in range(5):
            await asyncio.sleep(0)

    assert of_writes(steps) == [LEASE_SECONDS] * 3 + [0]
