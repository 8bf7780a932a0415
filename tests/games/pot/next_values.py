"""Choices of random positions of POT, and the values of their ``next`` (O13, O18)."""

from collections.abc import Iterator, Sequence
from itertools import product
from random import Random
from statistics import fmean
from typing import Any

from dice_referee.games import catalogue
from dice_referee.games.pot.scoring import SET, as_dice
from dice_referee.games.pot.values.falls import final_points, result_value
from dice_referee.games.verbs import step
from dice_referee.rulebook.errors import ImpossiblePosition
from tests.games.next_values import Choice
from tests.games.pot.random_games import COMBOS, random_coins, random_position

GAME = catalogue()["pot"]
TOTAL = 55


def choices(rng: Random, positions: int) -> Iterator[Choice]:
    """Yields choices of this many positions: to accept the dice, and to roll all of them.

    Choices that hold dice are excluded: held dice reveal more than a position contains (O13).
    """
    while positions:
        question = random_position(rng)
        try:
            odds = GAME.odds(GAME.question_of(question))
        except ImpossiblePosition:
            # The dice have ended the turn.
            continue
        positions -= 1
        ways = iter(GAME.adjudication(GAME.position_of(question))["choices"])
        for choice in odds["choices"]:
            event = choice["event"]
            if event["type"] == "accept":
                value = _value(question, question["roll"], next(ways)["next"])
            elif not event["held"] and rng.random() < 0.05:
                value = _mean_of_rolls(question)
            else:
                continue
            yield Choice({**question, "event": event}, _measure(choice), value, 1e-9)
    yield from _choices_to_win(rng)


def _choices_to_win(rng: Random) -> Iterator[Choice]:
    """Yields the rewards of a random position of two players, with their win probabilities."""
    dice, (coins, pot, bank) = rng.choice(COMBOS), random_coins(rng, TOTAL, 2)
    question = {
        "roll": dice,
        "rolls_made": 2,
        "coins": coins,
        "pot": pot,
        "bank": bank,
        "player": 0,
    }
    question |= {"aim": "win", **rng.choice([{}, {"holder": 1, "to_beat": rng.randint(1, 15)}])}
    try:
        odds = GAME.odds(GAME.question_of(question))
    except ImpossiblePosition:
        return
    ways = GAME.adjudication(GAME.position_of(question))["choices"]
    for choice, way in zip(odds["choices"], ways, strict=False):
        turn = way["next"]
        if turn["phase"] == "over":
            value = float(turn["outcome"]["winner"] == 0)
        else:
            value = GAME.odds(GAME.question_of({**turn, "aim": "win"}))["value"]
            value = value if turn["player"] == 0 else 1 - value
        yield Choice({**question, "event": choice["event"]}, choice["win"], value, 1.6e-5)


def _measure(choice: dict[str, Any]) -> float:
    return float((choice["sum"] if choice["beats"] is None else choice["beats"])["value"])


def _mean_of_rolls(question: dict[str, Any]) -> float:
    """Returns the mean value of the turns that follow from all faces of three dice."""
    values = list[float]()
    for dice in product(*SET):
        event = {"type": "roll", "held": [], "dice": list(dice)}
        values.append(_value(question, dice, step(GAME, {**question, "event": event})["turn"]))
    return fmean(values)


def _value(question: dict[str, Any], dice: Sequence[Any], turn: dict[str, Any]) -> float:
    """Returns the value of a turn that is posted back, or of the result that ended the turn."""
    if turn["phase"] in ("choose", "reroll"):
        odds = GAME.odds(GAME.question_of(turn))
        return _measure(odds["choices"][odds["best"]])
    to_beat, holder = question.get("to_beat"), turn.get("holder")
    if holder == question["player"]:
        return float(turn["to_beat"] if to_beat is None else 1)
    return float(result_value(final_points(as_dice(dice)), to_beat)) if holder is None else 0.0
