"""Odds of Yatzee and POT in a batch, and refused requests for odds."""

import json
from typing import Any

import pytest

from dice_referee.games.cases import case_table
from tests.application import NDJSON, TEXT, errors, get, post, problem

GAMES = ("pot", "yatzee")
CASES = [
    (game, case.request)
    for game in GAMES
    for case in case_table(game).cases
    if case.resource == "odds"
]


@pytest.mark.parametrize("game", GAMES)
def test_batch_answers_equal_single_answers_in_order(game: str) -> None:
    positions: list[Any] = [document for owner, document in CASES if owner == game]
    positions[1:1] = [None, {"roll": "x"}]
    singles = [post(f"/v1/{game}/odds", document).get_data() for document in positions]
    batch = post(f"/v1/{game}/odds/batch", {"positions": positions})
    assert batch.status_code == 200
    assert batch.get_data() == b'{"answers":[' + b",".join(singles) + b"]}"
    lines = post(f"/v1/{game}/odds/batch", "\n".join(map(json.dumps, positions)).encode(), NDJSON)
    assert lines.get_data() == b"".join(single + b"\n" for single in singles)


def test_odds_of_a_roll_need_rolls_made() -> None:
    answer = post("/v1/yatzee/odds", {"roll": [1, 2, 3, 4, 5, 6]})
    (finding,) = problem(answer, "impossible-position", 422)["findings"]
    assert (finding["code"], finding["pointer"]) == ("rolls-made-missing", "/rolls_made")


def test_odds_request_refuses_unknown_fields() -> None:
    assert errors(post("/v1/yatzee/odds", {"event": {"type": "roll"}})) == [
        ("/event", "unknown-field")
    ]


def test_batch_mixes_different_aims() -> None:
    last = {"aim": "game", "roll": [1, 2, 3, 4, 5, 6], "rolls_made": 3}
    positions = [{"roll": [1], "rolls_made": 3}, last, {**last, "aim": "category"}]
    answers = post("/v1/yatzee/odds/batch", {"positions": positions}).get_json()["answers"]
    assert [answer.get("status") for answer in answers] == [422, None, None]
    assert answers[1]["game"]["value"] > 300
    assert answers[2]["game"] is None


@pytest.mark.parametrize("language", ["en", "de", "fr", "it"])
def test_text_of_odds_lists_the_best_choice_of_the_game_first(language: str) -> None:
    question = {"aim": "game", "roll": [3, 3, 3, 3, 6, 6], "rolls_made": 1}
    answer = post("/v1/yatzee/odds", question, Accept=TEXT, Accept_Language=language)
    _, best, heading, first, *_ = answer.get_data(as_text=True).splitlines()
    number = "362.5" if language == "en" else "362,5"
    assert number in best
    assert "3 3 3 3" in best
    assert "(O15)" in best
    assert heading.endswith(":")
    assert first.startswith(number)
    start = post("/v1/yatzee/odds", {"aim": "game"}, Accept=TEXT, Accept_Language=language)
    assert start.get_data(as_text=True).count("(O15)") == 1


FAR_APART = {"aim": "win", "scores": [60000, 0], "player": 1, "ruleset": "braillespiel"}
"""A last turn that needs a value table of 60,050 points."""


def test_scores_too_far_apart_are_refused_with_a_reason() -> None:
    asked_by_query = get("/v1/tutto/odds?aim=win&scores=60000,0&player=1&ruleset=braillespiel")
    batch = post("/v1/tutto/odds/batch", {"positions": [FAR_APART, {}]}).get_json()["answers"]
    for answer in (asked_by_query, post("/v1/tutto/odds", FAR_APART)):
        assert answer.status_code == 413
        assert answer.get_json() == batch[0]
        assert "more than 20,000 points" in answer.get_json()["detail"]
    assert batch[1]["value"] > 0


def test_scores_far_apart_have_odds_with_aim_points() -> None:
    assert post("/v1/tutto/odds", {**FAR_APART, "aim": "points"}).status_code == 200
