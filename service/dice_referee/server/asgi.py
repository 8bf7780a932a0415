"""The ASGI application: passes requests to the API's pipeline, and answers to the server."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Any

from flask import Flask

from dice_referee.api.message import Answer, Request
from dice_referee.api.operation import NotMade
from dice_referee.api.pipeline import LARGE_BODY, Pieces, Place, begin, handle, place_of, refuse
from dice_referee.api.problems import bad_request, busy, request_timeout
from dice_referee.api.routing import Router
from dice_referee.api.services import Services
from dice_referee.http1.connection_limiter import ConnectionLimiter
from dice_referee.http1.exchange import last_answer
from dice_referee.http1.request_head import CHECKED, BadRequest, checked
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
from dice_referee.server.turns import Turns
from dice_referee.server.waiting_room import WaitingRoom, in_pool
from dice_referee.telemetry.logs import flush_log
from dice_referee.telemetry.metrics import set_gauge

Sample = Callable[[], float]

TICK_SECONDS = 0.25


class AsgiApplication:
    """Application from a Flask application: its URL map, its operations, the same pipeline."""

    second: "tuple[BindAddress, AsgiApplication] | None" = None

    def __init__(self, app: Flask, services: Services, connections: int) -> None:
        self.services, self.settings = services, services.settings
        self._router = Router(app)
        self._slow = WaitingRoom(self.settings.threads, "operations")
        # A single long computation at a time leaves the interpreter to the other threads.
        self._heavy = Turns("heavy")
        # Pieces of other answers, and files at their first use.
        self._maker = ThreadPoolExecutor(1, thread_name_prefix="maker")
        watchers = services.watchers
        self.feeds = None if watchers is None else Feeds(services, watchers)
        self.connections = ConnectionLimiter(connections)
        """Open connections, as the server reports them."""
        self.gauges: dict[str, Sample] = {}
        self._memory = BodyMemory(self.settings.unread_limit, self.connections)

    def application_at(self, name: Any) -> "AsgiApplication":
        return self.second[1] if self.second and self.second[0].is_at(name) else self

    def drain(self) -> None:
        """Ends the feeds. Our worker calls it first, because ASGI has no message for it."""
        if self.feeds is not None:
            self.feeds.shutdown()

    def refusal(self, status: int, scope: Scope | None) -> bytes:
        """Returns the whole answer of a status. The scope is None without a readable target."""
        if scope is None:
            return last_answer(status, *refusal(status))
        method, match = scope["method"], self._router.find(scope["method"], scope["path"])
        origins = None if match.operation.any_origin else self.services.origins
        known = refusal(status, method, match.route, dict(scope["headers"]), origins)
        return last_answer(status, *known)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Speaks ASGI with ``http1/`` and with any other host. Refuses scopes but HTTP."""
        kind = scope["type"]
        if kind == "http":
            if CHECKED not in scope.get("extensions", ()):
                try:
                    scope = checked(scope)
                except BadRequest as error:
                    await _refuse(error.args[0], send)
                    return
            await self._serve(scope, receive, send)
        elif kind == "lifespan":
            await self._live(receive, send)
        elif kind == "websocket":
            await send({"type": "websocket.close"})
        else:
            raise ValueError(f"unknown scope: {kind}")

    async def _live(self, receive: Receive, send: Send) -> None:
        tracing = self.services.tracing
        await receive()  # lifespan.startup
        try:
            if tracing is not None:
                tracing.start()
        except Exception as error:
            await send({"type": "lifespan.startup.failed", "message": str(error)})
            raise
        await send({"type": "lifespan.startup.complete"})
        stop = asyncio.create_task(receive())
        while not stop.done():
            for name, sample in self.gauges.items():
                set_gauge(name, sample())
            await asyncio.wait((stop,), timeout=TICK_SECONDS)
        self.drain()
        if tracing is not None:
            tracing.stop()
        flush_log()
        await send({"type": "lifespan.shutdown.complete"})

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        match = self._router.find(scope["method"], scope["path"])
        request = request_of(scope, match, self.services)
        begin(request)
        # The body of a refused request is read and dropped, so that its sender receives the
        # refusal.
        limit = request.operation.body_limit(self.settings) if request.problem is None else 0
        large = min(body_size(request.headers, limit), limit)
        if large <= LARGE_BODY:
            await self._answer(request, limit, receive, send)
            return
        if b"content-length" in request.headers and not self._memory.has_room(large):
            refuse(request, busy())
            limit = 0
        memory = LargeBody(self._memory)
        try:
            await self._answer(request, limit, receive, send, memory)
        finally:
            memory.release()

    async def _answer(
        self,
        request: Request,
        limit: int,
        receive: Receive,
        send: Send,
        memory: LargeBody | None = None,
    ) -> None:
        """Reads a body of at most ``limit`` bytes, and answers. Small bodies need no ``memory``."""
        await self._read_body(request, limit, receive, memory)
        answer = await self._respond(request)
        if answer.feed is not None and self.feeds is not None:
            await self.feeds.serve(request, answer, receive, send)
        elif isinstance(answer.body, bytes):
            await send_whole(answer, send)
        else:
            await self._send_pieces(request, answer, answer.body, send)

    async def _read_body(
        self, request: Request, limit: int, receive: Receive, memory: LargeBody | None
    ) -> None:
        try:
            request.body = await read_body(request.headers, receive, limit, memory)
            if memory is not None and memory.refused:
                refuse(request, busy())
        except BrokenBody:
            refuse(request, bad_request())
        except TimeoutError:
            refuse(request, request_timeout(self.settings.request_seconds))

    async def _respond(self, request: Request) -> Answer:
        """Runs the pipeline in the event loop, in a thread, or in the client's turn.

        If the answer lacks a value, makes the value and runs the pipeline again.
        """
        answer: Answer | None = None
        while answer is None:
            try:
                match place_of(request):
                    case Place.LOOP:
                        answer = handle(request)
                    case Place.THREAD:
                        answer = await self._in_thread(request)
                    case Place.HEAVY:
                        answer = await self._in_turn(request)
            except NotMade as lack:
                await in_pool(self._maker, lack.make)
        return answer

    async def _in_thread(self, request: Request) -> Answer | None:
        if not self._slow.is_full:
            return await self._slow.run(handle, request)
        # The rest of a probe needs no thread: it waits for the store only rarely and shortly.
        if request.rest is None:
            refuse(request, busy())
        return handle(request)

    async def _in_turn(self, request: Request) -> Answer | None:
        client = request.client
        if not self._heavy.is_full(client):
            work = partial(handle, in_turn=True)
            return await self._heavy.run(client, work, request)
        refuse(request, busy())
        return handle(request)

    async def _make_piece(self, request: Request, pieces: Pieces) -> bytes | None:
        if request.operation.heavy:
            return await self._heavy.run(request.client, next, pieces, None)
        return await in_pool(self._maker, next, pieces, None)

    async def _send_pieces(
        self, request: Request, answer: Answer, pieces: Pieces, send: Send
    ) -> None:
        await send(start_of(answer))
        try:
            # A thread makes each piece, and is free while the client receives it.
            while (piece := await self._make_piece(request, pieces)) is not None:
                await send_piece(piece, send)
        finally:
            # If the client leaves while a piece is made, that piece is the last.
            with suppress(ValueError):
                pieces.close()
        await send_piece(b"", send, more=False)


async def _refuse(status: int, send: Send) -> None:
    fields, body = refusal(status)
    fields.append((b"content-length", b"%d" % len(body)))
    await send({"type": "http.response.start", "status": status, "headers": fields})
    await send({"type": "http.response.body", "body": body})
