"""Both doors in one process: the front door driven by hand, and Flask alone beside it."""

import asyncio
from collections.abc import Iterable
from io import BytesIO
from typing import Any, NamedTuple
from urllib.parse import unquote_to_bytes

from service.api.contract import contract
from service.app import create_app
from service.asgi import front_door
from service.doors.reader import Message, Scope
from service.doors.shortcut import Shortcut
from service.games import catalogue
from service.http.message import Request
from service.settings import Settings
from tests.unlimited import UNLIMITED

SETTINGS = UNLIMITED
FLASK = create_app(SETTINGS)
FRONT = front_door(create_app(SETTINGS))
SHORTCUT = Shortcut(catalogue(), contract(), SETTINGS)

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


async def through_front(question: Question, app: Any = FRONT) -> Reply:
    """What an ASGI application sends."""
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
    return _reply(head["status"], headers, b"".join(message["body"] for message in rest))


def asked_front(question: Question, app: Any = FRONT) -> Reply:
    return asyncio.run(through_front(question, app))


def environ_of(question: Question) -> dict[str, Any]:
    """The request as WSGI tells it, written anew: the bridge is not to judge itself."""
    environ: dict[str, Any] = {
        "REQUEST_METHOD": question.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(question.path).decode("latin-1"),
        "QUERY_STRING": question.query,
        "SERVER_NAME": "127.0.0.1",
        "SERVER_PORT": "8000",
        "SERVER_PROTOCOL": "HTTP/1.1",
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
    return environ


def asked_flask(question: Question, app: Any = FLASK) -> Reply:
    """What Flask answers under a WSGI server."""
    head: list[Any] = []

    def start_response(status: str, headers: list[tuple[str, str]], _: Any = None) -> Any:
        head[:] = [int(status[:3]), headers]

    chunks = app(environ_of(question), start_response)
    body = b"".join(chunks)
    chunks.close()
    return _reply(head[0], head[1], body)


class Doors(NamedTuple):
    """Both doors of a service of its own."""

    front: Any
    flask: Any

    @classmethod
    def of(cls, settings: Settings) -> "Doors":
        return cls(front_door(create_app(settings)), create_app(settings))

    def ask(self, question: Question) -> tuple[Reply, Reply]:
        """What the front door answers, and what Flask does."""
        return asked_front(question, self.front), asked_flask(question, self.flask)


def takes_shortcut(question: Question) -> bool:
    """Whether the front door answers by itself."""
    scope = question.scope
    headers = dict(scope["headers"])
    if len(headers) < len(scope["headers"]):
        return False
    request = Request(scope["method"], scope["path"], scope["query_string"], headers, question.body)
    return asyncio.run(_shortcut(request))


async def _shortcut(request: Request) -> bool:
    return (SHORTCUT.answer(request) or await SHORTCUT.answer_batch(request)) is not None
