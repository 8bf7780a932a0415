"""Clients take turns at long computations, piece by piece. Pieces are counted, not timed."""

import asyncio
import threading
from collections.abc import Awaitable, Callable
from random import Random
from typing import Any

import pytest

from dice_referee.rulebook.pauses import pause
from dice_referee.server import turns
from dice_referee.server.turns import MOST_BEGUN, PLACES, PLACES_PER_CLIENT, Turns

SECONDS = 60
"""Seconds until a test gives up."""


@pytest.fixture(autouse=True)
def every_pause_ends_a_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "PIECE_SECONDS", 0.0)


class Trace(list[str]):
    """Names of computations, by piece. The first piece waits at a gate."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = threading.Event()

    def compute(self, name: str, pieces: int) -> str:
        for piece in range(pieces):
            if piece:
                pause()
            self.append(name)
            assert self.gate.wait(SECONDS)
        return name


def trace_of(*computations: tuple[str, str, int]) -> list[str]:
    """Runs computations (client, name, pieces), which all arrive during the first piece."""

    async def run() -> list[str]:
        trace, own = Trace(), Turns("test")
        calls = [
            asyncio.create_task(own.run(client, trace.compute, name, pieces))
            for client, name, pieces in computations
        ]
        await asyncio.sleep(0)
        trace.gate.set()
        names = await asyncio.wait_for(asyncio.gather(*calls), SECONDS)
        assert names == [name for _, name, _ in computations]
        return trace

    return asyncio.run(run())


def test_second_client_waits_for_a_single_piece() -> None:
    many = [("first", f"{number}", 10) for number in range(PLACES_PER_CLIENT)]
    trace = trace_of(*many, ("second", "other", 3))
    assert trace[:7] == ["0", "other", "0", "other", "0", "other", "0"]
    # Later computations of a client begin after its earlier computations.
    assert [name for name in trace if name != "other"] == [
        name for _, name, _ in many for _ in range(10)
    ]


def test_each_client_has_one_turn_in_a_round() -> None:
    trace = trace_of(("a", "a1", 2), ("a", "a2", 2), ("b", "b", 4), ("c", "c", 1))
    assert trace == ["a1", "b", "c", "a1", "b", "a2", "b", "a2", "b"]


def test_piece_goes_on_until_it_has_lasted_long_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "PIECE_SECONDS", 1e9)
    trace = trace_of(("a", "a", 5), ("b", "b", 5))
    assert trace == ["a"] * 5 + ["b"] * 5


def test_few_computations_are_begun_at_once() -> None:
    clients = MOST_BEGUN + 3
    trace = trace_of(*((f"{number}", f"{number}", 5) for number in range(clients)))
    begun, most = set[str](), 0
    for index, name in enumerate(trace):
        begun.add(name)
        most = max(most, len(begun))
        if name not in trace[index + 1 :]:
            begun.remove(name)
    assert most == MOST_BEGUN
    assert len(trace) == 5 * clients


def test_a_single_computation_runs_at_a_time() -> None:
    random, running, most = Random(53), 0, 0

    def compute(pieces: int) -> None:
        nonlocal running, most
        for _ in range(pieces):
            running += 1
            most = max(most, running)
            running -= 1
            pause()

    async def run() -> None:
        own = Turns("test")
        clients = [random.choice("abcdefghijklmnop") for _ in range(60)]
        calls = [own.run(client, compute, random.randrange(50)) for client in clients]
        await asyncio.wait_for(asyncio.gather(*calls), SECONDS)

    asyncio.run(run())
    assert most == 1


# Places -------------------------------------------------------------------------------------------


async def free_places(own: Turns, client: str, most: int = PLACES + 1) -> int:
    """Fills the places of a client with computations that wait, and counts them."""
    gate, calls = threading.Event(), list[Awaitable[bool]]()
    while not own.is_full(client) and len(calls) < most:
        calls.append(asyncio.ensure_future(own.run(client, gate.wait, SECONDS)))
        await asyncio.sleep(0)
    gate.set()
    await asyncio.gather(*calls)
    return len(calls)


async def answered(own: Turns) -> None:
    assert await own.run("a", str, 7) == "7"


async def failed(own: Turns) -> None:
    with pytest.raises(ZeroDivisionError):
        await own.run("a", divmod, 1, 0)


async def cancelled(own: Turns) -> None:
    """Cancels a running computation and a waiting computation, which never begins."""
    begun, gate = threading.Event(), threading.Event()

    def work() -> None:
        assert not begun.is_set()
        begun.set()
        assert gate.wait(SECONDS)

    calls = [asyncio.ensure_future(own.run("a", work)) for _ in range(2)]
    assert await asyncio.to_thread(begun.wait, SECONDS)
    for call in calls:
        call.cancel()
    ends = await asyncio.gather(*calls, return_exceptions=True)
    assert [*map(type, ends)] == [asyncio.CancelledError] * 2
    gate.set()


async def without_a_thread(own: Turns) -> None:
    """Simulates a system that starts no further thread."""

    def refuse(_: Any) -> None:
        raise RuntimeError("can't start new thread")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(threading.Thread, "start", refuse)
        with pytest.raises(RuntimeError):
            await Turns("none").run("a", str)
    assert await own.run("a", str, 8) == "8"


@pytest.mark.parametrize("leave", [answered, failed, cancelled, without_a_thread])
def test_every_exit_from_a_turn_frees_its_place(leave: Callable[[Turns], Awaitable[None]]) -> None:
    async def run() -> None:
        own = Turns("test")
        for _ in range(3):
            await leave(own)
            assert await free_places(own, "a") == PLACES_PER_CLIENT

    asyncio.run(run())


def test_busy_client_leaves_places_to_other_clients() -> None:
    async def run() -> None:
        own, gate, calls = Turns("test"), threading.Event(), list[Awaitable[bool]]()
        for client in ("a", "b", "c", "d", "e"):
            while not own.is_full(client):
                calls.append(asyncio.ensure_future(own.run(client, gate.wait, SECONDS)))
                await asyncio.sleep(0)
        assert len(calls) == PLACES
        gate.set()
        await asyncio.gather(*calls)

    asyncio.run(run())
