"""Each server passes requests to the pipeline, and answers to the client, unchanged."""

import json
from typing import Any

import pytest
from flask import Blueprint, Flask
from hypothesis import given, settings
from hypothesis import strategies as st

from dice_referee.api.message import Answer, Request
from dice_referee.api.operation import operation
from dice_referee.app import asgi_app, create_app
from dice_referee.games import catalogue
from tests.application import Question, Servers, ask_asgi, ask_wsgi
from tests.unlimited import UNLIMITED

ECHO = Blueprint("echo", __name__, url_prefix="/echo")


def echo(request: Request) -> Answer:
    """Answers with the request that the server has passed."""
    headers = {
        name.decode("latin-1"): value.decode("latin-1") for name, value in request.headers.items()
    }
    headers.pop("content-length", None)
    document = {
        "method": request.method,
        "path": request.path,
        "query": request.query.decode("latin-1"),
        "headers": dict(sorted(headers.items())),
        "body": request.body.content.hex(),
        "size": request.body.size,
        "peer": request.peer,
        "route": request.route,
        "parameters": dict(request.parameters),
    }
    status = int(request.header(b"x-status") or 200)
    return Answer(
        json.dumps(document).encode(), status, "application/json", headers=(("X-Echo", "ÿ"),)
    )


for quick in (True, False):
    for method in ("GET", "POST"):
        name = f"{method}-{quick}"
        path = f"/{'quick' if quick else 'slow'}/<word>/x"
        operation(ECHO, method, path, name=name, quick=quick, offers=(), rate=None)(echo)


def echoing() -> Flask:
    app = create_app(UNLIMITED)
    app.register_blueprint(ECHO)
    return app


SERVERS = Servers(asgi_app(echoing()), echoing())

VALUES = st.text(
    st.characters(min_codepoint=0x21, max_codepoint=0xFF, exclude_characters="\x7f"), max_size=20
)
NAMES = st.sampled_from(
    ["Accept", "X-Forwarded-For", "Accept-Language", "If-None-Match", "Authorization", "X-Odd"]
)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(
    method=st.sampled_from(["GET", "POST", "HEAD", "PUT", "OPTIONS", "STRANGE"]),
    place=st.sampled_from(["quick", "slow"]),
    word=st.sampled_from(["a", "%20", "%C3%BC", "%ff", "a%3Fb", "..", "%2e"]),
    query=st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), max_size=20),
    fields=st.lists(st.tuples(NAMES, VALUES), max_size=5),
    status=st.sampled_from([200, 201, 204, 304, 404, 503]),
    body=st.binary(max_size=50),
)
def test_servers_pass_requests_and_answers_unchanged(
    method: str, place: str, word: str, query: str, fields: list[Any], status: int, body: bytes
) -> None:
    own = (("X-Status", str(status)), ("X-Request-ID", "same"), ("Content-Type", "text/x"))
    body = body if method == "POST" else b""
    question = Question(method, f"/echo/{place}/{word}/x", query, (*fields, *own), body)
    by_asgi, by_wsgi = SERVERS.ask(question)
    assert by_asgi == by_wsgi
    if method in ("GET", "POST") and status not in (204, 304):
        document = json.loads(by_asgi.body)
        assert by_asgi.status == status
        assert by_asgi.headers["x-echo"] == "ÿ"
        assert (document["method"], document["query"]) == (method, query)
        assert bytes.fromhex(document["body"]) == body
        assert document["peer"] == "127.0.0.1"
        for header in {name for name, _ in fields}:
            values = [value for name, value in fields if name == header]
            assert document["headers"][header.lower()] == ",".join(values)


QUESTIONS = [
    Question("GET", "/livez"),
    Question("HEAD", "/v1"),
    Question("GET", "/v1/tutto/rules", "", (("Accept-Language", "de"),)),
    Question("GET", "/v1/tutto", "", (("If-None-Match", "*"),)),
    Question("GET", "/v1//games"),
    Question("GET", "/v1/"),
    Question("DELETE", "/v1"),
    Question("OPTIONS", "/v1/sessions", "", (("Origin", "http://localhost:1"),)),
    Question("GET", "/v1/sessions/0123456789abcdefghijkl"),
    Question("GET", "/", "", (("Accept-Encoding", "gzip"),)),
    Question("GET", "/static/x/../../x.js"),
    Question("GET", "/problems/gone", "", (("Accept", "text/html"),)),
    *(
        Question("POST", f"/v1/{game}/{verb}", "", (("Content-Type", kind),), body)
        for game in catalogue()
        for verb in ("adjudications", "adjudications/batch", "transitions", "audits")
        for kind in ("application/json", "application/x-ndjson")
        for body in (b"{}", b"[", b"", b'{"positions":[{}]}')
    ),
]


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: f"{q.method} {q.path} {q.body!r}")
def test_both_servers_answer_alike(question: Question) -> None:
    question = question._replace(fields=(*question.fields, ("X-Request-ID", "same")))
    by_asgi, by_wsgi = ask_asgi(question), ask_wsgi(question)
    assert by_asgi == by_wsgi


def test_view_without_operation_is_refused() -> None:
    app = create_app(UNLIMITED)
    app.add_url_rule("/own", "own", lambda: "x")
    for ask in (lambda: ask_wsgi(Question("GET", "/own"), app), lambda: asgi_app(app)):
        with pytest.raises(TypeError, match="not an operation"):
            ask()
