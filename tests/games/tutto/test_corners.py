"""Corner cases that mutation testing found untested."""

import pytest

from dice_referee.games import catalogue
from tests.application import answered
from tests.games.test_laws import ask


@pytest.mark.parametrize(
    ("card", "keeps", "roll", "rule"),
    [
        ("firework", [], [2, 2, 3, 4, 6, 6], "T5.2"),
        ("straight", [[1, 2, 3]], [1, 2, 3], "T5.6"),
        ("double", [], [2, 2, 3, 4, 6, 6], "T2.1"),
        ("clover", [], [2, 2, 3, 4, 6, 6], "T2.1"),
    ],
)
def test_event_after_a_niete_cites_the_rule_of_the_card(
    card: str, keeps: list[list[int]], roll: list[int], rule: str
) -> None:
    document = {"card": card, "keeps": keeps, "roll": roll, "event": {"type": "bank"}}
    findings = answered("tutto", "transitions", document)["findings"]
    assert [(f["code"], f["rule"], f["pointer"]) for f in findings] == [
        ("turn-over", rule, "/event")
    ]


def test_equal_dice_of_earlier_rolls_form_no_triple() -> None:
    document = {
        "card": "double",
        "keeps": [[2, 2, 2]],
        "roll": [1, 2, 2],
        "event": {"type": "keep", "dice": [1, 2]},
    }
    (finding,) = answered("tutto", "transitions", document)["findings"]
    assert (finding["rule"], finding["pointer"]) == ("T1.5", "/event/dice/1")


def test_free_firework_refuses_only_non_scoring_dice() -> None:
    document = {
        "ruleset": "volle-lotte",
        "card": "firework",
        "roll": [1, 2, 3, 4, 6, 6],
        "event": {"type": "keep", "dice": [2]},
    }
    step = answered("tutto", "transitions", document)
    assert [(f["code"], f["rule"]) for f in step["findings"]] == [("not-a-scoring-die", "T2.2")]
    assert step["rules"] == ["T2.2"]


def test_clover_win_loses_the_carried_points() -> None:
    document = {
        "card": "clover",
        "tuttos": 1,
        "carried": 450,
        "keeps": [[1, 1, 1], [5, 5]],
        "roll": [1],
        "event": {"type": "keep", "dice": [1]},
    }
    assert answered("tutto", "transitions", document)["effects"] == [
        {"type": "kept", "dice": [1], "points": 0},
        {"type": "lost", "points": 450},
    ]


def test_tuttos_before_the_draw_are_out_of_range() -> None:
    document = {"tuttos": 1, "event": {"type": "draw", "card": "double"}}
    (finding,) = ask("tutto", "transitions", document).get_json()["findings"]
    assert (finding["code"], finding["rule"]) == ("tuttos-out-of-range", "T3.2")


def test_straight_refuses_a_face_set_aside_two_rolls_ago() -> None:
    document = {"card": "straight", "keeps": [[1], [2], [1]], "roll": [4, 5, 6]}
    (finding,) = ask("tutto", "adjudications", document).get_json()["findings"]
    assert (finding["code"], finding["pointer"]) == ("face-already-set-aside", "/keeps/2/0")


def test_adjudications_return_their_statuses_for_metrics() -> None:
    rolls = [2, 2, 3, 4, 6, 6], [1, 2, 3, 4, 6, 6], [1, 1, 1, 5, 5, 5]
    positions = [{"card": "double", "roll": roll} for roll in rolls]
    assert catalogue()["tutto"].adjudicate_all(positions)[0] == ["niete", "scoring", "tutto"]


@pytest.mark.parametrize("card", ["firework", "clover"])
def test_tutto_without_a_draw_keeps_pending_deductions(card: str) -> None:
    document = {
        "options": {"deduction": "on-bank"},
        "card": card,
        "pending_deductions": 2,
        "carried": 2000,
        "roll": [1, 1, 1, 5, 5, 5],
    }
    (keep,) = (
        keep
        for keep in answered("tutto", "adjudications", document)["legal_keeps"]
        if keep["tutto"]
    )
    assert keep["next"]["pending_deductions"] == 2
    assert keep["effects"] == []


def test_pending_deductions_are_capped_at_1000() -> None:
    document = {
        "options": {"deduction": "on-bank", "plus_minus_pays": "exactly"},
        "card": "plus-minus",
        "keeps": [[1, 1, 1], [5, 5]],
        "roll": [1],
        "carried": 1000,
        "pending_deductions": 1000,
    }
    (keep,) = answered("tutto", "adjudications", document)["legal_keeps"]
    assert (keep["next"]["pending_deductions"], keep["next"]["carried"]) == (1000, 1000)
    draw = {**keep["next"], "event": {"type": "draw", "card": "double"}}
    assert answered("tutto", "transitions", draw)["legal"]


def test_all_errors_of_a_position_are_reported_at_once() -> None:
    document = {
        "options": {"score_floor": "zero"},
        "card": "double",
        "keeps": [[2]],
        "roll": [1],
        "tuttos": 1,
        "pending_deductions": 1,
        "scores": [-50, 0],
        "player": 5,
    }
    findings = ask("tutto", "adjudications", document).get_json()["findings"]
    assert [finding["code"] for finding in findings] == [
        "player-out-of-range",
        "score-below-zero",
        "tuttos-out-of-range",
        "no-deduction-pending",
        "not-a-scoring-die",
        "wrong-number-of-dice",
    ]
    early = {"keeps": [[1]], "tuttos": 1, "player": 0, "event": {"type": "bank"}}
    findings = ask("tutto", "transitions", early).get_json()["findings"]
    assert [finding["code"] for finding in findings] == [
        "scores-missing",
        "tuttos-out-of-range",
        "dice-before-card",
    ]


def test_niete_never_wins_the_game() -> None:
    document = {"card": "double", "roll": [2, 2, 3, 4, 6, 6], "scores": [5950, 100], "player": 0}
    answer = answered("tutto", "adjudications", document)
    assert answer["next"]["outcome"] == {"reason": "niete", "points": 0, "wins_game": False}


def test_clover_win_leaves_the_scores_on_the_sheet() -> None:
    rolled = [[1, 1, 1, 2, 3, 4], [1, 1, 1, 5, 5, 5], [2, 2, 2, 5, 5, 1]]
    low, first, second = ({"type": "roll", "dice": dice} for dice in rolled)
    log = [{"type": "draw", "card": "double"}, low, {"type": "bank"}]
    log += [{"type": "draw", "card": "clover"}, first, {**first, "type": "keep"}]
    log += [second, {**second, "type": "keep"}]
    answer = answered("tutto", "audits", {"players": ["Ada", "Ben"], "log": log})
    assert answer["sheet"] == [[1000, 0], [1000, 0]]
    assert answer["scores"] == [1000, 0]
    # A clover wins even with the fewest points. The lowest score of the rest loses.
    assert (answer["winners"], answer["losers"]) == ([1], [0])


def test_every_invalid_keep_is_reported() -> None:
    keeps = {"card": "double", "keeps": [[2], [3], [1]], "roll": [1, 1, 1]}
    findings = ask("tutto", "adjudications", keeps).get_json()["findings"]
    assert [finding["pointer"] for finding in findings] == ["/keeps/0/0", "/keeps/1/0"]
    straight = {"card": "straight", "keeps": [[1], [2, 1], [3, 1]], "roll": [1]}
    findings = ask("tutto", "adjudications", straight).get_json()["findings"]
    assert [finding["pointer"] for finding in findings] == ["/keeps/1/1", "/keeps/2/1"]
