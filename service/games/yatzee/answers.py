"""Answers as JSON text, put together from prepared pieces.

What a category is worth with given dice does not depend on the rest of the position, so it is
written once and kept.
"""

from functools import lru_cache
from typing import Any

import orjson

from service.games.yatzee.categories import CATEGORIES
from service.games.yatzee.events import Effect, Filled, UpperBonus
from service.games.yatzee.game import Table
from service.games.yatzee.position import Position
from service.games.yatzee.rulesets import Ruleset
from service.games.yatzee.sheet import Scorecard, Totals, totals
from service.games.yatzee.turn import Line, Over, Turn, adjudicate
from service.rules.game import Adjudication
from service.wire.steps import named


def _text(document: Any) -> str:
    return orjson.dumps(document).decode()


def adjudication(position: Position) -> Adjudication:
    """What the dice on the table allow, as JSON."""
    verdict = adjudicate(position)
    entries = []
    for line, is_open, after in verdict.entries:
        head, middle = _line_text(line)
        opened = "true" if is_open else "false"
        adding_up = "null" if after is None else totals_text(after)
        entries.append(f"{head}{opened}{middle}{adding_up}}}")
    may_throw = "true" if verdict.may_throw else "false"
    return Adjudication(
        verdict.status,
        f'{{{_named(position.rules)},"status":"{verdict.status}","may_throw":{may_throw},'
        f'"categories":[{",".join(entries)}],"totals":{totals_text(verdict.totals)},'
        f'"rules":{_rules_text(verdict.rules)}}}',
    )


@lru_cache(maxsize=16384)
def _line_text(line: Line) -> tuple[str, str]:
    """The parts of a category before and after ``open``, up to its totals."""
    score = line.score
    satisfied = "true" if score.dice else "false"
    return (
        f'{{"category":"{line.category}","open":',
        f',"satisfied":{satisfied},"dice":{_text(score.dice)},"face_value":{score.face_value},'
        f'"throw_bonus":{line.throw_bonus},"points":{line.points},'
        f'"rule":"{line.category.rule}","totals":',
    )


@lru_cache(maxsize=16384)
def totals_text(totals: Totals) -> str:
    """What a card adds up to, as JSON."""
    return _text(totals._asdict())


@lru_cache(maxsize=1024)
def _named(rules: Ruleset) -> str:
    """What every answer begins with: the rules that it was given under."""
    return _text(named(rules))[1:-1]


@lru_cache(maxsize=4096)
def _rules_text(rules: frozenset[str]) -> str:
    return _text(sorted(rules))


def turn_document(turn: Turn) -> dict[str, Any]:
    """Where a turn stands: a position to post back, defaults left out, or how it ended."""
    document: dict[str, Any] = {"ruleset": turn.rules.id, "options": turn.rules.house_rules}
    if isinstance(turn, Over):
        return {
            **document,
            "phase": "over",
            "scorecard": scorecard_document(turn.scorecard),
            "outcome": outcome_document(turn),
        }
    document["phase"] = turn.phase
    if turn.dice is not None:
        document |= {"dice": turn.dice, "throw": turn.throw}
    if scorecard := scorecard_document(turn.scorecard):
        document["scorecard"] = scorecard
    return document


def outcome_document(turn: Turn) -> dict[str, Any] | None:
    """How a turn ended; None while it goes on."""
    if not isinstance(turn, Over):
        return None
    return {
        "reason": turn.reason,
        "category": turn.category,
        "points": turn.points,
        "scorecard_full": turn.scorecard_full,
    }


def sheet_document(turn: Turn) -> dict[str, Any]:
    """What the card of this turn adds up to."""
    return {"totals": totals(turn.rules, turn.scorecard)._asdict()}


def table_document(table: Table) -> dict[str, Any]:
    """The scores, now and after every turn, the cards and what they add up to."""
    return {
        "scores": table.scores,
        "sheet": table.sheet,
        "scorecards": [scorecard_document(card) for card in table.cards],
        "totals": [each._asdict() for each in table.totals],
    }


def scorecard_document(scorecard: Scorecard) -> dict[str, int]:
    """The filled categories with their points, in the order of the card."""
    filled = zip(CATEGORIES, scorecard, strict=True)
    return {category.value: points for category, points in filled if points is not None}


def effect_document(effect: Effect) -> dict[str, Any]:
    """What an event did, with its type."""
    match effect:
        case Filled(reason, category, points):
            return {"type": reason, "category": category, "points": points}
        case UpperBonus(points):
            return {"type": "upper-bonus", "points": points}
