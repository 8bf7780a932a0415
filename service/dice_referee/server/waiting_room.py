"""Threads for work that must not run in the event loop, with a bounded queue."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Any, TypeVar

QUEUE_PER_THREAD = 16
"""Maximum waiting requests for each thread, beyond which the service is busy."""

T = TypeVar("T")


class WaitingRoom:
    def __init__(self, threads: int, name: str) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self._room = threads * (QUEUE_PER_THREAD + 1)

    @property
    def is_full(self) -> bool:
        """True if no further call may wait."""
        return not self._room

    async def run(self, work: Callable[..., T], *arguments: Any) -> T:
        self._room -= 1
        try:
            return await in_pool(self._pool, work, *arguments)
        finally:
            self._room += 1


def in_pool(pool: Executor, work: Callable[..., T], *arguments: Any) -> asyncio.Future[T]:
    return asyncio.wrap_future(pool.submit(work, *arguments))
