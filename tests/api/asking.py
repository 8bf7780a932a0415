"""A Flask client, and assertions about the form of every answer."""

import json
from typing import Any

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.app import create_app
from tests.unlimited import UNLIMITED

CLIENT: FlaskClient = create_app(UNLIMITED).test_client()
SETTINGS = UNLIMITED

ADJUDICATIONS = "/v1/tutto/adjudications"
BATCH = "/v1/tutto/adjudications/batch"
TRANSITIONS = "/v1/tutto/transitions"
GAMES = "/v1/tutto/games"
JSON = "application/json"
NDJSON = "application/x-ndjson"
TEXT = "text/plain"

ROLL: dict[str, Any] = {"card": "bonus-200", "roll": [1, 2, 3, 4, 6, 6]}
"""A possible position."""
QUERY = "card=bonus-200&roll=123466"
"""The same position as a query string."""
IMPOSSIBLE: dict[str, Any] = {"card": "bonus-200", "roll": [1, 2, 3]}
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


def post(path: str, body: Any, kind: str = JSON, **headers: str) -> TestResponse:
    """Posts a document as JSON, or raw bytes; ``Accept_Language`` is a header."""
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    fields = {name.replace("_", "-"): value for name, value in headers.items()}
    return CLIENT.post(path, data=raw, content_type=kind or None, headers=fields)


def get(path: str, **headers: str) -> TestResponse:
    return CLIENT.get(
        path, headers={name.replace("_", "-"): value for name, value in headers.items()}
    )


def assert_dressed(response: TestResponse) -> None:
    """Expects each common header once; a page may have its own content security policy."""
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
    """Returns the problem document of a response, and expects its status, headers and form."""
    assert response.status_code == status, response.get_data(as_text=True)[:500]
    assert response.headers["Content-Type"] == "application/problem+json"
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
