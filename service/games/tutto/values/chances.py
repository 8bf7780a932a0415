"""What rolls that have not fallen yet can bring on a card: exact chances, and choices (O1, O9)."""

from collections import Counter
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from service.games.tutto.cards import STRAIGHT, Card
from service.games.tutto.position import SIX
from service.games.tutto.scoring import allowed
from service.rules.dice import FACES
from service.rules.odds import roll_weights


class ScoringRoll(NamedTuple):
    """Rolls that leave the same choices: what can be set aside, and what that earns by T1."""

    keeps: tuple[tuple[int, int], ...]
    """Dice left and points, fewest dice left first. The first is the keep of every scoring die."""
    chance: Fraction


class NextRoll(NamedTuple):
    """What is known of a roll of so many dice (O9)."""

    dice: int
    niete: Fraction
    """The chance that nothing of it can be set aside."""
    tutto: Fraction
    """The chance to set aside all six dice in the end, if nothing else is wanted."""


@cache
def scoring_rolls(dice: int, every: bool = False) -> tuple[ScoringRoll, ...]:
    """The rolls of so many dice that are no Niete where dice score by T1.

    With the keeps of the most points for each number of dice, or with ``every`` one: who plays to
    win may be better off with fewer points (O16).
    """
    ways = Counter[tuple[tuple[int, int], ...]]()
    for roll, weight in roll_weights(dice).items():
        keeps = sorted({(dice - len(keep.dice), keep.points) for keep in allowed(roll, True).keeps})
        if keeps:
            ways[tuple(keeps if every else dict(keeps).items())] += weight
    return tuple(ScoringRoll(keeps, Fraction(n, 6**dice)) for keeps, n in ways.items())


@cache
def tutto_chance(dice: int) -> Fraction:
    """The best chance to set aside so many dice in the end, one roll after the other."""
    if not dice:
        return Fraction(1)
    best = (
        (roll, max(tutto_chance(left) for left, _ in roll.keeps)) for roll in scoring_rolls(dice)
    )
    return sum((roll.chance * chance for roll, chance in best), Fraction())


@cache
def straight_chance(faces: int) -> Fraction:
    """The best chance to complete a straight that so many faces, and dice, are missing (T5.6)."""
    if not faces:
        return Fraction(1)
    found = Fraction()
    for roll, weight in roll_weights(faces).items():
        new = len(set(roll).intersection(FACES[:faces]))
        best = max((straight_chance(faces - kept) for kept in range(1, new + 1)), default=0)
        found += Fraction(weight, 6**faces) * best
    return found


@cache
def next_roll(card: Card, dice: int) -> NextRoll:
    """What is known of the next roll on this card; on a straight as many faces are missing."""
    if card is STRAIGHT:
        return NextRoll(dice, Fraction(SIX - dice, SIX) ** dice, straight_chance(dice))
    scoring = sum((roll.chance for roll in scoring_rolls(dice)), Fraction())
    return NextRoll(dice, 1 - scoring, tutto_chance(dice))
