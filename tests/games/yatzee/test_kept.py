"""Saved tables of Yatzee, and requested rolls."""

from typing import Any

import pytest

from dice_referee.games.yatzee.game import GAME
from tests.games.chance import Loaded

TWO = GAME.normalized_setup({"players": ["A", "B"]})
EMPTY: list[Any] = [None] * 18
ONE = [3, *EMPTY[1:]]
"""A sheet with three 1s."""
FULL = [3, *[0] * 17]
KEPT: dict[str, Any] = {
    "phase": "choose",
    "roll": [1, 1, 2, 4, 5, 6],
    "rolls_made": 2,
    "cards": [ONE, EMPTY],
    "player": 1,
}
OVER: dict[str, Any] = {
    "phase": "over",
    "outcome": {"reason": "written", "category": "ones", "points": 3, "scorecard_full": True},
    "cards": [FULL, FULL],
    "player": 1,
}


def state(**changed: Any) -> Any:
    return GAME.load_state(TWO, KEPT | changed)


@pytest.mark.parametrize(
    "changed",
    [
        {"cards": [FULL]},
        {"player": 2},
        {"outcome": {"reason": "written", "category": "zeros", "points": 3}},
        {"outcome": None},
    ],
)
def test_finished_game_with_impossible_outcome_is_not_loaded(changed: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="no state"):
        GAME.load_state(TWO, OVER | changed)


def test_reloaded_state_keeps_the_sheet_of_every_player() -> None:
    played = GAME.advance(state(), {"type": "write", "category": "ones"})
    assert played.outcome is not None
    assert played.outcome["reason"] == "written"
    assert played.state.sheet == ((3, 2),)


def test_roll_replaces_every_die_that_is_not_held() -> None:
    event, hidden = GAME.deal(state(), {"type": "roll", "held": [1, 1, 6]}, None, Loaded(3, 2, 1))
    assert event == {"type": "roll", "held": [1, 1, 6], "dice": [3, 2, 1]}
    assert hidden is None
    event, _ = GAME.deal(state(), {"type": "roll"}, None, Loaded(1, 2, 3, 4, 5, 6))
    assert event["dice"] == [1, 2, 3, 4, 5, 6]


def test_held_dice_are_checked_before_the_roll() -> None:
    findings = GAME.objections(state(rolls_made=3), {"type": "roll", "held": [6, 6]}, "/event")
    assert [(finding.code, finding.pointer) for finding in findings] == [
        ("no-roll-left", "/event"),
        ("not-on-table", "/event/held/1"),
    ]
    held = [1, 1, 2, 4, 5, 6]
    findings = GAME.objections(state(), {"type": "roll", "held": held}, "")
    assert [(finding.code, finding.pointer) for finding in findings] == [
        ("nothing-rolled", "/held")
    ]
