"""The GET form of a position, and the words of the catalogue."""

from typing import Any

import pytest

from tests.application import CLIENT
from tests.games.yatzee.random_games import SHEET

ASK = "/v1/yatzee/adjudications?"


@pytest.mark.parametrize(
    ("query", "code", "pointer"),
    [
        ("roll=123456&rolls_made=1&scorecard=fives:15,fives:15", "malformed-value", "/scorecard"),
        ("roll=123456&rolls_made=1&scorecard=fives", "malformed-value", "/scorecard"),
        ("roll=123456&rolls_made=1&scorecard=fives:", "malformed-value", "/scorecard"),
        ("roll=123456&rolls_made=1&scorecard=:15", "malformed-value", "/scorecard"),
        ("roll=123456&rolls_made=1&scorecard=fives:15,", "malformed-value", "/scorecard"),
        ("roll=123456&rolls_made=1&scorecard=fives:1:5", "malformed-value", "/scorecard"),
        ("roll=123456&rolls_made=1&scorecard=", "empty-parameter", "/scorecard"),
        ("roll=123456&rolls_made=1&scorecard=bonus:50", "unknown-field", "/scorecard/bonus"),
        ("roll=123456&rolls_made=1&scorecard=fives:1001", "out-of-range", "/scorecard/fives"),
        ("roll=123456&rolls_made=1&throw_bonus=10,5", "wrong-length", "/options/throw_bonus"),
        ("roll=123456&rolls_made=1&throw_bonus=10,5,x", "malformed-value", "/options/throw_bonus"),
        (
            "roll=123456&rolls_made=1&distinct_faces=no",
            "malformed-value",
            "/options/distinct_faces",
        ),
        ("roll=123456&rolls_made=4", "out-of-range", "/rolls_made"),
        ("roll=123456", "missing-field", "/rolls_made"),
        ("rolls_made=1", "missing-field", "/roll"),
        ("roll=123456&rolls_made=1&held=12", "unknown-field", "/held"),
        ("roll=1234567&rolls_made=1", "wrong-length", "/roll"),
    ],
)
def test_invalid_position_is_refused_at_its_pointer(query: str, code: str, pointer: str) -> None:
    answer = CLIENT.get(ASK + query)
    assert answer.status_code == 400
    errors = [(error["code"], error["pointer"]) for error in answer.get_json()["errors"]]
    assert errors == [(code, pointer)]


def words(path: str, language: str) -> Any:
    answer = CLIENT.get(path, headers={"Accept-Language": language})
    assert answer.headers["Content-Language"] == language
    return answer.get_json()


def test_categories_have_the_danish_terms() -> None:
    danish = [piece["title"] for piece in words("/v1/yatzee", "da")["categories"]]
    assert danish == [
        *("Enere", "Toere", "Treere", "Firere", "Femmere", "Seksere"),
        *("1 par", "2 par", "3 par", "3 ens", "4 ens", "2 x 3 ens"),
        *("Lille straight", "Store straight", "Royal", "Hus", "Chance", "Yatzee"),
    ]


def test_words_without_danish_are_english() -> None:
    danish, english = (words("/v1/yatzee", language) for language in ("da", "en"))
    assert danish["description"] == english["description"]
    assert danish["options"] == english["options"]


def test_categories_have_the_german_terms() -> None:
    german = {p["id"]: p["title"] for p in words("/v1/yatzee", "de")["categories"]}
    assert list(german) == list(SHEET)
    assert german["small-straight"] == "Kleine Straße"
    assert german["two-triples"] == "2 × 3 Gleiche"
    assert german["house"] == "Haus"
