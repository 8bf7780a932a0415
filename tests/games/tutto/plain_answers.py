"""An adjudication as a plain document: what the prepared text of the service has to say."""

from typing import Any

from service.games.referee import ruleset_fields
from service.games.tutto.answers import effect_document, turn_document
from service.games.tutto.position import Position
from service.games.tutto.turn import KeepResult, Turn, adjudicate, go_on, weigh

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
