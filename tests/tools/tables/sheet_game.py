"""Solves games like Yatzee exactly: expected further points at the start of every turn.

A state is the open lower categories and an upper state: the open upper categories with their sum so
far. All sums that can no longer reach the threshold are equivalent, as are all sums that have
reached it. The values are computed backwards over all states, in float64.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations_with_replacement
from typing import Any, NamedTuple

import numpy as np

Roll = tuple[int, ...]
Values = np.ndarray[Any, np.dtype[np.float64]]
Places = np.ndarray[Any, np.dtype[np.intp]]

FACES = (1, 2, 3, 4, 5, 6)
WIDTH = 192
"""Number of states solved together. Their holds fit into the cache of a core."""


class SheetGame(NamedTuple):
    """Rules of a game with a score sheet."""

    dice: int
    lower: Sequence[Callable[[Roll], int | None]]
    """The points of a roll in each lower category. None where a roll can only be crossed out."""
    throw_bonus: tuple[int, ...]
    """Additional points of a lower category, by the number of the roll that fills it."""
    threshold: int
    """The sum of the upper section that earns the bonus."""
    bonus: int


class Upper(NamedTuple):
    """The state of the upper section at the start of a turn."""

    open: int
    """The open categories, a bit for each face."""
    sum: int
    """The points so far: capped at the threshold, and 0 if the threshold is out of reach."""


def upper_state(game: SheetGame, open_faces: int, points: int) -> Upper:
    """Returns the state of an upper section. ``points`` may be any sum."""
    most = points + sum(game.dice * face for face in FACES if open_faces >> (face - 1) & 1)
    return Upper(open_faces, min(points, game.threshold) if most >= game.threshold else 0)


def upper_states(game: SheetGame) -> list[Upper]:
    """Returns every state that play can reach, those with the fewest open categories first."""
    every = (1 << len(FACES)) - 1
    reached, blocks = {(every, 0)}, [(every, 0)]
    for block in blocks:
        open_faces, points = block
        for face in FACES:
            if open_faces >> (face - 1) & 1:
                for number in range(game.dice + 1):
                    after = (open_faces & ~(1 << (face - 1)), points + number * face)
                    if after not in reached:
                        reached.add(after)
                        blocks.append(after)
    states = {upper_state(game, *block) for block in reached}
    return sorted(states, key=lambda state: (state.open.bit_count(), state))


class Lattice:
    """Every hold of the dice, the fewest dice first, and the steps between them."""

    def __init__(self, dice: int) -> None:
        self.holds = [h for n in range(dice + 1) for h in combinations_with_replacement(FACES, n)]
        place = {hold: index for index, hold in enumerate(self.holds)}
        sizes = [[i for i, h in enumerate(self.holds) if len(h) == n] for n in range(dice + 1)]
        self.levels = [slice(level[0], level[-1] + 1) for level in sizes]
        self.rolls = self.levels[-1]
        self.more: list[list[Places]] = [
            [
                np.array([place[tuple(sorted((*h, face)))] for h in self.holds[level]])
                for face in FACES
            ]
            for level in self.levels[:-1]
        ]
        """Indices of the hold with an additional die, by level and face."""
        self.fewer: list[list[Places]] = [[]] + [
            [
                np.array([place[h[:k] + h[k + 1 :]] for h in self.holds[level]])
                for k in range(number)
            ]
            for number, level in enumerate(self.levels)
            if number
        ]
        """Indices of the hold with a die less, by level and die."""

    def roll(self, values: Values) -> None:
        """Fills in the holds of fewer dice: the mean over the six faces of an additional die."""
        for level, more in reversed([*zip(self.levels, self.more, strict=False)]):
            total = values[level]
            np.take(values, more[0], axis=0, out=total, mode="clip")
            for places in more[1:]:
                total += values[places]
            total /= len(FACES)

    def choose(self, values: Values) -> None:
        """Raises each hold to the best of those within it."""
        for level, fewer in zip(self.levels, self.fewer, strict=True):
            best = values[level]
            for places in fewer:
                np.maximum(best, values[places], out=best)


class Solution(NamedTuple):
    """The value of every state."""

    upper: list[Upper]
    values: Values
    """Values by the open lower categories, a bit for each, and by upper state."""

    @property
    def empty_card(self) -> float:
        """The expected total of a whole game."""
        return float(self.values[-1, -1])


class _Batch(NamedTuple):
    """Upper states with the same number of open categories, solved together."""

    columns: slice
    open: Any
    """Flags by face and state: true if the category is open."""
    following: list[Places]
    """Indices of the following states by face, number of dice and state."""


def solve(game: SheetGame) -> Solution:
    upper, turn = upper_states(game), _Turn(game)
    batches = [*_batches(game, upper)]
    values = np.zeros((1 << len(game.lower), len(upper)))
    full = [game.bonus * (one.sum >= game.threshold) for one in upper if not one.open]
    values[0, : len(full)] = full
    for open_lower in range(len(values)):
        for batch in batches:
            if open_lower or batch.open.any():
                values[open_lower, batch.columns] = turn.start(values, open_lower, batch)
    return Solution(upper, values)


def _batches(game: SheetGame, upper: list[Upper]) -> Iterator[_Batch]:
    """Yields the states, those with the fewest open categories first."""
    place = {state: index for index, state in enumerate(upper)}
    for number in range(len(FACES) + 1):
        places = [i for i, state in enumerate(upper) if state.open.bit_count() == number]
        for first in range(places[0], places[-1] + 1, WIDTH):
            columns = slice(first, min(first + WIDTH, places[-1] + 1))
            states, is_open, following = upper[columns], [], []
            for face in FACES:
                bit = 1 << (face - 1)
                is_open.append([bool(state.open & bit) for state in states])
                following.append(
                    np.array(
                        [
                            [
                                place[upper_state(game, one.open - bit, one.sum + dice * face)]
                                if one.open & bit
                                else 0
                                for one in states
                            ]
                            for dice in range(game.dice + 1)
                        ]
                    )
                )
            yield _Batch(columns, np.array(is_open), following)


class _Turn:
    """A turn of this game, for many states at once."""

    def __init__(self, game: SheetGame) -> None:
        self.game, self.lattice = game, Lattice(game.dice)
        rolls = self.lattice.holds[self.lattice.rolls]
        self.numbers = [np.array([roll.count(face) for roll in rolls]) for face in FACES]
        """Number of dice of each roll that show a face, by face."""
        self.lower = [_satisfying_rolls([points(roll) for roll in rolls]) for points in game.lower]
        self.points = np.arange(game.dice + 1.0)[:, None]
        sizes = (len(self.lattice.holds), len(rolls), len(rolls))
        self.arrays = [np.empty((size, WIDTH)) for size in sizes]

    def start(self, values: Values, open_lower: int, batch: _Batch) -> Values:
        """Returns the values of a batch at the start of a turn."""
        lattice, width = self.lattice, batch.columns.stop - batch.columns.start
        holds, written, worth = (array[:, :width] for array in self.arrays)
        rolls = holds[lattice.rolls]
        written[:] = -np.inf
        strike = np.full(width, -np.inf)
        for place, (satisfying, points) in enumerate(self.lower):
            if open_lower >> place & 1:
                rest = values[open_lower - (1 << place), batch.columns]
                np.maximum(strike, rest, out=strike)
                if len(satisfying) == len(rolls):
                    np.maximum(written, np.add(points, rest, out=worth), out=written)
                else:
                    best = worth[: len(satisfying)]
                    np.add(points, rest, out=best)
                    written[satisfying] = np.maximum(best, written[satisfying], out=best)
        # Value apart from the satisfied lower categories and their bonus.
        strikes = np.tile(strike, (len(rolls), 1))
        for face, is_open, following, number in zip(
            FACES, batch.open, batch.following, self.numbers, strict=True
        ):
            if is_open.any():
                filled = values[open_lower][following] + self.points * face
                filled[:, ~is_open] = -np.inf
                np.take(filled, number, axis=0, out=worth, mode="clip")
                np.maximum(strikes, worth, out=strikes)
        for roll, bonus in reversed([*enumerate(self.game.throw_bonus)]):
            np.maximum(np.add(written, bonus, out=worth), strikes, out=rolls)
            if roll < len(self.game.throw_bonus) - 1:
                lattice.choose(holds)
            lattice.roll(holds)
        start: Values = holds[0]
        return start


def _satisfying_rolls(points: Sequence[int | None]) -> tuple[Places, Values]:
    """Returns the places of the rolls that satisfy a category, and their points."""
    open_places = [(place, each) for place, each in enumerate(points) if each is not None]
    return (
        np.array([place for place, _ in open_places], dtype=np.intp),
        np.array([[float(each)] for _, each in open_places]).reshape(-1, 1),
    )
