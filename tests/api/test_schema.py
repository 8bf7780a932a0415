"""Requests that violate the schema: the refusal names every error with its exact place."""

from typing import Any

import pytest

from tests.application import (
    ADJUDICATIONS,
    GAMES,
    IMPOSSIBLE,
    TRANSITIONS,
    errors,
    get,
    post,
    problem,
)

Errors = list[tuple[str, str]]

ALL = {"ruleset": "abacus-2013", "card": "bonus-200", "roll": [1, 2, 3, 4, 6, 6]}

POSITIONS: list[tuple[Any, Errors]] = [
    ([], [("", "wrong-type")]),
    ("roll", [("", "wrong-type")]),
    (1, [("", "wrong-type")]),
    (None, [("", "wrong-type")]),
    (True, [("", "wrong-type")]),
    ({}, [("/card", "missing-field"), ("/roll", "missing-field")]),
    ({"card": "bonus-200"}, [("/roll", "missing-field")]),
    ({**ALL, "card": None}, [("/card", "wrong-type")]),
    ({**ALL, "card": "stopp"}, [("/card", "not-a-choice")]),
    ({**ALL, "card": "Bonus-200"}, [("/card", "not-a-choice")]),
    ({**ALL, "ruleset": "x"}, [("/ruleset", "not-a-choice")]),
    ({**ALL, "roll": {"0": 1}}, [("/roll", "wrong-type")]),
    ({**ALL, "roll": [1] * 7}, [("/roll", "wrong-length")]),
    ({**ALL, "roll": [True]}, [("/roll/0", "wrong-type")]),
    ({**ALL, "roll": [1, 1.5]}, [("/roll/1", "wrong-type")]),
    ({**ALL, "roll": [7.0]}, [("/roll/0", "out-of-range")]),
    ({**ALL, "roll": [10**300]}, [("/roll/0", "out-of-range")]),
    (
        {**ALL, "roll": [2**63, -(2**63) - 1]},
        [("/roll/0", "out-of-range"), ("/roll/1", "out-of-range")],
    ),
    ({**ALL, "keeps": [[1], [True]]}, [("/keeps/1/0", "wrong-type")]),
    ({**ALL, "keeps": [1]}, [("/keeps/0", "wrong-type")]),
    ({**ALL, "keeps": [[1] * 7]}, [("/keeps/0", "wrong-length")]),
    ({**ALL, "keeps": [[1]] * 7}, [("/keeps", "wrong-length")]),
    ({**ALL, "carried": 30}, [("/carried", "not-a-multiple")]),
    ({**ALL, "carried": -50}, [("/carried", "out-of-range")]),
    ({**ALL, "carried": 1_000_050}, [("/carried", "out-of-range")]),
    ({**ALL, "carried": 50.5}, [("/carried", "wrong-type")]),
    ({**ALL, "tuttos": 1001}, [("/tuttos", "out-of-range")]),
    ({**ALL, "pending_deductions": 1001}, [("/pending_deductions", "out-of-range")]),
    ({**ALL, "scores": [0], "player": 0}, [("/scores", "wrong-length")]),
    ({**ALL, "scores": [0, "0"], "player": 0}, [("/scores/1", "wrong-type")]),
    ({**ALL, "player": 10}, [("/player", "out-of-range")]),
    ({**ALL, "phase": "KEEP"}, [("/phase", "not-a-choice")]),
    ({**ALL, "dice_to_roll": 7}, [("/dice_to_roll", "out-of-range")]),
    ({**ALL, "options": []}, [("/options", "wrong-type")]),
    ({**ALL, "options": {"x": 1}}, [("/options/x", "unknown-field")]),
    ({**ALL, "options": {"target": 49}}, [("/options/target", "out-of-range")]),
    ({**ALL, "options": {"ending": "never"}}, [("/options/ending", "not-a-choice")]),
    (
        {**ALL, "options": {"sits_out_loses_carried": 1}},
        [("/options/sits_out_loses_carried", "wrong-type")],
    ),
    ({**ALL, "": 1}, [("/", "unknown-field")]),
    ({**ALL, "a/b~c": 1}, [("/a~1b~0c", "unknown-field")]),
    ({**ALL, "~1": 1}, [("/~01", "unknown-field")]),
    ({**ALL, "Ä ☃": 1}, [("/Ä ☃", "unknown-field")]),
    ({**ALL, "_schema": 1}, [("/_schema", "unknown-field")]),
    ({**ALL, "{x}": 1}, [("/{x}", "unknown-field")]),
    ({**ALL, "event": {"type": "bank"}}, [("/event", "unknown-field")]),
    (
        {"roll": [1, True, 9], "x": 1, "options": {"y": 1, "target": 1}, "carried": 1},
        [
            ("/card", "missing-field"),
            ("/carried", "not-a-multiple"),
            ("/options/target", "out-of-range"),
            ("/options/y", "unknown-field"),
            ("/roll/1", "wrong-type"),
            ("/roll/2", "out-of-range"),
            ("/x", "unknown-field"),
        ],
    ),
]

