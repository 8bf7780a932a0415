"""Differences between two published rulesets, and the cases that show them."""

from itertools import product
from typing import Any

import pytest
from dice_referee.api.headers import CACHEABLE
from dice_referee.games import catalogue

from tests.application import errors, get, post, problem

PAIRS = [
    (game, base, rival)
    for game, known in catalogue().items()
    for base, rival in product(known.rulesets, repeat=2)
]


def differences(game: str, base: str, rival: str, language: str = "en") -> dict[str, Any]:
    path = f"/v1/games/{game}/differences?ruleset={base}&ruleset={rival}"
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
@pytest.mark.parametrize(("game", "base", "rival"), PAIRS)
def test_differences_are_the_options_that_rulesets_disagree_on(
    game: str, base: str, rival: str, language: str
) -> None:
    comparison = differences(game, base, rival, language)
    first, second = (
        get(f"/v1/games/{game}/rulesets/{name}", Accept_Language=language).get_json()
        for name in (base, rival)
    )
    for summary, ruleset in zip(comparison["rulesets"], (first, second), strict=True):
        assert summary == {key: ruleset[key] for key in summary}
    pairs = zip(first["options"], second["options"], strict=True)
    expected = [(a, b) for a, b in pairs if a["value"] != b["value"]]
    assert len(comparison["differences"]) == len(expected)
    for difference, pair in zip(comparison["differences"], expected, strict=True):
        assert [difference[key] for key in ("option", "title", "rule")] == [
            pair[0][key] for key in ("option", "title", "rule")
        ]
        assert difference["values"] == [
            {
                "value": option["value"],
                "title": known(option)["title"] if option["values"] else listed(option["value"]),
                "text": option["text"] or known(option)["text"],
            }
            for option in pair
        ]
        assert all(value["title"] for value in difference["values"])


def known(option: dict[str, Any]) -> dict[str, str]:
    """Returns the entry of an option's value among its possible values."""
    [choice] = [entry for entry in option["values"] if entry["value"] == option["value"]]
    return dict(choice)


def listed(value: Any) -> str:
    """Returns a number, or the numbers of a list joined by commas."""
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


@pytest.mark.parametrize(("game", "base", "rival"), [pair for pair in PAIRS if pair[1] != pair[2]])
def test_each_difference_has_a_case_with_different_verdicts(
    game: str, base: str, rival: str
) -> None:
    cases = {case["id"]: case for case in get(f"/v1/games/{game}/cases").get_json()["cases"]}
    entries = differences(game, base, rival)["differences"]
    # Some scores in cases about the end of a game are impossible under a lower target.
    same_target = all(difference["option"] != "target" for difference in entries)
    for difference in entries:
        example = difference["case"]
        # A target changes whole games, and rarely a single verdict. Cases about the ending have
        # scores near one target, so they show nothing where the targets differ.
        if example is None and not same_target and difference["option"] in ("target", "ending"):
            continue
        assert example is not None, f"no case shows what {difference['option']} changes"
        case = cases[example["id"]]
        assert not same_target or difference["rule"] in case["rules"]
        assert (example["title"], example["resource"]) == (case["title"], case["resource"])
        assert {**case["request"], **example["request"]} == case["request"]
        path = f"/v1/{game}/{example['resource']}"
        answers = [post(path, {**example["request"], "ruleset": name}) for name in (base, rival)]
        assert [answer.get_json() for answer in answers] == example["verdicts"]
        # The base with this option of the rival answers as the rival does.
        changed = {
            "ruleset": base,
            "options": {difference["option"]: difference["values"][1]["value"]},
        }
        status = post(path, {**example["request"], **changed})
        assert unnamed(status.get_json()) == unnamed(example["verdicts"][1])
        assert unnamed(example["verdicts"][0]) != unnamed(example["verdicts"][1])


def unnamed(value: Any) -> Any:
    names = {"ruleset", "ruleset_hash", "options"}
    if isinstance(value, dict):
        return {key: unnamed(nested) for key, nested in value.items() if key not in names}
    if isinstance(value, list):
        return [unnamed(nested) for nested in value]
    # An unknown value is no difference.
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
def test_unknown_query_is_refused(query: str, expected: list[tuple[str, str]]) -> None:
    assert errors(get(f"/v1/games/tutto/differences?{query}")) == expected


@pytest.mark.parametrize("path", ["tutto/differences?ruleset=abacus-2013&ruleset=pot-2020"])
def test_an_unknown_ruleset_is_a_404(path: str) -> None:
    problem(get(f"/v1/games/{path}"), "not-found", 404)
