"""Reads a request whole, within a size and a deadline, before anything is done about it."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, NamedTuple

from service.http.message import Request
from service.settings import Settings

Scope = dict[str, Any]
Message = dict[str, Any]
Headers = dict[bytes, bytes]
"""Names are lower-case; of a repeated header, the last value."""
Receive = Callable[[], Coroutine[Any, Any, Message]]
Send = Callable[[Message], Coroutine[Any, Any, None]]

DISCARD_LIMIT = 64 << 20
"""Bytes of an oversize body that are read and dropped, so that its sender can hear the refusal."""


class Body(NamedTuple):
    """What was read of a body. One that is too large has its size and no content."""

    content: bytes
    size: int


NO_BODY = Body(b"", 0)


class ClientLeft(Exception):
    """Nobody is there to be answered any more."""


class TooSlow(Exception):
    """The body did not arrive in time."""


async def read_body(
    scope: Scope, headers: Headers, receive: Receive, settings: Settings, *, keep: bool = True
) -> Body:
    """The body of the request. Raises TooSlow or ClientLeft.

    One that is not to be kept is read for the sender's sake alone, who hears the answer then.
    """
    if b"content-length" not in headers and b"transfer-encoding" not in headers:
        return NO_BODY
    limit = settings.batch_body_limit if scope["path"].endswith("/batch") else settings.body_limit
    limit = limit if keep else 0
    size = int(headers.get(b"content-length", 0))
    if size > (limit if b"expect" in headers else DISCARD_LIMIT):
        # Nobody would wait for the end of it; or the client asks before it sends, and need not.
        return Body(b"", size)
    first = _arrived(receive)
    if first is not None and first["type"] == "http.request" and not first["more_body"]:
        # Most bodies are all there, and a deadline would cost more than reading them.
        content: bytes = first["body"]
        return Body(content if len(content) <= limit else b"", len(content))
    try:
        async with asyncio.timeout(settings.request_seconds):
            return await _whole(first, receive, limit)
    except TimeoutError:
        raise TooSlow from None


def _arrived(receive: Receive) -> Message | None:
    """The next message if it is there already; None if it would have to be waited for."""
    waiting = receive()
    try:
        waiting.send(None)
    except StopIteration as arrived:
        message: Message = arrived.value
        return message
    waiting.close()
    return None


async def _whole(first: Message | None, receive: Receive, limit: int) -> Body:
    parts: list[bytes] = []
    size, more, message = 0, True, first
    while more and size <= DISCARD_LIMIT:
        message = message or await receive()
        if message["type"] != "http.request":
            raise ClientLeft
        size += len(message["body"])
        if size <= limit:
            parts.append(message["body"])
        more, message = message.get("more_body", False), None
    return Body(b"".join(parts), size) if size <= limit else Body(b"", size)


def whole_request(scope: Scope, headers: Headers, body: Body) -> Request | None:
    """The request for the shortcut; None where Flask shall judge.

    That is a repeated header, or a body that was too large to keep.
    """
    if len(headers) < len(scope["headers"]) or body.size > len(body.content):
        return None
    return Request(scope["method"], scope["path"], scope["query_string"], headers, body.content)
