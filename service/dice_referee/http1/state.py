"""State that the connections of a worker share."""

import asyncio
from collections.abc import Callable
from typing import Any, Protocol


class Channel(Protocol):
    """Interface of a connection, for ``state`` and ``exchange``."""

    state: "ServerState"
    loop: asyncio.AbstractEventLoop
    transport: Any
    writable: asyncio.Future[None] | None

    def check_deadlines(self, now: float) -> None: ...
    def await_body(self) -> None: ...
    def answered(self, exchange: Any) -> None: ...
    def drain(self) -> None: ...
    def abort(self) -> None: ...


class ServerState:
    def __init__(
        self,
        application_at: Callable[[Any], Any],
        keep_alive_seconds: float,
    ) -> None:
        """``application_at`` maps the name of a listening socket to its ASGI application.

        The application has a ConnectionLimiter as ``connections``, and ``settings`` with
        ``request_seconds``, ``write_seconds`` and ``unread_limit`` in bytes. Its ``refusal``
        returns the whole answer of a status, with or without a scope.
        """
        self.application_at = application_at
        self.keep_alive_seconds = keep_alive_seconds
        self.connections: set[Channel] = set()
        self.answered = 0
        self.draining = False
        """True once the server drains, so that no connection stays open."""

    def check_deadlines(self, now: float) -> None:
        """Closes every connection past a deadline. Called several times a second."""
        for connection in tuple(self.connections):
            connection.check_deadlines(now)

    def drain(self) -> None:
        """Waits for running requests, and closes idle connections."""
        self.draining = True
        for connection in tuple(self.connections):
            connection.drain()
