"""Position of a turn, and every reason why it is impossible."""

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from dice_referee.games.yatzee.categories import CATEGORIES
from dice_referee.games.yatzee.rulesets import THROWS, Ruleset
from dice_referee.games.yatzee.scoring import SIX
from dice_referee.games.yatzee.sheet import EMPTY, Scorecard, can_score
from dice_referee.rulebook.dice import Dice
from dice_referee.rulebook.findings import Finding, Param


class Phase(StrEnum):
    """Event that a turn waits for; ``over`` appears in answers only."""

    THROW = "throw"
    CHOOSE = "choose"
    OVER = "over"


class Position(NamedTuple):
    """A running turn of one player. Dice are sorted."""

    rules: Ruleset
    scorecard: Scorecard = EMPTY
    dice: Dice | None = None
    """The six dice on the table, held ones included; None before the first throw."""
    throw: int | None = None
    """Number of the throw in the turn, 1 to 3; None before the first."""

    @property
    def phase(self) -> Phase:
        return Phase.THROW if self.dice is None else Phase.CHOOSE

    @property
    def may_throw(self) -> bool:
        """True while another throw is allowed (Y1.1)."""
        return self.throw is None or self.throw < THROWS


def impossibilities(position: Position, phase: str | None = None) -> Iterator[Finding]:
    """Yields every reason why the position is impossible, or not in the phase it claims."""
    rules, scorecard, dice, throw = position
    if dice is None:
        if throw is not None:
            yield Finding("dice-missing", "Y1.1", "/dice")
    else:
        if len(dice) != SIX:
            params: dict[str, Param] = {"expected": SIX, "actual": len(dice)}
            yield Finding("wrong-number-of-dice", "Y1.1", "/dice", params)
        if throw is None:
            yield Finding("throw-missing", "Y1.1", "/throw")
    if None not in scorecard:
        yield Finding("scorecard-full", "Y4.1", "/scorecard")
    for category, points in zip(CATEGORIES, scorecard, strict=True):
        if points is not None and not can_score(rules, category, points):
            params = {"category": category.value, "points": points}
            yield Finding("impossible-points", category.rule, f"/scorecard/{category}", params)
    if phase is not None and phase != position.phase:
        yield Finding("phase-mismatch", "Y1.1", "/phase", {"expected": position.phase.value})
