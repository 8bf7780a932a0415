"""Requests to the application object, by Flask's client, ASGI and WSGI, and checks of answers.

``tests/wire.py`` sends requests over a socket.
"""

import asyncio
import json
from collections.abc import Iterable
from io import BytesIO
from typing import Any, NamedTuple, Self
from urllib.parse import unquote_to_bytes

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from dice_referee.app import asgi_app, create_app
from dice_referee.server.asgi_messages import Message, Scope
from dice_referee.settings import Settings
from tests.unlimited import UNLIMITED

FLASK = create_app(UNLIMITED)
CLIENT: FlaskClient = FLASK.test_client()
ASGI = asgi_app(FLASK)

ADJUDICATIONS = "/v1/tutto/adjudications"
BATCH = f"{ADJUDICATIONS}/batch"
TRANSITIONS = "/v1/tutto/transitions"
GAMES = "/v1/tutto/audits"
JSON = "application/json"
NDJSON = "application/x-ndjson"
TEXT = "text/plain"
PROBLEM = "application/problem+json"

ROLL: dict[str, Any] = {"card": "bonus-200", "roll": [1, 2, 3, 4, 6, 6]}
"""A possible position."""
ROLL_JSON = json.dumps(ROLL, separators=(",", ":")).encode()
QUERY = "card=bonus-200&roll=123466"
"""The same position as a query string."""
IMPOSSIBLE: dict[str, Any] = {"card": "bonus-200", "roll": [1, 2, 3]}
TUTTO = {"game": "tutto", "players": ["Ann", "Ben"]}
"""A session of two people."""
PROBLEM_KEYS = ["type", "code", "title", "status", "detail", "errors", "findings", "rules"]

ALWAYS = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": "ETag, Location, Retry-After, X-Request-ID, Content-Language,"
    " RateLimit, RateLimit-Policy, Allow, WWW-Authenticate",
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


def answered(game: str, resource: str, document: dict[str, Any]) -> Any:
    """Returns the document of a game's successful answer."""
    response = post(f"/v1/{game}/{resource}", document)
    assert response.status_code == 200, (document, response.get_json())
    return response.get_json()


def encoded(body: Any) -> bytes:
    """Returns a document as JSON, or bytes unchanged."""
    return body if isinstance(body, bytes) else json.dumps(body).encode()


def fields_of(headers: dict[str, str]) -> dict[str, str]:
    """Returns header fields. Keywords have ``_`` for hyphens."""
    return {name.replace("_", "-"): value for name, value in headers.items()}


def post(path: str, body: Any, kind: str = JSON, **headers: str) -> TestResponse:
    """Posts a document as JSON, or raw bytes."""
    content_type = kind or None
    return CLIENT.post(
        path, data=encoded(body), content_type=content_type, headers=fields_of(headers)
    )


def get(path: str, **headers: str) -> TestResponse:
    return CLIENT.get(path, headers=fields_of(headers))


Fields = tuple[tuple[str, str], ...]
JSON_FIELD = ("Content-Type", JSON)


class Question(NamedTuple):
    """A request as a client sends it, with header names in HTTP's spelling."""

    method: str
    path: str
    query: str = ""
    fields: Fields = ()
    body: bytes = b""

    @classmethod
    def post(cls, path: str, body: Any, fields: Fields = (JSON_FIELD,), size: int = 0) -> Self:
        """Returns a request with a document as JSON, or raw bytes, padded with blanks."""
        return cls("POST", path, "", fields, encoded(body).ljust(size))

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
    """A response. Header names are lower-case and unique."""

    status: int
    headers: dict[str, str]
    body: bytes

    def problem(self, code: str, status: int) -> dict[str, Any]:
        """Returns the problem document after checking its status and form."""
        assert self.status == status, self
        assert self.headers["content-type"] == PROBLEM, self
        document: dict[str, Any] = json.loads(self.body)
        assert_problem_document(document, code, status)
        return document


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
    """Returns Flask's response under a WSGI server."""
    head: list[Any] = []

    def start_response(status: str, headers: list[tuple[str, str]], _: Any = None) -> Any:
        head[:] = [int(status[:3]), headers]

    chunks = app(environ_of(question), start_response)
    body = b"".join(chunks)
    return _reply(head[0], head[1], body)


