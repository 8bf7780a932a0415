"""What three dice can show after a throw, and what they are worth then (O13, O14).

A position is judged by what its dice show: where they do not tell which die is which, every
possible assignment counts the same. Values are exact, in parts of ``unit_of``: chances to beat a
result, or sums where there is none.
"""

from collections import Counter
from collections.abc import Mapping
from functools import cache
from itertools import combinations, product

from service.games.pot.arrangements import arrangements
from service.games.pot.position import HELD_FOR_RETHROW, LAST_THROW
from service.games.pot.scoring import (
    FACES,
    MOST_POINTS,
    ONES,
    POT,
    SET,
    STRAIGHT_123,
    THREE,
    Dice,
    as_dice,
    combo_of,
    distinct_throws,
    points,
)

WHOLE = 6**4
"""In how many parts the chances of a throw are divided: 6 assignments of 216 outcomes."""

Table = tuple[Mapping[Dice, int], ...]
"""By throws left, none to two: what the dice that lie there are worth, in parts of ``unit_of``."""


def unit_of(throws_left: int) -> int:
    """In how many parts a value is divided when so many throws are left."""
    unit: int = WHOLE ** (throws_left + 1)
    return unit


@cache
def falls(lying: Dice, held: Dice) -> Mapping[Dice, int]:
    """What the dice show after a throw of all but those held, each with its parts of ``WHOLE``.

    ``lying``: what lay there before; nothing before the first throw of a turn.
    """
    ways = [
        (way, kept)
        for way in arrangements(lying)
        for kept in combinations(range(len(lying)), len(held))
        if as_dice(way[die] for die in kept) == held
    ]
    fallen: Counter[Dice] = Counter()
    for way, kept in ways:
        shown = [(way[die],) if die in kept else SET[die] for die in range(THREE)]
        outcomes = [_SHARED[as_dice(faces)] for faces in product(*shown)]
        for dice in outcomes:
            fallen[dice] += WHOLE // (len(ways) * len(outcomes))
    return dict(fallen)


_SHARED = {dice: dice for dice in distinct_throws()}
"""Equal dice are one object: there are few and thousands of uses."""


@cache
def holds_of(lying: Dice) -> tuple[Dice, ...]:
    """What can be held while others are thrown: the most dice first, then the highest (O13)."""
    holds = {held for number in range(THREE) for held in combinations(lying, number)}
    return tuple(sorted(holds, key=lambda held: (len(held), _heights(held)), reverse=True))


def _heights(held: Dice) -> list[int]:
    """The dice by height, the highest first: letters are below numbers, P above O above T."""
    return sorted(
        (one if isinstance(one, int) else -FACES.index(one) for one in held), reverse=True
    )


def result_value(total: int, to_beat: int | None) -> int:
    """What a result is worth: 1 if it beats, else 0; where nothing is to be beaten, its sum."""
    return total if to_beat is None else int(total > to_beat)


def final_points(dice: Dice) -> int:
    """What dice count with which a turn ends: 1 1 1 nothing, P O T more than any sum (O13)."""
    combo = combo_of(dice)
    return 0 if combo is ONES else MOST_POINTS + 1 if combo is POT else points(dice)


def last_throw_value(lying: Dice, held: Dice, to_beat: int | None) -> int:
    """What a throw is worth that is a result as it falls (P4.1, P6.2), in parts of ``WHOLE``."""
    fallen = falls(lying, held).items()
    return sum(parts * result_value(points(dice), to_beat) for dice, parts in fallen)


def ended_value(dice: Dice, to_beat: int | None) -> int:
    """What it is worth to end the turn with these dice, in parts of ``WHOLE``.

    1 2 3 counts by its last throw (P4.1).
    """
    if dice == STRAIGHT_123.dice:
        return last_throw_value(dice, HELD_FOR_RETHROW, to_beat)
    return WHOLE * result_value(final_points(dice), to_beat)


def throw_value(lying: Dice, held: Dice, after: Mapping[Dice, int]) -> int:
    """What throwing all dice but those held is worth, in parts of ``WHOLE`` times finer.

    ``after``: what the dice that fall are worth.
    """
    return sum(parts * after[dice] for dice, parts in falls(lying, held).items())


def table_of(to_beat: int | None) -> Table:
    """What all dice that can lie there are worth, with no, one and two throws left."""
    table: list[dict[Dice, int]] = []
    for throws_left in range(LAST_THROW):
        finer = unit_of(throws_left) // WHOLE
        values = {dice: ended_value(dice, to_beat) * finer for dice in distinct_throws()}
        for dice, ended in values.items() if table else ():
            if combo_of(dice) not in (ONES, POT):
                thrown = [throw_value(dice, held, table[-1]) for held in holds_of(dice)]
                values[dice] = max(ended, *thrown)
        table.append(values)
    return tuple(table)
