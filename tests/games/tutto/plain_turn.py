"""Oracle: value of a turn of Tutto by plain recursion, for players with habits.

Shares only the scoring rolls with the service (``Scoring.scoring_rolls``). Uses no value tables,
and follows every turn to its end.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from dice_referee.games.tutto.cards import (
    CLOVER,
    DECK,
    DOUBLE,
    FIREWORK,
    PILE,
    PLUS_MINUS,
    STOP,
    STRAIGHT,
    Card,
)
from dice_referee.games.tutto.position import SIX
from dice_referee.games.tutto.rulesets import (
    DoubleScope,
    FireworkKeep,
    Leaders,
    PlusMinusPays,
    PlusMinusTutto,
    Ruleset,
)
from dice_referee.games.tutto.scoring import Scoring, scoring_of, straight_chance
from dice_referee.rulebook.dice import FACES
from dice_referee.rulebook.odds import roll_weights

ALWAYS_BANKS = 6000
"""Points from which a turn is banked: exact, as the service's tables bank from 4350 or less."""

Keeps = tuple[tuple[int, int], ...]
"""Dice left and points, the keep of every scoring die first."""


class Habits(NamedTuple):
    """Habits of a player who never compares values."""

    every_die: bool = False
    """Sets aside every scoring die."""
    every_face: bool = False
    """Sets aside every new face of a straight."""
    banks_tuttos: bool = False
    """Never draws a card after a Tutto."""
    stops_from: int | None = None
    """Stops from these points, and never with fewer, while dice are left."""


GOOD_PLAY = Habits()


@cache
def tutto_of_every_die(scoring: Scoring, dice: int) -> Fraction:
    """Returns the chance of a Tutto for a player who sets aside every scoring die."""
    if not dice:
        return Fraction(1)
    rolls = ((roll.chance, roll.keeps[0][0]) for roll in scoring.scoring_rolls(dice))
    return sum((chance * tutto_of_every_die(scoring, left) for chance, left in rolls), Fraction())


@cache
def straight_of_every_face(missing: int) -> Fraction:
    """Returns the chance of a straight for a player who sets aside every new face."""
    if not missing:
        return Fraction(1)
    total = Fraction()
    for roll, weight in roll_weights(missing).items():
        new = len(set(roll).intersection(FACES[:missing]))
        if new:
            total += Fraction(weight, len(FACES) ** missing) * straight_of_every_face(missing - new)
    return total


def best_number_of_faces(missing: int, new: int) -> int:
    """Returns the best number of new faces to set aside."""
    return max(range(1, new + 1), key=lambda number: straight_chance(missing - number))


@cache
def _rolls(scoring: Scoring, dice: int) -> Sequence[tuple[float, Keeps]]:
    return [(float(roll.chance), roll.keeps) for roll in scoring.scoring_rolls(dice)]


