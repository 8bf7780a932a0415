"""The numbered cases of every game are answered as expected, and cover the whole game."""

import json
import re

import pytest
from flask.testing import FlaskClient

from dice_referee.api.i18n import rulebook
from dice_referee.app import create_app
from dice_referee.check.matching import mismatches
from dice_referee.games import catalogue
from tests.games.sample import published_cases

CASES = published_cases()
SUBJECTS = [*dict.fromkeys((game, case.rules[0]) for game, case in CASES)]
"""Each game with the rule, trap or example that names some of its cases."""


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    return create_app().test_client()


@pytest.mark.parametrize(("game", "rule"), SUBJECTS)
def test_cases_of_a_rule_are_answered_as_expected(
    client: FlaskClient, game: str, rule: str
) -> None:
    wrong = {}
    for owner, case in CASES:
        if (owner, case.rules[0]) == (game, rule):
            assert case.expect, f"{case.id} expects nothing, so it proves nothing"
            answer = client.post(f"/v1/{game}/{case.resource}", json=case.request)
            if answer.status_code != case.status:
                wrong[case.id] = answer.get_json()
            elif differences := mismatches(case.expect, answer.get_json()):
                wrong[case.id] = differences
    assert wrong == {}


@pytest.mark.parametrize("game", catalogue())
class TestCases:
    def test_cases_have_a_unique_id_and_a_comment(self, game: str) -> None:
        game_cases = [case for owner, case in CASES if owner == game]
        assert len({case.id for case in game_cases}) == len(game_cases)
        assert all(case.comment and case.source and case.title for case in game_cases)

    def test_cases_cite_every_rule(self, game: str) -> None:
        cited = {number for owner, case in CASES if owner == game for number in case.rules}
        assert set(rulebook(game).rules) - cited == set()
        assert cited - set(rulebook(game).rules) == set()

    def test_cases_of_odds_cover_every_rule_of_odds(self, game: str) -> None:
        resources = {"odds", "reviews"}
        cases = [case for owner, case in CASES if owner == game and case.resource in resources]
        numbers = {case.rules[0] for case in cases if case.status == 200}
        assert {
            number for number in rulebook(game).rules if number.startswith("O")
        } - numbers == set()

    def test_cases_send_every_option_value(self, game: str) -> None:
        sent: dict[str, set[str]] = {}
        for owner, case in CASES:
            if owner == game:
                for name, value in case.request.get("options", {}).items():
                    sent.setdefault(name, set()).add(json.dumps(value))
        for option in catalogue()[game].options:
            wanted = {json.dumps(value) for value in option.values}
            assert sent.get(option.name), f"no case sends {option.name}"
            assert wanted <= sent[option.name], f"{option.name}: {wanted - sent[option.name]}"

    def test_cases_expect_every_finding_code(self, game: str) -> None:
        game_cases = json.dumps([case.expect for owner, case in CASES if owner == game])
        seen = set(re.findall(r'"code": "([a-z-]+)"', game_cases))
        assert set(rulebook(game).words["findings"]) - seen == set()
