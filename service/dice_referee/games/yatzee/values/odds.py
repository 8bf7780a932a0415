"""Odds of the open categories while rolls are left (O10 to O12).

Each category is valued as the player's only aim. The choice among categories is a rule of thumb for
a single turn (O11). All values are exact, in points.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from dice_referee.games.yatzee import sheet
from dice_referee.games.yatzee.categories import FACE_OF, GROUPS, PLACE, Category
from dice_referee.games.yatzee.events import Event, Roll, Strike, Write
from dice_referee.games.yatzee.position import Over, Position, Turn
from dice_referee.games.yatzee.rulesets import LAST_ROLL, RULESETS, Ruleset
from dice_referee.games.yatzee.scoring import SIX
from dice_referee.games.yatzee.values import holds, whole_game
from dice_referee.games.yatzee.values.holds import HOLDS, PLACES, UNIT, OddsTable, Row, ScoringRules
from dice_referee.games.yatzee.values.sheet import Aim
from dice_referee.games.yatzee.values.whole_game import WholeGame
from dice_referee.rulebook.dice import Dice, as_dice
from dice_referee.rulebook.value_tables import ValueTableCache

RULES = ("O1", "O10", "O11", "O12", "O2", "Y1.1", "Y1.3", "Y2.1", "Y2.2", "Y3.1", "Y3.2")

AIM_RULES = {Aim.GAME: ("O1", "O15", "O17", "O2", "Y1.1", "Y1.3", "Y2.1", "Y2.2", "Y3.1", "Y3.2")}

PACE_OF_THE_BONUS = 3
"""Number of dice of its face beyond which an upper category is ahead of the bonus (O12)."""


class CategoryOdds(NamedTuple):
    """Odds of an open category as the player's only aim (O10)."""

    category: Category
    now: int | None
    """Points if it is filled now, or None before the first roll."""
    chance: Fraction
    value: Fraction
    """Expected points, roll bonus included. Striking counts 0."""
    hold_for_chance: Dice | None
    """Dice to hold, all six to stop. None without dice or without another roll."""
    hold_for_value: Dice | None
    par: Fraction
    """Expected points at the start of a turn (O11)."""
    gain: Fraction
    """``value`` less ``par``, with the share of the upper bonus (O11, O12)."""


class Odds(NamedTuple):
    categories: tuple[CategoryOdds, ...]
    best: Category
    """Category with the highest gain, the first among equal gains (O2)."""
    event: Event
    """Event to play for the category. A roll has no dice yet."""
    game: WholeGame | None
    """Value of the rest of the sheet, or None unless the aim asks for it."""
    rules: frozenset[str]


def scoring_rules(rules: Ruleset) -> ScoringRules:
    return ScoringRules(rules.distinct_faces, rules.throw_bonus)


VALUE_TABLES = ValueTableCache(
    holds.odds_table, map(scoring_rules, RULESETS.values()), unpublished=16
)
"""Value tables of the published rulesets and of house rules: 0.6 MB and 0.1 s each."""


class Question(NamedTuple):
    position: Position
    aim: Aim = Aim.CATEGORY
    """Measure of values: gains of this turn (O11), or points of the rest of the sheet (O15)."""

    @property
    def table_key(self) -> ScoringRules:
        return scoring_rules(self.position.rules)

    @property
    def unit(self) -> str:
        return "points"

    @property
    def leaves_a_choice(self) -> bool:
        """True if the player can choose. The first roll is always of all six dice (Y1.1).

        After the last roll the only open category can be struck, and written if it is satisfied
        (Y1.3).
        """
        position = self.position
        if position.roll is None:
            return False
        category, *further = position.open_categories
        return position.may_roll or bool(further) or position.points_in(category) > 0

    def odds(self) -> Odds:
        view = _view(self.position)
        gains = view.gains(view.points_of)
        best = max(gains, key=gains.__getitem__)
        odds = tuple([_category_odds(view, category, gain) for category, gain in gains.items()])
        is_game = self.aim is Aim.GAME
        game = whole_game.whole_game(self.position) if is_game else None
        rules = _rules_behind(view) | ({"O15"} if is_game else set())
        return Odds(odds, best, _event_for(view, best), game, rules)

    def advice(self, odds: Odds | None = None) -> Event:
        if odds is not None:
            return odds.event if odds.game is None else odds.game.event
        if self.aim is Aim.GAME:
            return whole_game.whole_game(self.position).event
        view = _view(self.position)
        gains = view.gains(view.points_of)
        return _event_for(view, max(gains, key=gains.__getitem__))

    def value(self) -> Fraction | float:
        """Returns the highest gain of the open categories (O11), or the rest of the sheet (O15)."""
        if self.aim is Aim.GAME:
            return whole_game.value(self.position)
        view = _view(self.position)
        return max(view.gains(view.points_of).values())

    def worth(self, event: Event) -> Fraction | float:
        """Returns the highest gain once these dice are held, or the gain of the entry (O11)."""
        if self.aim is Aim.GAME:
            return whole_game.worth(self.position, event)
        position, view = self.position, _view(self.position)
        if not isinstance(event, Roll):
            points = position.points_in(event.category) if isinstance(event, Write) else 0
            return view.gain(event.category, points * UNIT)
        if position.roll is None:
            return self.value()
        place = PLACES[as_dice(event.held)]
        return max(view.gains(lambda row: row.stages[view.rolls_left][place]).values())

    def worth_after(self, event: Event, turn: Turn) -> Fraction | float:
        """Returns the value of the turn after an event, or the gain of its entry after its end."""
        if self.aim is Aim.GAME:
            return whole_game.worth_after(self.position, turn)
        if isinstance(turn, Over):
            return _view(self.position).gain(turn.category, turn.points * UNIT)
        return Question(turn).value()


