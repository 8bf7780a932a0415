"""Outcomes of a roll of three dice, and their values (O13, O14).

A position is judged by the faces of its dice. If the faces do not identify the dice, every possible
assignment counts the same. Values are exact integers, in fractions of ``unit_of``:
chances to beat the result, or expected sums without a result to beat.
"""

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import combinations, product
from operator import mul
from typing import NamedTuple, TypeVar

from dice_referee.games.pot.arrangements import arrangements
from dice_referee.games.pot.position import HELD_FOR_REROLL, LAST_ROLL
from dice_referee.games.pot.scoring import (
    FACES,
    MOST_POINTS,
    ONES,
    POT_COMBO,
    SET,
    STRAIGHT_123,
    THREE,
    Dice,
    Face,
    as_dice,
    combo_of,
    distinct_rolls,
    points,
)

WHOLE = 6**4
"""Denominator of the chances of a rolls_made: 6 assignments of 216 outcomes."""

ROLLS: tuple[Dice, ...] = tuple(distinct_rolls())

PLACES = {dice: place for place, dice in enumerate(ROLLS)}
"""Indices of dice in ``ROLLS``, which are also the indices of their values in a table."""

Value = TypeVar("Value", int, float)

OddsTable = tuple["array[int]", ...]
"""Values of the dice on the table by rolls left, none to two, in parts of ``unit_of``."""


class Fallen(NamedTuple):
    places: bytes
    """Index in ``ROLLS``."""
    parts: "array[int]"
    """Chance of each outcome, in parts of ``WHOLE``."""


def unit_of(rolls_left: int) -> int:
    """Returns the denominator of a value with this number of rolls left."""
    unit: int = WHOLE ** (rolls_left + 1)
    return unit


def falls(lying: Dice, held: Dice) -> Mapping[Dice, int]:
    """Returns the outcomes of rolling all dice but those held, each with its parts of ``WHOLE``.

    ``lying`` are the dice on the table, none before the first roll of a turn.
    """
    fallen = _fall(lying, held)
    return {ROLLS[place]: parts for place, parts in zip(fallen.places, fallen.parts, strict=True)}


@cache
def _fall(lying: Dice, held: Dice) -> Fallen:
    ways = [
        tuple(way[die] if die in kept else None for die in range(THREE))
        for way in arrangements(lying)
        for kept in combinations(range(len(lying)), len(held))
        if as_dice(way[die] for die in kept) == held
    ]
    fallen: Counter[int] = Counter()
    for way in ways:
        outcomes = _outcomes(way)
        for place in outcomes:
            fallen[place] += WHOLE // (len(ways) * len(outcomes))
    return Fallen(bytes(fallen), array("H", fallen.values()))


@cache
def _outcomes(way: tuple[Face | None, ...]) -> bytes:
    faces = (SET[die] if face is None else (face,) for die, face in enumerate(way))
    return bytes(PLACES[as_dice(shown)] for shown in product(*faces))


@cache
def holds_of(lying: Dice) -> tuple[Dice, ...]:
    """Returns the possible holds: the most dice first, then the highest (O13)."""
    holds = {held for number in range(THREE) for held in combinations(lying, number)}
    return tuple(sorted(holds, key=lambda held: (len(held), _heights(held)), reverse=True))


def _heights(held: Dice) -> list[int]:
    """Ranks the dice by height, in ascending order: letters below numbers, P above O above T."""
    return sorted(die if isinstance(die, int) else -FACES.index(die) for die in held)


def result_value(total: int, to_beat: int | None) -> int:
    """Returns the value of a result: 1 if it beats, else 0. With no result to beat, its sum."""
    return total if to_beat is None else int(total > to_beat)


def final_points(dice: Dice) -> int:
    """Returns the points of dice that end a turn: 0 for 1 1 1, above any sum for P O T (O13)."""
    combo = combo_of(dice)
    return 0 if combo is ONES else MOST_POINTS + 1 if combo is POT_COMBO else points(dice)


def last_roll_value(lying: Dice, held: Dice, to_beat: int | None) -> int:
    """Returns the value of a roll that counts as it falls (P4.1, P6.2), in parts of ``WHOLE``."""
    fallen = falls(lying, held).items()
    return sum(parts * result_value(points(dice), to_beat) for dice, parts in fallen)


def end_value(dice: Dice, to_beat: int | None) -> int:
    """Returns the value of ending the turn with these dice, in parts of ``WHOLE``.

    1 2 3 counts by its last roll (P4.1).
    """
    if dice == STRAIGHT_123.dice:
        return last_roll_value(dice, HELD_FOR_REROLL, to_beat)
    return WHOLE * result_value(final_points(dice), to_beat)


def roll_value(lying: Dice, held: Dice, after: Sequence[Value]) -> Value:
    """Returns the value of rolling all dice but those held, in parts of ``after`` / ``WHOLE``.

    ``after`` are the values of the dice that fall, by their indices.
    """
    fallen = _fall(lying, held)
    value: Value = sum(map(mul, fallen.parts, map(after.__getitem__, fallen.places)), after[0] * 0)
    return value


def odds_table(to_beat: int | None) -> OddsTable:
    ends = [end_value(dice, to_beat) for dice in ROLLS]
    finer = (unit_of(left) // WHOLE for left in range(LAST_ROLL))
    table = best_values([end * unit for end in ends] for unit in finer)
    return tuple(array("q", values) for values in table)


def best_values(ends: Iterable[list[Value]]) -> list[list[Value]]:
    """Returns the values of all dice under the best play, by the number of rolls left.

    ``ends`` are the values of ending the turn with the dice, by the number of rolls left. All are
    in parts of ``unit_of``.
    """
    table: list[list[Value]] = []
    for values in ends:
        if table:
            after = table[-1]
            # Dice on the table do not affect a roll of all dice.
            all_rolled = roll_value((), (), after)
            for place, dice in enumerate(ROLLS):
                if combo_of(dice) not in (ONES, POT_COMBO):
                    rolled = [roll_value(dice, held, after) for held in holds_of(dice) if held]
                    values[place] = max(values[place], all_rolled, *rolled)
        table.append(values)
    return table
