"""The case tables over HTTP: whole, or filtered by a rule."""

import gzip
import json

import pytest

from dice_referee.api.headers import CACHEABLE
from dice_referee.games import catalogue
from tests.application import errors, get, problem
from tests.programs import PACKAGE

GAMES = PACKAGE / "games"


@pytest.mark.parametrize("game", catalogue())
def test_case_table_equals_its_file(game: str) -> None:
    answer = get(f"/v1/{game}/cases", Accept_Language="de")
    written = json.loads((GAMES / game / "cases.json").read_text("utf-8"))
    assert answer.get_json() == {"game": game, **written}
    assert answer.headers["Cache-Control"] == CACHEABLE
    assert answer.headers["Content-Language"] == "en"


@pytest.mark.parametrize(("game", "rule"), [("tutto", "T5.4"), ("pot", "P1.1"), ("yatzee", "Y3.4")])
def test_rule_filter_returns_exactly_the_cases_of_the_rule(game: str, rule: str) -> None:
    table = get(f"/v1/{game}/cases").get_json()
    excerpt = get(f"/v1/{game}/cases?rule={rule}").get_json()
    assert excerpt["about"] == table["about"]
    assert excerpt["cases"] == [case for case in table["cases"] if rule in case["rules"]]
    assert 0 < len(excerpt["cases"]) < len(table["cases"])


def test_gzip_shrinks_the_case_table_to_a_fifth() -> None:
    path = "/v1/tutto/cases"
    plain, small = get(path), get(path, Accept_Encoding="gzip")
    assert gzip.decompress(small.get_data()) == plain.get_data()
    assert len(small.get_data()) * 5 < len(plain.get_data())
    assert set(small.vary) == {"Accept", "Accept-Encoding", "Accept-Language"}
    assert small.headers["ETag"] != plain.headers["ETag"]
    tag = small.headers["ETag"]
    assert get(path, Accept_Encoding="gzip", If_None_Match=tag).status_code == 304


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("rule=", ("/rule", "empty-parameter")),
        ("rule=T5.4&rule=T5.4", ("/rule", "repeated-parameter")),
        ("number=T5.4", ("/number", "unknown-field")),
        (f"rule={'T' * 41}", ("/rule", "wrong-length")),
    ],
)
def test_invalid_query_is_refused(query: str, expected: tuple[str, str]) -> None:
    assert errors(get(f"/v1/tutto/cases?{query}")) == [expected]


@pytest.mark.parametrize("path", ["tutto/cases?rule=P1.1", "tutto/cases?rule=T0", "chess/cases"])
def test_unknown_rule_or_game_is_a_404(path: str) -> None:
    problem(get(f"/v1/{path}"), "not-found", 404)
