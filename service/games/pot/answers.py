"""Answers as JSON: documents of ids and numbers, in the order of the contract."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import orjson

from service.games.pot.coins import Coins, Effect
from service.games.pot.events import Event, objections, play
from service.games.pot.game import Table, advance, new_table, table_objections
from service.games.pot.position import Over, Position, Turn
from service.games.pot.rewards import Choice
from service.games.pot.rounds import Step
from service.games.pot.rulesets import Ruleset
from service.games.pot.turn import adjudicate, legal_events
from service.rules.game import Adjudication
from service.wire import steps


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
        "effects": effect_documents(choice.effects),
        "next": turn_document(step.turn),
    }


def step(position: Position, event: Event) -> dict[str, Any]:
    """What the event leads to, or every finding against it."""
    findings = objections(position, event, "/event")
    if findings:
        sheet = _coins_document(position.coins)
        return steps.refused(named(position.rules), findings, legal_events(position), sheet)
    taken = play(position, event)
    return steps.taken(
        named(position.rules),
        turn_document(taken.turn),
        legal_events(taken.turn),
        effect_documents(taken.effects),
        _coins_document(taken.turn.coins),
        taken.rules,
    )


def audit(rules: Ruleset, players: int, log: Iterable[Event]) -> dict[str, Any]:
    """How a game of so many players stands after these events, up to the first illegal one."""
    walked = steps.walk(new_table(rules, players), log, table_objections, advance)
    table: Table = walked.table
    turn = table.turn
    return {
        **named(rules),
        "legal": walked.first_illegal is None,
        "first_illegal": walked.first_illegal,
        **_coins_document(turn.coins),
        "sheet": table.sheet,
        "rounds": [won._asdict() for won in table.rounds],
        "over": isinstance(turn, Over),
        "winners": table.winners,
        "player": None if isinstance(turn, Over) else turn.player,
        "turn": None if isinstance(turn, Over) else turn_document(turn),
        "rules": sorted(walked.rules | table.rules),
    }


def turn_document(turn: Turn) -> dict[str, Any]:
    """Where the game stands: a position to post back, defaults left out, or how it ended."""
    document: dict[str, Any] = {"ruleset": turn.rules.id, "options": turn.rules.house_rules}
    coins = _coins_document(turn.coins)
    if isinstance(turn, Over):
        outcome = {"reason": turn.reason, "winner": turn.winner}
        return {**document, "phase": "over", **coins, "outcome": outcome}
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


def _coins_document(coins: Coins) -> dict[str, Any]:
    return {"coins": coins.players, "pot": coins.pot, "bank": coins.bank}


def named(rules: Ruleset) -> dict[str, Any]:
    """What every answer begins with: the rules that it was given under."""
    return {"ruleset": rules.id, "ruleset_hash": rules.hash, "options": rules.house_rules}


def effect_documents(effects: tuple[Effect, ...]) -> list[dict[str, Any]]:
    """What an event did, each effect with the fields of its type."""
    return [
        {name: value for name, value in effect._asdict().items() if value is not None}
        for effect in effects
    ]


@lru_cache(maxsize=4096)
def _sorted(rules: frozenset[str]) -> tuple[str, ...]:
    return tuple(sorted(rules))
