"""Questions under many rulesets: groups of rulesets with the same answer, and why they differ."""

from collections.abc import Iterable
from itertools import combinations
from random import Random
from typing import Any

import pytest

from dice_referee.games import catalogue
from tests.application import errors, post, problem
from tests.games.sample import published_cases, sample

NAMES = {"ruleset", "ruleset_hash", "options"}
"""Fields that name the rules of a verdict."""
RULES = ("ruleset", "options")
"""The fields of a request that choose its rules."""
SITS_OUT = "leader_draws_plus_minus"
VERBS = {"adjudications": "adjudication", "transitions": "transition"}
LEADER: dict[str, Any] = {
    "scores": [2000, 500],
    "player": 0,
    "carried": 400,
    "event": {"type": "draw", "card": "plus-minus"},
}
"""The sole leader draws Plus/Minus (T5.5b)."""
QUESTIONS = [
    pytest.param(game, case.resource, case.request, id=f"{game}:{case.id}")
    for game, case in sample(
        (game, case) for game, case in published_cases(*VERBS) if case.status == 200
    )
]


def comparison_of(game: str, question: dict[str, Any], *house: dict[str, Any]) -> dict[str, Any]:
    answer = post(f"/v1/{game}/comparisons", {**question, "house": list(house)})
    assert answer.status_code == 200, answer.get_json()
    assert answer.headers["Cache-Control"] == "no-store"
    document: dict[str, Any] = answer.get_json()
    assert list(document) == ["groups", "rules"]
    return document


def groups(game: str, question: dict[str, Any], *house: dict[str, Any]) -> list[dict[str, Any]]:
    comparison: list[dict[str, Any]] = comparison_of(game, question, *house)["groups"]
    return comparison


def label(member: dict[str, Any]) -> str:
    """Returns the name of house rules, or the id of a published ruleset."""
    name: str = member.get("name") or member["ruleset"]
    return name


def labels(comparison: list[dict[str, Any]]) -> list[list[str]]:
    return [[label(member) for member in group["rulesets"]] for group in comparison]


def group_of(comparison: list[dict[str, Any]], name: str) -> dict[str, Any]:
    """Returns the group with the ruleset of this label, ignoring the request's own."""
    candidates = ((group, group["rulesets"][group is comparison[0] :]) for group in comparison)
    (group,) = (group for group, members in candidates if name in map(label, members))
    return group


def ids(group: dict[str, Any]) -> list[str]:
    return [member["ruleset"] for member in group["rulesets"]]


def options_that_differ(group: dict[str, Any]) -> list[str]:
    return [difference["option"] for difference in group["differences"]]


def without_names(value: Any) -> Any:
    """Returns the value without the names of its rules, and with `false` for every null."""
    if isinstance(value, dict):
        return {key: without_names(nested) for key, nested in value.items() if key not in NAMES}
    if isinstance(value, list):
        return [without_names(nested) for nested in value]
    return False if value is None else value


def single_answer(game: str, resource: str, question: dict[str, Any], **rules: Any) -> Any:
    """Returns the single answer to the question under these rules: a verdict, or findings."""
    answer = post(f"/v1/{game}/{resource}", {**question, **rules}).get_json()
    return answer["findings"] if "type" in answer else answer


def agreement(game: str, question: dict[str, Any], *house: dict[str, Any]) -> list[list[str]]:
    """Returns labels grouped by their single answers: request, published rulesets, house rules."""
    resource = "transitions" if "event" in question else "adjudications"
    known, own = catalogue()[game], {name: question[name] for name in RULES if name in question}
    own = {"ruleset": known.default.id, **own}
    published = [{"ruleset": name} for name in known.rulesets]
    members = [own, *(ruleset for ruleset in published if ruleset != own), *house]
    plain = {name: value for name, value in question.items() if name not in RULES}
    verdicts: list[tuple[Any, list[str]]] = []
    for member in members:
        rules = {name: member[name] for name in RULES if name in member}
        answer = without_names(single_answer(game, resource, plain, **rules))
        same = [names for verdict, names in verdicts if verdict == answer]
        if same:
            same[0].append(label({"ruleset": known.default.id, **member}))
        else:
            verdicts.append((answer, [label({"ruleset": known.default.id, **member})]))
    return [names for _, names in verdicts]


