"""Comparison of an expectation with an answer."""

from typing import Any

import pytest

from dice_referee.check.matching import ABSENT, Mismatch, mismatches


@pytest.mark.parametrize(
    ("expected", "answer"),
    [
        ({}, {"a": 1}),
        ({"a": {"b": []}}, {"a": {"b": [], "c": 1}, "d": 2}),
        ({"!a": True}, {"b": 1}),
        ([{"a": 1}], [{"a": 1, "b": 2}]),
        (1, 1.0),
        (365.65018050593994, 365.65018050594),
        (None, None),
    ],
)
def test_additional_fields_match(expected: Any, answer: Any) -> None:
    assert mismatches(expected, answer) == []


@pytest.mark.parametrize(
    ("expected", "answer", "mismatch"),
    [
        ({"a": None}, {}, ("/a", None, ABSENT)),
        ({"!a": True}, {"a": None}, ("/a", ABSENT, None)),
        ({"a": [1, 2]}, {"a": [1]}, ("/a", [1, 2], [1])),
        ({"a": [1, {"b": 2}]}, {"a": [1, {"b": 3}]}, ("/a/1/b", 2, 3)),
        ({"a/b~c": 1}, {"a/b~c": 2}, ("/a~1b~0c", 1, 2)),
        ({"a": {"b": 1}}, {"a": [1]}, ("/a", {"b": 1}, [1])),
        (1, True, ("", 1, True)),
        (0.2170, 0.2171, ("", 0.2170, 0.2171)),
        (False, 0, ("", False, 0)),
        ("1", 1, ("", "1", 1)),
    ],
)
def test_mismatch_has_its_pointer(
    expected: Any, answer: Any, mismatch: tuple[str, Any, Any]
) -> None:
    assert mismatches(expected, answer) == [Mismatch(*mismatch)]


def test_all_mismatches_are_reported() -> None:
    differences = mismatches({"a": 1, "b": {"!c": 0}, "d": [1, 2]}, {"b": {"c": 1}, "d": [2, 1]})
    assert [difference.pointer for difference in differences] == ["/a", "/b/c", "/d/0", "/d/1"]
    assert [difference.document() for difference in differences[:2]] == [
        {"pointer": "/a", "expected": 1},
        {"pointer": "/b/c", "actual": 1},
    ]