def bonus_is_open(position: Position) -> bool:
    """Tells if the upper bonus is neither reached nor out of reach (O12)."""
    upper = sheet.totals(position.rules, position.scorecard).upper
    left = sum(
        SIX * FACE_OF[category] for category in position.open_categories if category.is_upper
    )
    return upper < position.rules.upper_threshold <= upper + left


class _View(NamedTuple):
    position: Position
    table: OddsTable
    bonus_is_open: bool

    @property
    def rolls_left(self) -> int:
        return LAST_ROLL - (self.position.rolls_made or 0)

    def plan(self, row: Row) -> tuple[Dice | None, int]:
        """Returns the best hold, None without a choice, and its value in parts."""
        if self.position.roll is None:
            return None, row.start
        stage = row.stages[self.rolls_left]
        place = holds.best_hold(stage, PLACES[self.position.roll])
        return HOLDS[place] if self.position.may_roll else None, stage[place]

    def points_of(self, row: Row) -> int:
        """Returns the expected points, in parts."""
        return self.plan(row)[1]

    def gains(self, points: Callable[[Row], int]) -> dict[Category, Fraction]:
        """Returns each open category's gain, in points, in the order of the sheet."""
        return {
            category: self.gain(category, points(self.table.points[PLACE[category]]))
            for category in self.position.open_categories
        }

    def gain(self, category: Category, points: int) -> Fraction:
        """Returns the gain: ``points`` parts less par, plus the bonus share (O11, O12)."""
        rules, more = self.position.rules, points - self.table.points[PLACE[category]].start
        if not (self.bonus_is_open and category.is_upper):
            return Fraction(more, UNIT)
        ahead = points - PACE_OF_THE_BONUS * FACE_OF[category] * UNIT
        parts = more * rules.upper_threshold + rules.upper_bonus * ahead
        return Fraction(parts, UNIT * rules.upper_threshold)


def _view(position: Position) -> _View:
    return _View(position, VALUE_TABLES[scoring_rules(position.rules)], bonus_is_open(position))


def _category_odds(view: _View, category: Category, gain: Fraction) -> CategoryOdds:
    position, row = view.position, view.table.points[PLACE[category]]
    hold_for_chance, chance = view.plan(view.table.chances[PLACE[category]])
    hold_for_value, points = view.plan(row)
    return CategoryOdds(
        category,
        None if position.roll is None else position.points_in(category),
        Fraction(chance, UNIT),
        Fraction(points, UNIT),
        hold_for_chance,
        hold_for_value,
        Fraction(row.start, UNIT),
        gain,
    )


def _event_for(view: _View, category: Category) -> Event:
    if view.position.roll is None:
        return Roll()
    hold, _ = view.plan(view.table.points[PLACE[category]])
    if hold is not None and len(hold) < SIX:
        return Roll(hold)
    return Write(category) if view.position.points_in(category) else Strike(category)


def _rules_behind(view: _View) -> frozenset[str]:
    cites = {"O1", "O2", "O3", "O10", "O11", "Y1.1", "Y1.2", "Y1.3"}
    categories = set(view.position.open_categories)
    if categories & FACE_OF.keys():
        cites |= {"Y2.1", "Y2.2", "O12"} if view.bonus_is_open else {"Y2.1"}
    if categories - FACE_OF.keys():
        cites |= {"Y3.1", "Y3.2"}
    if categories & GROUPS.keys():
        cites.add("Y3.3")
    if Category.CHANCE in categories:
        cites.add("Y3.4")
    return frozenset(cites)
