"""Batches: each position gets its single answer, in order."""

import json
from typing import Any

import pytest

from tests.application import (
    ADJUDICATIONS,
    BATCH,
    IMPOSSIBLE,
    JSON,
    NDJSON,
    ROLL,
    TEXT,
    assert_problem_document,
    errors,
    post,
    problem,
)

OTHER: dict[str, Any] = {"card": "clover", "roll": [2, 3, 4, 4, 6, 6]}
MIXED: list[tuple[Any, int]] = [
    (ROLL, 200),
    (IMPOSSIBLE, 422),
    (OTHER, 200),
    ({"card": "x"}, 400),
    ({**ROLL, "phase": "over"}, 422),
    (None, 400),
    ([], 400),
    ("roll", 400),
    (1.5, 400),
    (ROLL, 200),
]


def single(document: Any) -> bytes:
    return post(ADJUDICATIONS, document).get_data()


def test_batch_answers_equal_single_answers_in_order() -> None:
    response = post(BATCH, {"positions": [document for document, _ in MIXED]})
    assert response.status_code == 200
    assert response.headers["Content-Type"] == JSON
    expected = b'{"answers":[' + b",".join(single(document) for document, _ in MIXED) + b"]}"
    assert response.get_data() == expected


def test_batch_lines_equal_single_answers_in_order() -> None:
    lines = [json.dumps(document).encode() for document, _ in MIXED]
    response = post(BATCH, b"\n".join(lines), NDJSON)
    assert response.status_code == 200
    assert response.headers["Content-Type"] == NDJSON
    assert response.headers["Cache-Control"] == "no-store"
    assert "ETag" not in response.headers
    assert response.get_data() == b"".join(single(document) + b"\n" for document, _ in MIXED)


def test_pointers_in_a_batch_are_relative_to_the_position() -> None:
    answer = post(BATCH, {"positions": [ROLL, {**ROLL, "x": 1}]}).get_json()["answers"][1]
    assert [error["pointer"] for error in answer["errors"]] == ["/x"]


@pytest.mark.parametrize("end", [b"", b"\n", b"\r\n", b"\n\n\n", b"\n \t\r\n"])
def test_empty_lines_are_skipped(end: bytes) -> None:
    line = json.dumps(ROLL).encode()
    response = post(BATCH, b"\n\r\n  \n" + line + b"\r\n\n" + line + end, NDJSON)
    assert response.get_data() == (single(ROLL) + b"\n") * 2


def test_empty_batch_has_no_answers() -> None:
    assert post(BATCH, {"positions": []}).get_data() == b'{"answers":[]}'
    response = post(BATCH, b"\n\n", NDJSON)
    assert response.status_code == 200
    assert response.get_data() == b""


def test_batch_is_limited_to_ten_thousand_positions() -> None:
    assert len(post(BATCH, {"positions": [ROLL] * 10_000}).get_json()["answers"]) == 10_000
    document = problem(post(BATCH, {"positions": [ROLL] * 10_001}), "too-large", 413)
    assert "10,000 positions" in document["detail"]
    problem(post(BATCH, {"positions": [1] * 10_001, "x": 1}), "too-large", 413)


def test_batch_is_limited_to_ten_thousand_lines() -> None:
    line = json.dumps(ROLL).encode() + b"\n\n"
    assert post(BATCH, line * 10_000, NDJSON).get_data().count(b"\n") == 10_000
    problem(post(BATCH, line * 10_001, NDJSON), "too-large", 413)
    problem(post(BATCH, b"{\n" * 10_001, NDJSON), "too-large", 413)


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ([ROLL], [("", "wrong-type")]),
        (
            ROLL,
            [
                ("/card", "unknown-field"),
                ("/positions", "missing-field"),
                ("/roll", "unknown-field"),
            ],
        ),
        ({}, [("/positions", "missing-field")]),
        ({"positions": ROLL}, [("/positions", "wrong-type")]),
        ({"positions": None}, [("/positions", "wrong-type")]),
        ({"positions": [], "x": 1}, [("/x", "unknown-field")]),
    ],
)
def test_invalid_batch_is_refused_whole(document: Any, expected: list[tuple[str, str]]) -> None:
    assert errors(post(BATCH, document)) == expected


def test_malformed_batch_is_refused_whole() -> None:
    problem(post(BATCH, b'{"positions": [{]}'), "malformed-json", 400)


def test_batch_answers_in_the_format_of_its_body() -> None:
    problem(post(BATCH, b"{}", NDJSON, Accept=JSON), "not-acceptable", 406)
    problem(post(BATCH, {"positions": []}, Accept=NDJSON), "not-acceptable", 406)
    assert post(BATCH, b"{}", NDJSON, Accept=NDJSON).status_code == 200


def test_lines_have_the_depth_limit_of_bodies() -> None:
    lines = post(BATCH, b"[" * 16 + b"]" * 16 + b"\n" + b"[" * 17 + b"]" * 17, NDJSON)
    first, second = map(json.loads, lines.get_data().splitlines())
    assert_problem_document(first, "invalid-request", 400)
    assert_problem_document(second, "malformed-json", 400)


def test_refused_batch_answer_is_under_ten_times_its_request() -> None:
    position = {f"{number:x}": 1 for number in range(100)}
    raw = json.dumps({"positions": [position] * 1000}).encode()
    assert len(post(BATCH, raw).get_data()) < 10 * len(raw)


@pytest.mark.parametrize("number", [99, 100, 101, 450, 3000])
def test_batch_answer_is_the_same_whole_and_streamed(number: int) -> None:
    position = {"card": "straight", "roll": [1, 2, 3, 4, 5, 6]}
    documents = ([position, OTHER] * number)[:number]
    answers = ([single(position), single(OTHER)] * number)[:number]
    response = post(BATCH, {"positions": documents})
    assert ("Content-Length" in response.headers) == (number < 200)
    assert response.get_data() == b'{"answers":[' + b",".join(answers) + b"]}"


def paragraph(document: Any) -> bytes:
    return post(ADJUDICATIONS, document, Accept=TEXT).get_data()


@pytest.mark.parametrize("media_type", [JSON, NDJSON])
def test_batch_text_joins_the_single_texts_in_order(media_type: str) -> None:
    lines = [json.dumps(document) for document, _ in MIXED]
    raw = "\n".join(lines) if media_type == NDJSON else f'{{"positions":[{",".join(lines)}]}}'
    response = post(BATCH, raw.encode(), media_type, Accept=TEXT)
    assert response.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert response.headers["Content-Language"] == "en"
    assert response.headers["Vary"] == "Accept, Accept-Language"
    paragraphs = [
        b"Position %d:\n" % number + paragraph(document)
        for number, (document, _) in enumerate(MIXED, 1)
    ]
    assert response.get_data() == b"\n".join(paragraphs)


def test_batch_text_reports_malformed_lines() -> None:
    text = post(BATCH, b"{\n" + json.dumps(ROLL).encode(), NDJSON, Accept=TEXT).get_data()
    assert text.startswith(b"Position 1:\nMalformed JSON.\n")
    assert text.endswith(b"\n\nPosition 2:\n" + paragraph(ROLL))


def test_batch_text_is_streamed() -> None:
    response = post(BATCH, {"positions": [ROLL] * 1000}, Accept=TEXT)
    assert "Content-Length" not in response.headers
    pieces = list(response.response)
    assert len(pieces) == 10
    assert b"\n\nPosition 1000:\n" in pieces[-1]
    assert post(BATCH, {"positions": []}, Accept=TEXT).get_data() == b""
