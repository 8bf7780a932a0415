"""Odds of Yatzee and POT by all their ways: each case posted, asked by query, and in a batch."""

import json
from typing import Any
from urllib.parse import urlencode

import pytest

from service.games.cases import case_table
from tests.api.asking import NDJSON, errors, get, post, problem

GAMES = ("pot", "yatzee")
CASES = [
    (game, case.request, case.status)
    for game in GAMES
    for case in case_table(game).cases
    if case.resource == "odds"
]
RUNS = ("dice", "held")
"""Lists that a query has without commas."""


def query_of(document: dict[str, Any]) -> str:
    """The query that stands for this position."""
    fields = {name: value for name, value in document.items() if name != "options"}
    return urlencode(
        {name: text(name, value) for name, value in (fields | options(document)).items()}
    )


def options(document: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = document.get("options", {})
    return found


def text(name: str, value: Any) -> str:
    if isinstance(value, list):
        return ("" if name in RUNS else ",").join(map(str, value))
    if isinstance(value, dict):
        return ",".join(f"{key}:{one}" for key, one in value.items())
    return json.dumps(value).strip('"')


@pytest.mark.parametrize(("game", "document", "status"), CASES)
def test_get_and_post_give_the_same_odds(game: str, document: dict[str, Any], status: int) -> None:
    asked = get(f"/v1/{game}/odds?{query_of(document)}")
    assert asked.status_code == status
    assert asked.get_data() == post(f"/v1/{game}/odds", document).get_data()
    if status == 200:
        etag = asked.headers["ETag"]
        again = get(f"/v1/{game}/odds?{query_of(document)}", If_None_Match=etag)
        assert again.status_code == 304


@pytest.mark.parametrize("game", GAMES)
def test_each_answer_of_a_batch_is_the_single_answer_or_problem_in_order(game: str) -> None:
    positions: list[Any] = [document for owner, document, _ in CASES if owner == game]
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
