"""Places in front of the threads: every call frees its place on every exit."""

import asyncio
from collections.abc import Awaitable, Callable
from threading import Event
from typing import Any

import pytest

from dice_referee.api.operation import NotMade
from dice_referee.server import waiting_room
from dice_referee.server.waiting_room import QUEUE_PER_THREAD, WaitingRoom

SECONDS = 60
"""Seconds until a test gives up."""
PLACES = QUEUE_PER_THREAD + 1
"""Places of a single thread: the queue and the running call."""


async def free_places(room: WaitingRoom) -> int:
    """Fills the room with calls that wait at a gate, and counts the calls."""
    gate, calls = Event(), list[Awaitable[bool]]()
    while not room.is_full and len(calls) <= PLACES:
        calls.append(asyncio.ensure_future(room.run(gate.wait, SECONDS)))
        await asyncio.sleep(0)
    gate.set()
    await asyncio.gather(*calls)
    return len(calls)


async def answered(room: WaitingRoom) -> None:
    assert await room.run(str, 7) == "7"


def failed(error: Exception) -> Callable[[WaitingRoom], Awaitable[None]]:
    """Returns the exit by work that raises this error."""

    def work() -> None:
        raise error

    async def leave(room: WaitingRoom) -> None:
        with pytest.raises(type(error)):
            await room.run(work)

    return leave


async def cancelled(room: WaitingRoom) -> None:
    """Cancels a running call and a waiting call."""
    begun, gate = Event(), Event()

    def work() -> None:
        begun.set()
        assert gate.wait(SECONDS)

    calls = [asyncio.ensure_future(room.run(work)) for _ in range(2)]
    assert await asyncio.to_thread(begun.wait, SECONDS)
    for call in calls:
        call.cancel()
    ends = await asyncio.gather(*calls, return_exceptions=True)
    assert [*map(type, ends)] == [asyncio.CancelledError] * 2
    gate.set()


async def without_a_thread(room: WaitingRoom) -> None:
    """Simulates a system that starts no further thread."""

    def refuse(*_: Any) -> None:
        raise RuntimeError("can't start new thread")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(waiting_room, "in_pool", refuse)
        with pytest.raises(RuntimeError):
            await room.run(str)


def test_every_exit_from_the_waiting_room_frees_its_places() -> None:
    async def run() -> None:
        room = WaitingRoom(1, "test")
        assert await free_places(room) == PLACES
        ways = (
            answered,
            failed(NotMade(str)),
            failed(ValueError()),
            cancelled,
            without_a_thread,
        )
        for leave in ways:
            await leave(room)
            assert await free_places(room) == PLACES, leave

    asyncio.run(run())