@pytest.mark.parametrize(("game", "resource", "request_"), QUESTIONS)
def test_group_answers_equal_single_answers(
    game: str, resource: str, request_: dict[str, Any]
) -> None:
    document = comparison_of(game, request_)
    own, *published = [member for group in document["groups"] for member in group["rulesets"]]
    assert own["ruleset"] == request_.get("ruleset", catalogue()[game].default.id)
    assert all(member["options"] == {} for member in published)
    assert sorted(member["ruleset"] for member in published) == sorted(
        name for name in catalogue()[game].rulesets if name != own["ruleset"] or own["options"]
    )
    for group in document["groups"]:
        verdict = group[VERBS[resource]]
        for index, member in enumerate(group["rulesets"]):
            assert member.pop("name") is None
            single = single_answer(game, resource, request_, **without_hash(member))
            if verdict is None:
                assert single == group["findings"] != []
            elif index == 0:
                assert single == verdict
            else:
                assert without_names(single) == without_names(verdict)
        assert group["findings"] == [] or verdict is None
        decided = {difference["option"]: difference["value"] for difference in group["differences"]}
        rules = {"ruleset": own["ruleset"], "options": {**own["options"], **decided}}
        assert without_names(single_answer(game, resource, request_, **rules)) == without_names(
            verdict or group["findings"]
        )
    assert document["groups"][0]["differences"] == []
    assert all(group["differences"] for group in document["groups"][1:])
    answers = [
        without_names([group[VERBS[resource]], group["findings"]]) for group in document["groups"]
    ]
    assert all(first != second for first, second in combinations(answers, 2)), (
        "groups with equal answers"
    )


@pytest.mark.parametrize("event", [None, {"type": "bank"}], ids=["roll", "bank"])
@pytest.mark.parametrize("scores", [[0, 0], [5900, 0], [5900, 5950]], ids=str)
def test_undecided_winner_forms_no_group(scores: list[int], event: dict[str, Any] | None) -> None:
    """T6.3: a full round leaves the winner open. Under ``at-once`` nobody wins yet."""
    question = {"card": "bonus-300", "roll": [5, 2, 2, 3, 4, 6], "scores": scores, "player": 0}
    own, *_ = groups("tutto", question if event is None else {**question, "event": event})
    rulesets = catalogue()["tutto"].rulesets
    assert {name for name, ruleset in rulesets.items() if ruleset.options["target"] == 6000} <= {
        *ids(own)
    }
    assert own["differences"] == []


def test_win_undecided_under_other_rules_forms_a_group() -> None:
    """T6.3: under ``at-once`` the bank wins. Under a full round the others still play."""
    question = {"card": "bonus-300", "roll": [5, 2, 2, 3, 4, 6], "scores": [5950, 0], "player": 0}
    own, *rivals = groups("tutto", {**question, "event": {"type": "bank"}})
    assert {"abacus-2013", "volle-lotte"} <= {*ids(own)}
    (rival,) = (group for group in rivals if "braillespiel" in ids(group))
    assert [option["option"] for option in rival["differences"]] == ["ending"]


def without_hash(member: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in member.items() if key != "ruleset_hash"}


