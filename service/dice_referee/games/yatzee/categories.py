"""The eighteen categories of the score sheet and their requirements (Y2.1, Y3.2)."""

from collections.abc import Mapping
from enum import StrEnum

from dice_referee.rulebook.dice import Dice


class Category(StrEnum):
    """A line of the score sheet, in the order of the sheet."""

    ONES = "ones"
    TWOS = "twos"
    THREES = "threes"
    FOURS = "fours"
    FIVES = "fives"
    SIXES = "sixes"
    ONE_PAIR = "one-pair"
    TWO_PAIRS = "two-pairs"
    THREE_PAIRS = "three-pairs"
    THREE_OF_A_KIND = "three-of-a-kind"
    FOUR_OF_A_KIND = "four-of-a-kind"
    TWO_TRIPLES = "two-triples"
    SMALL_STRAIGHT = "small-straight"
    LARGE_STRAIGHT = "large-straight"
    ROYAL = "royal"
    HOUSE = "house"
    CHANCE = "chance"
    YATZEE = "yatzee"

    @property
    def is_upper(self) -> bool:
        return self in FACE_OF

    @property
    def rule(self) -> str:
        return "Y2.1" if self.is_upper else "Y3.2"


CATEGORIES = tuple(Category)
PLACE: Mapping[Category, int] = {category: i for i, category in enumerate(CATEGORIES)}

FACE_OF: Mapping[Category, int] = {category: i + 1 for i, category in enumerate(CATEGORIES[:6])}
"""Face that each category of the upper section counts (Y2.1)."""

GROUPS: Mapping[Category, tuple[int, ...]] = {
    Category.ONE_PAIR: (2,),
    Category.TWO_PAIRS: (2, 2),
    Category.THREE_PAIRS: (2, 2, 2),
    Category.THREE_OF_A_KIND: (3,),
    Category.FOUR_OF_A_KIND: (4,),
    Category.TWO_TRIPLES: (3, 3),
    Category.HOUSE: (3, 2),
    Category.YATZEE: (6,),
}
"""Sizes of the groups of equal dice in a category. Groups have different faces (Y3.3)."""

RUNS: Mapping[Category, Dice] = {
    Category.SMALL_STRAIGHT: (1, 2, 3, 4, 5),
    Category.LARGE_STRAIGHT: (2, 3, 4, 5, 6),
    Category.ROYAL: (1, 2, 3, 4, 5, 6),
}

FIXED: Mapping[Category, int] = {Category.ROYAL: 30}
"""Face values that replace the pips, in points."""

EXTRA: Mapping[Category, int] = {Category.YATZEE: 50}