class PlainTurn:
    """Turns of a player who plays well except for these habits. Values are in points."""

    def __init__(self, rules: Ruleset, habits: Habits = GOOD_PLAY) -> None:
        self.rules, self.habits, self.scoring = rules, habits, scoring_of(rules)
        self.apart = rules.double_scope is DoubleScope.CARD
        straight = straight_of_every_face if habits.every_face else straight_chance
        tutto = tutto_of_every_die if habits.every_die else Scoring.tutto_chance
        self.straight, self.tutto = float(straight(SIX)), float(tutto(self.scoring, SIX))
        self.drawing, self.rolling = cache(self._drawing), cache(self._rolling)
        self.firework = self._firework()
        self.exactly = rules.plus_minus_pays is PlusMinusPays.EXACTLY
        self.ends = rules.plus_minus_tutto is PlusMinusTutto.ENDS_TURN
        self.alone = 0.0
        """Value of a turn that holds exactly the 1000 of Plus/Minus (T5.5h)."""
        if self.exactly and not self.ends:
            self.alone = self._alone()

    def _alone(self) -> float:
        """Iterates over an additional Plus/Minus each time, until the value is constant."""
        alone, before = float(PLUS_MINUS.prize), 0.0
        while abs(alone - before) > 1e-12:
            self.alone = before = alone
            self.drawing.cache_clear()
            self.rolling.cache_clear()
            alone = self._after_tutto(PLUS_MINUS.prize)
        return alone

    def value(self) -> float:
        """Returns the expected points of a turn before its first card."""
        return self.drawing(0)

    def _drawing(self, points: int) -> float:
        return sum(card.copies * self.after_draw(card, points) for card in DECK) / len(PILE)

    def after_draw(self, card: Card, points: int) -> float:
        """Returns the value of having drawn this card with this many points carried."""
        if card is STOP:
            return 0.0
        if card is FIREWORK:
            return points + self.firework
        if card is CLOVER:
            return self.rules.target * self.tutto**2
        if not card.dice_earn:
            chance = self.straight if card is STRAIGHT else self.tutto
            if card is PLUS_MINUS and self.ends:
                return chance * self._prize(points)
            if card is PLUS_MINUS and self.exactly:
                return chance * self.alone
            return chance * self._after_tutto(points + card.prize)
        if card is DOUBLE and self.apart:
            return self.rolling(card, SIX, 0, points)
        return self.rolling(card, SIX, points, 0)

    def _prize(self, points: int) -> int:
        """Returns the points of a turn after a Plus/Minus Tutto with this many carried (T5.5h)."""
        return PLUS_MINUS.prize + (0 if self.exactly else points)

    def _after_tutto(self, points: int) -> float:
        if self.habits.banks_tuttos or points >= ALWAYS_BANKS:
            return points
        return max(points, self.drawing(points))

    def _rolling(self, card: Card, dice: int, points: int, besides: int) -> float:
        """Returns the value of rolling these dice. Double leaves the points ``besides`` alone."""
        return sum(
            chance * self._choosing(card, keeps, points, besides)
            for chance, keeps in _rolls(self.scoring, dice)
        )

    def _choosing(self, card: Card, keeps: Keeps, points: int, besides: int) -> float:
        (left, more), going_on = keeps[0], keeps
        if self.habits.every_die:
            going_on = keeps[:1]
        if not left:
            total = 2 * (points + more) if card is DOUBLE else points + more + card.prize
            best = self._after_tutto(besides + total)
        else:
            best = float(besides + points + more)
            stops = ALWAYS_BANKS if self.habits.stops_from is None else self.habits.stops_from
            if best >= stops:
                return best
            if self.habits.stops_from is not None:
                best = 0.0
        for left, more in going_on:
            if left:
                best = max(best, self.rolling(card, left, points + more, besides))
        return best

    def _firework(self) -> float:
        """Returns the points that a firework adds, a fixed point: each Tutto leads to six dice."""
        every = self.habits.every_die or self.rules.firework_keep is FireworkKeep.ALL
        gain, before = 0.0, -1.0
        while gain - before > 1e-12:
            gains = {0: gain}
            for dice in FACES:
                gains[dice] = sum(
                    chance * max(more + gains[left] for left, more in keeps[: 1 if every else None])
                    for chance, keeps in _rolls(self.scoring, dice)
                )
            gain, before = gains[SIX], gain
        return gain


class LeadingTurn(PlainTurn):
    """A turn that the next Plus/Minus ends if the player is sole leader (T5.5b, T5.5g, O8).

    Cards after the next card count as played.
    """

    def __init__(self, rules: Ruleset, ahead: int) -> None:
        """Stores the lead on the sheet in points, below 0 for a player who is behind."""
        self.later, self.ahead = PlainTurn(rules), ahead
        super().__init__(rules)

    def on(self, card: Card, carried: int) -> float:
        """Returns the value of rolling six dice on a card that has just been drawn."""
        if card is PLUS_MINUS:
            held = self._prize(carried)
            return self.tutto * (held if self.ends else self._after_tutto(held))
        return self.after_draw(card, carried)

    def _drawing(self, points: int) -> float:
        return sum(card.copies * self._drawn(card, points) for card in DECK) / len(PILE)

    def _drawn(self, card: Card, points: int) -> float:
        counted = points if self.rules.leaders is Leaders.TURN else 0
        if card is not PLUS_MINUS or self.ahead + counted <= 0:
            return self.later.after_draw(card, points)
        return 0.0 if self.rules.sits_out_loses_carried else float(points)
