"""Turns of clients at a single processor: long computations run one at a time, piece by piece.

Computations pause often (``rulebook/pauses.py``). After ``PIECE_SECONDS`` a pause ends the piece,
and the next client computes. A client with many computations has one turn as any other client.
"""

import asyncio
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from threading import Event, Lock
from time import monotonic
from typing import Any, TypeVar

from dice_referee.rulebook.pauses import PAUSE
from dice_referee.server.waiting_room import QUEUE_PER_THREAD

PIECE_SECONDS = 0.1
"""Seconds after which a pause lets the next client compute."""
MOST_BEGUN = 8
"""Maximum begun computations, each of which holds memory."""
PLACES_PER_CLIENT = QUEUE_PER_THREAD + 1
"""Maximum computations of a client, beyond which it is refused."""
PLACES = 4 * PLACES_PER_CLIENT
"""Maximum computations of all clients."""

T = TypeVar("T")


class _Computation:
    def __init__(self, client: str, work: Callable[[], Any]) -> None:
        self.client, self.work = client, work
        self.result: Future[Any] = Future()
        self.turn = Event()
        self.begun = False
        self.resumed = 0.0
        """Time at which its present piece began, in seconds."""


class Turns:
    """Queue of clients' computations. One runs at a time, in its own thread."""

    def __init__(self, name: str) -> None:
        self._pool = ThreadPoolExecutor(MOST_BEGUN, thread_name_prefix=name)
        self._lock = Lock()
        self._places = Counter[str]()
        self._queues: dict[str, deque[_Computation]] = {}
        self._running: _Computation | None = None
        self._begun = 0

    def is_full(self, client: str) -> bool:
        """Tells if no further computation of this client may wait."""
        return self._places[client] >= PLACES_PER_CLIENT or self._places.total() >= PLACES

    async def run(self, client: str, work: Callable[..., T], *arguments: Any) -> T:
        computation = _Computation(client, partial(work, *arguments))
        self._places[client] += 1
        try:
            with self._lock:
                self._queues.setdefault(client, deque()).append(computation)
                if self._running is None:
                    self._resume_next()
            result: T = await asyncio.wrap_future(computation.result)
            return result
        finally:
            self._places[client] -= 1
            if not self._places[client]:
                del self._places[client]

    def _resume_next(self) -> None:
        self._running = None
        while self._running is None and (computation := self._next()) is not None:
            self._resume(computation)

    def _next(self) -> _Computation | None:
        for client, queue in self._queues.items():
            if queue[0].begun or self._begun < MOST_BEGUN:
                computation = queue.popleft()
                if not queue:
                    del self._queues[client]
                return computation
        return None

    def _resume(self, computation: _Computation) -> None:
        if not computation.begun and not computation.result.set_running_or_notify_cancel():
            return
        self._running, computation.resumed = computation, monotonic()
        if computation.begun:
            computation.turn.set()
            return
        computation.begun = True
        self._begun += 1
        try:
            self._pool.submit(self._compute, computation)
        except RuntimeError as error:
            # The system starts no further thread.
            self._running, computation.begun = None, False
            self._begun -= 1
            computation.result.set_exception(error)

    def _compute(self, computation: _Computation) -> None:
        if not computation.begun:
            return
        PAUSE.set(partial(self._pause, computation))
        try:
            computation.result.set_result(computation.work())
        except BaseException as error:
            computation.result.set_exception(error)
        finally:
            with self._lock:
                self._begun -= 1
                self._end_turn(computation.client, ())
                self._resume_next()

    def _pause(self, computation: _Computation) -> None:
        if monotonic() - computation.resumed < PIECE_SECONDS:
            return
        with self._lock:
            self._end_turn(computation.client, (computation,))
            self._resume_next()
        computation.turn.wait()
        computation.turn.clear()

    def _end_turn(self, client: str, rest: tuple[_Computation, ...]) -> None:
        """Puts the client behind all others, with the ``rest`` before its other computations."""
        queue = self._queues.pop(client, deque())
        queue.extendleft(rest)
        if queue:
            self._queues[client] = queue
