"""The second address: metrics and probes, for those who run the service and nobody else.

It has threads of its own, so that it answers while the public has taken all others.
"""

import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from ipaddress import ip_address
from typing import Any

from service.doors.bridge import Bridge, WsgiApp, in_pool
from service.doors.crowd import Crowd
from service.doors.reader import NO_BODY, Message, Receive, Scope, Send
from service.http.exposition import CONTENT_TYPE
from service.http.message import Answer
from service.settings import BadSetting, Settings

THREADS = 2
CONNECTIONS = 64
"""Connections that this address holds; they are not taken from the public."""
PROBES = frozenset({"/livez", "/readyz", "/healthz"})
UNIX = "unix:"

_NOT_FOUND = Answer(404, (("Content-Type", "text/plain"),), b"not found\n")
_GET_ALONE = Answer(405, (("Content-Type", "text/plain"), ("Allow", "GET, HEAD")), b"GET only\n")


class Place:
    """An address as a setting names it. Raises BadSetting."""

    def __init__(self, text: str) -> None:
        self._path = text.removeprefix(UNIX) if text.startswith(UNIX) else ""
        self._hosts: frozenset[str] = frozenset()
        self._port, self._everywhere = 0, False
        if self._path:
            return
        host, _, port = text.rpartition(":")
        if not (host and port.isascii() and port.isdecimal() and 0 < int(port) < 65536):
            raise BadSetting(f"METRICS_BIND must be host:port or unix:/path, not {text!r}")
        self._port = int(port)
        try:
            found = socket.getaddrinfo(host.strip("[]"), self._port, type=socket.SOCK_STREAM)
        except OSError:
            raise BadSetting(f"METRICS_BIND names a host that nobody knows: {host!r}") from None
        self._hosts = frozenset(str(one[4][0]) for one in found)
        self._everywhere = any(ip_address(host).is_unspecified for host in self._hosts)

    def is_at(self, name: Any) -> bool:
        """Whether a socket of this name was accepted here, whoever opened it for us."""
        if not isinstance(name, tuple):
            told = name.decode() if isinstance(name, bytes) else name
            return bool(self._path) and told == self._path
        return name[1] == self._port and (self._everywhere or name[0] in self._hosts)


class Inside:
    """What is served at the second address."""

    def __init__(
        self, app: WsgiApp, place: Place, metrics: Callable[[], bytes], settings: Settings
    ) -> None:
        self.settings = settings
        self.place = place
        self.crowd = Crowd[Any](CONNECTIONS)
        self._metrics = metrics
        self._bridge = Bridge(app, THREADS)
        self._pages = ThreadPoolExecutor(1, thread_name_prefix="metrics")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await send({"type": "websocket.close"})
        elif scope["path"] in PROBES:
            await self._bridge(scope, NO_BODY, send)
        elif scope["path"] != "/metrics":
            await _send(scope, _NOT_FOUND, send)
        elif scope["method"] not in ("GET", "HEAD"):
            await _send(scope, _GET_ALONE, send)
        else:
            # In a thread: files are read, and a lock is waited for.
            page: bytes = await in_pool(self._pages, self._metrics)
            await _send(scope, Answer(200, (("Content-Type", CONTENT_TYPE),), page), send)


async def _send(scope: Scope, answer: Answer, send: Send) -> None:
    headers = (*answer.headers, ("Content-Length", str(len(answer.body))))
    head: Message = {"type": "http.response.start", "status": answer.status}
    head["headers"] = [(name.lower().encode(), value.encode()) for name, value in headers]
    await send(head)
    body = b"" if scope["method"] == "HEAD" else answer.body
    await send({"type": "http.response.body", "body": body})
