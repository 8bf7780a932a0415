"""Assignments of faces to the three dice of the set (P1.1), from the faces and the rolls.

Each letter is on a single die. If that die was held, the letter cannot come up.
"""

from functools import cache, lru_cache
from itertools import permutations

from dice_referee.games.pot.scoring import LETTERS, SET, Dice, Face, as_dice, without

Arrangements = tuple[Dice, ...]
"""Faces of the dice that bear P, O and T, in this order: every possible way, at most 6."""


@cache
def arrangements(lying: Dice) -> Arrangements:
    """Returns every assignment of these sorted faces to the dice of the set."""
    ways = dict.fromkeys(permutations(lying))
    return tuple(way for way in ways if all(map(tuple.__contains__, SET, way)))


@lru_cache(maxsize=8192)
def after_roll(before: Arrangements, held: Dice, rolled: Dice) -> Arrangements:
    """Returns the assignments after a roll of all dice but those held."""
    return tuple(
        way
        for way in arrangements(as_dice((*held, *rolled)))
        if not before or any(_stays(held, prior, way) for prior in before)
    )


def _stays(held: Dice, before: Dice, after: Dice) -> bool:
    same = (face for face, earlier in zip(after, before, strict=True) if face == earlier)
    return not without(held, tuple(same))


def can_fall(letters: set[Face], before: Arrangements, held: Dice) -> bool:
    """Tells if these letters can come up together while those dice are held."""
    bear = [letter in letters for letter in LETTERS]
    return any(
        not without(held, tuple(face for face, bears in zip(way, bear, strict=True) if not bears))
        for way in before
    )
