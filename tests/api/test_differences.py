"""Differences between two published rulesets, and the cases that show them."""

from itertools import product
from typing import Any

import pytest

from service.api.headers import CACHEABLE
from service.games import catalogue
from tests.api.asking import errors, get, post, problem

PAIRS = [
    (game, one, two)
    for game, known in catalogue().items()
    for one, two in product(known.rulesets, repeat=2)
]


def differences(game: str, one: str, two: str, language: str = "en") -> dict[str, Any]:
    path = f"/v1/games/{game}/differences?ruleset={one}&ruleset={two}"
    answer = get(path, Accept_Language=language)
    assert answer.status_code == 200
    assert answer.headers["Content-Language"] == language
    assert answer.headers["Cache-Control"] == CACHEABLE
    assert (
        get(path, Accept_Language=language, If_None_Match=answer.headers["ETag"]).status_code == 304
    )
    document: dict[str, Any] = answer.get_json()
    return document


@pytest.mark.parametrize("language", ["en", "de", "fr", "it"])
@pytest.mark.parametrize(("game", "one", "two"), PAIRS)
def test_differences_are_the_options_that_rulesets_disagree_on(
    game: str, one: str, two: str, language: str
) -> None:
    found = differences(game, one, two, language)
    first, second = (
        get(f"/v1/games/{game}/rulesets/{name}", Accept_Language=language).get_json()
        for name in (one, two)
    )
    for summary, whole in zip(found["rulesets"], (first, second), strict=True):
        assert summary == {key: whole[key] for key in summary}
    pairs = zip(first["options"], second["options"], strict=True)
    expected = [(a, b) for a, b in pairs if a["value"] != b["value"]]
    assert len(found["differences"]) == len(expected)
    for told, pair in zip(found["differences"], expected, strict=True):
        assert [told[key] for key in ("option", "title", "rule")] == [
            pair[0][key] for key in ("option", "title", "rule")
        ]
        assert told["values"] == [
            {
                "value": option["value"],
                "title": known(option)["title"] if option["values"] else listed(option["value"]),
                "text": option["text"] or known(option)["text"],
            }
            for option in pair
        ]
        assert all(value["title"] for value in told["values"])


def known(option: dict[str, Any]) -> dict[str, str]:
    """The value of this ruleset among those that can be chosen."""
    [found] = [one for one in option["values"] if one["value"] == option["value"]]
    return dict(found)


def listed(value: Any) -> str:
    """A number, or the numbers of a list with commas between."""
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


@pytest.mark.parametrize(("game", "one", "two"), [pair for pair in PAIRS if pair[1] != pair[2]])
def test_each_is_shown_by_a_case_that_the_two_judge_differently(
    game: str, one: str, two: str
) -> None:
    cases = {case["id"]: case for case in get(f"/v1/games/{game}/cases").get_json()["cases"]}
    found = differences(game, one, two)["differences"]
    # Of the scores in cases about the end of a game some cannot be under a lower target.
    same_target = all(told["option"] != "target" for told in found)
    for told in found:
        shown = told["case"]
        # What a target changes is seen in whole games; a verdict shows it by the way, if at all. So
        # it is of the ending where the targets differ: cases about it have scores near one target.
        if shown is None and not same_target and told["option"] in ("target", "ending"):
            continue
        assert shown is not None, f"no case shows what {told['option']} changes"
        case = cases[shown["id"]]
        assert not same_target or told["rule"] in case["rules"]
        assert (shown["title"], shown["resource"]) == (case["title"], case["resource"])
        assert {**case["request"], **shown["request"]} == case["request"]
        path = f"/v1/{game}/{shown['resource']}"
        answers = [post(path, {**shown["request"], "ruleset": name}) for name in (one, two)]
        assert [answer.get_json() for answer in answers] == shown["verdicts"]
        # With the one option of the other ruleset the first says what the second says.
        changed = {"ruleset": one, "options": {told["option"]: told["values"][1]["value"]}}
        status = post(path, {**shown["request"], **changed})
        assert unnamed(status.get_json()) == unnamed(shown["verdicts"][1])
        assert unnamed(shown["verdicts"][0]) != unnamed(shown["verdicts"][1])


def unnamed(value: Any) -> Any:
    names = {"ruleset", "ruleset_hash", "options"}
    if isinstance(value, dict):
        return {key: unnamed(one) for key, one in value.items() if key not in names}
    if isinstance(value, list):
        return [unnamed(one) for one in value]
    # What is not known is no difference.
    return False if value is None else value


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", [("/ruleset", "missing-field")]),
        ("ruleset=abacus-2013", [("/ruleset", "wrong-length")]),
        ("ruleset=abacus-2013&ruleset=", [("/ruleset", "empty-parameter")]),
        ("&".join(["ruleset=abacus-2013"] * 3), [("/ruleset", "wrong-length")]),
        ("ruleset=abacus-2013&ruleset=volle-lotte&game=pot", [("/game", "unknown-field")]),
        (f"ruleset={'x' * 41}&ruleset=volle-lotte", [("/ruleset/0", "wrong-length")]),
    ],
)
def test_another_query_is_refused(query: str, expected: list[tuple[str, str]]) -> None:
    assert errors(get(f"/v1/games/tutto/differences?{query}")) == expected


@pytest.mark.parametrize("path", ["tutto/differences?ruleset=abacus-2013&ruleset=pot-2020"])
def test_an_unknown_ruleset_is_a_404(path: str) -> None:
    problem(get(f"/v1/games/{path}"), "not-found", 404)
