"""Questions under many rulesets: groups of rulesets with the same answer, and why they differ."""

import json
from collections.abc import Iterable, Mapping
from itertools import combinations
from random import Random
from typing import Any, NamedTuple

import pytest

from dice_referee.games import catalogue
from tests.application import errors, post, problem
from tests.games.sample import published_cases, sample

NAMES = {"ruleset", "ruleset_hash", "options"}
"""Fields that name the rules of a verdict."""
VERBS = {"adjudications": "adjudication", "transitions": "transition"}
Document = dict[str, Any]


# The law ------------------------------------------------------------------------------------------


def without_names(value: Any) -> Any:
    """Returns the value without the names of its rules, and with `false` for every null."""
    if isinstance(value, dict):
        return {key: without_names(nested) for key, nested in value.items() if key not in NAMES}
    if isinstance(value, list):
        return [without_names(nested) for nested in value]
    return False if value is None else value


class Question:
    """A question, which is also asked under each single ruleset."""

    def __init__(self, game: str, document: Document) -> None:
        self.game, self.known = game, catalogue()[game]
        self.resource = "transitions" if "event" in document else "adjudications"
        self.document = document
        self.own = self.rules(document)

    def ruleset(self, rules: Mapping[str, Any]) -> Any:
        """Returns the ruleset of a document with its house rules."""
        published = self.known.rulesets[rules.get("ruleset", self.known.default.id)]
        return published.house(rules.get("options", {}))

    def rules(self, document: Mapping[str, Any]) -> dict[str, Any]:
        """Returns the names of a document's rules, without options at their published value."""
        rules = self.ruleset(document)
        named = {"name": document["name"]} if "name" in document else {}
        return named | {"ruleset": rules.id, "options": json.loads(json.dumps(rules.house_rules))}

    def single(self, rules: Mapping[str, Any]) -> Any:
        """Returns the answer under these rules alone: a verdict, or findings."""
        named = {name: rules[name] for name in ("ruleset", "options") if name in rules}
        plain = {"ruleset": self.known.default.id, "options": {}} | named
        answer = post(f"/v1/{self.game}/{self.resource}", {**self.document, **plain}).get_json()
        return answer["findings"] if "type" in answer else answer

    def members(self, house: Iterable[Document]) -> list[Document]:
        """Returns the rules to compare: the request's, the published ones, and house rules."""
        published = [{"ruleset": name, "options": {}} for name in self.known.rulesets]
        others = (rules for rules in published if rules != self.own)
        return [self.own, *others, *map(self.rules, house)]

    def options(self, rules: Mapping[str, Any]) -> dict[str, Any]:
        """Returns the value of every option under these rules."""
        values: dict[str, Any] = json.loads(json.dumps(dict(self.ruleset(rules).options)))
        return values


def pointed(findings: list[Document], at: str) -> list[Document]:
    """Returns the findings as a comparison reports them for house rules at this place."""
    return [
        {**finding, "pointer": at + finding["pointer"]}
        if finding["pointer"].startswith("/options")
        else finding
        for finding in findings
    ]


