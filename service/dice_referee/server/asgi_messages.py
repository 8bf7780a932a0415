"""ASGI messages: reading a request from them, and sending an answer by them."""

from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from dice_referee.api.headers import as_asgi
from dice_referee.api.message import NO_BODY, Answer, Body, Request
from dice_referee.api.routing import Match
from dice_referee.api.services import Services
from dice_referee.server.body_memory import LargeBody

Scope = dict[str, Any]
Message = dict[str, Any]
Receive = Callable[[], Coroutine[Any, Any, Message]]
Send = Callable[[Message], Coroutine[Any, Any, None]]

DISCARD_LIMIT = 64 << 20
"""Maximum bytes of an oversize body that are drained before the refusal."""


class BrokenBody(Exception):
    """The client has left, or the body is not HTTP."""


def request_of(scope: Scope, match: Match, services: Services) -> Request:
    """Returns the request that an ASGI scope describes, without its body."""
    pairs = scope["headers"]
    headers = dict(pairs)
    if len(headers) < len(pairs):
        headers = {}
        for name, value in pairs:
            headers[name] = headers[name] + b"," + value if name in headers else value
    method, path, query = scope["method"], scope["path"], scope["query_string"]
    # Optional in ASGI.
    peer = scope.get("client")
    peer = peer[0] if peer else ""
    return Request(method, path, query, headers, peer, *match, services)


def body_size(headers: Mapping[bytes, bytes], limit: int) -> int:
    """Returns the size of the body by its head, or the limit for a chunked body."""
    return limit if b"transfer-encoding" in headers else int(headers.get(b"content-length", 0))


async def read_body(
    headers: Mapping[bytes, bytes], receive: Receive, limit: int, memory: LargeBody | None = None
) -> Body:
    """Reads a body of at most ``limit`` bytes. A larger body has its size and no content.

    A body for which ``memory`` has no room has no content either. Small bodies need no ``memory``.
    Raises BrokenBody, or TimeoutError if the body arrives too slowly.
    """
    if b"content-length" not in headers and b"transfer-encoding" not in headers:
        return NO_BODY
    size = int(headers.get(b"content-length", 0))
    if size > (limit if b"expect" in headers else DISCARD_LIMIT):
        # Too large to drain, or the client waits for ``100 Continue`` and need not send it.
        return Body(b"", size)
    parts: list[bytes] = []
    size, more = 0, True
    while more and size <= DISCARD_LIMIT:
        message = await receive()
        if message["type"] != "http.request":
            raise BrokenBody
        # Body and end are optional in ASGI.
        part = message.get("body", b"")
        size += len(part)
        parts.append(part)
        if size > limit or (memory is not None and not memory.keep(len(part))):
            # The rest is drained.
            parts.clear()
        more = message.get("more_body", False)
    return Body(b"".join(parts), size)


def start_of(answer: Answer, length: int | None = None) -> Message:
    headers = [*answer.shared.encoded, *as_asgi(answer.headers)]
    if length is not None:
        headers.append((b"content-length", b"%d" % length))
    return {"type": "http.response.start", "status": answer.status, "headers": headers}


async def send_whole(answer: Answer, send: Send) -> None:
    body = answer.body
    assert isinstance(body, bytes)
    await send(start_of(answer, None if answer.status in (204, 304) else len(body)))
    await send({"type": "http.response.body", "body": body})


async def send_piece(piece: bytes, send: Send, *, more: bool = True) -> None:
    """Sends a piece of a body, the last piece unless more follow."""
    await send({"type": "http.response.body", "body": piece, "more_body": more})
