"""Dice as every game of this service holds them: sorted tuples of faces."""

from collections.abc import Iterable, Iterator
from itertools import combinations_with_replacement
from typing import TypeVar

Die = TypeVar("Die")

Dice = tuple[int, ...]
"""A multiset of faces, always sorted: ``(1, 2, 2, 5)``. Equal dice are interchangeable (T2.2)."""

FACES: Dice = (1, 2, 3, 4, 5, 6)


def as_dice(faces: Iterable[int]) -> Dice:
    """The faces as a sorted tuple."""
    return tuple(sorted(faces))


def not_among(lying: Iterable[Die], taken: Iterable[Die]) -> Iterator[tuple[int, Die]]:
    """Yields the dice taken beyond those that lie there, each with its index."""
    left = list(lying)
    for i, die in enumerate(taken):
        if die in left:
            left.remove(die)
        else:
            yield i, die


def times_wanted(face: Die, lying: Iterable[Die], taken: Iterable[Die]) -> int:
    """Returns how many dice of this face are taken; 0 if none lies there."""
    return [*taken].count(face) if face in lying else 0


def distinct_rolls(number: int) -> Iterator[Dice]:
    """Every roll of so many dice, order aside, lexicographically: 462 of six, 923 of one to six."""
    return combinations_with_replacement(FACES, number)
