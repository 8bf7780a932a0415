"""A refusal stays a refusal at both servers, even without its sentence."""

import json
import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from flask import Blueprint

from dice_referee.api.headers import COMMON, session_headers
from dice_referee.api.i18n import LANGUAGES, service_words
from dice_referee.api.message import Answer, Request
from dice_referee.api.operation import operation
from dice_referee.api.problems import STATUSES, ProblemError
from dice_referee.app import asgi_app, create_app
from dice_referee.games import catalogue
from tests.application import ADJUDICATIONS, BATCH, Fields, Question, Reply, ask_asgi, ask_wsgi
from tests.engines.servers import wait_until
from tests.telemetry.scraping import SecondAddress, watched
from tests.unlimited import UNLIMITED
from tests.wire import request

JSON: Fields = (("Content-Type", "application/json"), ("X-Request-ID", "worded"))
LINES: Fields = (("Content-Type", "application/x-ndjson"),)
PAGE: Fields = (("Accept", "text/html"), ("Content-Type", "application/json"))
SENTENCES: Fields = (("Accept", "text/plain"), ("Content-Type", "application/json"))
SHORT = b'{"card": "clover", "roll": [1]}'
SERVERS = pytest.mark.parametrize("ask", [ask_asgi, ask_wsgi])
Ask = Callable[..., Reply]


posted = partial(Question.post, ADJUDICATIONS, fields=JSON)


REFUSALS = {
    "not-found": (Question("GET", "/nowhere", "", JSON), "not-found"),
    "unknown-ruleset": (Question("GET", "/v1/pot/rulesets/x", "", JSON), "not-found"),
    "unknown-rule": (Question("GET", "/v1/pot/rules/x", "", JSON), "not-found"),
    "unknown-problem": (Question("GET", "/problems/x", "", JSON), "not-found"),
    "method-not-allowed": (Question("PUT", ADJUDICATIONS, "", JSON), "method-not-allowed"),
    "not-acceptable": (
        Question("GET", ADJUDICATIONS, "", (*JSON, ("Accept", "image/png"))),
        "not-acceptable",
    ),
    "malformed-json": (posted(b"{"), "malformed-json"),
    "duplicate-key": (posted(b'{"a": 1, "a": 1}'), "malformed-json"),
    "body-too-large": (posted(b" " * (UNLIMITED.body_limit + 1)), "too-large"),
    "query-too-long": (
        Question("GET", ADJUDICATIONS, "x" * (UNLIMITED.query_limit + 1), JSON),
        "query-too-long",
    ),
    "invalid-request": (posted(b"[]"), "invalid-request"),
    "impossible-position": (posted(SHORT), "impossible-position"),
    "no-sessions": (Question.post("/v1/sessions", b"{}", JSON), "sessions-away"),
}
"""A refusal for each of some details, from every part of the service."""


