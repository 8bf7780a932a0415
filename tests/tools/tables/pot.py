"""Solves POT for two players who play to win, and stores the chances in the package (O18).

python -m tests.tools.tables.pot

A chance is that of the player about to roll, by the coins of both players, the coins on the POT and
the result to beat. A turn raises the result or ends the round, and a round ends with more coins out
of the bank, but for a fine. The sweeps therefore go from the most coins down, and from the highest
result down, until the chances converge. Shares no code with the service but the file's format.
"""

import json
import sys
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations, product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Roll = tuple[Any, ...]

COINS, TARGET, STAKE, FINE = 55, 24, 2, 3
FREE = 0
"""Index of the result of a POT that nobody holds."""
RESULTS = 16
"""Number of results to beat, ``FREE`` included."""
DICE = tuple((1, 2, 3, 4, 5, letter) for letter in "POT")
STRAIGHT_123, STRAIGHT_234, STRAIGHT_345, POT, ONES, TWOS, THREES, FOURS, FIVES, ZERO = range(
    16, 26
)
"""Classes of rolls with a combo. The class of another roll is its sum."""
NAMES: dict[Roll, int] = {
    (1, 2, 3): STRAIGHT_123,
    (2, 3, 4): STRAIGHT_234,
    (3, 4, 5): STRAIGHT_345,
    ("O", "P", "T"): POT,
    (1, 1, 1): ONES,
    (2, 2, 2): TWOS,
    (3, 3, 3): THREES,
    (4, 4, 4): FOURS,
    (5, 5, 5): FIVES,
    **{(2, 4, letter): ZERO for letter in "POT"},
}
STEADY = 1e-13
"""Maximum change of the last sweep."""
MOST_SWEEPS = 40


class PotRolls(NamedTuple):
    """All rolls and ways to hold dice, as flat arrays for the compiler."""

    first: Floats
    """Chance of each roll of three dice."""
    classes: NDArray[np.int64]
    sums: NDArray[np.int64]
    hold_start: NDArray[np.int64]
    fallen: NDArray[np.int64]
    """Rolls after each way to hold, from ``hold_start``, and their chances."""
    chances: Floats
    way_start: NDArray[np.int64]
    ways: NDArray[np.int64]
    """Ways to hold dice of each roll, from ``way_start``."""
    last: Floats
    """Chance of each sum after a 1 2 3, of which the 2 stays."""


def in_order(faces: Sequence[Any]) -> Roll:
    """Sorts faces: numbers, then letters."""
    return tuple(sorted(faces, key=str))


def all_rolls() -> PotRolls:
    """Returns every roll and its ways to hold. Equal distributions are merged."""
    counts = Counter(in_order(faces) for faces in product(*DICE))
    places = {roll: place for place, roll in enumerate(sorted(counts, key=str))}
    known: dict[tuple[tuple[int, float], ...], int] = {}
    way_start, ways = [0], list[int]()
    for roll in places:
        for held in sorted({in_order(h) for n in range(3) for h in combinations(roll, n)}, key=str):
            after = Counter[int]()
            for kept in _assignments(roll, held):
                sides = [DICE[die] if face is None else (face,) for die, face in enumerate(kept)]
                after.update(places[in_order(faces)] for faces in product(*sides))
            spread = tuple((place, n / after.total()) for place, n in sorted(after.items()))
            ways.append(known.setdefault(spread, len(known)))
        way_start.append(len(ways))
    hold_start = np.cumsum([0, *map(len, known)])
    sums = [sum(face for face in roll if isinstance(face, int)) for roll in places]
    last = np.zeros(RESULTS)
    for faces in product(range(6), repeat=2):
        last[2 + sum(faces)] += 1 / 36
    return PotRolls(
        np.array([counts[roll] / 216 for roll in places]),
        np.array([NAMES.get(roll, total) for roll, total in zip(places, sums, strict=True)]),
        np.array(sums),
        hold_start,
        np.array([place for spread in known for place, _ in spread]),
        np.array([chance for spread in known for _, chance in spread]),
        np.array(way_start),
        np.array(ways),
        last,
    )


