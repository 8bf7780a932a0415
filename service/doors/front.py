"""The front door as an ASGI application."""

import re
from time import perf_counter
from typing import Any
from urllib.parse import unquote_to_bytes

from service.doors.bridge import Bridge
from service.doors.counting import Counting, forwarded
from service.doors.crowd import Crowd
from service.doors.head import Head
from service.doors.inside import Inside
from service.doors.reader import (
    NO_BODY,
    ClientLeft,
    Receive,
    Scope,
    Send,
    TooSlow,
    read_body,
    whole_request,
)
from service.doors.shortcut import Shortcut
from service.doors.streams import Streams
from service.http.exposition import Watch
from service.http.limits import Receipt
from service.http.message import SPENT, Answer, Request
from service.http.metrics import count_request, hand_over, log_request
from service.http.policy import request_id
from service.http.spans import Spans
from service.settings import Settings

SCHEME = re.compile(rb"[A-Za-z][A-Za-z0-9+.-]*://")


class FrontDoor:
    """Reads, takes the shortcut where there is one, and leaves the rest to Flask."""

    inside: Inside | None = None
    """What answers at the second address, if there is one."""
    watch: Watch | None = None
    """Who looks how much there is of everything."""

    def __init__(
        self,
        shortcut: Shortcut,
        bridge: Bridge,
        streams: Streams | None,
        counting: Counting,
        settings: Settings,
        spans: Spans | None = None,
    ) -> None:
        self._shortcut, self._bridge, self.settings = shortcut, bridge, settings
        self._streams, self._counting, self._spans = streams, counting, spans
        self.crowd = Crowd[Any](settings.connections)
        """Who is connected; the server tells it."""

    def at(self, name: Any) -> "FrontDoor | Inside":
        """Who answers a connection that was accepted at a socket of this name."""
        inside = self.inside
        return inside if inside is not None and inside.place.is_at(name) else self

    def arrive(self) -> None:
        """A worker begins, and nobody is there yet."""
        if self.watch is not None:
            self.watch.start()
        if self._spans is not None:
            self._spans.start()

    def _end(self) -> None:
        """A worker ends, and nobody is there any more."""
        if self.watch is not None:
            self.watch.stop()
        hand_over()
        if self._spans is not None:
            self._spans.stop()

    def leave(self) -> None:
        """The server stops: nobody is held any longer."""
        if self._streams is not None:
            self._streams.leave()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._no_http(scope, receive, send)
            return
        started = perf_counter()
        if not scope["raw_path"].startswith(b"/") and SCHEME.match(scope["raw_path"]):
            scope = _without_authority(scope)
        headers, spent = dict(scope["headers"]), None
        account = self._counting.account(
            scope["method"],
            scope["path"],
            (scope.get("client") or ("",))[0],
            forwarded(scope) if b"x-forwarded-for" in headers else None,
        )
        if account is not None:
            spent = scope[SPENT] = await self._counting.spend(account)
        keep = spent is None or spent.allowed
        try:
            body = await read_body(scope, headers, receive, self.settings, keep=keep)
        except ClientLeft:
            # Nobody may be there to hear it, or the body was no HTTP.
            await self._bridge(scope, NO_BODY, send, "bad-request")
            return
        except TooSlow:
            await self._bridge(scope, NO_BODY, send, "request-timeout")
            return
        if not keep:
            await self._bridge(scope, body, send, "rate-limited")
            return
        request = whole_request(scope, headers, body)
        if request is not None:
            answer = self._shortcut.answer(request) or await self._shortcut.answer_batch(request)
            if answer is not None:
                await self._send(request, answer, send, started, spent)
                return
        if self._streams is not None and self._streams.asked(scope):
            await self._streams(scope, body, receive, send)
            return
        await self._bridge(scope, body, send)

    async def _send(
        self, request: Request, answer: Answer, send: Send, started: float, spent: Receipt | None
    ) -> None:
        """Dress the answer, send and observe it."""
        asked = request.headers.get(b"x-request-id")
        identity = request_id(None if asked is None else asked.decode("latin-1"))
        length = None if answer.status == 304 else len(answer.body)
        headers = Head(answer.headers, identity, length, spent.headers if spent else ())
        await send({"type": "http.response.start", "status": answer.status, "headers": headers})
        await send({"type": "http.response.body", "body": answer.body})
        seconds = perf_counter() - started
        count_request(request.method, request.path, answer.status, seconds)
        if self.settings.log_answers or self._spans is not None:
            self._tell(request, answer, identity, seconds)

    def _tell(self, request: Request, answer: Answer, identity: str, seconds: float) -> None:
        """Say more of the answer than a count, to whoever wants to know."""
        line = (identity, request.method, request.path, answer.status, seconds)
        if self._spans is not None:
            parent = request.headers.get(b"traceparent")
            self._spans.answered(None if parent is None else parent.decode("latin-1"), line)
        if self.settings.log_answers:
            # The shortcut knows no other paths than /v1/<game>/...
            log_request(line, request.path.split("/", 3)[2], answer.ruleset)

    async def _no_http(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The server's start and stop, and websockets, which nobody here speaks."""
        if scope["type"] == "websocket":
            await send({"type": "websocket.close"})
            return
        while (message := await receive())["type"] != "lifespan.shutdown":
            self.arrive()
            await send({"type": f"{message['type']}.complete"})
        self._end()
        await send({"type": "lifespan.shutdown.complete"})


def _without_authority(scope: Scope) -> Scope:
    """The absolute form of a target (RFC 9112, 3.2.2) as its path."""
    _, _, raw = scope["raw_path"].partition(b"://")[2].partition(b"/")
    raw = b"/" + raw
    return {**scope, "raw_path": raw, "path": unquote_to_bytes(raw).decode("utf-8", "replace")}
