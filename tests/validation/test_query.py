"""A query becomes a document or a list of every error."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dice_referee.rulebook.findings import MOST_ERRORS
from dice_referee.rulebook.ruleset import Option
from dice_referee.validation.fields import Dice, Enumerated, Integer, ListOf, Text, Unreadable
from dice_referee.validation.query import read_query
from dice_referee.validation.schema import Nested, define
from dice_referee.validation.shapes import option_field

NUMBER = Integer(-1000, 1000)
DIE = Integer(1, 9)
OPTIONS = (
    Option("target", "X1", minimum=1, maximum=9),
    Option("flag", "X2", (True, False)),
    Option("choice", "X3", ("a", "b")),
)
SCHEMA = define(
    "Test",
    {
        "word": Text(0, 40),
        "number": NUMBER,
        "dice": Dice(DIE),
        "rows": ListOf(Dice(DIE)),
        "numbers": ListOf(NUMBER),
        "options": Nested(define("Options", {one.name: option_field(one) for one in OPTIONS})),
        "kind": Enumerated("a"),
    },
)


def parsed(raw: bytes) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    document, errors = read_query(raw, SCHEMA)
    return document, [(error.pointer, error.code) for error in errors]


@pytest.mark.parametrize(
    ("raw", "document"),
    [
        (b"", {}),
        (b"word=a", {"word": "a"}),
        (b"word=a=b", {"word": "a=b"}),
        (b"word=a+b%2Bc", {"word": "a b+c"}),
        (b"word=%C3%A4", {"word": "ä"}),
        (b"word=%E4", {"word": "\ufffd"}),
        (b"word=%", {"word": "%"}),
        (b"word=%zz", {"word": "%zz"}),
        (b"%77ord=a", {"word": "a"}),
        (b"number=-150", {"number": -150}),
        (b"number=007", {"number": 7}),
        (b"dice=1255", {"dice": [1, 2, 5, 5]}),
        (b"dice=%31%32", {"dice": [1, 2]}),
        (b"rows=1,222", {"rows": [[1], [2, 2, 2]]}),
        (b"numbers=0,-1000", {"numbers": [0, -1000]}),
        (b"target=3&flag=false&choice=b", {"options": {"target": 3, "flag": False, "choice": "b"}}),
    ],
)
def test_query_is_parsed_into_a_document(raw: bytes, document: dict[str, Any]) -> None:
    assert parsed(raw) == (document, [])


@pytest.mark.parametrize(
    "text", ["", "-", "+1", "1.0", "1e3", " 1", "1 ", "1_0", "²", "\u0661", "9" * 14]
)
def test_malformed_number_is_refused(text: str) -> None:
    with pytest.raises(Unreadable):
        NUMBER.read_text(text)


@settings(max_examples=500, deadline=None, derandomize=True)
@given(raw=st.binary(max_size=40) | st.from_regex(rb"\A([a-z]{1,7}=[-,0-9a]{0,4}&?){0,4}\Z"))
def test_any_query_bytes_yield_values_or_errors(raw: bytes) -> None:
    document, errors = parsed(raw)
    options = document.pop("options", {})
    nothing = [f"/{name}" for name, value in document.items() if value is None]
    nothing += [f"/options/{name}" for name, value in options.items() if value is None]
    assert set(nothing) <= {pointer for pointer, _ in errors}


def test_errors_of_other_parameters_hide_no_named_parameter() -> None:
    raw = b"x=1&" * 100 + b"number=-150&word="
    assert read_query(raw, SCHEMA, ["number"]) == ({"number": -150}, [])
    assert len(read_query(raw, SCHEMA)[1]) == MOST_ERRORS
