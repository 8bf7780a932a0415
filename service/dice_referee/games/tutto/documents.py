"""JSON of Tutto: shapes of requests, positions from documents, and documents of answers.

The contract, ``openapi.yaml``, states the same shapes; a test compares the two.
"""

from collections.abc import Callable
from enum import StrEnum
from functools import cache, lru_cache
from typing import Any

from dice_referee.games.fields import effect_document, event_document, ruleset_fields, turn_fields
from dice_referee.games.tutto.cards import CARDS, DECK, PILE, PLAYABLE, STRAIGHT
from dice_referee.games.tutto.events import EVENTS
from dice_referee.games.tutto.position import MOST_PENDING, SIX, STEP, Phase, Position
from dice_referee.games.tutto.rulesets import Ruleset
from dice_referee.games.tutto.scoring import NOTHING_ASIDE, Aside, NextRoll, Scoring, scoring_of
from dice_referee.games.tutto.table import Table
from dice_referee.games.tutto.turn import KeepResult, Over, Turn, adjudicate, go_on, keep_result
from dice_referee.games.tutto.values.duels import win_chances
from dice_referee.games.tutto.values.odds import Choice, Question, all_odds
from dice_referee.rulebook.dice import Dice
from dice_referee.rulebook.game import Document, Json
from dice_referee.rulebook.odds import fraction_document
from dice_referee.validation.fields import Dice as DiceField
from dice_referee.validation.fields import Enumerated, Integer, ListOf
from dice_referee.validation.schema import Fields, Nested, closed
from dice_referee.validation.shapes import Shapes

# Shapes -------------------------------------------------------------------------------------------


PLAYERS = (2, 10)
"""Minimum and maximum number of players (T6.1)."""


class Aim(StrEnum):
    """Quantity that values measure."""

    POINTS = "points"
    """Points that the turn is expected to write (O5)."""
    REACH = "reach"
    """Chance to write at least ``reach`` points (O6)."""
    WIN = "win"
    """Chance to win a game of two (O16)."""


REACH = (50, 10_000)
"""Minimum and maximum of ``reach``, in points (O6)."""


def _dice(*, required: bool = False) -> DiceField:  # pragma: no mutate block
    return DiceField(Integer(1, 6), maximum=SIX, required=required)


def _position(rolled: bool) -> Fields:  # pragma: no mutate block
    """Returns the fields of a position; ``rolled`` makes its card and roll required."""
    return {
        "card": Enumerated(*PLAYABLE, required=rolled),
        "keeps": ListOf(_dice(), maximum=SIX),
        "roll": _dice(required=rolled),
        "carried": Integer(0, 1_000_000, step=STEP),
        "tuttos": Integer(0, 1000),
        "pending_deductions": Integer(0, MOST_PENDING),
        "scores": ListOf(Integer(-1_000_000_000, 1_000_000_000), *PLAYERS),
        "player": Integer(0, PLAYERS[1] - 1),
        "phase": Enumerated(*Phase),
        "dice_to_roll": Integer(0, SIX),
        "turn_points": Integer(0, 1_010_000, step=STEP),
    }


SHAPES = Shapes(
    PLAYERS,
    _position,
    events={"draw": {}, "roll": {}, "keep": {"dice": _dice(required=True)}, "bank": {}},
    chance={
        "draw": {"card": Enumerated(*CARDS, required=True)},
        "roll": {"dice": _dice(required=True)},
    },
    odds={
        "aim": Enumerated(*Aim),
        "reach": Integer(*REACH, step=STEP),
        "pile": Nested(closed("TuttoPile", {card: Integer(0, len(PILE)) for card in CARDS})),
    },
    aim={"aim": Enumerated(Aim.POINTS, Aim.WIN)},
)


# Positions from documents -------------------------------------------------------------------------


def described(rules: Ruleset, document: Document, dice: Callable[[Any], Dice]) -> Position:
    """Returns the position that a document describes, possible or not.

    ``dice`` makes a tuple of each list of faces: sorted, or in the order of the request.
    """
    card = CARDS[document["card"]] if "card" in document else None
    keeps = tuple(map(tuple, document["keeps"])) if "keeps" in document else ()
    return Position(
        rules,
        card,
        _aside(scoring_of(rules), keeps, card is STRAIGHT, dice) if keeps else NOTHING_ASIDE,
        dice(document["roll"]) if "roll" in document else None,
        document.get("carried", 0),
        document.get("tuttos", 0),
        document.get("pending_deductions", 0),
        tuple(document["scores"]) if "scores" in document else None,
        document.get("player"),
    )