def check(game: str, document: Document, *house: Document) -> dict[str, list[tuple[str, bool]]]:
    """Compares every group with single answers. Returns the differences of the named rules."""
    response = post(f"/v1/{game}/comparisons", {**document, "house": [*house]})
    assert response.status_code == 200, response.get_json()
    assert response.headers["Cache-Control"] == "no-store"
    comparison = response.get_json()
    assert list(comparison) == ["groups", "rules"]
    question, expected = Question(game, document), list[tuple[Any, list[Document]]]()
    for rules in question.members(house):
        answer = without_names(question.single(rules))
        group = next((group for group in expected if group[0] == answer), (answer, []))
        if not group[1]:
            expected.append(group)
        group[1].append(rules)
    members = [[{"name": None, **rules} for rules in agreeing] for _, agreeing in expected]
    assert [
        [{k: v for k, v in rules.items() if k != "ruleset_hash"} for rules in group["rulesets"]]
        for group in comparison["groups"]
    ] == members
    cited, differences = set[str](), dict[str, list[tuple[str, bool]]]()
    for (meaning, agreeing), group in zip(expected, comparison["groups"], strict=True):
        single = question.single(agreeing[0])
        own = VERBS[question.resource]
        (other,) = {*VERBS.values()} - {own}
        if isinstance(single, list):
            named = [rules["name"] for rules in house]
            name = agreeing[0].get("name")
            place = f"/house/{named.index(name)}" if name in named else ""
            assert (group[own], group["findings"]) == (None, pointed(single, place))
            cited |= {finding["rule"] for finding in single}
        else:
            assert (group[own], group["findings"]) == (single, [])
            cited |= {*single["rules"]}
        assert group[other] is None
        check_differences(question, meaning, agreeing[0], group["differences"])
        cited |= {difference["rule"] for difference in group["differences"]}
        for rules in agreeing:
            listed = [(each["option"], each["alone"]) for each in group["differences"]]
            differences[rules.get("name") or rules["ruleset"]] = listed
    assert comparison["rules"] == sorted(cited)
    return differences


def check_differences(
    question: Question, meaning: Any, rules: Document, differences: list[Document]
) -> None:
    """Expects each option that alone gives the answer, else the smallest set that gives it."""
    theirs, ours = question.options(rules), question.options(question.own)
    options = question.known.options
    different = [option for option in options if theirs[option.name] != ours[option.name]]
    by_name = {difference["option"]: difference for difference in differences}
    assert list(by_name) == [option.name for option in different if option.name in by_name]
    for option in different:
        if option.name in by_name:
            assert by_name[option.name] == {
                "option": option.name,
                "rule": option.rule,
                "value": theirs[option.name],
                "instead_of": ours[option.name],
                "alone": by_name[option.name]["alone"],
            }

    def gives(names: Iterable[str]) -> bool:
        house = {**question.own["options"], **{name: theirs[name] for name in names}}
        answer = question.single({"ruleset": question.own["ruleset"], "options": house})
        return bool(without_names(answer) == meaning)

    if gives([]):
        assert differences == []
        return
    names = [option.name for option in different]
    alone = [name for name in names if gives([name])]
    assert [difference["alone"] for difference in differences] == [bool(alone)] * len(by_name)
    if alone:
        assert list(by_name) == alone
    else:
        assert gives(by_name)
        smaller = (chosen for n in range(2, len(by_name)) for chosen in combinations(names, n))
        assert not any(map(gives, smaller))


# Questions ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "request_"),
    [
        pytest.param(game, case.request, id=f"{game}:{case.id}")
        for game, case in sample(
            (game, case) for game, case in published_cases(*VERBS) if case.status == 200
        )
    ],
)
def test_published_case_is_compared_by_its_single_answers(game: str, request_: Document) -> None:
    check(game, request_)


SITS_OUT = ("leader_draws_plus_minus", True)
LEADER: Document = {
    "scores": [2000, 500],
    "player": 0,
    "carried": 400,
    "event": {"type": "draw", "card": "plus-minus"},
}
"""The sole leader draws Plus/Minus (T5.5b)."""
LAST: Document = {"card": "bonus-300", "roll": [5, 2, 2, 3, 4, 6], "player": 0}
BANKED = LAST | {"event": {"type": "bank"}}
DOUBLE: Document = {"card": "double", "roll": [1, 1, 1, 5, 5, 5], "carried": 1000}
CLOVER: Document = {"card": "clover", "roll": [1, 2, 3, 4, 6, 6], "player": 0}
JOINTLY_DECIDED: Document = {
    "card": "plus-minus",
    "keeps": [[1], [1, 1, 5], [1]],
    "roll": [1],
    "carried": 2000,
    "scores": [1250, 1450, 5150],
    "player": 0,
    "event": {"type": "keep", "dice": [1]},
}
"""Two options change different parts of the verdict (T5.5d, T5.5h)."""
LEADS: Document = {"card": "plus-minus", "roll": [1, 1, 1, 5, 5, 5], "carried": 1800, "player": 0}


