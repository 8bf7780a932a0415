"""The ASGI application: it hands requests to the pipeline of the API, and answers to the server."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

from flask import Flask

from dice_referee.api.exchange import Exchange
from dice_referee.api.message import NO_BODY, Body, Place, Response
from dice_referee.api.operation import NotHere, NotMade
from dice_referee.api.pipeline import begin, handle, refuse
from dice_referee.api.problems import bad_request, busy, request_timeout
from dice_referee.api.routing import Router
from dice_referee.api.services import Services
from dice_referee.http1.connection_limiter import ConnectionLimiter
from dice_referee.server.asgi_messages import (
    BrokenBody,
    Receive,
    Scope,
    Send,
    body_size,
    read_body,
    request_of,
    send_piece,
    send_whole,
    start_of,
)
from dice_referee.server.bind_address import BindAddress
from dice_referee.server.body_memory import BodyMemory, LargeBody
from dice_referee.server.feeds import Feeds
from dice_referee.server.refusal import refusal
from dice_referee.server.waiting_room import WaitingRoom, in_pool
from dice_referee.telemetry.logs import REFUSALS, flush_log
from dice_referee.telemetry.metrics import set_gauge

Sample = Callable[[], float]
"""The present value of a gauge."""

LARGE_BODY = 1 << 16
"""Bytes of a body that is not handled in the event loop, and for which memory is set aside."""


class AsgiApplication:
    """Made from a Flask application: its URL map, its operations, and the same pipeline."""

    second: "tuple[BindAddress, AsgiApplication] | None" = None
    """The second address and its application, if there is one."""

    def __init__(self, app: Flask, services: Services, connections: int) -> None:
        """``connections``: how many it has at most at the same time."""
        self.services, self.settings = services, services.settings
        self._router = Router(app)
        self._slow = WaitingRoom(self.settings.threads, "operations")
        # What computes for long takes turns: the interpreter is there for the others.
        self._heavy = WaitingRoom(1, "heavy")
        # Pieces of long answers, and files at their first use.
        self._maker = ThreadPoolExecutor(1, thread_name_prefix="maker")
        watchers = services.watchers
        self.feeds = None if watchers is None else Feeds(services, watchers)
        """The feeds of sessions that are held open."""
        self.connections = ConnectionLimiter(connections)
        """The connections that are open, as the server reports them."""
        self.background: list[Any] = [services.tracing] if services.tracing else []
        """Tasks of a worker beside its requests; each has ``start`` and ``stop``."""
        self.gauges: dict[str, Sample] = {}
        """Present values of the worker's gauges, by name."""
        self._memory = BodyMemory(self.settings.unread_limit, self.connections)

    def application_at(self, name: Any) -> "AsgiApplication":
        """Returns the application of a connection that was accepted at a socket of this name."""
        return self.second[1] if self.second and self.second[0].is_at(name) else self

    def start(self) -> None:
        """Starts the background tasks, once the worker has started."""
        for task in self.background:
            task.start()

    def tick(self) -> None:
        """Sets the gauges to their present values, and logs the refusals of a minute."""
        REFUSALS.write_due()
        for name, sample in self.gauges.items():
            set_gauge(name, sample())

    def drain(self) -> None:
        """Ends the feeds: the worker stops."""
        if self.feeds is not None:
            self.feeds.shutdown()

    def stop(self) -> None:
        """Stops the background tasks and flushes the log, once all connections have ended."""
        for task in self.background:
            task.stop()
        flush_log()

    def refusal(self, status: int, scope: Scope | None) -> bytes:
        """Returns the whole answer for a status. The scope is None without a readable target."""
        if scope is None:
            return refusal(status)
        method, match = scope["method"], self._router.find(scope["method"], scope["path"])
        origins = None if match.operation.any_origin else self.services.origins
        return refusal(status, method, match.route, dict(scope["headers"]), origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        match = self._router.find(scope["method"], scope["path"])
        request, operation = request_of(scope, match), match.operation
        exchange = begin(operation, request, self.services)
        # What is refused is read to its end, so that its sender can hear that, and not kept.
        limit = operation.body_limit(self.settings) if exchange.problem is None else 0
        large = min(body_size(request.headers, limit), limit)
        if large <= LARGE_BODY:
            await self._answer(exchange, limit, receive, send)
            return
        if b"content-length" in request.headers and not self._memory.has_room(large):
            refuse(exchange, busy())
            limit = 0
        memory = LargeBody(self._memory)
        try:
            await self._answer(exchange, limit, receive, send, memory)
        finally:
            memory.release()

    async def _answer(
        self,
        exchange: Exchange,
        limit: int,
        receive: Receive,
        send: Send,
        memory: LargeBody | None = None,
    ) -> None:
        """Reads the body, of at most so many bytes, and answers; without ``memory`` it is small."""
        # While answers are sent, the body is kept nowhere.
        response = await self._respond(exchange, await self._body(exchange, limit, receive, memory))
        if response.feed is not None and self.feeds is not None:
            await self.feeds.serve(exchange, response, receive, send)
        elif isinstance(response.body, bytes):
            await send_whole(response, send)
        else:
            await self._send_pieces(response, send)

    async def _body(
        self, exchange: Exchange, limit: int, receive: Receive, memory: LargeBody | None
    ) -> Body:
        """Reads the body; refuses the request if that fails."""
        body = NO_BODY
        try:
            body = await read_body(exchange.request.headers, receive, limit, memory)
            if memory is not None and memory.refused:
                refuse(exchange, busy())
        except BrokenBody:
            refuse(exchange, bad_request())
        except TimeoutError:
            refuse(exchange, request_timeout(self.settings.request_seconds))
        return body

    async def _respond(self, exchange: Exchange, body: Body) -> Response:
        """Runs the pipeline, again after each value that the answer lacks is made."""
        while True:
            try:
                return await self._respond_at_its_place(exchange, body)
            except NotMade as lack:
                await in_pool(self._maker, lack.make)

    async def _respond_at_its_place(self, exchange: Exchange, body: Body) -> Response:
        """Runs the pipeline: in the event loop, in one of the threads, or in that of long work."""
        with suppress(NotHere):
            if _is_quick(exchange, body):
                return handle(exchange, self.services, Place.LOOP, body)
        with suppress(NotHere):
            if not exchange.operation.heavy:
                return await self._in_thread(self._slow, exchange, Place.THREAD, body)
        return await self._in_thread(self._heavy, exchange, Place.HEAVY, body)

    async def _in_thread(
        self, room: WaitingRoom, exchange: Exchange, place: Place, body: Body
    ) -> Response:
        """Runs the pipeline in a thread of the room, or refuses where nothing more can wait."""
        if not room.is_full:
            return await room.run(handle, exchange, self.services, place, body)
        # A probe needs no thread: it may wait for the store, rarely and for an instant.
        if room is self._heavy or not _is_quick(exchange, body):
            refuse(exchange, busy())
        return handle(exchange, self.services, place, body)

    async def _send_pieces(self, response: Response, send: Send) -> None:
        """Sends a response whose body is made piece by piece."""
        assert not isinstance(response.body, bytes)
        await send(start_of(response))
        try:
            # A thread makes each piece, and is free again while the client takes it.
            while (piece := await in_pool(self._maker, next, response.body, None)) is not None:
                await send_piece(piece, send)
        finally:
            # A piece that is still being made when the client leaves is the last one.
            with suppress(ValueError):
                response.body.close()
        await send_piece(b"", send, more=False)


def _is_quick(exchange: Exchange, body: Body) -> bool:
    """Says that the request is answered in microseconds, without asking the store."""
    quick = exchange.operation.quick and body.size <= LARGE_BODY
    return quick or exchange.problem is not None
