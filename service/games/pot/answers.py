"""Answers as JSON: documents of ids and numbers, in the order of the contract."""

from functools import lru_cache
from typing import Any

import orjson

from service.games.pot.coins import Effect
from service.games.pot.game import Table
from service.games.pot.position import Over, Position, Turn
from service.games.pot.rewards import Choice
from service.games.pot.rounds import Step
from service.games.pot.turn import adjudicate
from service.rules.game import Adjudication
from service.wire.steps import named


def adjudication(position: Position) -> Adjudication:
    """What the dice on the table of this position allow."""
    verdict = adjudicate(position)
    document = {
        **named(position.rules),
        "sum": verdict.points,
        "status": verdict.status,
        "combo": None if verdict.combo is None else verdict.combo.id,
        "beats": verdict.beats,
        "next_throw": verdict.next_throw,
        "choices": [_choice_document(choice, step) for choice, step in verdict.rewards],
        "next": None if verdict.end is None else turn_document(verdict.end.turn),
        "rules": _sorted(verdict.rules),
    }
    return Adjudication(verdict.status, orjson.dumps(document).decode())


def _choice_document(choice: Choice, step: Step) -> dict[str, Any]:
    return {
        "players": choice.players,
        "coins": choice.coins.players,
        "bank": choice.coins.bank,
        "pot": choice.coins.pot,
        "effects": [effect_document(effect) for effect in choice.effects],
        "next": turn_document(step.turn),
    }


def turn_document(turn: Turn) -> dict[str, Any]:
    """Where the game stands: a position to post back, defaults left out, or how it ended."""
    document: dict[str, Any] = {"ruleset": turn.rules.id, "options": turn.rules.house_rules}
    coins = sheet_document(turn)
    if isinstance(turn, Over):
        return {**document, "phase": "over", **coins, "outcome": outcome_document(turn)}
    document["phase"] = turn.phase
    if turn.dice is not None:
        document["dice"] = turn.dice
    if turn.held is not None:
        document["held"] = turn.held
    if turn.throws is not None:
        document["throws"] = turn.throws
    document |= coins
    document["player"] = turn.player
    if turn.holder is not None:
        document |= {"holder": turn.holder, "to_beat": turn.to_beat}
    if turn.tied:
        document["tied"] = turn.tied
    if turn.sums:
        document["sums"] = turn.sums
    return document


def outcome_document(turn: Turn) -> dict[str, Any] | None:
    """How the game ended; None while it goes on."""
    if not isinstance(turn, Over):
        return None
    return {"reason": turn.reason, "winner": turn.winner}


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


@lru_cache(maxsize=4096)
def _sorted(rules: frozenset[str]) -> tuple[str, ...]:
    return tuple(sorted(rules))
