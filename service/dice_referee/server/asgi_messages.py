"""ASGI messages: how a request is read from them, and how a response is sent by them."""

from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from dice_referee.api.headers import as_asgi
from dice_referee.api.message import NO_BODY, Body, Request, Response
from dice_referee.api.routing import Match
from dice_referee.server.body_memory import LargeBody

Scope = dict[str, Any]
Message = dict[str, Any]
Receive = Callable[[], Coroutine[Any, Any, Message]]
Send = Callable[[Message], Coroutine[Any, Any, None]]

DISCARD_LIMIT = 64 << 20
"""Bytes of an oversize body that are read and dropped, so that its sender can hear the refusal."""


class BrokenBody(Exception):
    """The client has left, or what it sent is not HTTP."""


def request_of(scope: Scope, match: Match) -> Request:
    """Returns the request that an ASGI scope describes, without its body."""
    pairs = scope["headers"]
    headers = dict(pairs)
    if len(headers) < len(pairs):
        headers = {}
        for name, value in pairs:
            headers[name] = headers[name] + b"," + value if name in headers else value
    method, path, query = scope["method"], scope["path"], scope["query_string"]
    peer = scope["client"]
    peer = peer[0] if peer else ""
    return Request(method, path, query, headers, peer, match.route, match.parameters)


def body_size(headers: Mapping[bytes, bytes], limit: int) -> int:
    """Returns the announced bytes of the body; for one in chunks, the limit."""
    return limit if b"transfer-encoding" in headers else int(headers.get(b"content-length", 0))


async def read_body(
    headers: Mapping[bytes, bytes], receive: Receive, limit: int, memory: LargeBody | None = None
) -> Body:
    """Reads the body, of at most ``limit`` bytes; a larger one has its size and no content.

    So has one for which there is no ``memory``; without it the body is small. Raises BrokenBody, or
    TimeoutError if the connection says that it took too long to arrive.
    """
    if b"content-length" not in headers and b"transfer-encoding" not in headers:
        return NO_BODY
    size = int(headers.get(b"content-length", 0))
    if size > (limit if b"expect" in headers else DISCARD_LIMIT):
        # Too much to read to its end; or the client asks before it sends, and need not.
        return Body(b"", size)
    parts: list[bytes] = []
    size, more = 0, True
    while more and size <= DISCARD_LIMIT:
        message = await receive()
        if message["type"] != "http.request":
            raise BrokenBody
        part = message["body"]
        size += len(part)
        parts.append(part)
        if size > limit or (memory is not None and not memory.keep(len(part))):
            # It is read for the sender's sake and not kept.
            parts.clear()
        more = message["more_body"]
    return Body(b"".join(parts), size)


def start_of(response: Response, length: int | None = None) -> Message:
    """Returns the message that begins a response; without a length the body is in pieces."""
    headers = [*response.shared.encoded, *as_asgi(response.own)]
    if length is not None:
        headers.append((b"content-length", b"%d" % length))
    return {"type": "http.response.start", "status": response.status, "headers": headers}


async def send_whole(response: Response, send: Send) -> None:
    """Sends a response whose body is whole."""
    body = response.body
    assert isinstance(body, bytes)
    await send(start_of(response, None if response.status in (204, 304) else len(body)))
    await send({"type": "http.response.body", "body": body})


async def send_piece(piece: bytes, send: Send, *, more: bool = True) -> None:
    """Sends a piece of a body, the last one if no more follows."""
    await send({"type": "http.response.body", "body": piece, "more_body": more})
