"""Both servers in one process: the ASGI application driven by hand, and Flask under WSGI."""

import asyncio
from collections.abc import Iterable
from io import BytesIO
from typing import Any, NamedTuple
from urllib.parse import unquote_to_bytes

from service.app import asgi_app, create_app
from service.server.asgi_messages import Message, Scope
from service.settings import Settings
from tests.unlimited import UNLIMITED

SETTINGS = UNLIMITED
FLASK = create_app(SETTINGS)
ASGI = asgi_app(FLASK)

Fields = tuple[tuple[str, str], ...]


class Question(NamedTuple):
    """A request as a client sends it; header names as HTTP has them."""

    method: str
    path: str
    query: str = ""
    fields: Fields = ()
    body: bytes = b""

    @property
    def scope(self) -> Scope:
        fields = list(self.fields)
        if self.body and not any(name.lower() == "content-length" for name, _ in fields):
            fields.append(("content-length", str(len(self.body))))
        if not any(name.lower() == "host" for name, _ in fields):
            fields.append(("host", "localhost"))
        raw = self.path.encode("latin-1")
        return {
            "type": "http",
            "http_version": "1.1",
            "method": self.method,
            "scheme": "http",
            "path": unquote_to_bytes(raw).decode("utf-8", "replace"),
            "raw_path": raw,
            "query_string": self.query.encode("latin-1"),
            "headers": [(n.lower().encode("latin-1"), v.encode("latin-1")) for n, v in fields],
            "server": ("127.0.0.1", 8000),
            "client": ("127.0.0.1", 50000),
        }


class Reply(NamedTuple):
    """Header names are lower-case; each may stand there once."""

    status: int
    headers: dict[str, str]
    body: bytes


def _reply(status: int, headers: Iterable[tuple[str, str]], body: bytes) -> Reply:
    pairs = [(name.lower(), value) for name, value in headers]
    names = [name for name, _ in pairs]
    assert len(set(names)) == len(names), f"a header twice: {sorted(names)}"
    return Reply(status, dict(pairs), body)


async def through_asgi(question: Question, app: Any = ASGI) -> Reply:
    """Returns the response of an ASGI application."""
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": question.body, "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    await app(question.scope, receive, send)
    head, *rest = sent
    assert head["type"] == "http.response.start"
    assert [message["type"] for message in rest] == ["http.response.body"] * len(rest)
    assert [message.get("more_body", False) for message in rest] == [True] * (len(rest) - 1) + [
        False
    ]
    headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in head["headers"]]
    # A server sends no body to HEAD.
    content = () if question.method == "HEAD" else (message["body"] for message in rest)
    return _reply(head["status"], headers, b"".join(content))


def ask_asgi(question: Question, app: Any = ASGI) -> Reply:
    return asyncio.run(through_asgi(question, app))


def environ_of(question: Question) -> dict[str, Any]:
    """Returns the request as a WSGI environ."""
    environ: dict[str, Any] = {
        "REQUEST_METHOD": question.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(question.path).decode("latin-1"),
        "QUERY_STRING": question.query,
        "SERVER_NAME": "127.0.0.1",
        "SERVER_PORT": "8000",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "127.0.0.1",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": BytesIO(question.body),
        "wsgi.errors": BytesIO(),
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
        "CONTENT_LENGTH": str(len(question.body)),
    }
    for name, value in question.fields:
        key = name.upper().replace("-", "_")
        key = key if key in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{key}"
        environ[key] = f"{environ[key]},{value}" if key in environ else value
    environ.setdefault("HTTP_HOST", "localhost")
    return environ


def ask_wsgi(question: Question, app: Any = FLASK) -> Reply:
    """Returns the response of Flask under a WSGI server."""
    head: list[Any] = []

    def start_response(status: str, headers: list[tuple[str, str]], _: Any = None) -> Any:
        head[:] = [int(status[:3]), headers]

    chunks = app(environ_of(question), start_response)
    body = b"".join(chunks)
    return _reply(head[0], head[1], body)


class Servers(NamedTuple):
    """The ASGI and the WSGI application of the same settings, each with its own counts."""

    asgi: Any
    wsgi: Any

    @classmethod
    def of(cls, settings: Settings) -> "Servers":
        # Two applications: what one counts does not count for the other.
        return cls(asgi_app(create_app(settings)), create_app(settings))

    def ask(self, question: Question) -> tuple[Reply, Reply]:
        """Returns the responses of the ASGI application and of Flask."""
        return ask_asgi(question, self.asgi), ask_wsgi(question, self.wsgi)
