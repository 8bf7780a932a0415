"""Verdict on the dice: the points in each category, and the choice to throw on."""

from enum import StrEnum
from functools import lru_cache
from typing import Literal, NamedTuple

from dice_referee.games.yatzee import scoring, sheet
from dice_referee.games.yatzee.categories import CATEGORIES, Category
from dice_referee.games.yatzee.position import Phase, Position
from dice_referee.games.yatzee.rulesets import Ruleset
from dice_referee.games.yatzee.scoring import Score
from dice_referee.games.yatzee.sheet import Scorecard, Totals
from dice_referee.rulebook.dice import Dice


class ThrowStatus(StrEnum):
    """Use of the dice, apart from throwing on."""

    WRITABLE = "writable"
    STRIKE_ONLY = "strike-only"


class Reason(StrEnum):
    """Reason for the end of a turn."""

    WRITTEN = "written"
    STRUCK = "struck"


class Over(NamedTuple):
    """A turn that has ended. ``points`` stand on the score card."""

    rules: Ruleset
    reason: Reason
    category: Category
    points: int
    scorecard: Scorecard
    phase: Literal[Phase.OVER] = Phase.OVER

    @property
    def scorecard_full(self) -> bool:
        """True after the player's last turn (Y4.1)."""
        return None not in self.scorecard


Turn = Position | Over


class Worth(NamedTuple):
    """Value of the dice in a category, open or not."""

    category: Category
    score: Score
    throw_bonus: int
    points: int
    """Points for writing; 0 where the category can only be struck (Y1.3)."""


class Entry(NamedTuple):
    """A category of the card, with the dice on the table."""

    worth: Worth
    open: bool
    totals: Totals | None
    """Totals of the card once the category is filled; None if it is filled already."""


class Verdict(NamedTuple):
    """Verdict on the dice on the table."""

    status: ThrowStatus
    may_throw: bool
    entries: tuple[Entry, ...]
    """Every category, in the order of the card."""
    totals: Totals
    """Totals of the card now."""
    rules: frozenset[str]


@lru_cache(maxsize=8192)
def worths(rules: Ruleset, dice: Dice, throw: int) -> tuple[Worth, ...]:
    """Returns the points of six dice in each category when written after this throw."""
    bonus, scores = rules.throw_bonus[throw - 1], scoring.scores(dice, rules.distinct_faces)
    results = []
    for category, score in zip(CATEGORIES, scores, strict=True):
        # The upper block knows no throw bonus (Y2.1), nor does a struck category (Y3.1).
        added = bonus if score.dice and not category.is_upper else 0
        results.append(Worth(category, score, added, score.face_value + added))
    return tuple(results)


def adjudicate(position: Position) -> Verdict:
    """Returns the verdict on the dice. The position is in phase ``choose``."""
    rules, dice, throw = position.rules, position.dice, position.throw
    assert dice is not None
    assert throw is not None
    now, status = sheet.totals(rules, position.scorecard), ThrowStatus.STRIKE_ONLY
    entries, most_bonus, cites = [], now.upper_bonus, {"Y2.1", "Y3.1", "Y3.2"}
    for worth, points in zip(worths(rules, dice, throw), position.scorecard, strict=True):
        if points is not None:
            entries.append(Entry(worth, False, None))
            continue
        after = sheet.totals_with(rules, now, worth.category, worth.points)
        entries.append(Entry(worth, True, after))
        most_bonus = max(most_bonus, after.upper_bonus)
        if worth.score.dice:
            status = ThrowStatus.WRITABLE
        else:
            cites.add("Y1.3")
    cites.add("Y1.1" if position.may_throw else "Y1.2")
    if most_bonus:
        cites.add("Y2.2")
    if scoring.reading_decides(dice):
        cites.add("Y3.3")
    if rules.throw_bonus[throw - 1]:
        cites.add("Y3.4")
    return Verdict(status, position.may_throw, tuple(entries), now, frozenset(cites))
