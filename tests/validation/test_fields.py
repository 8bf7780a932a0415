"""Fields of schemas accept valid values and report every error, in the order of the document."""

from collections.abc import Iterable
from typing import Any

import pytest

from dice_referee.games import catalogue
from dice_referee.validation.fields import Dice, Enumerated, Integer, ListOf, Nullable, Text
from dice_referee.validation.query import read_query
from dice_referee.validation.schema import Nested, define

SCHEMA = define(
    "Test",
    {
        "card": Enumerated("stop", "clover", required=True),
        "roll": Dice(Integer(1, 6), maximum=6, required=True),
        "keeps": ListOf(Dice(Integer(1, 6)), minimum=1),
        "carried": Integer(0, 1000, step=50),
        "holder": Nullable(Integer(0, 4)),
        "inner": Nested(define("Inner", {"a": Integer(0, 9, required=True)})),
    },
)
RIGHT: dict[str, Any] = {"card": "stop", "roll": [1, 6]}


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"roll": []},
        {"roll": [2, 6]},
        {"keeps": [[], [1]]},
        {"carried": 150, "holder": None},
        {"holder": 4, "inner": {"a": 0}},
    ],
)
def test_values_valid_in_json_schema_are_accepted(more: dict[str, Any]) -> None:
    assert SCHEMA.errors(RIGHT | more) == []


@pytest.mark.parametrize(
    ("more", "errors"),
    [
        ({"card": 1}, [("/card", "wrong-type")]),
        ({"card": "x"}, [("/card", "not-a-choice")]),
        ({"roll": [True, 7, 1.5]}, [(f"/roll/{i}", code) for i, code in enumerate(
            ("wrong-type", "out-of-range", "wrong-type"))]),
        ({"roll": [1] * 7}, [("/roll", "wrong-length")]),
        ({"roll": {}}, [("/roll", "wrong-type")]),
        ({"roll": [10**30]}, [("/roll/0", "out-of-range")]),
        ({"keeps": []}, [("/keeps", "wrong-length")]),
        ({"keeps": [[1], [0]]}, [("/keeps/1/0", "out-of-range")]),
        ({"carried": 30}, [("/carried", "not-a-multiple")]),
        ({"carried": None}, [("/carried", "wrong-type")]),
        ({"inner": []}, [("/inner", "wrong-type")]),
        ({"inner": {"b": 1}}, [("/inner/a", "missing-field"), ("/inner/b", "unknown-field")]),
    ],
)  # fmt: skip
def test_schema_reports_every_error_at_its_pointer(
    more: dict[str, Any], errors: list[tuple[str, str]]
) -> None:
    assert [(error.pointer, error.code) for error in SCHEMA.errors(RIGHT | more)] == errors


@pytest.mark.parametrize(
    ("form", "own"),
    [("ascii", map(chr, range(ord(" "), ord("~") + 1))), ("hex", "0123456789abcdef")],
)
def test_text_accepts_only_characters_of_its_form(form: str, own: Iterable[str]) -> None:
    known, right = set(own), "a0"
    field = Text(1, 3, form)
    for character in map(chr, range(0x3000)):
        for place in range(len(right) + 1):
            text = right[:place] + character + right[place:]
            assert (not field.field_errors(text)) is (character in known), (text, place)


def test_errors_of_declared_fields_precede_unknown_fields() -> None:
    names = [f"x{number}" for number in range(40)]
    errors = SCHEMA.errors({**dict.fromkeys(names), "roll": 1}, "/at")
    assert [error.pointer for error in errors] == [
        "/at/card",
        "/at/roll",
        *(f"/at/{n}" for n in names),
    ]


def test_true_is_no_die_of_1() -> None:
    assert SCHEMA.errors({"card": "stop", "roll": [1, 1]}) == []
    assert [error.pointer for error in SCHEMA.errors({"card": "stop", "roll": [1, True]})] == [
        "/roll/1"
    ]


@pytest.mark.parametrize("document", [None, [], "x", 1])
def test_non_object_is_refused_at_the_root(document: Any) -> None:
    assert [(error.pointer, error.code) for error in SCHEMA.errors(document)] == [
        ("", "wrong-type")
    ]


@pytest.mark.parametrize("game", catalogue())
def test_query_values_are_validated_by_the_schema(game: str) -> None:
    _, errors = read_query(b"phase=unheard-of&unknown=1", catalogue()[game].schemas.position)
    codes = {error.pointer: error.code for error in errors}
    assert codes["/phase"] == "not-a-choice"
    assert codes["/unknown"] == "unknown-field"
    assert "missing-field" in codes.values()