@pytest.mark.parametrize("own", catalogue()["tutto"].rulesets)
def test_comparison_is_against_the_rules_of_the_request(own: str) -> None:
    rulesets, question = catalogue()["tutto"].rulesets, {**LEADER, "ruleset": own}
    comparison = groups("tutto", question)
    assert labels(comparison) == agreement("tutto", question)
    possible = [group for group in comparison if group["transition"] is not None]
    for group in possible:
        turn = group["transition"]["turn"]
        for member in group["rulesets"]:
            plays = rulesets[member["ruleset"]].options[SITS_OUT] == "plays"
            assert turn["phase"] == ("roll" if plays else "over")
            assert plays or turn["outcome"]["reason"] == "sat-out"
        named = [
            difference["alone"]
            for difference in group["differences"]
            if difference["option"] == SITS_OUT
        ]
        first = rulesets[group["rulesets"][0]["ruleset"]]
        differs = first.options[SITS_OUT] != rulesets[own].options[SITS_OUT]
        assert named == [True] * differs or comparison[0] not in possible


def test_deciding_option_has_its_rule_and_values() -> None:
    group = group_of(groups("tutto", {**LEADER, "ruleset": "volle-lotte"}), "abacus-2013")
    assert group["differences"] == [
        {
            "option": SITS_OUT,
            "rule": "T5.5b",
            "value": "sits-out",
            "instead_of": "plays",
            "alone": True,
        }
    ]


def test_house_options_are_compared_with_their_ruleset() -> None:
    question = {
        "card": "double",
        "roll": [1, 1, 1, 5, 5, 5],
        "carried": 1000,
        "options": {"double_scope": "card"},
    }
    comparison = groups("tutto", question)
    assert labels(comparison) == agreement("tutto", question)
    own = comparison[0]["rulesets"][0]
    assert (own["name"], own["ruleset"]) == (None, "abacus-2013")
    assert own["options"] == {"double_scope": "card"}
    assert options_that_differ(group_of(comparison, "abacus-2013")) == ["double_scope"]


def test_named_house_rules_join_the_group_of_their_answer() -> None:
    same = {"name": "Same", "ruleset": "braillespiel", "options": {"target": 9000}}
    ours = {"name": "Ours", "options": {"sits_out_loses_carried": False}}
    comparison = groups("tutto", LEADER, same, ours)
    assert labels(comparison) == agreement("tutto", LEADER, same, ours)
    assert group_of(comparison, "Same") is group_of(comparison, "braillespiel")
    group = group_of(comparison, "Ours")
    (member,) = (member for member in group["rulesets"] if member["name"] == "Ours")
    assert member["options"] == {"sits_out_loses_carried": False}
    assert options_that_differ(group) == ["sits_out_loses_carried"]


def test_options_that_decide_only_together_are_all_listed() -> None:
    """Y2.2: a bonus of 0 points adds nothing at any threshold."""
    question = {
        "dice": [1, 2, 3, 4, 5, 6],
        "throw": 1,
        "scorecard": {"sixes": 30, "fives": 25, "fours": 16},
        "options": {"upper_bonus": 0},
    }
    ours = {"name": "63", "options": {"upper_threshold": 63}}
    comparison = groups("yatzee", question, ours)
    assert labels(comparison) == agreement("yatzee", question, ours)
    assert [
        (difference["option"], difference["value"], difference["instead_of"], difference["alone"])
        for difference in group_of(comparison, "63")["differences"]
    ] == [("upper_bonus", 50, 0, False), ("upper_threshold", 63, 84, False)]


JOINTLY_DECIDED: dict[str, Any] = {
    "card": "plus-minus",
    "keeps": [[1], [1, 1, 5], [1]],
    "roll": [1],
    "carried": 2000,
    "scores": [1250, 1450, 5150],
    "player": 0,
    "event": {"type": "keep", "dice": [1]},
}
"""Two options change different parts of the verdict (T5.5d, T5.5h)."""


def test_options_with_separate_effects_decide_together() -> None:
    ours = {"name": "Ours", "options": {"deduction": "on-bank", "plus_minus_pays": "exactly"}}
    comparison = groups("tutto", JOINTLY_DECIDED, ours)
    assert [
        (difference["option"], difference["alone"])
        for difference in group_of(comparison, "Ours")["differences"]
    ] == [("deduction", False), ("plus_minus_pays", False)]


