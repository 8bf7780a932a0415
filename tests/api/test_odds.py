"""Odds of Yatzee and POT in a batch, and requests for odds that are refused."""

import json
from typing import Any

import pytest

from service.games.cases import case_table
from tests.api.asking import NDJSON, errors, post, problem

GAMES = ("pot", "yatzee")
CASES = [
    (game, case.request)
    for game in GAMES
    for case in case_table(game).cases
    if case.resource == "odds"
]


@pytest.mark.parametrize("game", GAMES)
def test_each_answer_of_a_batch_is_the_single_answer_or_problem_in_order(game: str) -> None:
    positions: list[Any] = [document for owner, document in CASES if owner == game]
    positions[1:1] = [None, {"dice": "x"}]
    singles = [post(f"/v1/{game}/odds", document).get_data() for document in positions]
    batch = post(f"/v1/{game}/odds/batch", {"positions": positions})
    assert batch.status_code == 200
    assert batch.get_data() == b'{"answers":[' + b",".join(singles) + b"]}"
    lines = post(f"/v1/{game}/odds/batch", "\n".join(map(json.dumps, positions)).encode(), NDJSON)
    assert lines.get_data() == b"".join(single + b"\n" for single in singles)


def test_dice_that_lie_there_need_their_throw() -> None:
    answer = post("/v1/yatzee/odds", {"dice": [1, 2, 3, 4, 5, 6]})
    (finding,) = problem(answer, "impossible-position", 422)["findings"]
    assert (finding["code"], finding["pointer"]) == ("throw-missing", "/throw")


def test_requests_are_closed() -> None:
    assert errors(post("/v1/yatzee/odds", {"event": {"type": "throw"}})) == [
        ("/event", "unknown-field")
    ]
