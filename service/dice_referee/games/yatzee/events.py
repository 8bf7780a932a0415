"""The three events of a turn: roll, write and strike."""

from collections.abc import Iterator
from typing import NamedTuple

from dice_referee.games.yatzee import scoring, sheet
from dice_referee.games.yatzee.categories import PLACE, Category
from dice_referee.games.yatzee.position import Over, Phase, Position, Reason, Turn, Worth
from dice_referee.games.yatzee.rulesets import LAST_ROLL
from dice_referee.games.yatzee.scoring import SIX
from dice_referee.games.yatzee.sheet import fill
from dice_referee.rulebook.dice import Dice, as_dice, not_among, times_wanted
from dice_referee.rulebook.findings import Finding
from dice_referee.rulebook.game import Step


class Roll(NamedTuple):
    """Roll of all dice that are not held (Y1.1)."""

    held: Dice = ()
    """Dice in the order of the request, so that findings can point at them."""
    dice: Dice | None = None

    def objections(self, position: Position, at: str) -> Iterator[Finding]:
        if not position.may_roll:
            yield Finding("no-roll-left", "Y1.1", at, {"rolls": LAST_ROLL})
        # Only dice on the table can be held. Dice that were held before may be rolled (Y1.1).
        for i, die in not_among(position.roll or (), self.held):
            params = {"die": die, "times": times_wanted(die, position.roll or (), self.held)}
            yield Finding("not-on-table", "Y1.1", f"{at}/held/{i}", params)
        due = SIX - len(self.held)
        if not due:
            yield Finding("nothing-rolled", "Y1.4", f"{at}/held")
        elif self.dice is not None and len(self.dice) != due:
            params = {"expected": due, "actual": len(self.dice)}
            yield Finding("wrong-number-of-dice", "Y1.1", f"{at}/dice", params)

    def play(self, position: Position) -> Step[Turn]:
        assert self.dice is not None, "a roll that is played has fallen"
        roll, rolls_made = as_dice(self.held + self.dice), (position.rolls_made or 0) + 1
        return Step(position._replace(roll=roll, rolls_made=rolls_made), (), frozenset({"Y1.1"}))


class Write(NamedTuple):
    """Entry of the dice in a category (Y1.2)."""

    category: Category

    def objections(self, position: Position, at: str) -> Iterator[Finding]:
        yield from _unfillable(position, "write-not-due", self.category, at)
        rows = position.worths
        if rows and not rows[PLACE[self.category]].score.dice:
            params = {"category": self.category.value}
            yield Finding("not-satisfied", "Y1.3", f"{at}/category", params)

    def play(self, position: Position) -> Step[Turn]:
        worth = position.worths[PLACE[self.category]]
        return _fill(position, Reason.WRITTEN, self.category, worth)


class Strike(NamedTuple):
    """Strike of a category, for 0 points (Y1.2)."""

    category: Category

    def objections(self, position: Position, at: str) -> Iterator[Finding]:
        return _unfillable(position, "strike-not-due", self.category, at)

    def play(self, position: Position) -> Step[Turn]:
        return _fill(position, Reason.STRUCK, self.category, None)


Event = Roll | Write | Strike


class Filled(NamedTuple):
    """Effect of an entry: a category that was written or struck."""

    type: Reason
    category: Category
    points: int


class UpperBonus(NamedTuple):
    """Effect of reaching the threshold of the upper section (Y2.2)."""

    points: int
    type: str = "upper-bonus"


Effect = Filled | UpperBonus


def _unfillable(position: Position, code: str, category: Category, at: str) -> Iterator[Finding]:
    if position.phase is not Phase.CHOOSE:
        yield Finding(code, "Y1.2", at, {"phase": position.phase.value})
    if category not in position.open_categories:
        params = {"category": category.value}
        yield Finding("category-filled", "Y1.2", f"{at}/category", params)


def _fill(
    position: Position, reason: Reason, category: Category, worth: Worth | None
) -> Step[Turn]:
    rules, points = position.rules, 0 if worth is None else worth.points
    over = Over(rules, reason, category, points, fill(position.scorecard, category, points))
    effects: list[Effect] = [Filled(reason, category, points)]
    cites = {"Y1.2", *_rules_of(position, category, worth)}
    before = sheet.totals(rules, position.scorecard).upper_bonus
    reached = sheet.totals(rules, over.scorecard).upper_bonus - before
    if reached:
        effects.append(UpperBonus(reached))
        cites.add("Y2.2")
    if over.scorecard_full:
        cites.add("Y4.1")
    return Step(over, tuple(effects), frozenset(cites))


def _rules_of(position: Position, category: Category, worth: Worth | None) -> Iterator[str]:
    yield "Y1.3" if worth is None else category.rule
    if not category.is_upper:
        yield "Y3.1"
    if worth is not None and position.roll is not None:
        if worth.throw_bonus and category is Category.CHANCE:
            yield "Y3.4"
        alternative = scoring.score(category, position.roll, not position.rules.distinct_faces)
        if alternative != worth.score:
            yield "Y3.3"
