"""HTTP/1.1 connection on asyncio and httptools: its limits, deadlines, order and drain.

httptools calls the ``on_...`` methods while it parses.
"""

import asyncio
import logging
from collections import deque
from math import inf
from typing import Any

import httptools

from dice_referee.http1.exchange import Exchange, Message
from dice_referee.http1.request_head import (
    BadRequest,
    Fields,
    check_fields,
    origin_form,
    scope_of,
    with_host,
)
from dice_referee.http1.state import ServerState

TARGET_LIMIT = 8190
"""Maximum bytes of a request target."""
FIELD_LIMIT = 8190
"""Maximum bytes of a header field."""
FIELDS_LIMIT = 100
"""Maximum header fields, and trailer fields, of a request."""
HEAD_LIMIT = 4 * FIELD_LIMIT
"""Maximum bytes of a head, and of the framing between two parts of a body."""
BODY_BUFFER = 1 << 16
"""Maximum bytes of a request body that wait for the application."""
CONNECT = b"CONNECT"
DRAIN_SECONDS = 1.0
"""Seconds that an idle connection stays open after the drain has begun."""

logger = logging.getLogger(__name__)


class Connection(asyncio.Protocol):
    """Connection that reads requests ahead, and answers them in their order."""

    transport: Any
    app: Any
    writable: asyncio.Future[None] | None = None
    """Done when the client reads again, or None while it reads."""

    def __init__(self, state: ServerState) -> None:
        self.state, self.loop = state, asyncio.get_running_loop()
        self._parser = httptools.HttpRequestParser(self)
        self._target, self._fields, self._size = b"", Fields(), 0
        self._in_head = False
        self._readable_target = b""
        """Path and query of a refused head, if they are valid."""
        self._reading: Exchange | None = None
        self._answering: Exchange | None = None
        self._queue: deque[Exchange] = deque()
        self._ahead = b""
        """Data behind a request that waits for its turn."""
        self._bad = 0
        """Status of the refusal of unreadable data after all requests."""
        self._deadline = self._write_deadline = inf
        self._head_is_timed = True

    # Deadlines ----------------------------------------------------------------------------------

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        name, peer = transport.get_extra_info("sockname"), transport.get_extra_info("peername")
        self._addresses = {
            "server": name[:2] if isinstance(name, tuple) else (name, None),
            "client": peer[:2] if isinstance(peer, tuple) else None,
        }
        self.app = self.state.application_at(name)
        self.state.connections.add(self)
        # The deadline of the first head runs from the connection, even without data.
        self._deadline = self.loop.time() + self.app.settings.request_seconds
        if (excess := self.app.connections.opened(self)) is not None:
            excess.abort()
        if self.state.draining:
            self.drain()

    def check_deadlines(self, now: float) -> None:
        """Closes the connection, or ends the wait for a body, after a deadline."""
        if now >= self._write_deadline:
            self.abort()
        elif now >= self._deadline:
            self._deadline = inf
            if self._answering is None:
                self.transport.close()
            else:
                # The application answers this, and the connection ends with the answer.
                self._answering.expired = True
                self._answering.wake()

    def await_body(self) -> None:
        if self._deadline == inf:
            self._deadline = self.loop.time() + self.app.settings.request_seconds
        self.transport.resume_reading()

    def drain(self) -> None:
        """Closes the connection soon, unless a request is being answered."""
        if self._answering is None:
            self._deadline = min(self._deadline, self.loop.time() + DRAIN_SECONDS)

    def pause_writing(self) -> None:
        settings, connections = self.app.settings, self.app.connections
        self.writable = self.loop.create_future()
        self._write_deadline = self.loop.time() + settings.write_seconds
        connections.write_stalled(self, self.transport.get_write_buffer_size())
        while connections.unread > settings.unread_limit:
            connections.longest_stalled().abort()

    def resume_writing(self) -> None:
        self._write_deadline = inf
        self.app.connections.write_resumed(self)
        if self.writable is not None:
            self.writable.set_result(None)
            self.writable = None

    def abort(self) -> None:
        """Aborts the connection. Unread data is lost."""
        self.app.connections.closed(self)
        self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self.state.connections.discard(self)
        self.app.connections.closed(self)
        if self._answering is not None:
            self._answering.disconnected = True
            self._answering.wake()
        self._queue.clear()
        self.resume_writing()

    # Reading ------------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        self._feed(data)
        if self._answering is None and not self._head_is_timed:
            # An incomplete head has begun. Its deadline is fixed.
            self._head_is_timed = True
            self._deadline = self.loop.time() + self.app.settings.request_seconds
            if self.state.draining:
                self.drain()

    def _feed(self, data: bytes) -> None:
        """Parses in slices until a request must wait. A head may exceed its limit by a slice."""
        for start in range(0, len(data), FIELD_LIMIT):
            if self._bad:
                return
            if self._queue:
                self._ahead += data[start:]
                self.transport.pause_reading()
                return
            self._parse(data[start : start + FIELD_LIMIT])

    def _parse(self, data: bytes) -> None:
        self._size += len(data)
        if self._size > HEAD_LIMIT:
            self._refuse(431 if self._in_head else 400)
            return
        offer_end: int | None = None
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserUpgrade as upgrade:
            offer_end = upgrade.args[0]
        except httptools.HttpParserCallbackError as error:
            if not isinstance(error.__context__, BadRequest):
                raise
            self._refuse(error.__context__.args[0])
        except httptools.HttpParserError:
            self._refuse(400)
        # Outside the handler, because an exception raised there would have the upgrade as its
        # context.
        if offer_end is not None and self._is_upgrade_offer():
            self._decline_upgrade(data[offer_end:])

    def on_message_begin(self) -> None:
        self._target, self._fields, self._size, self._in_head = b"", [], 0, True

    def on_url(self, url: bytes) -> None:
        self._target += url

    def on_header(self, name: bytes, value: bytes) -> None:
        # httptools strips the spaces before a value, but not those after it (RFC 9110, 5.5).
        self._fields.append((name.lower(), value.rstrip(b" \t")))

    def on_headers_complete(self) -> None:
        parser = self._parser
        version, method = parser.get_http_version(), parser.get_method()
        upgrades = parser.should_upgrade()
        if upgrades and method != CONNECT:
            return
        target, host = origin_form(method, self._target)
        self._readable_target = target
        fields = check_fields(version, self._fields)
        if host is not None:
            self._fields = with_host(host, self._fields)
        # A head in a single slice is no longer than a field may be.
        if self._size or len(self._fields) > FIELDS_LIMIT:
            self._check_sizes(target)
        scope = scope_of(method, target, version, self._fields, self._addresses)
        # Fields behind the body are not part of the head (RFC 9110, 6.5.1): they are dropped.
        self._in_head, self._fields, self._size = False, [], 0
        self._readable_target = b""
        exchange = self._reading = Exchange(self, scope)
        exchange.keep_alive = parser.should_keep_alive() and not upgrades
        exchange.expects_continue = b"expect" in fields and version == "1.1"
        if self._answering is None:
            self._answer(exchange)
        else:
            self._queue.append(exchange)

    def _check_sizes(self, target: bytes) -> None:
        """Refuses a head that is too large. Raises BadRequest."""
        if len(target) > TARGET_LIMIT:
            raise BadRequest(414)
        sizes = [len(name) + len(value) + 2 for name, value in self._fields]
        longest = max(sizes, default=0)
        if len(sizes) > FIELDS_LIMIT or longest > FIELD_LIMIT or sum(sizes) > HEAD_LIMIT:
            raise BadRequest(431)

    def on_body(self, body: bytes) -> None:
        self._size = 0
        if (exchange := self._reading) is not None and not exchange.done:
            exchange.add(body)
            if exchange.size > BODY_BUFFER:
                self.transport.pause_reading()

    def on_message_complete(self) -> None:
        self._size = 0
        if (exchange := self._reading) is None:
            return
        if len(self._fields) > FIELDS_LIMIT:
            raise BadRequest(400)
        self._reading, exchange.complete = None, True
        if exchange is self._answering:
            self._deadline = inf
            self.app.connections.busy(self)
        exchange.wake()

    def _is_upgrade_offer(self) -> bool:
        """Tells if the client offers another protocol. (CONNECT is a request, and not served.)"""
        return self._parser.should_upgrade() and self._parser.get_method() != CONNECT

    def _decline_upgrade(self, rest: bytes) -> None:
        """Parses the request again without its offer, because httptools would skip its body."""
        method, version = self._parser.get_method(), self._parser.get_http_version().encode()
        start = b"%b %b HTTP/%b" % (method, self._target, version)
        lines = [b"%b: %b" % field for field in self._fields if field[0] != b"upgrade"]
        self._parser = httptools.HttpRequestParser(self)
        self._feed(b"\r\n".join([start, *lines, b"", rest]))

    # Answering ----------------------------------------------------------------------------------

    def _answer(self, exchange: Exchange) -> None:
        self._answering, self._deadline, self._head_is_timed = exchange, inf, False
        if exchange.complete:
            self.app.connections.busy(self)
        # Stored, because the loop refers to tasks only weakly.
        self._task = self.loop.create_task(self._run(exchange))

    async def _run(self, exchange: Exchange) -> None:
        try:
            await self.app(exchange.scope, exchange.receive, exchange.send)
        except Exception:
            logger.exception("Error in ASGI application")
            if not exchange.started:
                self.transport.write(self.app.refusal(500, exchange.scope))
        finally:
            if not exchange.done:
                self.transport.close()

    def answered(self, exchange: Exchange) -> None:
        self.state.answered += 1
        self._answering = None
        if not exchange.keep_alive or self.state.draining:
            self.transport.close()
            return
        self.app.connections.idle(self)
        if self._queue:
            self._answer(self._queue.popleft())
        else:
            # If a part of a head has arrived behind the request, the connection is not idle.
            self._head_is_timed, settings = self._in_head, self.app.settings
            seconds = settings.request_seconds if self._in_head else self.state.keep_alive_seconds
            self._deadline = self.loop.time() + seconds
        if not self._queue:
            self.transport.resume_reading()
            data, self._ahead = self._ahead, b""
            if data:
                self.data_received(data)
        if self._bad and self._answering is None:
            self._refuse(self._bad)

    def _refuse(self, status: int) -> None:
        self._bad = status
        if self._reading is not None:
            # The head was valid, so the application answers it, and learns that no body follows.
            self._reading.disconnected = True
            self._reading.wake()
        elif self._answering is None:
            self.transport.write(self.app.refusal(status, self._refused_scope()))
            self.transport.close()

    def _refused_scope(self) -> Message | None:
        """Returns the scope of the refused head, or None without a readable target."""
        if not self._readable_target:
            return None
        method, version = self._parser.get_method(), self._parser.get_http_version()
        return scope_of(method, self._readable_target, version, self._fields, self._addresses)
