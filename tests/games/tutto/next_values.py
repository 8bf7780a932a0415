"""Choices of random positions of Tutto, and the values of their ``next`` (O2, O7, T6.5)."""

from collections.abc import Iterator
from random import Random
from typing import Any

from dice_referee.games.tutto.game import GAME
from dice_referee.games.tutto.rulesets import RULESETS, Ending
from dice_referee.games.tutto.values.duels import Duel, has_win_chances
from dice_referee.rulebook.errors import ImpossiblePosition
from tests.games.next_values import Choice
from tests.games.tutto.random_games import random_position, random_setup

SOLVED = [rules.id for rules in RULESETS.values() if has_win_chances(rules)]


def choices(rng: Random, positions: int) -> Iterator[Choice]:
    """Yields choices of this many positions, which share their aim, rules and value tables."""
    aim, sheet = _aim(rng), dict[str, Any]()
    setup = random_setup(rng)
    if aim["aim"] == "win":
        setup = {"ruleset": rng.choice(SOLVED)}
        sheet = _sheet(rng, setup["ruleset"])
    while positions:
        document = random_position(rng, setup, scored=False if sheet else None) | sheet
        if sheet.get("last_round"):
            document["carried"] = max(document.get("carried", 0), 1000)
        if rng.random() < 0.3:
            document["pile"] = {"stop": rng.randint(0, 3), "plus-minus": rng.randint(0, 2)}
        try:
            question = {**document, **aim}
            odds = GAME.odds(GAME.question_of(question))
        except ImpossiblePosition:
            # A leader sits out, or the roll is a Niete.
            continue
        positions -= 1
        position = {name: value for name, value in document.items() if name != "pile"}
        verdict = GAME.adjudication(GAME.position_of(position))
        ways = [*verdict["legal_keeps"], *filter(None, [verdict["bank"]])]
        for choice, way in zip(odds["choices"], ways, strict=True):
            following = {**aim, **{name: question[name] for name in ("pile",) if name in question}}
            value = _value(way["next"], following)
            yield Choice({**question, "event": choice["event"]}, choice["value"], value, 1e-9)


def _aim(rng: Random) -> dict[str, Any]:
    aim = rng.choice(("points", "reach", "win", "win"))
    return {"aim": aim, "reach": 50 * rng.randint(1, 60)} if aim == "reach" else {"aim": aim}


def _sheet(rng: Random, ruleset: str) -> dict[str, Any]:
    """Returns the scores of two players near the end, half of them in the last round (T6.5)."""
    rules = RULESETS[ruleset]
    own, opponent = (rng.randrange(rules.target - 3000, rules.target, 50) for _ in range(2))
    if rules.ending is Ending.AT_ONCE or rng.random() < 0.3:
        player = rng.randint(0, 1)
        return {"scores": [opponent, own] if player else [own, opponent], "player": player}
    if rng.random() < 0.5:
        opponent = rng.randrange(rules.target - 1000, rules.target, 50)
        return {"scores": [opponent, own], "player": 1, "last_round": True}
    return {"scores": [opponent + 3000, own], "player": 1}


def _value(turn: dict[str, Any], question: dict[str, Any]) -> float:
    """Returns the value of a turn that is posted back, or of its end for the player."""
    if turn["phase"] != "over":
        return float(GAME.question_of({**turn, **question}).value())
    outcome, rules = turn["outcome"], GAME.rules_of(turn)
    if question["aim"] == "win":
        return 1.0 if outcome["reason"] == "clover" else _chance(turn)
    points = rules.target if outcome["reason"] == "clover" else outcome["points"]
    reached = points >= question.get("reach", 0) or outcome["reason"] == "clover"
    return float(reached) if "reach" in question else points


def _chance(turn: dict[str, Any]) -> float:
    """Returns the chance of the player to win after the turn, computed from its document."""
    rules, scores, player = RULESETS[turn["ruleset"]], turn["scores"], turn["player"]
    wins, own, opponent = turn["outcome"]["wins_game"], scores[player], scores[1 - player]
    if wins is not None and (wins or rules.ending is Ending.FULL_ROUND):
        return 0.5 if own == opponent else float(wins)
    last = turn.get("last_round", False) or max(scores) >= rules.target
    return 1 - Duel(rules, opponent, own, 1 - player, last).chance()
