"""The gunicorn worker that serves an ASGI application on asyncio: start, heartbeat and stop."""

import asyncio
import mmap
import os
import sys
from contextlib import suppress
from functools import partial
from typing import Any

from gunicorn.workers.base import Worker

from dice_referee.http1.connection import Connection
from dice_referee.http1.state import ServerState
from dice_referee.server.lifespan import Lifespan
from dice_referee.server.stop_signals import deliver_stops

try:
    from uvloop import new_event_loop
except ModuleNotFoundError:  # uvloop has no wheels for Windows
    from asyncio import new_event_loop  # type: ignore[assignment]

SWITCH_SECONDS = 0.001
"""Interval in seconds at which threads switch. Python's default is five times as long."""
TICK_SECONDS = 0.25
"""Seconds between two checks of all deadlines, and between two heartbeats."""
DRAIN_TICK_SECONDS = 0.05
"""Seconds between two checks whether all connections have ended."""
MARGIN_SECONDS = 5
"""Seconds that a stopping worker reserves of the graceful timeout, for its last spans."""


class DeadlineWorker(Worker):  # type: ignore[misc]
    """Worker class that ``gunicorn_conf.py`` names."""

    state: ServerState
    slot = 0
    """Lowest number that no other worker of the master has."""
    is_quick = False

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        # The master creates it, and reads it when the worker has ended.
        self._stopped = mmap.mmap(-1, 1)

    @property
    def is_stopped(self) -> bool:
        """True once the worker has stopped in order."""
        return self._stopped[0] == 1

    def init_process(self) -> None:
        # Computing threads (a streamed batch) must not delay every step of the loop.
        sys.setswitchinterval(SWITCH_SECONDS)
        super().init_process()

    def load_wsgi(self) -> None:
        super().load_wsgi()
        self._runner = asyncio.Runner(loop_factory=new_event_loop)
        self._lifespan = Lifespan(self.wsgi)
        # Started here, so that the master ends if the start fails.
        self._runner.run(self._lifespan.start())

    def init_signals(self) -> None:
        """Installs the handlers, then delivers the signals that were deferred since the fork."""
        super().init_signals()
        deliver_stops()

    def handle_quit(self, sig: int, frame: object) -> None:
        """Stops the worker at its next tick: exiting here would interrupt the loop anywhere."""
        self.alive, self.is_quick = False, True

    def run(self) -> None:
        with self._runner:
            self._runner.run(self._serve())

    async def _serve(self) -> None:
        loop = asyncio.get_running_loop()
        self.state = ServerState(self.wsgi.application_at, self.cfg.keepalive)
        connect = partial(Connection, self.state)
        servers = [
            await loop.create_server(connect, sock=socket.sock, backlog=self.cfg.backlog)
            for socket in self.sockets
        ]
        while self._may_serve():
            self._tick()
            await asyncio.sleep(TICK_SECONDS)
        self.alive = False
        listeners = [listener.dup() for listener in self.sockets]
        # New connections are for other workers, because this worker might close them unused.
        for server in servers:
            server.close()
        for connection in self._waiting(listeners):
            await loop.connect_accepted_socket(connect, connection)
        await self._drain()
        await self._lifespan.stop()
        self._stopped[0] = 1

    def _waiting(self, listeners: list[Any]) -> list[Any]:
        """Accepts the connections that wait, unless the stop is quick, and closes the listeners.

        Closing the last copy of a listener resets the connections in its queue, so no step of the
        loop runs between the last connection and the end of the listener.
        """
        connections = list[Any]()
        for listener in listeners:
            with listener, suppress(OSError):
                while not self.is_quick and len(connections) < self.cfg.backlog:
                    connections.append(listener.accept()[0])
        return connections

    def _may_serve(self) -> bool:
        is_fresh = self.state.answered < self.max_requests and not self._lifespan.is_over
        return self.alive and is_fresh and self.ppid == os.getppid()

    def _tick(self) -> None:
        self.notify()
        self.state.check_deadlines(asyncio.get_running_loop().time())

    async def _drain(self) -> None:
        loop, connections = asyncio.get_running_loop(), self.state.connections
        end = loop.time() + max(1, self.cfg.graceful_timeout - MARGIN_SECONDS)
        self.wsgi.drain()
        self.state.drain()
        while connections and not self.is_quick and loop.time() < end:
            self._tick()
            await asyncio.sleep(DRAIN_TICK_SECONDS)
        if connections:
            self.log.warning("Forcing close of %d connections", len(connections))
        for connection in tuple(connections):
            connection.abort()
