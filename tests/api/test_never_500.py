"""Random bytes, headers and paths never get a 500."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from werkzeug.test import TestResponse, create_environ
from werkzeug.wrappers import Request

from tests.application import (
    ADJUDICATIONS,
    BATCH,
    CLIENT,
    GAMES,
    JSON,
    NDJSON,
    ROLL,
    TRANSITIONS,
    assert_dressed,
    assert_problem_document,
    post,
)

many = settings(max_examples=300, deadline=None, derandomize=True)

POSTED = [ADJUDICATIONS, TRANSITIONS, GAMES, BATCH]
FIELDS = (
    "ruleset options card keeps roll carried tuttos pending_deductions scores player phase "
    "dice_to_roll turn_points event players log positions type dice target ending"
)
WORDS = "abacus-2013 clover plus-minus bonus-200 keep roll bank draw on-bank"
HEADERS = (
    "Accept Accept-Language Accept-Charset Accept-Encoding Content-Type Content-Encoding Host "
    "If-None-Match If-Match If-Modified-Since Range Origin Cookie Authorization Expect "
    "X-Request-ID X-Forwarded-For X-Forwarded-Host X-HTTP-Method-Override Content-Length "
    "Transfer-Encoding"
)
ODD = '* */* ; , q= a;q=x application/json;q=1e9 chunked -1 " W/'
fields, words = (st.sampled_from(known.split()) for known in (FIELDS, WORDS))

scalars = (
    st.none()
    | st.booleans()
    | st.integers(-10, 10)
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | words
    | st.text(max_size=5)
)
names = fields | st.text(max_size=4)
documents = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=6) | st.dictionaries(names, inner, max_size=6)
)
bodies = (
    st.binary(max_size=40)
    | documents.map(lambda document: json.dumps(document).encode("utf-8", "surrogatepass"))
    | st.dictionaries(fields, documents, max_size=6).map(
        lambda document: json.dumps(document).encode("utf-8", "surrogatepass")
    )
)
values = st.text(
    st.characters(min_codepoint=0x20, max_codepoint=0xFF, blacklist_characters="\x7f"), max_size=20
)
headers = st.dictionaries(
    st.sampled_from(HEADERS.split()), values | st.sampled_from(ODD.split()), max_size=4
)


def assert_answered(response: TestResponse) -> None:
    """Expects an answer or a problem document, never a fault of the service."""
    assert response.status_code < 500, response.get_data()
    assert_dressed(response)
    if response.status_code >= 400 and response.request.method != "HEAD":
        assert response.headers["Content-Type"] == "application/problem+json"
        document = json.loads(response.get_data())
        code = document["type"].removeprefix("/problems/")
        assert_problem_document(document, code, response.status_code)


def send(path: str, method: str, query: str, body: bytes, fields: dict[str, str]) -> TestResponse:
    """Sends a request with these exact parts, which a client would normalise."""
    environ = create_environ("/", method=method, data=body)
    environ |= {"PATH_INFO": path, "QUERY_STRING": query}
    for name, value in fields.items():
        key = name.upper().replace("-", "_")
        environ[key if key in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{key}"] = value
    return CLIENT.open(Request(environ))


@many
@given(path=st.sampled_from(POSTED), body=bodies, kind=st.sampled_from([JSON, NDJSON]))
def test_no_body_gets_a_500(path: str, body: bytes, kind: str) -> None:
    assert_answered(post(path, body, kind))


@many
@given(
    path=st.sampled_from([*POSTED, "/v1", "/problems/busy", "/livez", "/nowhere"]),
    method=st.sampled_from(["GET", "HEAD", "POST", "OPTIONS", "DELETE", "X"]),
    fields=headers,
)
def test_no_header_gets_a_500(path: str, method: str, fields: dict[str, str]) -> None:
    raw = json.dumps(ROLL).encode()
    fields = {"Content-Type": JSON, **fields}
    assert_answered(send(path, method, "card=bonus-200&roll=123466", raw, fields))


@many
@given(
    path=st.lists(
        st.sampled_from(["/", "v1", "games", "tutto", "rules", "T1.1", "rulesets", "problems", "%"])
        | values,
        max_size=8,
    ),
    method=st.sampled_from(["GET", "HEAD", "POST", "OPTIONS"]),
)
def test_no_path_gets_a_500(path: list[str], method: str) -> None:
    assert_answered(send("".join(path), method, "", b"", {}))


@many
@given(
    pairs=st.lists(
        st.tuples(
            fields | values,
            st.sampled_from(
                ["", "1", "15", "1,5", "-", ",", "%", "%zz", "%00", "0,0", *WORDS.split()]
            )
            | values,
        ),
        max_size=6,
    )
)
def test_no_query_gets_a_500(pairs: list[tuple[str, str]]) -> None:
    query = "&".join(f"{name}={value}" for name, value in pairs)
    assert_answered(send(ADJUDICATIONS, "GET", query, b"", {}))


@pytest.mark.long
@many
@given(lines=st.lists(bodies, max_size=5))
def test_every_line_of_a_batch_gets_an_answer(lines: list[bytes]) -> None:
    response = post(BATCH, b"\n".join(lines), NDJSON)
    assert response.status_code == 200
    questions = [line for line in b"\n".join(lines).split(b"\n") if line.strip()]
    answers: list[Any] = [json.loads(line) for line in response.get_data().splitlines()]
    assert len(answers) == len(questions)
    for answer in answers:
        if "type" in answer:
            code = answer["type"].removeprefix("/problems/")
            assert_problem_document(answer, code, answer["status"])
