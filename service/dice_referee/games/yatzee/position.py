"""Position of a turn, the verdict on its dice, and its end (Y1)."""

from enum import StrEnum
from functools import lru_cache
from typing import Literal, NamedTuple

from dice_referee.games.yatzee import scoring, sheet
from dice_referee.games.yatzee.categories import CATEGORIES, PLACE, Category
from dice_referee.games.yatzee.rulesets import LAST_ROLL, Ruleset
from dice_referee.games.yatzee.scoring import Score
from dice_referee.games.yatzee.sheet import EMPTY, Scorecard, Totals
from dice_referee.rulebook.dice import Dice
from dice_referee.rulebook.findings import Finding


class Phase(StrEnum):
    """Event that a turn waits for. Only answers contain ``over``."""

    ROLL = "roll"
    CHOOSE = "choose"
    OVER = "over"


class RollStatus(StrEnum):
    WRITABLE = "writable"
    STRIKE_ONLY = "strike-only"


class Worth(NamedTuple):
    category: Category
    score: Score
    throw_bonus: int
    points: int
    """Points for writing, or 0 where the category can only be struck (Y1.3)."""


@lru_cache(maxsize=8192)
def worths(rules: Ruleset, roll: Dice, rolls_made: int) -> tuple[Worth, ...]:
    """Returns the points of six dice in each category when written after this roll."""
    bonus, scores = rules.throw_bonus[rolls_made - 1], scoring.scores(roll, rules.distinct_faces)
    results = []
    for category, score in zip(CATEGORIES, scores, strict=True):
        # The upper section has no roll bonus (Y2.1), nor has a struck category (Y3.1).
        added = bonus if score.dice and not category.is_upper else 0
        results.append(Worth(category, score, added, score.face_value + added))
    return tuple(results)


class Entry(NamedTuple):
    worth: Worth
    open: bool
    totals: Totals | None
    """Totals of the sheet once the category is filled, or None if it is already filled."""


class Verdict(NamedTuple):
    status: RollStatus
    may_roll: bool
    entries: tuple[Entry, ...]
    totals: Totals
    rules: frozenset[str]


class Reason(StrEnum):
    WRITTEN = "written"
    STRUCK = "struck"


class Over(NamedTuple):
    """Turn that has ended. The score sheet includes its ``points``."""

    rules: Ruleset
    reason: Reason
    category: Category
    points: int
    scorecard: Scorecard
    phase: Literal[Phase.OVER] = Phase.OVER
    legal_events: tuple[()] = ()

    @property
    def scorecard_full(self) -> bool:
        """True after the player's last turn (Y4.1)."""
        return None not in self.scorecard

    def end(self, at: str) -> Finding:
        return Finding("game-over", "Y4.1", at)


class Position(NamedTuple):
    """Running turn of a player. Dice are sorted."""

    rules: Ruleset
    scorecard: Scorecard = EMPTY
    roll: Dice | None = None
    """The six dice on the table, held dice included, or None before the first roll."""
    rolls_made: int | None = None
    """Number of the roll in the turn, 1 to 3, or None before the first roll."""

    @property
    def phase(self) -> Phase:
        return Phase.ROLL if self.roll is None else Phase.CHOOSE

    @property
    def may_roll(self) -> bool:
        """True while another roll is allowed (Y1.1)."""
        return self.rolls_made is None or self.rolls_made < LAST_ROLL

    @property
    def worths(self) -> tuple[Worth, ...]:
        """Points of the dice in each category, none before the first roll."""
        if self.roll is None or self.rolls_made is None:
            return ()
        return worths(self.rules, self.roll, self.rolls_made)

    @property
    def open_categories(self) -> list[Category]:
        """Categories that can still be filled, in the order of the sheet."""
        filled = zip(CATEGORIES, self.scorecard, strict=True)
        return [category for category, points in filled if points is None]

    def points_in(self, category: Category) -> int:
        return self.worths[PLACE[category]].points

    def end(self, at: str) -> None:
        """Returns no finding."""

    @property
    def legal_events(self) -> tuple[str, ...]:
        if self.phase is Phase.ROLL:
            return ("roll",)
        legal = ["roll", "strike"] if self.may_roll else ["strike"]
        if any(self.worths[PLACE[category]].score.dice for category in self.open_categories):
            legal.append("write")
        return tuple(legal)

    def verdict(self) -> Verdict:
        rules, roll, rolls_made = self.rules, self.roll, self.rolls_made
        assert roll is not None
        assert rolls_made is not None
        now, status = sheet.totals(rules, self.scorecard), RollStatus.STRIKE_ONLY
        entries, most_bonus, cites = [], now.upper_bonus, {"Y2.1", "Y3.1", "Y3.2"}
        for worth, points in zip(worths(rules, roll, rolls_made), self.scorecard, strict=True):
            if points is not None:
                entries.append(Entry(worth, False, None))
                continue
            after = sheet.totals_with(rules, now, worth.category, worth.points)
            entries.append(Entry(worth, True, after))
            most_bonus = max(most_bonus, after.upper_bonus)
            if worth.score.dice:
                status = RollStatus.WRITABLE
            else:
                cites.add("Y1.3")
        cites.add("Y1.1" if self.may_roll else "Y1.2")
        if most_bonus:
            cites.add("Y2.2")
        if scoring.reading_decides(roll):
            cites.add("Y3.3")
        if rules.throw_bonus[rolls_made - 1]:
            cites.add("Y3.4")
        return Verdict(status, self.may_roll, tuple(entries), now, frozenset(cites))


Turn = Position | Over
