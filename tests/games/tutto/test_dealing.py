"""The pile of cards, and saved tables of Tutto."""

import json
from collections import Counter
from random import Random
from typing import Any

import orjson
import pytest

from dice_referee.games import catalogue, verbs
from tests.games.chance import Loaded, Luck

GAME = catalogue()["tutto"]
TWO = GAME.normalized_setup({"players": ["A", "B"]})
KEPT: dict[str, Any] = {
    "scores": [100, 250],
    "player": 1,
    "triggered": False,
    "card": "double",
    "keeps": [[1], [2, 2, 2]],
    "roll": [1, 5],
    "phase": "keep",
    "dice_to_roll": 2,
}
OVER = {
    "scores": [6050, 250],
    "player": 0,
    "triggered": True,
    "phase": "over",
    "outcome": {"reason": "banked", "points": 1050, "wins_game": True},
}


def state(document: dict[str, Any] = TWO, **changed: Any) -> Any:
    position = {name: value for name, value in (KEPT | changed).items() if value is not None}
    for derived in ("phase", "dice_to_roll"):
        del position[derived]
    return GAME.load_state(document, {**position, "phase": phase(position)})


def phase(position: dict[str, Any]) -> str:
    if "card" not in position:
        return "draw"
    return "keep" if "roll" in position else "roll"


def public_state(at: Any) -> dict[str, Any]:
    public: dict[str, Any] = json.loads(orjson.dumps(verbs.public_state(GAME, at)))
    return public


def draws(number: int, hidden: Any, chance: Any) -> tuple[list[str], Any]:
    """Draws cards from a pile."""
    cards = []
    for _ in range(number):
        event, hidden = GAME.deal(GAME.new_state(TWO), {"type": "draw"}, hidden, chance)
        cards.append(event["card"])
        hidden = json.loads(orjson.dumps(hidden))
    return cards, hidden


def test_pile_deals_each_of_the_56_cards_once() -> None:
    chance = Luck(Random(1))
    cards, hidden = draws(56, None, chance)
    assert Counter(cards) == {
        "clover": 1,
        "firework": 5,
        "stop": 10,
        "straight": 5,
        "plus-minus": 5,
        "double": 5,
        **{f"bonus-{n}": 5 for n in (200, 300, 400, 500, 600)},
    }
    assert hidden == []
    second, _ = draws(56, hidden, chance)
    assert Counter(second) == Counter(cards)
    assert second != cards


def test_empty_pile_is_reshuffled_at_the_next_draw() -> None:
    chance = Loaded()
    cards, hidden = draws(56, None, chance)
    assert chance.shuffled == 1
    # ``Loaded`` shuffles by reversing: the last card of the deck is first, the clover last.
    assert cards[:5] == ["bonus-600"] * 5
    assert cards[-2:] == ["firework", "clover"]
    cards, hidden = draws(1, hidden, chance)
    assert (cards, len(hidden), chance.shuffled) == (["bonus-600"], 55, 2)


def test_roll_rolls_the_remaining_dice_and_keeps_the_pile() -> None:
    waiting = state(roll=None, keeps=[[1]])
    event, hidden = GAME.deal(waiting, {"type": "roll"}, [3, 1], Loaded(6, 1, 2, 2, 5))
    assert event == {"type": "roll", "dice": [6, 1, 2, 2, 5]}
    assert hidden == [3, 1]


@pytest.mark.parametrize("hidden", [[56], ["1"], 7, [None]])
def test_invalid_pile_is_refused(hidden: Any) -> None:
    with pytest.raises(ValueError, match="hides"):
        GAME.deal(GAME.new_state(TWO), {"type": "draw"}, hidden, Loaded())


def test_roll_out_of_turn_is_refused_before_dice_fall() -> None:
    findings = GAME.objections(state(), {"type": "roll"}, "")
    assert [(finding.code, finding.rule, finding.pointer) for finding in findings] == [
        ("roll-not-due", "T2.3", "")
    ]
    findings = GAME.objections(state(), {"type": "draw"}, "/event")
    assert [(finding.code, finding.pointer) for finding in findings] == [("draw-not-due", "/event")]


FULL = GAME.normalized_setup({"players": ["A", "B"], "ruleset": "braillespiel"})


def test_full_round_continues_after_the_target_is_reached() -> None:
    assert public_state(state(FULL, scores=[6000, 250], triggered=True))["player"] == 1


def test_saved_last_round_has_the_fields_of_0_9_0() -> None:
    saved = {
        "phase": "draw",
        "dice_to_roll": 6,
        "carried": 1000,
        "scores": [5300, 250],
        "player": 1,
    }
    loaded = GAME.load_state(FULL, saved | {"triggered": True})
    assert GAME.turn_document(loaded.turn)["last_round"]
    stored = orjson.loads(orjson.dumps(GAME.save_state(loaded)))
    assert stored == saved | {"triggered": True}


@pytest.mark.parametrize(
    "changed",
    [
        {"outcome": {"reason": "banked"}},
        {"outcome": {"reason": "tired", "points": 1050, "wins_game": True}},
        {"outcome": None},
    ],
)
def test_finished_game_with_impossible_outcome_is_not_loaded(changed: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="no state"):
        GAME.load_state(TWO, OVER | changed)


def test_clover_winner_is_first_whatever_the_scores() -> None:
    clover = state(card="clover", keeps=[], roll=[1, 1, 1, 1, 1, 1], tuttos=1, scores=[900, -1000])
    played = GAME.advance(clover, {"type": "keep", "dice": [1, 1, 1, 1, 1, 1]})
    assert played.outcome == {"reason": "clover", "points": 0, "wins_game": True}
    over = GAME.load_state(TWO, json.loads(orjson.dumps(GAME.save_state(played.state))))
    assert public_state(over)["winners"] == [1]
    assert public_state(over)["standings"] == [
        {"player": 1, "place": 1, "points": -1000},
        {"player": 0, "place": 2, "points": 900},
    ]
    findings = GAME.objections(over, {"type": "draw"}, "")
    assert [(finding.code, finding.rule) for finding in findings] == [("game-over", "T5.7")]


def test_clover_winner_never_shares_first_place() -> None:
    three = GAME.normalized_setup({"players": ["A", "B", "C"]})
    position = {"card": "clover", "keeps": [], "roll": [1, 1, 1, 1, 1, 1], "tuttos": 1}
    clover = state(three, **position, scores=[500, 500, 500], player=1)
    over = GAME.advance(clover, {"type": "keep", "dice": [1, 1, 1, 1, 1, 1]}).state
    places = [(row["player"], row["place"]) for row in public_state(over)["standings"]]
    assert places == [(1, 1), (0, 2), (2, 2)]


def test_tied_players_share_a_place_and_skip_the_next() -> None:
    three = GAME.normalized_setup({"players": ["A", "B", "C"]})
    public = public_state(state(three, scores=[100, 250, 250], player=0))
    assert [(row["player"], row["place"]) for row in public["standings"]] == [
        (1, 1),
        (2, 1),
        (0, 3),
    ]


def test_last_event_cites_the_rules_that_end_the_game() -> None:
    played = GAME.advance(state(scores=[0, 5500]), {"type": "bank"})
    assert played.outcome == {"reason": "banked", "points": 900, "wins_game": True}
    assert {"T6.3", "T6.4"} <= played.rules
    assert public_state(played.state)["winners"] == [1]
