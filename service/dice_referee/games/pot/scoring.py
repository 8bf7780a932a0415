"""Sum and combo of three dice (P1.1, P2.4, P4).

Every result depends on the dice alone.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement

from dice_referee.rulebook.dice import not_among

Face = int | str
"""Face of a die: 1 to 5, or its letter."""

Dice = tuple[Face, ...]
"""Multiset of faces, always sorted: numbers first, then P, O, T. ``(1, 4, "P")``."""

LETTERS = ("P", "O", "T")
"""The letters. Each is on a single die of a set and has the value 0 (P1.1)."""

FACES: Dice = (1, 2, 3, 4, 5, *LETTERS)
THREE = 3
"""Number of dice in a set (P1.1)."""

SET: tuple[Dice, ...] = tuple((1, 2, 3, 4, 5, letter) for letter in LETTERS)
"""Faces of each die of a set (P1.1)."""

_PLACE = {face: place for place, face in enumerate(FACES)}


def as_dice(faces: Iterable[Face]) -> Dice:
    """Sorts the faces: numbers first, then P, O, T."""
    return tuple(sorted(faces, key=_PLACE.__getitem__))


def without(dice: Dice, taken: Dice) -> Dice:
    """Returns the dice without those taken. Taken dice that are missing are ignored."""
    return tuple(face for _, face in not_among(taken, dice))


def distinct_rolls() -> Iterator[Dice]:
    """Yields every distinct roll of a set: 96, since each letter is on a single die (P1.1)."""
    for dice in combinations_with_replacement(FACES, THREE):
        if all(dice.count(letter) <= 1 for letter in LETTERS):
            yield dice


@cache
def points(dice: Dice) -> int:
    """Returns the sum of the dice. A letter counts 0 (P1.1, P2.4)."""
    return sum(face for face in dice if isinstance(face, int))


MOST_POINTS = points((5, 5, 5))


@dataclass(frozen=True, slots=True, eq=False)
class Combo:
    """Combination with a name.

    ``rewards.py`` states its rewards. Combos are compared by identity.
    """

    id: str
    rule: str
    dice: Dice
    """Dice of the combo. A 4-2-0 lists its numbers: the third die is any letter, or the O."""


STRAIGHT_123 = Combo("straight-123", "P4.1", (1, 2, 3))
STRAIGHT_234 = Combo("straight-234", "P4.2", (2, 3, 4))
STRAIGHT_345 = Combo("straight-345", "P4.3", (3, 4, 5))
POT_COMBO = Combo("pot", "P4.4", LETTERS)
ONES = Combo("triple-1", "P2.2", (1, 1, 1))
TWOS = Combo("triple-2", "P4.5", (2, 2, 2))
THREES = Combo("triple-3", "P4.6", (3, 3, 3))
FOURS = Combo("triple-4", "P4.7", (4, 4, 4))
FIVES = Combo("triple-5", "P4.8", (5, 5, 5))
FOUR_TWENTY = Combo("four-twenty", "P4.9", (2, 4))

TRIPLES = (ONES, TWOS, THREES, FOURS, FIVES)
COMBOS = (STRAIGHT_123, STRAIGHT_234, STRAIGHT_345, POT_COMBO, *TRIPLES, FOUR_TWENTY)

_BY_DICE = {combo.dice: combo for combo in COMBOS if len(combo.dice) == THREE}


@cache
def combo_of(dice: Dice, zero_letters: tuple[str, ...] = LETTERS) -> Combo | None:
    """Returns the combo of three dice, or None.

    ``zero_letters`` can be the 0 of 4-2-0 (P4.9).
    """
    if dice[:2] == FOUR_TWENTY.dice and dice[2] in zero_letters:
        return FOUR_TWENTY
    return _BY_DICE.get(dice)