def _assignments(roll: Roll, held: Roll) -> Iterator[Roll]:
    """Yields each way in which the dice of P, O and T can show ``roll`` and keep ``held``."""
    for way in sorted(set(permutations(roll)), key=str):
        if all(face in faces for face, faces in zip(way, DICE, strict=True)):
            for dice in combinations(range(3), len(held)):
                if in_order([way[die] for die in dice]) == held:
                    yield tuple(way[die] if die in dice else None for die in range(3))


# A turn -------------------------------------------------------------------------------------------


@njit
def won_round(chances, winner, loser):  # type: ignore[no-untyped-def]
    """Returns the chance of the winner of a round with the coins after it."""
    if max(winner, loser) >= TARGET:
        return 1.0 if winner > loser else 0.5 if winner == loser else 0.0
    return chances[winner, loser, min(STAKE, COINS - winner - loser), FREE]


@njit
def settled(chances, own, other, pot, result, total):  # type: ignore[no-untyped-def]
    """Returns the chance after a turn with this sum."""
    if total > result:
        return 1.0 - chances[other, own, pot, total]
    return 1.0 - won_round(chances, other + pot, own)


@njit
def ended(chances, own, other, pot, result, kind, total, last):  # type: ignore[no-untyped-def]
    """Returns the chance after the turn has ended with this roll, by the best reward."""
    bank = COINS - own - other - pot
    one, two = min(1, bank), min(2, bank)
    if kind == ONES:
        left = max(own - FINE, 0)
        if result == FREE:
            return 1.0 - chances[other, left, pot, FREE]
        return 1.0 - won_round(chances, other + pot, left)
    if kind == POT:
        taken = min(1, other)
        return won_round(chances, own + one + taken + pot, other - taken)
    if kind == STRAIGHT_123:
        mean = 0.0
        for count in range(len(last)):
            if last[count]:
                mean += last[count] * settled(chances, own + one, other, pot, result, count)
        return mean
    if kind == STRAIGHT_234:
        own += one
    elif kind in (THREES, FOURS):
        taken = min(1, other)
        own, other = own + two + taken, other - taken
    elif kind == FIVES:
        own += min(5, bank)
        given = min(1, own)
        own, other = own - given, other + given
    elif kind == ZERO:
        own, other = own + one, other + min(1, bank - one)
    elif kind in (STRAIGHT_345, TWOS):
        from_bank = two if kind == STRAIGHT_345 else one
        taken = min(1 if kind == STRAIGHT_345 else 2, other)
        best = 0.0
        if from_bank or not taken:
            best = settled(chances, own + from_bank, other, pot, result, total)
        if taken:
            value = settled(chances, own + taken, other - taken, pot, result, total)
            best = max(best, value)
        return best
    return settled(chances, own, other, pot, result, total)


@njit
def end_values(chances, own, other, pot, result, rolls, by_class, out):  # type: ignore[no-untyped-def]
    """Computes the chance of ending with each roll, into ``out``."""
    by_class[:] = -1.0
    for roll in range(len(rolls.classes)):
        kind = rolls.classes[roll]
        if by_class[kind] < 0:
            by_class[kind] = ended(
                chances, own, other, pot, result, kind, rolls.sums[roll], rolls.last
            )
        out[roll] = by_class[kind]


@njit
def roll_again(rolls, after, holds, values):  # type: ignore[no-untyped-def]
    """Raises ``values`` to those of rolling again, if the dice have not ended the turn."""
    for hold in range(len(holds)):
        mean = 0.0
        for each in range(rolls.hold_start[hold], rolls.hold_start[hold + 1]):
            mean += rolls.chances[each] * after[rolls.fallen[each]]
        holds[hold] = mean
    for roll in range(len(values)):
        if rolls.classes[roll] in (ONES, POT):
            continue
        for each in range(rolls.way_start[roll], rolls.way_start[roll + 1]):
            if holds[rolls.ways[each]] > values[roll]:
                values[roll] = holds[rolls.ways[each]]


