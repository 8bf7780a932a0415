"""Every reason why a turn, as a request describes it, is impossible."""

from collections.abc import Iterator

from dice_referee.games.yatzee.categories import CATEGORIES
from dice_referee.games.yatzee.position import Position
from dice_referee.games.yatzee.scoring import SIX
from dice_referee.games.yatzee.sheet import can_score
from dice_referee.rulebook.findings import Finding, Param
from dice_referee.rulebook.game import Document


def impossibilities(position: Position, _: Document) -> Iterator[Finding]:
    """Yields every reason why the position is impossible."""
    rules, scorecard, roll, rolls_made = position
    if roll is None:
        if rolls_made is not None:
            yield Finding("roll-missing", "Y1.1", "/roll")
    else:
        if len(roll) != SIX:
            params: dict[str, Param] = {"expected": SIX, "actual": len(roll)}
            yield Finding("wrong-number-of-dice", "Y1.1", "/roll", params)
        if rolls_made is None:
            yield Finding("rolls-made-missing", "Y1.1", "/rolls_made")
    if None not in scorecard:
        yield Finding("scorecard-full", "Y4.1", "/scorecard")
    for category, points in zip(CATEGORIES, scorecard, strict=True):
        if points is not None and not can_score(rules, category, points):
            params = {"category": category.value, "points": points}
            yield Finding("impossible-points", category.rule, f"/scorecard/{category}", params)