TURN = {"card": "bonus-200"}
STEPS: list[tuple[Any, Errors]] = [
    ([], [("", "wrong-type")]),
    ({}, [("/event", "missing-field")]),
    ({**TURN, "event": None}, [("/event", "wrong-type")]),
    ({**TURN, "event": "bank"}, [("/event", "wrong-type")]),
    ({**TURN, "event": {}}, [("/event/type", "missing-field")]),
    (
        {**TURN, "event": {"typ": "keep", "dice": [1]}},
        [("/event/typ", "unknown-field"), ("/event/type", "missing-field")],
    ),
    ({**TURN, "event": {"type": "stop"}}, [("/event/type", "not-a-choice")]),
    ({**TURN, "event": {"type": ["bank"]}}, [("/event/type", "wrong-type")]),
    ({**TURN, "event": {"type": "bank", "dice": [1]}}, [("/event/dice", "unknown-field")]),
    ({**TURN, "event": {"type": "keep"}}, [("/event/dice", "missing-field")]),
    ({**TURN, "event": {"type": "roll", "dice": [1, 0]}}, [("/event/dice/1", "out-of-range")]),
    ({**TURN, "event": {"type": "draw"}}, [("/event/card", "missing-field")]),
    ({**TURN, "event": {"type": "draw", "card": "x"}}, [("/event/card", "not-a-choice")]),
    (
        {"card": 1, "event": {"type": "keep", "dice": 1, "x": 1}},
        [("/card", "wrong-type"), ("/event/dice", "wrong-type"), ("/event/x", "unknown-field")],
    ),
]

TABLE = {"players": ["Ada", "Bob"], "log": []}
LOGS: list[tuple[Any, Errors]] = [
    ({}, [("/log", "missing-field"), ("/players", "missing-field")]),
    ({**TABLE, "players": ["Ada"]}, [("/players", "wrong-length")]),
    ({**TABLE, "players": ["x"] * 11}, [("/players", "wrong-length")]),
    (
        {**TABLE, "players": ["", "x" * 41]},
        [("/players/0", "wrong-length"), ("/players/1", "wrong-length")],
    ),
    ({**TABLE, "players": ["Ada", 1]}, [("/players/1", "wrong-type")]),
    ({**TABLE, "log": {}}, [("/log", "wrong-type")]),
    (
        {**TABLE, "log": [{"type": "bank"}, {"type": "x"}, 1, {"type": "roll", "dice": [True]}]},
        [
            ("/log/1/type", "not-a-choice"),
            ("/log/2", "wrong-type"),
            ("/log/3/dice/0", "wrong-type"),
        ],
    ),
    ({**TABLE, "card": "clover"}, [("/card", "unknown-field")]),
]


@pytest.mark.parametrize(("document", "expected"), POSITIONS)
def test_every_error_of_a_position_has_its_pointer(document: Any, expected: Errors) -> None:
    assert errors(post(ADJUDICATIONS, document)) == expected


@pytest.mark.parametrize(("document", "expected"), STEPS)
def test_every_error_of_a_transition_has_its_pointer(document: Any, expected: Errors) -> None:
    assert errors(post(TRANSITIONS, document)) == expected


@pytest.mark.parametrize(("document", "expected"), LOGS)
def test_every_error_of_a_log_has_its_pointer(document: Any, expected: Errors) -> None:
    assert errors(post(GAMES, document)) == expected


def test_name_length_is_counted_in_characters_not_bytes() -> None:
    assert post(GAMES, {**TABLE, "players": ["Ä" * 40, "☃" * 40]}).status_code == 200


