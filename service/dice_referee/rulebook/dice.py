"""Dice of every game, as sorted tuples of faces."""

from collections.abc import Iterable, Iterator
from itertools import combinations_with_replacement
from typing import TypeVar

Die = TypeVar("Die")

Dice = tuple[int, ...]
"""Multiset of faces, always sorted: ``(1, 2, 2, 5)``. Equal dice are interchangeable (T2.2)."""

FACES: Dice = (1, 2, 3, 4, 5, 6)


def as_dice(faces: Iterable[int]) -> Dice:
    """Returns the faces as a sorted tuple."""
    return tuple(sorted(faces))


def not_among(lying: Iterable[Die], taken: Iterable[Die]) -> Iterator[tuple[int, Die]]:
    """Yields each die of ``taken`` that has no match in ``lying``, with its index."""
    unmatched = list(lying)
    for i, die in enumerate(taken):
        if die in unmatched:
            unmatched.remove(die)
        else:
            yield i, die


def times_wanted(face: Die, lying: Iterable[Die], taken: Iterable[Die]) -> int:
    """Counts the taken dice of this face, or returns 0 if no die on the table shows it."""
    return [*taken].count(face) if face in lying else 0


def distinct_rolls(number: int) -> Iterator[Dice]:
    """Yields every sorted roll of ``number`` dice, in lexicographic order."""
    return combinations_with_replacement(FACES, number)
