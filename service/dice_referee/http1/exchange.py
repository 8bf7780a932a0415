"""A request and its answer: ``receive`` and ``send`` of ASGI, and the framing of HTTP/1.1."""

import asyncio
from email.utils import formatdate
from functools import lru_cache
from http import HTTPStatus
from time import time
from typing import Any

from dice_referee.http1.request_head import Fields
from dice_referee.http1.state import Channel

Message = dict[str, Any]

CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
STATUS_LINE = {s.value: b"HTTP/1.1 %d %b" % (s, s.phrase.encode()) for s in HTTPStatus}
JOINED_BYTES = 1 << 14
"""Maximum bytes of a body that is sent in a single write with its head."""
CR, LF = b"\r\n"
LAST_CHUNK = b"0\r\n\r\n"
DISCONNECT: Message = {"type": "http.disconnect"}


@lru_cache(maxsize=2)
def _server_headers(second: int) -> bytes:
    return b"\r\ndate: %b\r\nserver: gunicorn\r\n\r\n" % formatdate(second, usegmt=True).encode()


def last_answer(status: int, fields: Fields, body: bytes) -> bytes:
    lines = [STATUS_LINE[status], *map(b": ".join, fields), b"connection: close"]
    lines.append(b"content-length: %d" % len(body))
    return b"\r\n".join(lines) + _server_headers(int(time())) + body


class Exchange:
    keep_alive = expects_continue = False
    """Requests of the client. The response decides if the connection stays open."""
    complete = False
    disconnected = False
    """True once the client is gone, or the body is malformed."""
    expired = False
    started = done = False
    """``started`` is True once the response has begun, ``done`` once it is written."""
    size = 0
    """Bytes of the body that wait for the application."""
    _delivered = _chunked = _bodiless = False
    _head = b""
    _left: int | None = None
    _waiter: asyncio.Future[None] | None = None

    def __init__(self, connection: Channel, scope: Message) -> None:
        self._connection, self.scope = connection, scope
        self._parts: list[bytes] = []

    def add(self, body: bytes) -> None:
        self._parts.append(body)
        self.size += len(body)
        self.wake()

    def wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def receive(self) -> Message:
        """Returns the next part of the body, which is all that has arrived. Raises TimeoutError.

        After the whole body, or if no more follows, it is ``http.disconnect``.
        """
        while True:
            if self.disconnected or self.done:
                return DISCONNECT
            if self.size or (self.complete and not self._delivered):
                body = b"".join(self._parts)
                self._parts.clear()
                self.size, self._delivered = 0, self.complete
                return {"type": "http.request", "body": body, "more_body": not self.complete}
            if not self.complete:
                if self.expired:
                    raise TimeoutError("the body did not arrive in time")
                if self.expects_continue and not self.started:
                    self.expects_continue = False
                    self._connection.transport.write(CONTINUE)
                self._connection.await_body()
            self._waiter = self._connection.loop.create_future()
            await self._waiter

    async def send(self, message: Message) -> None:
        """Writes a part of the answer. The head is written with the first part of the body.

        Headers are pairs (tuples) of bytes, names in lower case. Returns when the client accepts
        more. Raises ValueError for a line break in a header, or a body of another length.
        """
        if not self.started:
            self._head, self.started = self._start(message), True
            return
        connection = self._connection
        if connection.writable is not None:
            await connection.writable
        if connection.transport.is_closing():
            return
        body, more = message.get("body", b""), message.get("more_body", False)
        if self._bodiless:
            body = b""
        elif self._left is not None:
            self._left -= len(body)
            if self._left < 0 or (self._left and not more):
                raise ValueError("the body of the answer is not of its Content-Length")
        elif self._chunked:
            body = b"%x\r\n%b\r\n" % (len(body), body) if body else b""
            body = body if more else body + LAST_CHUNK
        if len(body) <= JOINED_BYTES:
            connection.transport.write(self._head + body)
        else:
            # Not copied, because the same file may be sent to many clients that do not read it.
            connection.transport.writelines((self._head, body))
        self._head = b""
        if more:
            if connection.writable is not None:
                await connection.writable
        else:
            self.done = True
            self.wake()
            connection.answered(self)

    def _start(self, message: Message) -> bytes:
        status, headers = message["status"], message["headers"]
        fields, http_1_1 = dict(headers), self.scope["http_version"] == "1.1"
        lines = [STATUS_LINE[status], *map(b": ".join, headers)]
        self._bodiless = self.scope["method"] == "HEAD" or status in (204, 304)
        if (length := fields.get(b"content-length")) is not None:
            self._left = None if self._bodiless else int(length)
        elif status not in (204, 304):
            self._chunked = http_1_1
            self.keep_alive &= http_1_1
            if http_1_1:
                lines.append(b"transfer-encoding: chunked")
        # The rest of a body must not be read as the next request.
        self.keep_alive &= self.complete and not self._connection.state.draining
        if b"connection" in fields:
            # Applications send only the value "close".
            self.keep_alive = False
        elif not self.keep_alive or not http_1_1:
            lines.append(b"connection: keep-alive" if self.keep_alive else b"connection: close")
        without_ends = b"".join(lines)
        if LF in without_ends or CR in without_ends:
            raise ValueError("a header of the answer has a line break")
        return b"\r\n".join(lines) + _server_headers(int(time()))
