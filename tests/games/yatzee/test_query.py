"""The GET form of a position, and the words of the catalogue."""

from typing import Any

import pytest

from tests.games.yatzee.table import SHEET
from tests.games.yatzee.test_table import CLIENT

ASK = "/v1/yatzee/adjudications?"


def test_a_query_stands_for_a_position() -> None:
    asked = CLIENT.get(
        ASK + "dice=445444&throw=1&scorecard=fives:15,royal:0&phase=choose&ruleset=yatzee-six"
        "&distinct_faces=false&upper_bonus=35&upper_threshold=63&throw_bonus=20,10,0"
    )
    position = {
        "ruleset": "yatzee-six",
        "options": {
            "distinct_faces": False,
            "upper_bonus": 35,
            "upper_threshold": 63,
            "throw_bonus": [20, 10, 0],
        },
        "dice": [4, 4, 5, 4, 4, 4],
        "throw": 1,
        "scorecard": {"fives": 15, "royal": 0},
        "phase": "choose",
    }
    assert asked.status_code == 200
    assert asked.data == CLIENT.post("/v1/yatzee/adjudications", json=position).data
    assert asked.get_json()["options"] == position["options"]
    again = CLIENT.get(asked.request.full_path, headers={"If-None-Match": asked.headers["ETag"]})
    assert again.status_code == 304


@pytest.mark.parametrize(
    ("query", "code", "pointer"),
    [
        ("dice=123456&throw=1&scorecard=fives:15,fives:15", "malformed-value", "/scorecard"),
        ("dice=123456&throw=1&scorecard=fives", "malformed-value", "/scorecard"),
        ("dice=123456&throw=1&scorecard=fives:", "malformed-value", "/scorecard"),
        ("dice=123456&throw=1&scorecard=:15", "malformed-value", "/scorecard"),
        ("dice=123456&throw=1&scorecard=fives:15,", "malformed-value", "/scorecard"),
        ("dice=123456&throw=1&scorecard=fives:1:5", "malformed-value", "/scorecard"),
        ("dice=123456&throw=1&scorecard=", "empty-parameter", "/scorecard"),
        ("dice=123456&throw=1&scorecard=bonus:50", "unknown-field", "/scorecard/bonus"),
        ("dice=123456&throw=1&scorecard=fives:1001", "out-of-range", "/scorecard/fives"),
        ("dice=123456&throw=1&throw_bonus=10,5", "wrong-length", "/options/throw_bonus"),
        ("dice=123456&throw=1&throw_bonus=10,5,x", "malformed-value", "/options/throw_bonus"),
        ("dice=123456&throw=1&distinct_faces=no", "malformed-value", "/options/distinct_faces"),
        ("dice=123456&throw=4", "out-of-range", "/throw"),
        ("dice=123456", "missing-field", "/throw"),
        ("throw=1", "missing-field", "/dice"),
        ("dice=123456&throw=1&held=12", "unknown-field", "/held"),
        ("dice=1234567&throw=1", "wrong-length", "/dice"),
    ],
)
def test_what_is_no_position_is_refused_where_it_is_wrong(
    query: str, code: str, pointer: str
) -> None:
    asked = CLIENT.get(ASK + query)
    assert asked.status_code == 400
    found = [(error["code"], error["pointer"]) for error in asked.get_json()["errors"]]
    assert found == [(code, pointer)]


def test_an_impossible_query_points_into_its_position() -> None:
    asked = CLIENT.get(ASK + "dice=12345&throw=1&scorecard=fives:7")
    assert asked.status_code == 422
    found = [(f["code"], f["pointer"]) for f in asked.get_json()["findings"]]
    assert found == [("wrong-number-of-dice", "/dice"), ("impossible-points", "/scorecard/fives")]


def words(path: str, language: str) -> Any:
    answer = CLIENT.get(path, headers={"Accept-Language": language})
    assert answer.headers["Content-Language"] == language
    return answer.get_json()


def test_categories_have_the_terms_of_the_danish_card() -> None:
    danish = [piece["title"] for piece in words("/v1/games/yatzee", "da")["categories"]]
    assert danish == [
        *("Enere", "Toere", "Treere", "Firere", "Femmere", "Seksere"),
        *("1 par", "2 par", "3 par", "3 ens", "4 ens", "2 x 3 ens"),
        *("Lille straight", "Store straight", "Royal", "Hus", "Chance", "Yatzee"),
    ]


def test_what_the_danish_card_lacks_is_said_in_english() -> None:
    danish, english = (words("/v1/games/yatzee", language) for language in ("da", "en"))
    assert danish["description"] == english["description"]
    assert danish["options"] == english["options"]


def test_categories_have_the_german_names_of_the_instructions() -> None:
    german = {p["id"]: p["title"] for p in words("/v1/games/yatzee", "de")["categories"]}
    assert list(german) == list(SHEET)
    assert german["small-straight"] == "Kleine Straße"
    assert german["two-triples"] == "2 x 3 Gleiche"
    assert german["house"] == "Haus"


def test_the_throw_bonus_is_catalogued_as_a_list() -> None:
    ruleset = words("/v1/games/yatzee/rulesets/yatzee-six", "en")
    options = {option["option"]: option for option in ruleset["options"]}
    assert [options[name]["value"] for name in options] == [True, 50, 84, [10, 5, 0]]
    assert options["throw_bonus"]["length"] == 3
    assert (options["throw_bonus"]["minimum"], options["throw_bonus"]["maximum"]) == (0, 100)
    assert options["upper_bonus"]["length"] is None