class Servers(NamedTuple):
    """The ASGI and the WSGI application with the same settings and separate counts."""

    asgi: Any
    wsgi: Any

    @classmethod
    def of(cls, settings: Settings) -> "Servers":
        # Two applications, so that the rate limits of each count only its own requests.
        return cls(asgi_app(create_app(settings)), create_app(settings))

    def ask(self, question: Question) -> tuple[Reply, Reply]:
        """Returns the responses of the ASGI application and of Flask."""
        return ask_asgi(question, self.asgi), ask_wsgi(question, self.wsgi)


def assert_dressed(response: TestResponse) -> None:
    """Expects each common header once. A page may have its own content security policy."""
    policy = "Content-Security-Policy"
    for name, value in ALWAYS.items():
        values = response.headers.getlist(name)
        if name == policy and values != [value]:
            assert response.mimetype == "text/html"
            assert len(values) == 1
            assert values[0].startswith("default-src 'none'; ")
        else:
            assert values == [value], name
    assert len(response.headers.getlist("X-Request-ID")) == 1


def assert_problem_document(document: Any, code: str, status: int) -> None:
    """Expects a problem document whose ``rules`` are those of its ``findings``."""
    assert list(document) == PROBLEM_KEYS
    assert document["type"] == f"/problems/{code}"
    assert document["code"] == code
    assert document["status"] == status
    assert document["title"]
    assert document["detail"]
    assert all(list(error) == ["code", "detail", "pointer"] for error in document["errors"])
    findings = document["findings"]
    assert all(list(finding) == ["code", "rule", "detail", "pointer"] for finding in findings)
    assert document["rules"] == sorted({finding["rule"] for finding in findings})


def problem(response: TestResponse, code: str, status: int, language: str = "en") -> dict[str, Any]:
    """Returns the problem document of a response after checking its status, headers and form."""
    assert response.status_code == status, response.get_data(as_text=True)[:500]
    assert response.headers["Content-Type"] == PROBLEM
    assert response.headers["Content-Language"] == language
    assert "Accept-Language" in response.vary
    assert response.headers["Cache-Control"] == "no-store"
    assert "ETag" not in response.headers
    assert_dressed(response)
    document: dict[str, Any] = json.loads(response.get_data())
    assert_problem_document(document, code, status)
    return document


def errors(response: TestResponse) -> list[tuple[str, str]]:
    """Returns the pointer and the code of every schema error, sorted."""
    errors = problem(response, "invalid-request", 400)["errors"]
    return sorted((error["pointer"], error["code"]) for error in errors)


class SessionClient(NamedTuple):
    """A session with its tokens and first state, from the view of a client."""

    client: FlaskClient
    at: str
    host: str
    seats: list[str]
    state: dict[str, Any]

    @property
    def id(self) -> str:
        return self.at.rpartition("/")[2]

    def post(
        self, path: str, body: Any = None, token: str | None = None, **headers: str
    ) -> TestResponse:
        """Posts with the host's token, or another token."""
        fields = {"Authorization": f"Bearer {self.host if token is None else token}"}
        return self.client.post(f"{self.at}/{path}", json=body, headers=fields | fields_of(headers))

    def get(self, path: str = "", **headers: str) -> TestResponse:
        return self.client.get(self.at + path, headers=fields_of(headers))


def begin(client: FlaskClient, **more: Any) -> SessionClient:
    """Creates a session for two people, or with other fields."""
    answer = client.post("/v1/sessions", json={**TUTTO, **more})
    assert answer.status_code == 201, answer.data
    document = json.loads(answer.data)
    location = answer.headers["Location"]
    return SessionClient(
        client, location, document["host_token"], document["seat_tokens"], document["session"]
    )


def accepted(answer: TestResponse) -> dict[str, Any]:
    """Returns the document of an accepted change after checking the status."""
    assert answer.status_code == 200, answer.data
    document: dict[str, Any] = json.loads(answer.data)
    return document


def refused(answer: TestResponse, code: str, status: int) -> dict[str, Any]:
    """Returns the problem document of a refused change."""
    assert answer.status_code == status, answer.data
    assert answer.headers["Content-Type"] == PROBLEM
    document: dict[str, Any] = json.loads(answer.data)
    assert_problem_document({k: v for k, v in document.items() if k != "fairness"}, code, status)
    return document