@njit
def sweep(chances, rolls):  # type: ignore[no-untyped-def]
    """Solves every start of a turn again. Returns the greatest change of a chance."""
    number = len(rolls.classes)
    paid, second, first = np.empty(number), np.empty(number), np.empty(number)
    holds, by_class = np.empty(len(rolls.hold_start) - 1), np.empty(26)
    change = 0.0
    for total in range(COINS, -1, -1):
        for result in range(RESULTS - 1, -1, -1):
            for own in range(total + 1):
                for other in range(total - own + 1):
                    pot = total - own - other
                    end_values(chances, own, other, pot, result, rolls, by_class, first)
                    second[:] = first
                    if own:
                        end_values(chances, own - 1, other, pot + 1, result, rolls, by_class, paid)
                        roll_again(rolls, paid, holds, second)
                    roll_again(rolls, second, holds, first)
                    value = 0.0
                    for roll in range(number):
                        value += rolls.first[roll] * first[roll]
                    change = max(change, abs(value - chances[own, other, pot, result]))
                    chances[own, other, pot, result] = value
    return change


class PotSolution(NamedTuple):
    """Chances by own coins, the other's coins, coins on the POT, and the result to beat."""

    chances: Floats
    change: float
    """Change of any chance in the last sweep."""


def solve(start: float = 0.5, steady: float = STEADY, log: Any = None) -> PotSolution:
    """Returns the chances of every start of a turn. Reports each sweep to ``log``."""
    rolls, size = all_rolls(), COINS + 1
    chances = np.full((size, size, size, RESULTS), start)
    change = 1.0
    for number in range(MOST_SWEEPS):
        change = sweep(chances, rolls)
        if log:
            print(number + 1, change, chances[3, 3, 1, FREE], file=log, flush=True)
        if change < steady:
            break
    return PotSolution(chances, change)


# The file -----------------------------------------------------------------------------------------

QUANTUM = 65535
"""The stored number for the chance 1."""
PLACE = Path(__file__).parents[3] / "service/dice_referee/games/pot/chances/pot-2020.bin"


def file_of(solution: PotSolution) -> bytes:
    """Returns the file: a line of JSON, and compressed differences of chances.

    Chances are ordered by the result, the other's coins, those on the POT and the player's own.
    The file has the differences between neighbours along the POT, less those of the result before.
    Signs are the lowest bits. All low bytes come before all high bytes.
    """
    numbers = np.rint(solution.chances.transpose(3, 1, 2, 0) * QUANTUM).astype(np.int64)
    differences = np.diff(np.diff(numbers, axis=2, prepend=0), axis=0, prepend=0)
    coins = np.indices(numbers.shape[1:]).sum(axis=0) <= COINS
    signed = differences[:, coins].ravel().astype("<i2").astype(np.int64)
    folded = np.where(signed < 0, -2 * signed - 1, 2 * signed).astype("<u2")
    low, high = folded.view(np.uint8).reshape(-1, 2).T
    head = {
        "coins": COINS,
        "results": RESULTS,
        "error": round(0.5 / QUANTUM + solution.change, 7),
    }
    return json.dumps(head).encode() + b"\n" + zlib.compress(low.tobytes() + high.tobytes(), 9)


def main() -> None:
    """Writes the file."""
    solution = solve(log=sys.stdout)
    PLACE.parent.mkdir(exist_ok=True)
    PLACE.write_bytes(file_of(solution))
    print(f"pot-2020: the first player wins {solution.chances[3, 3, 1, FREE]:.7f}")


if __name__ == "__main__":
    main()