class Row(NamedTuple):
    """A question, the options of house rules, and the differences of rules by their names."""

    game: str
    document: Document
    house: dict[str, Document]
    expected: dict[str, list[tuple[str, bool]]]
    """An empty list is the group of the request's own rules."""


def rules_of(house: dict[str, Document]) -> list[Document]:
    """Returns house rules as a request has them. ``ruleset`` is no option."""
    return [
        {"name": name, "options": {k: v for k, v in options.items() if k != "ruleset"}}
        | {k: v for k, v in options.items() if k == "ruleset"}
        for name, options in house.items()
    ]


ROWS = {
    # T6.3: a full round leaves the winner open. Under `at-once` nobody wins yet.
    **{
        f"no winner yet, {scores}, {name}": Row(
            "tutto", question | {"scores": scores}, {}, {"braillespiel": [], "volle-lotte": []}
        )
        for scores in ([0, 0], [5900, 0], [5900, 5950])
        for name, question in (("roll", LAST), ("bank", BANKED))
    },
    "a winner under at-once": Row(
        "tutto",
        BANKED | {"scores": [5950, 0]},
        {},
        {"volle-lotte": [], "braillespiel": [("ending", True)]},
    ),
    "a leader, by the default": Row("tutto", LEADER, {}, {"braillespiel": [SITS_OUT]}),
    "a leader, by braillespiel": Row(
        "tutto", LEADER | {"ruleset": "braillespiel"}, {}, {"volle-lotte": []}
    ),
    "a leader, by volle-lotte": Row(
        "tutto", LEADER | {"ruleset": "volle-lotte"}, {}, {"abacus-2013": [SITS_OUT]}
    ),
    "house options of the request": Row(
        "tutto",
        DOUBLE | {"options": {"double_scope": "card"}},
        {},
        {"abacus-2013": [("double_scope", True)]},
    ),
    "named house rules": Row(
        "tutto",
        LEADER,
        {
            "Same": {"ruleset": "braillespiel", "target": 9000},
            "Ours": {"sits_out_loses_carried": False},
        },
        {"Same": [SITS_OUT], "Ours": [("sits_out_loses_carried", True)]},
    ),
    # Y2.2: a bonus of 0 points adds nothing at any threshold.
    "options that decide only together": Row(
        "yatzee",
        {
            "roll": [1, 2, 3, 4, 5, 6],
            "rolls_made": 1,
            "scorecard": {"sixes": 30, "fives": 25, "fours": 16},
            "options": {"upper_bonus": 0},
        },
        {"63": {"upper_threshold": 63}},
        {"63": [("upper_bonus", False), ("upper_threshold", False)]},
    ),
    "options with separate effects": Row(
        "tutto",
        JOINTLY_DECIDED,
        {"Ours": {"deduction": "on-bank", "plus_minus_pays": "exactly"}},
        {"Ours": [("deduction", False), ("plus_minus_pays", False)]},
    ),
    "irrelevant options": Row(
        "tutto",
        DOUBLE,
        {"Ours": {"target": 3000, "double_scope": "card", "ending": "full-round"}},
        {"Ours": [("double_scope", True)]},
    ),
    # Y2.2: the bonus adds nothing if it is 0, or if the threshold is out of reach.
    "options that each decide alone": Row(
        "yatzee",
        {
            "roll": [1, 6, 6, 6, 6, 6],
            "rolls_made": 1,
            "scorecard": {"threes": 18, "fours": 16, "fives": 20, "ones": 4},
        },
        {"None": {"upper_bonus": 0, "upper_threshold": 126}},
        {"None": [("upper_bonus", True), ("upper_threshold", True)]},
    ),
    "options that cancel each other": Row(
        "yatzee",
        {"roll": [3, 3, 3, 3, 3, 4], "rolls_made": 2, "scorecard": {"fours": 24}},
        {"Ours": {"distinct_faces": False, "upper_bonus": 0, "upper_threshold": 1}},
        {"Ours": [("distinct_faces", True)]},
    ),
    "findings of some rules": Row(
        "tutto",
        CLOVER | {"scores": [-100, 5000]},
        {"Floor": {"score_floor": "zero"}, "Target": {"target": 3000}},
        {"Floor": [("score_floor", True)], "Target": [("target", True)]},
    ),
    "findings about house rules": Row(
        "pot",
        {
            "roll": [1, 2, 4],
            "rolls_made": 1,
            "coins": [5, 3, 2, 4],
            "pot": 3,
            "bank": 38,
            "player": 0,
        },
        {"Same": {}, "Long": {"target": 100}},
        {"Same": [], "Long": [("target", True)]},
    ),
    "a floor out of reach": Row(
        "tutto",
        {
            "card": "plus-minus",
            "keeps": [[1, 1, 1, 5, 5]],
            "roll": [5],
            "scores": [500, 2000],
            "player": 0,
        },
        {"Floor": {"score_floor": "zero"}},
        {"Floor": []},
    ),
    "options that change the points of the turn": Row(
        "tutto",
        LEADS | {"scores": [0, 1500]},
        {
            "turn": {"leader_draws_plus_minus": "plays", "leaders": "turn"},
            "exactly": {"plus_minus_pays": "exactly"},
        },
        {
            "turn": [("leader_draws_plus_minus", False), ("leaders", False)],
            "exactly": [("plus_minus_pays", True)],
        },
    ),
}


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_question_is_compared_by_its_single_answers(row: Row) -> None:
    differences = check(row.game, row.document, *rules_of(row.house))
    assert {name: differences[name] for name in row.expected} == row.expected