def problem(reply: Reply, code: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(reply.body)
    assert (document["type"], reply.status) == (f"/problems/{code}", STATUSES[code])
    assert reply.headers["content-type"] == "application/problem+json"
    assert reply.headers["x-request-id"] == "worded"
    return document


@SERVERS
@pytest.mark.parametrize("key", REFUSALS)
def test_refusal_without_a_sentence_has_its_title(
    key: str, ask: Ask, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    question, code = REFUSALS[key]
    worded = problem(ask(question), code)
    assert worded["detail"] != worded["title"]
    assert not capfd.readouterr().err
    monkeypatch.delitem(service_words()["details"], key)
    assert problem(ask(question), code) == {**worded, "detail": worded["title"]}
    line = json.loads(capfd.readouterr().err)
    assert (line["event"], line["level"], line["text"]) == ("fault", "error", key)
    assert "KeyError" in line["trace"]


@SERVERS
@pytest.mark.parametrize(
    ("words", "key", "body", "code", "member"),
    [
        (lambda: service_words()["errors"], "wrong-type", b"[]", "invalid-request", "errors"),
        (lambda: service_words()["expected"], "object", b"[]", "invalid-request", "errors"),
        (
            lambda: catalogue()["tutto"].words["findings"],
            "wrong-number-of-dice",
            SHORT,
            "impossible-position",
            "findings",
        ),
    ],
)
def test_error_or_finding_without_a_sentence_has_the_title(
    words: Callable[[], dict[str, Any]],
    key: str,
    body: bytes,
    code: str,
    member: str,
    ask: Ask,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    worded = problem(ask(posted(body)), code)
    monkeypatch.delitem(words(), key)
    bare = problem(ask(posted(body)), code)
    places = [{**place, "detail": worded["title"]} for place in worded[member]]
    assert bare == {**worded, member: places}
    assert [list(place) for place in bare[member]] == [list(place) for place in worded[member]]
    assert '"event":"fault"' in capfd.readouterr().err


@SERVERS
def test_sentence_with_an_unknown_placeholder_is_replaced(
    ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    for text in ("{unheard_of}", "{}", "{"):
        sentence = dict.fromkeys(LANGUAGES, text)
        monkeypatch.setitem(service_words()["details"], "not-found", sentence)
        document = problem(ask(REFUSALS["not-found"][0]), "not-found")
        assert document["detail"] == document["title"]


@SERVERS
def test_problem_without_a_title_has_its_code(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(service_words()["problems"], "not-found")
    document = problem(ask(REFUSALS["not-found"][0]), "not-found")
    assert document["title"] == "not-found"


@SERVERS
def test_pages_and_lines_without_a_sentence_have_the_title(
    ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    for key in ("not-found", "malformed-json"):
        monkeypatch.delitem(service_words()["details"], key)
    page = ask(Question("GET", "/nowhere", "", PAGE))
    assert (page.status, page.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert page.body.count(b"Not found") > 1
    reply = ask(posted(b"{", fields=SENTENCES))
    assert (reply.status, reply.body) == (400, b"Malformed JSON.\nMalformed JSON\n")
    lines = ask(Question.post(BATCH, b"{\n[]", LINES)).body.splitlines()
    titles = [json.loads(line)["title"] for line in lines]
    assert titles == ["Malformed JSON", "Invalid request"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_title_is_in_the_language_of_the_problem(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(service_words()["details"], "gone")
    title = service_words()["problems"]["gone"]["title"][language]
    assert ProblemError("gone").document(language)["detail"] == title


@SERVERS
def test_problem_that_cannot_be_serialized_is_a_fault(
    ask: Ask, capfd: pytest.CaptureFixture[str]
) -> None:
    blueprint = Blueprint("unwritable", __name__)

    @operation(blueprint, "GET", "/unwritable", rate=None)
    def refuse(request: Request) -> Answer:
        raise ProblemError("gone", more={"proof": object()})

    app = create_app(UNLIMITED)
    app.register_blueprint(blueprint)
    server = asgi_app(app) if ask is ask_asgi else app
    document = problem(ask(Question("GET", "/unwritable", "", JSON), server), "internal-error")
    assert document["detail"] == service_words()["details"]["internal-error"]["en"]
    line = json.loads(capfd.readouterr().err)
    assert (line["event"], line["request_id"]) == ("fault", "worded")


# Refusals outside operations -----------------------------------

LONG = "x" * 9000
SESSION = "/v1/sessions/x"
TARGETS = [
    (request("GET", "/livez", None, "Expect: x"), 417, "/livez"),
    (request("GET", "/livez", None, f"X-Long: {LONG}"), 431, "/livez"),
    (request("GET", "/livez", None, "Host: y"), 400, "/livez"),
    (request("POST", "/livez", None, "Content-Length: 9") + b"half", 408, "/livez"),
    (request("POST", "/livez", None, "Transfer-Encoding: chunked") + b"x", 400, "/livez"),
    (request("POST", ADJUDICATIONS, b" " * ((1 << 20) + 1)), 413, ADJUDICATIONS),
    (request("GET", f"/{LONG}"), 414, "none"),
    (request("GET", f"/livez?{LONG}"), 414, "/livez"),
    (request("GET", "/livez\xe4"), 400, "none"),
    (b"GET /livez HTTP/9.9\r\nHost: x\r\n\r\n", 400, "none"),
    (b"no HTTP\r\n\r\n", 400, "none"),
    (request("POST", "/server"), 500, "none"),
]
"""Requests, each with the status of its refusal and the route that counts the request."""


@pytest.fixture(scope="module")
def inside() -> Iterator[SecondAddress]:
    with watched(
        app="tests.telemetry.faulty:app",
        WORKERS=1,
        REQUEST_SECONDS=1,
        REDIS_URL="redis://127.0.0.1:1",
    ) as address:
        yield address


@pytest.mark.parametrize(("raw", "status", "route"), TARGETS, ids=range(len(TARGETS)))
def test_refusal_of_the_server_has_id_origin_and_count(
    raw: bytes, status: int, route: str, inside: SecondAddress
) -> None:
    labels = {"route": route, "status": str(status)}
    before = inside.number("referee_requests_total", **labels)
    reply, _ = inside.server.ask_raw(raw)
    assert reply.status == json.loads(reply.body)["status"] == status
    assert reply.headers["content-type"] == "application/problem+json"
    assert {name.lower(): value for name, value in COMMON}.items() <= reply.headers.items()
    assert re.fullmatch("[0-9a-f]{16}", reply.headers["x-request-id"])
    inside.reaches(before + 1, "referee_requests_total", **labels)


@pytest.mark.parametrize("origin", ["http://localhost:5173", "https://evil.example"])
@pytest.mark.parametrize(
    ("field", "query", "status"),
    [("Expect: x", "", 417), (f"X-Long: {LONG}", "", 431), ("X: y", f"?{LONG}", 414)],
)
def test_only_listed_origins_may_read_refusals_about_sessions(
    field: str, query: str, status: int, origin: str, inside: SecondAddress
) -> None:
    fields = (field, f"Origin: {origin}", "X-Request-ID: mine")
    reply, _ = inside.server.ask_raw(request("GET", SESSION + query, None, *fields))
    assert (reply.status, reply.headers["x-request-id"]) == (status, "mine")
    due = {name.lower(): value for name, value in session_headers(origin, frozenset())}
    assert due.items() <= reply.headers.items()
    assert reply.headers["vary"] == "Accept, Accept-Language, Origin"
    assert reply.headers.get("access-control-allow-origin") == due.get(
        "access-control-allow-origin"
    )


@pytest.mark.parametrize("target", [ADJUDICATIONS, SESSION])
def test_refusals_of_a_long_target_have_the_same_vary(target: str, inside: SecondAddress) -> None:
    long_query = "x" * (UNLIMITED.query_limit + 1)
    own, other = (
        inside.server.ask("GET", f"{target}?{query}").headers["vary"]
        for query in (LONG, long_query)
    )
    assert own == other


def test_only_faults_of_the_server_are_logged(inside: SecondAddress) -> None:
    for raw in (
        request("GET", "/livez", None, "Expect: x", "X-Request-ID: refused"),
        request("POST", "/server", None, "X-Request-ID: fault"),
    ):
        inside.server.ask_raw(raw)

    def written() -> list[dict[str, Any]]:
        lines = map(json.loads, inside.server.log().splitlines())
        return [line for line in lines if line.get("request_id") in ("refused", "fault")]

    wait_until("the fault is logged", lambda: bool(written()))
    (line,) = written()
    assert (line["request_id"], line["status"], line["problem"]) == ("fault", 500, "internal-error")
    assert (line["event"], line["level"], line["route"]) == ("request", "warning", "none")
