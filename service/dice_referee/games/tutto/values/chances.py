"""Exact chances of the next roll on a card, and the keeps that it may allow (O1, O9)."""

from collections import Counter
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from dice_referee.games.tutto.cards import STRAIGHT, Card
from dice_referee.games.tutto.position import SIX
from dice_referee.games.tutto.scoring import allowed
from dice_referee.rulebook.dice import FACES
from dice_referee.rulebook.odds import roll_weights


class ScoringRoll(NamedTuple):
    """Group of rolls that allow the same keeps under T1."""

    keeps: tuple[tuple[int, int], ...]
    """Dice left and points of each keep, fewest dice left first.

    The first keep sets aside every scoring die.
    """
    chance: Fraction
    """Chance that any roll of the group falls."""


class NextRoll(NamedTuple):
    """Chances of the next roll on a card (O9)."""

    dice: int
    """Number of dice rolled."""
    niete: Fraction
    """Chance that the roll is a Niete (T2.1)."""
    tutto: Fraction
    """Best chance to make a Tutto on this card, if the player wants nothing else."""


@cache
def scoring_rolls(dice: int, every: bool = False) -> tuple[ScoringRoll, ...]:
    """Returns the rolls of ``dice`` dice that score under T1, grouped by their keeps.

    A group lists the keep of most points for each number of dice left; with ``every``, it lists
    all keeps, because a player who plays to win may be better off with fewer points (O16).
    """
    weights = Counter[tuple[tuple[int, int], ...]]()
    for roll, weight in roll_weights(dice).items():
        keeps = sorted({(dice - len(keep.dice), keep.points) for keep in allowed(roll, True).keeps})
        if keeps:
            weights[tuple(keeps if every else dict(keeps).items())] += weight
    return tuple(ScoringRoll(keeps, Fraction(weight, 6**dice)) for keeps, weight in weights.items())


@cache
def tutto_chance(dice: int) -> Fraction:
    """Returns the best chance to set aside all of so many dice under T1, roll after roll."""
    if not dice:
        return Fraction(1)
    best = (
        (roll, max(tutto_chance(left) for left, _ in roll.keeps)) for roll in scoring_rolls(dice)
    )
    return sum((roll.chance * chance for roll, chance in best), Fraction())


@cache
def straight_chance(faces: int) -> Fraction:
    """Returns the best chance to complete a straight that lacks ``faces`` faces (T5.6)."""
    if not faces:
        return Fraction(1)
    chance = Fraction()
    for roll, weight in roll_weights(faces).items():
        new = len(set(roll).intersection(FACES[:faces]))
        best = max((straight_chance(faces - aside) for aside in range(1, new + 1)), default=0)
        chance += Fraction(weight, 6**faces) * best
    return chance


@cache
def next_roll(card: Card, dice: int) -> NextRoll:
    """Returns the chances of rolling ``dice`` dice on this card.

    On a straight, the number of missing faces equals the number of dice.
    """
    if card is STRAIGHT:
        return NextRoll(dice, Fraction(SIX - dice, SIX) ** dice, straight_chance(dice))
    scoring = sum((roll.chance for roll in scoring_rolls(dice)), Fraction())
    return NextRoll(dice, 1 - scoring, tutto_chance(dice))