@pytest.mark.parametrize("seed", range(12))
def test_differences_are_a_smallest_set_with_the_verdict(seed: int) -> None:
    """Expects single options where ``alone`` is true, and otherwise the smallest set."""
    rng = Random(seed)
    scores = [rng.randrange(0, 6000, 50) for _ in range(3)]
    question = {**JOINTLY_DECIDED, "scores": scores, "carried": rng.randrange(0, 3000, 50)}
    options = {
        option.name: rng.choice(option.values)
        for option in catalogue()["tutto"].options
        if option.values and rng.random() < 0.6
    }
    for group in groups("tutto", question, {"name": "Ours", "options": options})[1:]:
        different = {
            difference["option"]: difference["value"] for difference in group["differences"]
        }

        def gives(names: Iterable[str], group: Any = group, values: Any = different) -> bool:
            chosen = {name: values[name] for name in names}
            answer = single_answer("tutto", "transitions", question, options=chosen)
            return bool(
                without_names(answer) == without_names(group["transition"] or group["findings"])
            )

        single = [difference["alone"] for difference in group["differences"]]
        assert single == [gives([name]) for name in different]
        assert all(single) or not any(
            gives(names) for n in range(len(different)) for names in combinations(different, n)
        )
        assert all(single) or gives(different)


def test_irrelevant_options_are_not_listed() -> None:
    ours = {
        "name": "Ours",
        "options": {"target": 3000, "double_scope": "card", "ending": "full-round"},
    }
    question = {"card": "double", "roll": [1, 1, 1, 5, 5, 5], "carried": 1000}
    group = group_of(groups("tutto", question, ours), "Ours")
    assert options_that_differ(group) == ["double_scope"]


def test_options_that_change_only_a_null_are_not_listed() -> None:
    """T6.3: another ending leaves the winner open, but this turn continues under every ending."""
    assert options_that_differ(group_of(groups("tutto", LEADER), "braillespiel")) == [SITS_OUT]


def test_options_that_each_decide_alone_are_both_listed() -> None:
    """Y2.2: the bonus adds nothing if the bonus is 0, or if the threshold is out of reach."""
    question = {
        "dice": [1, 6, 6, 6, 6, 6],
        "throw": 1,
        "scorecard": {"threes": 18, "fours": 16, "fives": 20, "ones": 4},
    }
    none = {"name": "None", "options": {"upper_bonus": 0, "upper_threshold": 126}}
    group = group_of(groups("yatzee", question, none), "None")
    assert [(difference["option"], difference["alone"]) for difference in group["differences"]] == [
        ("upper_bonus", True),
        ("upper_threshold", True),
    ]


def test_impossible_position_gets_a_group_with_findings() -> None:
    question = {"card": "clover", "roll": [1, 2, 3, 4, 6, 6], "scores": [-100, 0], "player": 0}
    ours = {"name": "Ours", "options": {"score_floor": "zero"}}
    document = comparison_of("tutto", question, ours)
    group = group_of(document["groups"], "Ours")
    assert (group["adjudication"], group["transition"]) == (None, None)
    assert [(finding["code"], finding["pointer"]) for finding in group["findings"]] == [
        ("score-below-zero", "/scores/0")
    ]
    assert group["findings"][0]["detail"]
    assert options_that_differ(group) == ["score_floor"]
    assert "T5.5e" in document["rules"]


def test_refusals_with_different_findings_form_two_groups() -> None:
    question = {"card": "clover", "roll": [1, 2, 3, 4, 6, 6], "scores": [-100, 5000], "player": 0}
    floor = {"name": "Floor", "options": {"score_floor": "zero"}}
    target = {"name": "Target", "options": {"target": 3000}}
    comparison = groups("tutto", question, floor, target)
    assert labels(comparison) == agreement("tutto", question, floor, target)
    codes = {
        name: [finding["code"] for finding in group_of(comparison, name)["findings"]]
        for name in ("Floor", "Target")
    }
    assert codes == {"Floor": ["score-below-zero"], "Target": ["target-already-reached"]}


