"""Answers as JSON: documents of ids and numbers, in the order of the contract."""

from typing import Any

from service.games.base_game import event_document, ruleset_fields, turn_fields
from service.games.pot import odds as chances
from service.games.pot.coins import Effect
from service.games.pot.events import EVENTS
from service.games.pot.game import Table
from service.games.pot.odds import Choice, Question
from service.games.pot.position import Over, Position, Turn
from service.games.pot.rewards import Reward
from service.games.pot.turn import adjudicate
from service.rules.game import Step
from service.rules.odds import fraction_document


def adjudication(position: Position) -> dict[str, Any]:
    """What the dice on the table of this position allow."""
    verdict = adjudicate(position)
    return {
        **ruleset_fields(position.rules),
        "sum": verdict.points,
        "status": verdict.status,
        "combo": None if verdict.combo is None else verdict.combo.id,
        "beats": verdict.beats,
        "next_throw": verdict.next_throw,
        "choices": [_reward_document(choice, step) for choice, step in verdict.rewards],
        "next": None if verdict.end is None else turn_document(verdict.end.turn),
        "rules": sorted(verdict.rules),
    }


def _reward_document(choice: Reward, step: Step[Turn]) -> dict[str, Any]:
    return {
        "players": choice.players,
        "coins": choice.coins.players,
        "bank": choice.coins.bank,
        "pot": choice.coins.pot,
        "effects": [effect_document(effect) for effect in choice.effects],
        "next": turn_document(step.turn),
    }


def odds(question: Question) -> dict[str, Any]:
    """What each choice is worth, and which is best."""
    found = chances.odds(question)
    return {
        **ruleset_fields(question.position.rules),
        "choices": [_choice_document(choice) for choice in found.choices],
        "best": found.best,
        "rules": sorted(found.rules),
    }


def _choice_document(choice: Choice) -> dict[str, Any]:
    return {
        "event": event_document(EVENTS, choice.event),
        "beats": None if choice.beats is None else fraction_document(choice.beats),
        "sum": None if choice.sum is None else fraction_document(choice.sum),
        "combos": [
            {"combo": combo.id, "chance": fraction_document(chance)}
            for combo, chance in choice.combos
        ],
        "price": choice.price,
    }


def turn_document(turn: Turn) -> dict[str, Any]:
    """Where the game stands: a position to post back, defaults left out, or how it ended."""
    document, coins = turn_fields(turn), sheet_document(turn)
    if isinstance(turn, Over):
        return document | coins | {"outcome": {"reason": turn.reason, "winner": turn.winner}}
    fields = {
        "dice": turn.dice,
        "held": turn.held,
        "throws": turn.throws,
        **coins,
        "player": turn.player,
        "holder": turn.holder,
        "to_beat": turn.to_beat,
        "tied": turn.tied or None,
        "sums": turn.sums or None,
    }
    return document | {name: value for name, value in fields.items() if value is not None}


def sheet_document(turn: Turn) -> dict[str, Any]:
    """Where the coins are."""
    return {"coins": turn.coins.players, "pot": turn.coins.pot, "bank": turn.coins.bank}


def table_document(table: Table) -> dict[str, Any]:
    """Where the coins are, and how they got there."""
    return {
        **sheet_document(table.turn),
        "sheet": table.sheet,
        "rounds": [won._asdict() for won in table.rounds],
    }


def effect_document(effect: Effect) -> dict[str, Any]:
    """What an event did, with the fields of its type."""
    return {name: value for name, value in effect._asdict().items() if value is not None}