@pytest.mark.parametrize("seed", range(12))
def test_random_house_rules_are_compared_by_their_single_answers(seed: int) -> None:
    rng = Random(seed)
    scores = [rng.randrange(0, 6000, 50) for _ in range(3)]
    question = {**JOINTLY_DECIDED, "scores": scores, "carried": rng.randrange(0, 3000, 50)}
    options = {
        option.name: rng.choice(option.values)
        for option in catalogue()["tutto"].options
        if option.values and rng.random() < 0.6
    }
    check("tutto", question, {"name": "Ours", "options": options})


@pytest.mark.parametrize("event", [{}, {"event": {"type": "bank"}}], ids=["roll", "bank"])
def test_position_impossible_under_all_rules_is_a_422(event: Document) -> None:
    question = {"card": "clover", "roll": [1, 2], **event, "house": [{"name": "Same"}]}
    findings = problem(post("/v1/tutto/comparisons", question), "impossible-position", 422)
    assert [(finding["code"], finding["pointer"]) for finding in findings["findings"]] == [
        ("wrong-number-of-dice", "/roll")
    ]


BANK: Document = {"event": {"type": "bank"}}


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ({}, [("/card", "missing-field"), ("/roll", "missing-field")]),
        ({"event": {}}, [("/event/type", "missing-field")]),
        ({**BANK, "house": {}}, [("/house", "wrong-type")]),
        ({**BANK, "house": [{}]}, [("/house/0/name", "missing-field")]),
        ({**BANK, "house": [{"name": "x"}] * 6}, [("/house", "wrong-length")]),
        ({**BANK, "house": [{"name": "x", "card": "stop"}]}, [("/house/0/card", "unknown-field")]),
        ([], [("", "wrong-type")]),
    ],
)
def test_malformed_comparison_is_a_400(document: Any, expected: list[tuple[str, str]]) -> None:
    assert errors(post("/v1/tutto/comparisons", document)) == expected
