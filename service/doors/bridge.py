"""Everything that the shortcut leaves to Flask, run in a bounded pool of threads.

The body is in memory before a thread is taken, so no slow client can hold one.
"""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Iterable
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import suppress
from io import BytesIO
from typing import Any, TypeVar
from urllib.parse import unquote_to_bytes

from service.doors.reader import Body, Message, Scope, Send
from service.http.message import HELD, REFUSAL, SPENT, Held

WsgiApp = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]

T = TypeVar("T")

AnswerOfFlask = tuple[Message, Any]
"""Head and content: bytes, or pieces of a stream."""

QUEUE_PER_THREAD = 16
"""Requests that may wait for each thread before the service calls itself busy."""


class Bridge:
    """A WSGI application as the rest of an ASGI one."""

    def __init__(self, app: WsgiApp, threads: int) -> None:
        self._app = app
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="flask")
        # Streamed answers take turns: who asks for little must not stand in line behind them all.
        self._pieces = ThreadPoolExecutor(1, thread_name_prefix="pieces")
        self._room = threads * (QUEUE_PER_THREAD + 1)

    async def __call__(self, scope: Scope, body: Body, send: Send, refusal: str = "") -> None:
        """Let Flask answer, and send what it answers."""
        await self.relay(await self.answer(scope, body, refusal), send)

    async def answer(
        self, scope: Scope, body: Body, refusal: str = "", held: Held | None = None
    ) -> AnswerOfFlask:
        """The head and the content of Flask's answer.

        ``refusal`` asks it for a problem that the door has found out itself. A full pool is such a
        problem: Flask writes it at once, without a thread. ``held`` asks what there is to wait for.
        """
        environ = _environ(scope, body)
        if held is not None:
            environ[HELD] = held
        if not self._room:
            refusal = refusal or "busy"
        if refusal:
            environ[REFUSAL] = refusal
            return self._run(environ)
        self._room -= 1
        try:
            return await in_pool(self._pool, self._run, environ)
        finally:
            self._room += 1

    async def relay(self, answer: AnswerOfFlask, send: Send) -> None:
        """Send it, whole or piece by piece."""
        head, content = answer
        await send(head)
        if isinstance(content, bytes):
            await send({"type": "http.response.body", "body": content})
            return
        try:
            # A thread makes each piece and is free again while the client takes it.
            while (piece := await in_pool(self._pieces, next, content, None)) is not None:
                await send({"type": "http.response.body", "body": piece, "more_body": True})
        finally:
            # A piece that is still being made when the client leaves is the last one.
            with suppress(ValueError):
                content.close()
        await send({"type": "http.response.body", "body": b""})

    def _run(self, environ: dict[str, Any]) -> AnswerOfFlask:
        """Run the application: the head and the content of its answer, which may be a stream."""
        head: Message = {"type": "http.response.start"}

        def start_response(status: str, headers: list[tuple[str, str]], _: Any = None) -> None:
            head["status"] = int(status[:3])
            head["headers"] = [
                (name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers
            ]

        chunks = self._app(environ, start_response)
        # 204 and 304 have no length and no content either: nothing to stream.
        if b"content-length" not in dict(head["headers"]) and head["status"] not in (204, 304):
            return head, _Pieces(chunks)
        try:
            return head, b"".join(chunks)
        finally:
            _close(chunks)


def in_pool(pool: Executor, work: Callable[..., T], *arguments: Any) -> Awaitable[T]:
    """What the work brings, done by a thread of the pool."""
    return asyncio.get_running_loop().run_in_executor(pool, work, *arguments)


class _Pieces:
    """A streamed answer, taken piece by piece from whichever thread is free."""

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self._chunks, self._pieces = chunks, iter(chunks)

    def __next__(self) -> bytes:
        return next(self._pieces)

    def close(self) -> None:
        _close(self._chunks)


def _close(chunks: Iterable[bytes]) -> None:
    close = getattr(chunks, "close", None)
    if close is not None:
        close()


def _environ(scope: Scope, body: Body) -> dict[str, Any]:
    """The request as WSGI tells it (PEP 3333): bytes as latin-1."""
    host, port = scope.get("server") or ("localhost", 80)
    environ: dict[str, Any] = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(scope["raw_path"]).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": str(host),
        "SERVER_PORT": str(port),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": str((scope.get("client") or ("",))[0]),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.get("scheme", "http"),
        "wsgi.input": BytesIO(body.content),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for raw_name, raw_value in scope["headers"]:
        name = raw_name.decode("latin-1").upper().replace("-", "_")
        if name in ("CONTENT_LENGTH", "TRANSFER_ENCODING"):
            continue
        key = name if name == "CONTENT_TYPE" else f"HTTP_{name}"
        value = raw_value.decode("latin-1")
        environ[key] = f"{environ[key]},{value}" if key in environ else value
    if body.size:
        environ["CONTENT_LENGTH"] = str(body.size)
    if SPENT in scope:
        environ[SPENT] = scope[SPENT]
    return environ
