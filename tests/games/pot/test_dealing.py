"""The service identifies the three dice of a set (P1.1), and loads saved games of POT."""

import json
from random import Random
from typing import Any

import orjson
import pytest

from dice_referee.games import catalogue, verbs
from tests.games.chance import Loaded, Luck

GAME = catalogue()["pot"]
THREE = GAME.normalized_setup({"players": ["A", "B", "C"]})
SAVED: dict[str, Any] = {
    "phase": "choose",
    "roll": [3, 3, "O"],
    "rolls_made": 1,
    "coins": [5, 3, 2],
    "pot": 3,
    "bank": 42,
    "player": 1,
    "holder": 0,
    "to_beat": 5,
}
SHOWN = [3, "O", 3]
"""Faces of the P, the O and the T die of ``SAVED``."""
WAITING = {"phase": "roll", "roll": None, "rolls_made": None}
REROLL = {"phase": "reroll", "roll": None, "held": [2]}
DEATH: dict[str, Any] = {
    "phase": "sudden-death",
    "coins": [25, 25, 2],
    "pot": 0,
    "bank": 3,
    "player": 1,
    "tied": [0, 1],
    "sums": [7],
}
OVER = {
    "phase": "over",
    "coins": [25, 25, 2],
    "pot": 0,
    "bank": 3,
    "outcome": {"reason": "sudden-death", "winner": 1},
}


def state(**changed: Any) -> Any:
    return GAME.load_state(THREE, without_none(SAVED | changed))


def without_none(position: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in position.items() if value is not None}


def deal_roll(at: Any, hidden: Any, *faces: int, held: Any = None) -> tuple[list[Any], Any]:
    """Returns the dice of a roll with these faces, and the hidden state after the roll."""
    request = {"type": "roll"} if held is None else {"type": "roll", "held": held}
    chance = Loaded(*faces)
    event, hidden = GAME.deal(at, request, hidden, chance)
    assert chance.left == []
    assert GAME.objections(at, event, "") == ()
    return event["dice"], hidden


def test_six_becomes_the_letter_of_the_die() -> None:
    assert deal_roll(state(**WAITING), None, 6, 6, 6) == (["P", "O", "T"], ["P", "O", "T"])
    assert deal_roll(state(**WAITING), ["P", 1, 2], 1, 6, 5) == ([1, "O", 5], [1, "O", 5])


@pytest.mark.parametrize(
    ("held", "faces", "dice", "after"),
    [
        ([], (6, 1, 6), ["P", 1, "T"], ["P", 1, "T"]),
        (["O"], (6, 6), ["P", "T"], ["P", "O", "T"]),
        # The first of two equal dice is held: the O and the T die are rolled.
        ([3], (6, 6), ["O", "T"], [3, "O", "T"]),
        ([3, 3], (6,), ["O"], [3, "O", 3]),
        (["O", 3], (6,), ["T"], [3, "O", "T"]),
        ([3, "O"], (4,), [4], [3, "O", 4]),
    ],
)
def test_held_dice_keep_their_identity(
    held: list[Any], faces: tuple[int, ...], dice: list[Any], after: list[Any]
) -> None:
    assert deal_roll(state(), SHOWN, *faces, held=held) == (dice, after)


@pytest.mark.parametrize("held", [None, [2]])
def test_accepted_1_2_3_rolls_the_1_and_the_3_again(held: Any) -> None:
    assert deal_roll(state(**REROLL), [3, 2, 1], 6, 4, held=held) == (["P", 4], ["P", 2, 4])
    assert deal_roll(state(**REROLL), [1, 3, 2], 6, 6, held=held) == (["P", "O"], ["P", "O", 2])


def test_sudden_death_rolls_all_three_dice() -> None:
    assert deal_roll(GAME.load_state(THREE, DEATH), SHOWN, 5, 5, 6) == ([5, 5, "T"], [5, 5, "T"])


def test_held_faces_stay_on_their_dice_in_random_rolls() -> None:
    rng = Random(5)
    for _ in range(400):
        dice, faces = deal_roll(state(**WAITING), None, *Luck(rng).dice(3))
        if sorted(map(str, dice)) in (["1", "1", "1"], ["O", "P", "T"]):
            continue
        lying = sorted(dice, key=[1, 2, 3, 4, 5, "P", "O", "T"].index)
        held = rng.sample(dice, rng.randrange(3))
        request = {"type": "roll", "held": held}
        event, after = GAME.deal(state(roll=lying), request, faces, Luck(rng))
        still = [die for die in range(3) if after[die] == faces[die]]
        assert len(event["dice"]) == 3 - len(held)
        assert sorted(map(str, after)) == sorted(map(str, [*held, *event["dice"]]))
        assert len(still) >= len(held)
        assert not any(str(face) in "POT" and face != "POT"[die] for die, face in enumerate(after))
        assert GAME.objections(state(roll=lying), event, "") == ()


@pytest.mark.parametrize(
    "hidden",
    [
        *(None, [], "x", [3, 3], [3, "O", 3, 3], [3, "P", 3]),
        *([3, "O", 4], [3, "O", None], [3, "O", 6], {"P": 3}, [[3], "O", 3]),
    ],
)
def test_roll_with_a_wrong_hidden_state_is_refused(hidden: Any) -> None:
    with pytest.raises(ValueError, match=r"hides|other dice"):
        GAME.deal(state(), {"type": "roll", "held": [3]}, hidden, Loaded(1, 1))


def codes(at: Any, event: dict[str, Any]) -> list[tuple[str, str]]:
    return [(finding.code, finding.pointer) for finding in GAME.objections(at, event, "")]


def test_held_dice_are_checked_before_the_roll() -> None:
    roll = {"type": "roll"}
    assert codes(state(), {**roll, "held": [3, 4]}) == [("not-on-table", "/held/1")]
    assert codes(state(), {**roll, "held": [3, 3, "O"]}) == [("nothing-rolled", "/held")]
    assert codes(state(**REROLL), {**roll, "held": [1]}) == [("held-mismatch", "/held")]
    assert codes(state(rolls_made=3), {**roll, "held": [4]}) == [
        ("no-roll-left", ""),
        ("not-on-table", "/held/0"),
    ]
    assert codes(state(), roll) == []


@pytest.mark.parametrize(
    "changed",
    [
        {"outcome": {"reason": "luck", "winner": 1}},
        {"outcome": {"reason": "most-coins"}},
        {"outcome": None},
    ],
)
def test_finished_game_with_impossible_outcome_is_not_loaded(changed: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="no state"):
        GAME.load_state(THREE, OVER | changed)


def test_sudden_death_winner_is_first_and_the_rival_second() -> None:
    played = GAME.advance(GAME.load_state(THREE, DEATH), {"type": "roll", "dice": [5, 5, 5]})
    assert played.outcome == {"reason": "sudden-death", "winner": 1}
    public = json.loads(orjson.dumps(verbs.public_state(GAME, played.state)))
    assert public["winners"] == [1]
    assert public["standings"] == [
        {"player": 1, "place": 1, "coins": 25},
        {"player": 0, "place": 2, "coins": 25},
        {"player": 2, "place": 3, "coins": 2},
    ]