def test_integral_float_counts_as_an_integer() -> None:
    position: dict[str, Any] = {
        "card": "plus-minus",
        "keeps": [[1]],
        "roll": [1, 2, 3, 4, 6],
        "carried": 100,
        "scores": [0, 500],
        "player": 0,
        "dice_to_roll": 5,
        "options": {"target": 3000},
    }
    floats = b"""{"card": "plus-minus", "keeps": [[1.0]], "roll": [1.0, 2, 3e0, 4.00, 6],
        "carried": 1E2, "scores": [-0.0, 5.0e2], "player": 0.0, "dice_to_roll": 5.0,
        "options": {"target": 3000.0}}"""
    plain = post(ADJUDICATIONS, position)
    assert plain.status_code == 200
    assert post(ADJUDICATIONS, floats).get_data() == plain.get_data()


def test_impossible_position_of_valid_shape_is_a_422() -> None:
    document = problem(post(ADJUDICATIONS, IMPOSSIBLE), "impossible-position", 422)
    assert document["errors"] == []
    assert [(f["code"], f["rule"], f["pointer"]) for f in document["findings"]] == [
        ("wrong-number-of-dice", "T1.1", "/roll")
    ]


def test_schema_errors_suppress_findings() -> None:
    document = problem(post(ADJUDICATIONS, {**IMPOSSIBLE, "x": 1}), "invalid-request", 400)
    assert document["findings"] == document["rules"] == []


ENDED_POT = {
    "phase": "over",
    "coins": [24, 3, 2, 4],
    "pot": 0,
    "bank": 22,
    "outcome": {"reason": "most-coins", "winner": 0},
}
OVER: list[tuple[str, Any, str, str]] = [
    ("tutto/adjudications", {**ALL, "phase": "over"}, "T6.1", "/phase"),
    ("tutto/adjudications", {**ALL, "outcome": None}, "T6.1", "/outcome"),
    ("tutto/odds", {"phase": "over", "pile": "x"}, "T6.1", "/phase"),
    ("tutto/transitions", {"phase": "over"}, "T6.1", "/phase"),
    ("tutto/comparisons", {**ALL, "phase": "over", "house": 1}, "T6.1", "/phase"),
    ("yatzee/transitions", {"phase": "over", "event": {"type": "roll"}}, "Y1.2", "/phase"),
    ("pot/transitions", {**ENDED_POT, "event": {"type": "accept"}}, "P5.1", "/phase"),
    ("pot/adjudications", ENDED_POT, "P5.1", "/phase"),
    ("pot/odds", {"outcome": 1}, "P5.1", "/outcome"),
]
"""Turns that are over, with other faults, and the rule and pointer of their refusal."""


@pytest.mark.parametrize(("path", "document", "rule", "pointer"), OVER)
def test_turn_that_is_over_is_no_position(
    path: str, document: Any, rule: str, pointer: str
) -> None:
    refusal = problem(post(f"/v1/{path}", document), "impossible-position", 422)
    assert refusal["errors"] == []
    findings = [(each["code"], each["rule"], each["pointer"]) for each in refusal["findings"]]
    assert findings == [("game-over", rule, pointer)]


def test_query_of_a_turn_that_is_over_is_no_position() -> None:
    refusal = problem(get("/v1/pot/adjudications?phase=over"), "impossible-position", 422)
    assert [each["pointer"] for each in refusal["findings"]] == ["/phase"]


DERIVED: list[tuple[str, Any]] = [
    ("phase", "draw"),
    ("phase", "roll"),
    ("dice_to_roll", 0),
    ("turn_points", 1_010_000),
]
"""Fields of answers with values that contradict the position."""


@pytest.mark.parametrize(("name", "value"), DERIVED)
def test_derived_field_is_not_compared(name: str, value: Any) -> None:
    plain = post(ADJUDICATIONS, ALL)
    assert post(ADJUDICATIONS, {**ALL, name: value}).get_data() == plain.get_data()


def test_refusal_of_many_errors_stays_under_64_kb() -> None:
    fields = {f"{number:x}": 1 for number in range(4000)}
    response = post(ADJUDICATIONS, fields)
    document = problem(response, "invalid-request", 400)
    assert len(response.get_data()) < 1 << 16, f"{len(document['errors'])} errors"
