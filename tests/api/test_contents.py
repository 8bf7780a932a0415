"""Limits on the contents of a body, checked on its bytes before parsing."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from dice_referee.api import documents, parsing
from dice_referee.games import catalogue
from dice_referee.games.cases import case_table
from dice_referee.rulebook.errors import ImpossiblePosition
from tests.application import ADJUDICATIONS, BATCH, GAMES, NDJSON, TRANSITIONS, post, problem

LISTS = b"[[[[]]]]"
ESCAPES = b'{"\\u0061":1,"b":[[]],"c":{}}'
HOSTILE = {
    "lists": lambda: batch(LISTS, 700_000),
    "escapes": lambda: batch(ESCAPES, 260_000),
    "objects": lambda: batch(b"{}", 2_700_000),
    "numbers": lambda: batch(b"1", 4_000_000),
    "depth": lambda: b"[" * 4_000_000 + b"]" * 4_000_000,
}
"""Functions that build megabytes of a batch."""
LINES = {
    "empty": lambda: b"\n" * 8_000_000,
    "lists, then empty": lambda: LISTS + b"\n" * 700_000,
    "lists": lambda: LISTS * 1_000_000,
}


def batch(position: bytes, number: int) -> bytes:
    return b'{"positions":[' + b",".join([position] * number) + b"]}"


@pytest.fixture
def no_parsing(monkeypatch: pytest.MonkeyPatch) -> None:
    def parse(_: bytes) -> Any:
        raise AssertionError("the body was parsed")

    monkeypatch.setattr(parsing, "read_json", parse)


@pytest.mark.parametrize("name", HOSTILE)
def test_oversized_batch_is_refused_before_parsing(no_parsing: None, name: str) -> None:
    problem(post(BATCH, HOSTILE[name]()), "too-large", 413)


@pytest.mark.parametrize("name", LINES)
def test_oversized_lines_are_refused_before_parsing(no_parsing: None, name: str) -> None:
    problem(post(BATCH, LINES[name](), NDJSON), "too-large", 413)


@pytest.mark.parametrize("path", [ADJUDICATIONS, TRANSITIONS])
def test_single_question_is_limited_to_the_size_of_a_position(no_parsing: None, path: str) -> None:
    for raw in (b"[" * 2000, b"{}," * 2000, b"1," * 7000):
        problem(post(path, raw), "too-large", 413)


def test_log_is_limited_by_its_number_of_events(no_parsing: None) -> None:
    problem(post(GAMES, LISTS * 50_000), "too-large", 413)


def parts(value: Any) -> Iterator[Any]:
    """Yields a value and every list and object inside."""
    yield value
    for part in value.values() if isinstance(value, dict) else value:
        if isinstance(part, dict | list):
            yield from parts(part)


def is_position(name: str, document: Any) -> bool:
    """Returns False for other documents, and for turns that are over."""
    try:
        return not catalogue()[name].schemas.position.errors(document)
    except ImpossiblePosition:
        return False


@pytest.mark.parametrize("name", catalogue())
def test_cases_stay_far_below_the_content_limits(name: str) -> None:
    nodes = list(parts([[case.request, case.expect] for case in case_table(name).cases]))
    samples = [node for node in nodes if is_position(name, node)]
    samples += [event for node in nodes if isinstance(node, dict) for event in node.get("log", ())]
    assert len(samples) > 50
    for sample in samples:
        text = json.dumps(sample)
        assert (text.count("[") + text.count("{")) * 1.5 < documents.LISTS_PER_ENTRY
        assert text.count(",") * 1.5 < documents.COMMAS_PER_ENTRY


def test_body_at_the_content_limit_is_parsed() -> None:
    """Expects a body at the limit to be parsed, and an additional comma to be too large."""
    entries = 1 + documents.SPARE_ENTRIES
    lists, commas = entries * documents.LISTS_PER_ENTRY, entries * documents.COMMAS_PER_ENTRY
    raw = b"[" + b"[]," * (lists - 2) + b"1," * (commas - lists + 2) + b"[]]"
    problem(post(ADJUDICATIONS, raw), "invalid-request", 400)
    problem(post(ADJUDICATIONS, raw.replace(b"1,", b"1,1,", 1)), "too-large", 413)
