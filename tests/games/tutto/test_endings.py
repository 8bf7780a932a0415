"""Endings of whole games, by an independent model of the turns (T6.1, T6.3, T6.4)."""

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dice_referee.games import catalogue, verbs
from dice_referee.games.tutto.rulesets import RULESETS, Ending
from dice_referee.games.tutto.values.duels import has_win_chances
from tests.games.test_laws import long_run
from tests.games.tutto.random_games import random_log

GAME = catalogue()["tutto"]


def last_turn(audit: dict[str, Any], starter: int, target: int, ending: str) -> int:
    """Returns the index of the turn that ends the game, by the scores after every turn."""
    sheet = audit["sheet"]
    players = len(sheet[0])
    reached = next(
        turn for turn, scores in enumerate(sheet) if scores[(starter + turn) % players] >= target
    )
    match ending:
        case "at-once":
            return reached
        case "full-round":
            return reached + players - 1 - reached % players
        case _:
            return reached + players - 1


@long_run
@given(seed=st.integers(0, 2**32 - 1), ending=st.sampled_from(Ending))
def test_game_ends_after_the_last_turn_of_its_ending(seed: int, ending: Ending) -> None:
    document = random_log(Random(seed), ending)
    target = document["options"]["target"]
    audit = verbs.audit(GAME, document)
    assert (audit["legal"], audit["over"]) == (True, True)
    scores, turns = audit["scores"], len(audit["sheet"])
    card = next(event["card"] for event in reversed(document["log"]) if event["type"] == "draw")
    if card == "clover" and document["log"][-1]["type"] == "keep":
        assert len(audit["winners"]) == 1
        return
    assert turns - 1 == last_turn(audit, document["starter"], target, ending)
    best = max(scores)
    assert audit["winners"] == tuple(i for i, score in enumerate(scores) if score == best)


SEATS = [(n, starter, seat) for n in (2, 3, 5) for starter in range(n) for seat in range(n)]


@pytest.mark.parametrize(("players", "starter", "seat"), SEATS)
def test_last_turns_follow_whoever_reaches_the_target(
    players: int, starter: int, seat: int
) -> None:
    names = [f"P{number}" for number in range(players)]
    earlier = (seat - starter) % players
    stop: list[dict[str, Any]] = [{"type": "draw", "card": "stop"}]
    bank: list[dict[str, Any]] = [
        {"type": "draw", "card": "bonus-200"},
        {"type": "roll", "dice": [5, 5, 5, 2, 3, 4]},
        {"type": "bank"},
    ]
    following = {"full-round": players - 1 - earlier, "one-more-turn": players - 1}
    for ending, turns in following.items():
        options = {"ending": ending, "target": 500}
        game = {"players": names, "starter": starter, "options": options}
        log = stop * earlier + bank
        for turn in range(turns):
            audit = verbs.audit(GAME, {**game, "log": log})
            assert (audit["over"], audit["last_round"]) == (False, True)
            assert audit["player"] == (seat + 1 + turn) % players
            left = turns - turn if ending == "one-more-turn" else None
            assert audit["turn"].get("turns_left") == left
            log = log + stop
        audit = verbs.audit(GAME, {**game, "log": log})
        assert (audit["over"], audit["winners"]) == (True, (seat,))
        assert "last_round" not in audit


SOLVED = [name for name, rules in RULESETS.items() if has_win_chances(rules)]
"""Rulesets with a table of win probabilities."""


@pytest.mark.long
@pytest.mark.parametrize("ruleset", SOLVED)
def test_win_chance_depends_on_the_order_of_the_round(ruleset: str) -> None:
    """Expects equal chances of a game whose second player begins and of its mirror image."""
    rng = Random(7)
    for _ in range(6):
        own, opponent = (rng.randrange(4000, 6000, 50) for _ in range(2))
        question: dict[str, Any] = {"ruleset": ruleset, "aim": "win", "card": "bonus-300"}
        question |= {"roll": [1, 2, 3, 4, 4, rng.choice((1, 5, 6))], "carried": 500}
        for player in (0, 1):
            scores = [opponent, own] if player else [own, opponent]
            plain = {**question, "scores": scores, "player": player}
            mirrored = {**question, "scores": scores[::-1], "player": 1 - player, "starter": 1}
            odds, image = (GAME.odds(GAME.question_of(each)) for each in (plain, mirrored))
            assert odds["value"] == image["value"]
            assert odds["choices"] == image["choices"]
