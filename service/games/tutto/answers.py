"""Answers as JSON: documents of ids and numbers, in the order of the contract."""

from functools import cache
from typing import Any

from service.games.base_game import event_document, ruleset_fields, turn_fields
from service.games.tutto.cards import DECK
from service.games.tutto.chances import NextRoll
from service.games.tutto.events import EVENTS, Effect
from service.games.tutto.game import Table
from service.games.tutto.odds import Choice, Question, all_odds
from service.games.tutto.position import Position
from service.games.tutto.turn import KeepResult, Over, Turn, adjudicate, go_on, weigh
from service.rules.odds import fraction_document

Document = dict[str, Any]


def adjudication(position: Position) -> Document:
    """What the roll of this position allows."""
    verdict = adjudicate(position)
    result, end, most = verdict.roll_result, verdict.end, verdict.roll_result.can.most
    weighed = [weigh(position, keep, stop=False) for keep in result.can.keeps]
    bank = None
    if end is not None and most is not None:
        bank = _keep_document(weigh(position, most, stop=True), end)
    return {
        **ruleset_fields(position.rules),
        "status": result.status,
        "legal_keeps": [_keep_document(keep, go_on(position, keep)) for keep in weighed],
        "bank": bank,
        "next": None if end is None or bank is not None else turn_document(end),
        "rules": sorted(verdict.rules),
    }


def _keep_document(result: KeepResult, following: Turn) -> Document:
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


def turn_document(turn: Turn) -> Document:
    """Where a turn stands: a position to post back, defaults left out, or how it ended."""
    document = turn_fields(turn)
    if isinstance(turn, Position):
        fields = {
            "card": turn.card and turn.card.id,
            "keeps": turn.aside.keeps,
            "roll": turn.roll,
            "dice_to_roll": turn.dice_to_roll,
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


def sheet_document(turn: Turn) -> dict[str, Any]:
    """The scores after an event."""
    return {"scores": turn.scores}


def table_document(table: Table) -> dict[str, Any]:
    """The scores, now and after every turn."""
    return {"scores": table.scores, "sheet": table.sheet}


def effect_document(effect: Effect) -> dict[str, Any]:
    """What an event did, with its type."""
    return {"type": effect.type, **effect._asdict()}


def odds(question: Question) -> Document:
    """What the position is worth, and each of its choices."""
    found = all_odds(question)
    return {
        **ruleset_fields(question.position.rules),
        "aim": "points" if question.reach is None else "reach",
        "reach": question.reach,
        "pile": {card.id: copies for card, copies in zip(DECK, found.pile, strict=True)},
        "value": found.value,
        "choices": [_choice_document(choice) for choice in found.choices],
        "best": found.best,
        "roll": found.roll and {**_roll_document(found.roll), "value": found.value},
        "cards": [
            {
                "card": one.card.id,
                "chance": fraction_document(one.chance),
                "value": one.value,
            }
            for one in found.cards
        ],
        "rules": sorted(found.rules),
    }


def _choice_document(choice: Choice) -> Document:
    return {
        "event": event_document(EVENTS, choice.event),
        "value": choice.value,
        "next_roll": choice.next_roll and _roll_document(choice.next_roll),
    }


@cache
def _roll_document(roll: NextRoll) -> Document:
    return {
        "dice": roll.dice,
        "niete": fraction_document(roll.niete),
        "tutto": fraction_document(roll.tutto),
    }
