"""Whole games against the oracle: coins, rounds, sudden death and winners (P3, P5, P6)."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dice_referee.games import catalogue, verbs
from tests.games.pot.oracle import TableTop
from tests.games.pot.random_games import random_log, random_position
from tests.games.pot.test_adjudications import agree

GAME = catalogue()["pot"]

SEEDS = st.integers(0, 2**32 - 1)
TRANSCRIPTS = sorted(Path(__file__).with_name("transcripts").glob("*.json"))


@settings(max_examples=60, deadline=None, derandomize=True)
@given(seed=SEEDS)
def test_game_agrees_with_the_oracle(seed: int) -> None:
    document = random_log(Random(seed))
    options, starter = document.get("options", {}), document["starter"]
    table = TableTop(len(document["players"]), options, starter)
    turn = verbs.audit(GAME, {**document, "log": []})["turn"]
    for event in document["log"]:
        step = verbs.step(GAME, {**with_lists(turn), "event": event})
        table.apply(event)
        turn = with_lists(step["turn"])
        if turn["phase"] == "choose":
            assert sorted(map(str, turn["roll"])) == sorted(map(str, table.dice))
            assert turn["rolls_made"] == table.rolls_made
        else:
            agree(turn, table)
        assert step["coins"] == tuple(table.coins)
        assert sum(step["coins"]) + step["pot"] + step["bank"] == table.house["total_coins"]
    answer = verbs.audit(GAME, document)
    assert [list(row) for row in answer["sheet"]] == table.sheet
    assert [(won["winner"], list(won["coins"])) for won in answer["rounds"]] == table.rounds
    assert answer["winners"] == (table.winner,)
    assert answer["over"]


def with_lists(turn: dict[str, Any]) -> dict[str, Any]:
    """Returns a turn with lists instead of tuples, as in JSON."""
    return {key: list(value) if isinstance(value, tuple) else value for key, value in turn.items()}


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_transcript_agrees_with_the_oracle(path: Path) -> None:
    transcript = json.loads(path.read_text("utf-8"))
    request, answer = transcript["request"], transcript["answer"]
    table = TableTop(len(request["players"]), request.get("options", {}))
    for event in request["log"]:
        table.apply(event)
    assert answer["coins"] == table.coins
    assert answer["sheet"] == table.sheet
    assert [(won["winner"], won["coins"]) for won in answer["rounds"]] == table.rounds
    assert answer["winners"] == [table.winner]


@settings(max_examples=200, deadline=None, derandomize=True)
@given(seed=SEEDS)
def test_effects_explain_every_coin(seed: int) -> None:
    rng = Random(seed)
    document = random_position(rng)
    for event in ({"type": "accept", "players": []}, {"type": "roll", "dice": ["P", "O", "T"]}):
        step = verbs.step(GAME, {**document, "event": event})
        coins = list(document["coins"])
        pot, bank = document["pot"], document["bank"]
        for effect in step["effects"]:
            player, number = effect.get("player"), effect.get("coins", 0)
            match effect["type"]:
                case "staked":
                    bank, pot = bank - number, pot + number
                case "roll-paid":
                    coins[player], pot = coins[player] - number, pot + number
                case "bank-paid":
                    coins[player], bank = coins[player] + number, bank - number
                case "handed-over":
                    coins[player] -= number
                    coins[effect["to"]] += number
                case "round-won":
                    assert number == pot
                    coins[player], pot = coins[player] + number, 0
                case other:
                    assert other == "control-taken"
        assert (tuple(coins), pot, bank) == (step["coins"], step["pot"], step["bank"])


@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_sudden_death_keeps_the_order_to_the_end(count: int) -> None:
    turn: dict[str, Any] = {
        "options": {"total_coins": 10 * count, "target": 10},
        "coins": [10] * count,
        "pot": 0,
        "bank": 0,
        "player": 0,
        "tied": list(range(count)),
    }
    order = []
    # All roll 6, then all but the first 9, then the last player 15.
    for number in (*([2] * count), 1, *([3] * (count - 1)), *([4] * (count - 2)), 5):
        order.append(turn["player"])
        event = {"type": "roll", "dice": [number] * 3}
        turn = with_lists(verbs.step(GAME, {**turn, "event": event})["turn"])
        if turn["phase"] == "over":
            break
    assert order[: count + 1] == [*range(count), 0]
    if count > 2:
        assert order[2 * count :] == list(range(1, count))
    assert turn["phase"] == "over"
    assert turn["outcome"] == {"reason": "sudden-death", "winner": count - 1}