def test_findings_of_house_rules_have_their_pointer() -> None:
    question = {"dice": [1, 2, 4], "throws": 1, "coins": [5, 3, 2, 4], "pot": 3, "bank": 38}
    rules: list[dict[str, Any]] = [{"name": "Same"}, {"name": "Long", "options": {"target": 100}}]
    comparison = groups("pot", {**question, "player": 0}, *rules)
    assert group_of(comparison, "Same") is comparison[0]
    findings = group_of(comparison, "Long")["findings"]
    assert [finding["pointer"] for finding in findings] == ["/house/1/options/target"]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ({"card": "clover", "roll": [1, 2]}, [("wrong-number-of-dice", "/roll")]),
        (
            {"card": "clover", "roll": [1, 2], "event": {"type": "bank"}},
            [("wrong-number-of-dice", "/roll")],
        ),
    ],
)
def test_position_impossible_under_all_rules_is_a_422(
    question: dict[str, Any], expected: list[tuple[str, str]]
) -> None:
    answer = post("/v1/tutto/comparisons", {**question, "house": [{"name": "Same"}]})
    findings = problem(answer, "impossible-position", 422)["findings"]
    assert [(finding["code"], finding["pointer"]) for finding in findings] == expected


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ({}, [("/card", "missing-field"), ("/roll", "missing-field")]),
        ({"event": {}}, [("/event/type", "missing-field")]),
        ({"event": {"type": "bank"}, "house": {}}, [("/house", "wrong-type")]),
        ({"event": {"type": "bank"}, "house": [{}]}, [("/house/0/name", "missing-field")]),
        (
            {"event": {"type": "bank"}, "house": [{"name": "x"}] * 6},
            [("/house", "wrong-length")],
        ),
        (
            {"event": {"type": "bank"}, "house": [{"name": "x", "card": "clover"}]},
            [("/house/0/card", "unknown-field")],
        ),
        ([], [("", "wrong-type")]),
    ],
)
def test_malformed_comparison_is_a_400(document: Any, expected: list[tuple[str, str]]) -> None:
    assert errors(post("/v1/tutto/comparisons", document)) == expected


def test_options_that_cancel_each_other_are_not_listed() -> None:
    question = {"dice": [3, 3, 3, 3, 3, 4], "throw": 2, "scorecard": {"fours": 24}}
    options = {"distinct_faces": False, "upper_bonus": 0, "upper_threshold": 1}
    group = group_of(groups("yatzee", question, {"name": "house", "options": options}), "house")
    assert options_that_differ(group) == ["distinct_faces"]


def test_unreached_score_floor_forms_no_group() -> None:
    question = {
        "card": "plus-minus",
        "keeps": [[1, 1, 1, 5, 5]],
        "roll": [5],
        "scores": [500, 2000],
        "player": 0,
    }
    own, *_ = groups("tutto", question, {"name": "floor", "options": {"score_floor": "zero"}})
    assert any(member.get("name") == "floor" for member in own["rulesets"])


def test_options_that_change_turn_points_are_listed() -> None:
    question = {"card": "plus-minus", "roll": [1, 1, 1, 5, 5, 5], "carried": 1800, "player": 0}
    ours = {"leader_draws_plus_minus": "plays", "leaders": "turn"}
    exactly = {"plus_minus_pays": "exactly"}
    houses = ({"name": "turn", "options": ours}, {"name": "exactly", "options": exactly})
    *_, turn, exact = groups("tutto", {**question, "scores": [0, 1500]}, *houses)
    differences = [
        [(difference["option"], difference["value"]) for difference in group["differences"]]
        for group in (turn, exact)
    ]
    assert differences == [
        [("leader_draws_plus_minus", "plays"), ("leaders", "turn")],
        [("plus_minus_pays", "exactly")],
    ]
    assert turn["adjudication"]["bank"]["next"]["scores"] == [2800, 1500]
    assert exact["adjudication"]["bank"]["next"]["scores"] == [1000, 500]