@lru_cache(maxsize=8192)
def _aside(
    scoring: Scoring, keeps: tuple[Dice, ...], straight: bool, dice: Callable[[Any], Dice]
) -> Aside:
    return scoring.aside(tuple(map(dice, keeps)), straight)


# Documents of answers -----------------------------------------------------------------------------


def adjudication(position: Position) -> Json:
    """Returns the verdict on the roll of this position: legal keeps, bank or end, and rules."""
    verdict = adjudicate(position)
    result, end, most = verdict.roll_result, verdict.end, verdict.roll_result.can.most
    keeps = [keep_result(position, keep, stop=False) for keep in result.can.keeps]
    bank = None
    if end is not None and most is not None:
        bank = _keep_document(keep_result(position, most, stop=True), end)
    return {
        **ruleset_fields(position.rules),
        "turn_points": verdict.earned,
        "status": result.status,
        "legal_keeps": [_keep_document(keep, go_on(position, keep)) for keep in keeps],
        "bank": bank,
        "next": None if end is None or bank is not None else turn_document(end),
        "rules": sorted(verdict.rules),
    }


def _keep_document(result: KeepResult, following: Turn) -> Json:
    return {
        "dice": result.keep.dice,
        "points": result.keep.points,
        "bonus": result.bonus,
        "turn_points": result.turn_points,
        "tutto": result.tutto,
        "lines": [line._asdict() for line in result.keep.lines],
        "effects": [effect_document(effect) for effect in result.due.taken],
        "next": turn_document(following),
    }


def turn_document(turn: Turn) -> Json:
    """Returns a position to post back, without fields at their defaults, or an ``outcome``."""
    document = turn_fields(turn)
    if isinstance(turn, Position):
        fields = {
            "card": turn.card and turn.card.id,
            "keeps": turn.aside.keeps,
            "roll": turn.roll,
            "dice_to_roll": turn.dice_to_roll,
            "turn_points": turn.earned,
            "carried": turn.carried,
            "tuttos": turn.tuttos,
            "pending_deductions": turn.pending_deductions,
        }
        document |= {name: value for name, value in fields.items() if value}
    if turn.scores is not None:
        document |= {"scores": turn.scores, "player": turn.player}
    if isinstance(turn, Over):
        document["outcome"] = {
            "reason": turn.reason,
            "points": turn.points,
            "wins_game": turn.wins_game,
        }
    return document


def sheet_document(turn: Turn) -> Json:
    """Returns the scores after an event."""
    return {"scores": turn.scores}


def table_document(table: Table) -> Json:
    """Returns the scores, now and after every turn."""
    return {"scores": table.scores, "sheet": table.sheet}


def aim_of(reach: int | None, win: bool) -> Aim:
    """Returns the aim of a question: ``win``, or ``reach`` if there are points to reach."""
    return Aim.WIN if win else Aim.POINTS if reach is None else Aim.REACH


def odds_document(question: Question) -> Json:
    """Returns the values of the position, its choices and the next draw."""
    odds = all_odds(question)
    return {
        **ruleset_fields(question.position.rules),
        "aim": aim_of(question.reach, question.win),
        "reach": question.reach,
        "accuracy": win_chances(question.position.rules.id).error if question.win else None,
        "pile": {card.id: copies for card, copies in zip(DECK, odds.pile, strict=True)},
        "value": odds.value,
        "choices": [_choice_document(choice) for choice in odds.choices],
        "best": odds.best,
        "roll": odds.roll and {**_roll_document(odds.roll), "value": odds.value},
        "cards": [
            {
                "card": draw.card.id,
                "chance": fraction_document(draw.chance),
                "value": draw.value,
            }
            for draw in odds.cards
        ],
        "rules": sorted(odds.rules),
    }


def _choice_document(choice: Choice) -> Json:
    return {
        "event": event_document(EVENTS, choice.event),
        "value": choice.value,
        "next_roll": choice.next_roll and _roll_document(choice.next_roll),
    }


@cache
def _roll_document(roll: NextRoll) -> Json:
    return {
        "dice": roll.dice,
        "niete": fraction_document(roll.niete),
        "tutto": fraction_document(roll.tutto),
    }
