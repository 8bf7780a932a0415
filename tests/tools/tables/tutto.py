"""Solves Tutto for two players who play to win, and stores the chances in the package (O16).

python -m tests.tools.tables.tutto [ruleset ...]

A chance is that of the player about to draw, by both scores. The chance depends on those of higher
scores, and of lower scores: a turn may score nothing, and Plus/Minus deducts points. All pairs of
scores are therefore solved iteratively, from the highest sum down, each pair of mirrored positions
together, until the chances converge. Shares no code with the service but the rulesets and the
file's format.
"""

import json
import sys
from collections import Counter
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from dice_referee.games.tutto.rulesets import RULESETS, Ending, FireworkKeep, LeaderDraws, Ruleset

Floats = NDArray[np.float64]

STEP = 50
DEDUCTION = 1000 // STEP
STRAIGHT = 2000 // STEP
BONUSES = (4, 6, 8, 10, 12)
"""Prizes of the bonus cards, in steps. The deck has five of each, and five doubles."""
LANES = 16
"""Number of positions solved together, in the registers of the processor."""
FURTHEST = 160
"""Maximum deficit of the last turn of a full round, in steps. Larger deficits count as this."""
STEADY = 1e-6
"""Maximum change of the last sweep: convergence of the solution."""
NOISE = 1e-10
"""Maximum change of a chance that does not update dependent chances."""
REACHED = 3 * DEDUCTION
"""Maximum steps by which a sum of scores exceeds another sum that it depends on.

Three Plus/Minus Tuttos in a turn deduct that much. Each has a chance of 2.4 %.
"""
MOST_SWEEPS = 40
BACK = 0.33
"""Approximate fraction of a change that feeds back, if both players score nothing next."""
GUESS = 0.03
"""Initial slope of the log-odds to win per step of lead."""


class Game(NamedTuple):
    """The relevant rules. Scores are in steps."""

    target: int
    full_round: bool
    firework_any: bool
    sits_out: bool
    lowest: int


class DuelSolution(NamedTuple):
    """Chances of the player to draw, by both scores above the lowest: ``[own, other]``."""

    first: Floats
    second: Floats
    """The same as ``first`` where the game ends at once."""
    last: Floats
    """Chances of the last turn of a full round, by the deficit in steps."""
    change: float
    """Change of any chance in the last sweep."""


# Rolls --------------------------------------------------------------------------------------------


def keeps_of(roll: Sequence[int]) -> tuple[tuple[int, int], tuple[tuple[int, int], ...]]:
    """Returns dice and steps of every scoring die, and of each other way to set some aside."""
    ways = {(0, 0)}
    most = (0, 0)
    for face in range(1, 7):
        triples, singles = divmod(roll.count(face), 3)
        single, triple = {1: 2, 5: 1}.get(face, 0), {1: 20}.get(face, 2 * face)
        pairs = {(0, 0)}
        for threes in range(triples + 1):
            for ones in range((2 if threes < triples else singles) * bool(single) + 1):
                pairs.add((3 * threes + ones, triple * threes + single * ones))
        ways = {(a + c, b + d) for a, b in ways for c, d in pairs}
        most = (
            most[0] + 3 * triples + singles * bool(single),
            most[1] + triple * triples + single * singles,
        )
    return most, tuple(sorted(ways - {(0, 0)}))


class Rolls(NamedTuple):
    """All scoring rolls by the number of dice, as flat arrays for the compiler."""

    first_roll: NDArray[np.int64]
    chance: Floats
    most_left: NDArray[np.int64]
    most: NDArray[np.int64]
    first_keep: NDArray[np.int64]
    left: NDArray[np.int64]
    steps: NDArray[np.int64]
    niete: Floats
    tutto: Floats
    straight: float


def all_rolls() -> Rolls:
    """Returns the scoring rolls of up to six dice. Equivalent rolls are merged."""
    first_roll, chances, mosts, first_keep, keeps = [0, 0], [], [], [0], []
    niete, tutto = np.zeros(7), np.zeros(7)
    tutto[0] = 1
    for dice in range(1, 7):
        ways = Counter(keeps_of(roll) for roll in product(range(1, 7), repeat=dice))
        for (most, options), number in sorted(ways.items()):
            chance = number / 6**dice
            if not options:
                niete[dice] += chance
                continue
            tutto[dice] += chance * max(tutto[dice - some] for some, _ in options)
            chances.append(chance)
            mosts.append((dice - most[0], most[1]))
            keeps += [(dice - some, steps) for some, steps in options if some < dice]
            first_keep.append(len(keeps))
        first_roll.append(len(chances))
    most_left, most = np.array(mosts).T.copy()
    left, steps = np.array(keeps).T.copy()
    return Rolls(
        np.array(first_roll),
        np.array(chances),
        most_left,
        most,
        np.array(first_keep),
        left,
        steps,
        niete,
        tutto,
        _straight(6),
    )


def _straight(missing: int) -> float:
    """Returns the chance to complete a straight that lacks this many faces and dice (T5.6)."""
    if not missing:
        return 1.0
    value = 0.0
    for new, number in Counter(
        len({die for die in roll if die <= missing})
        for roll in product(range(1, 7), repeat=missing)
    ).items():
        best = max((_straight(missing - kept) for kept in range(1, new + 1)), default=0.0)
        value += best * number / 6**missing
    return value


# A turn -------------------------------------------------------------------------------------------


@njit(fastmath=True)
def solve_turn(  # type: ignore[no-untyped-def]
    written, top, levels, leading, sits_out, firework_any, rolls, work, after, drawn
):
    """Computes the values of drawing the first card of a turn, into ``drawn``, for each lane.

    ``written`` are the chances of having written a number of steps, by level and lane: a level is a
    number of Plus/Minus Tuttos that have deducted points. ``top`` is the number of steps above
    which the chances are constant. ``leading[level, lane]`` tells if the next Plus/Minus Tutto
    deducts points.
    """
    (first_roll, chance, most_left, most, first_keep, left, steps, niete, tutto, straight) = rolls
    best, sums = np.empty(LANES), np.empty(LANES)
    two = tutto[6] * tutto[6]
    for level in range(levels - 1, -1, -1):
        lowest = level * DEDUCTION
        nothing = written[level, 0]
        now, following = after[level % 2], after[1 - level % 2]
        for lane in range(LANES):
            now[top, lane] = written[level, top, lane]
        # Cards: five bonuses, the double, and the firework.
        for card in range(7):
            for dice in range(1, 7):
                for lane in range(LANES):
                    end = written[level, top, lane]
                    lost = end if card == 6 else nothing[lane]
                    work[card, dice, top, lane] = niete[dice] * lost + (1 - niete[dice]) * end
        for held in range(top - 1, lowest - 1, -1):
            for card in range(7):
                for dice in range(1, 7):
                    for lane in range(LANES):
                        lost = written[level, held, lane] if card == 6 else nothing[lane]
                        sums[lane] = niete[dice] * lost
                    for roll in range(first_roll[dice], first_roll[dice + 1]):
                        full = min(held + most[roll], top)
                        if card == 6 and not firework_any:
                            dice_left = most_left[roll]
                            value = work[6, dice_left if dice_left else 6, full]
                            for lane in range(LANES):
                                best[lane] = value[lane]
                        else:
                            if card == 6:
                                value = work[6, 6, full]
                                for lane in range(LANES):
                                    best[lane] = 0.0 if most_left[roll] else value[lane]
                            elif most_left[roll]:
                                for lane in range(LANES):
                                    best[lane] = written[level, full, lane]
                            else:
                                if card == 5:
                                    full = min(2 * (held + most[roll]), top)
                                else:
                                    full = min(held + most[roll] + 4 + 2 * card, top)
                                for lane in range(LANES):
                                    best[lane] = now[full, lane]
                            for keep in range(first_keep[roll], first_keep[roll + 1]):
                                value = work[card, left[keep], min(held + steps[keep], top)]
                                for lane in range(LANES):
                                    if value[lane] > best[lane]:
                                        best[lane] = value[lane]
                        for lane in range(LANES):
                            sums[lane] += chance[roll] * best[lane]
                    for lane in range(LANES):
                        work[card, dice, held, lane] = sums[lane]
            for lane in range(LANES):
                lost = nothing[lane]
                value = 10 * lost + two + (1 - two) * lost
                value += 5 * (
                    straight * now[min(held + STRAIGHT, top), lane] + (1 - straight) * lost
                )
                for card in range(7):
                    value += 5 * work[card, 6, held, lane]
                pay = min(held + DEDUCTION, top)
                if leading[level, lane]:
                    value += 5 * (tutto[6] * following[pay, lane] + (1 - tutto[6]) * lost)
                elif sits_out[level, lane]:
                    value += 5 * lost
                else:
                    value += 5 * (tutto[6] * now[pay, lane] + (1 - tutto[6]) * lost)
                value /= 56
                drawn[lane] = value
                now[held, lane] = max(written[level, held, lane], value)


@njit
def solve_turns(  # type: ignore[no-untyped-def]
    own, rival, count, theirs, last, game, rolls, work, after, written, drawn
):
    """Computes the values of the turns of players with these scores, into ``drawn``.

    ``theirs`` are the chances of the opponent about to draw. ``last`` are the opponent's chances in
    the last turn, by the deficit in steps, or empty where reaching the target wins.
    """
    target, _, firework_any, sits_out_rule, lowest = game
    top, levels = 0, 1
    for lane in range(count):
        need = target - own[lane]
        if len(last):
            need = max(need, rival[lane] + len(last) - own[lane])
        top = max(top, need)
        levels = max(levels, (rival[lane] - own[lane]) // DEDUCTION + 2)
    leading = np.zeros((levels, LANES), dtype=np.bool_)
    sits_out = np.zeros((levels, LANES), dtype=np.bool_)
    for level in range(levels):
        for lane in range(LANES):
            place = min(lane, count - 1)
            mine, his = own[place], rival[place] - level * DEDUCTION
            leading[level, lane] = his >= mine
            sits_out[level, lane] = sits_out_rule and his < mine
            row = max(his - lowest, 0)
            for held in range(top + 1):
                score = mine + held
                if score < target:
                    written[level, held, lane] = 1.0 - theirs[row, score - lowest]
                elif len(last):
                    behind = min(score - his, len(last) - 1)
                    written[level, held, lane] = 1.0 - last[behind]
                else:
                    written[level, held, lane] = 1.0
    solve_turn(written, top, levels, leading, sits_out, firework_any, rolls, work, after, drawn)


@njit
def sweep(  # type: ignore[no-untyped-def]
    first, second, last, game, rolls, work, after, written, highest
):
    """Solves every pair of scores again, from this sum of scores down.

    Within a pair of mirrored positions a change of a chance feeds back, multiplied by about
    ``BACK``: each step adds up that geometric series at once. Returns the greatest change, and the
    highest sum that has changed.
    """
    target, full_round, _, _, lowest = game
    none = np.zeros(0)
    own, rival = np.zeros(LANES, dtype=np.int64), np.zeros(LANES, dtype=np.int64)
    drawn = np.zeros(LANES)
    floor = np.zeros(LANES)
    change, changed = 0.0, 2 * lowest
    for total in range(highest, 2 * lowest - 1, -1):
        least, most = max(lowest, total - target + 1), min(target - 1, total - lowest)
        if not full_round:
            most = min(most, total // 2)
        for start in range(least, most + 1, LANES):
            count = min(LANES, most + 1 - start)
            for lane in range(count):
                own[lane], rival[lane] = start + lane, total - start - lane
                floor[lane] = first[own[lane] - lowest, rival[lane] - lowest]
            solve_turns(own, rival, count, second, last, game, rolls, work, after, written, drawn)
            for lane in range(count):
                part = BACK if full_round or own[lane] != rival[lane] else -(BACK**0.5)
                chance = floor[lane] + (drawn[lane] - floor[lane]) / (1 - part)
                first[own[lane] - lowest, rival[lane] - lowest] = min(max(chance, 0.0), 1.0)
            solve_turns(rival, own, count, first, none, game, rolls, work, after, written, drawn)
            for lane in range(count):
                if full_round or own[lane] != rival[lane]:
                    second[rival[lane] - lowest, own[lane] - lowest] = drawn[lane]
            for lane in range(count):
                chance = first[own[lane] - lowest, rival[lane] - lowest]
                change = max(change, abs(chance - floor[lane]))
                if abs(chance - floor[lane]) > NOISE:
                    changed = max(changed, total)
    return change, changed


@njit
def last_turns(game, rolls, last, work, after, written):  # type: ignore[no-untyped-def]
    """Computes the chances of the turn that ends a full round, by the deficit in steps."""
    drawn = np.zeros(LANES)
    for behind in range(1, len(last)):
        top, levels = behind + 1, behind // DEDUCTION + 2
        leading = np.zeros((levels, LANES), dtype=np.bool_)
        sits_out = np.zeros((levels, LANES), dtype=np.bool_)
        for level in range(levels):
            lead = behind - level * DEDUCTION
            for lane in range(LANES):
                leading[level, lane] = lead >= 0
                sits_out[level, lane] = game[3] and lead < 0
                for held in range(top + 1):
                    won = 1.0 if held > lead else 0.5 if held == lead else 0.0
                    written[level, held, lane] = won
        solve_turn(written, top, levels, leading, sits_out, game[2], rolls, work, after, drawn)
        last[behind] = drawn[0]


# A game -------------------------------------------------------------------------------------------


def solve_duel(game: Game, steady: float = STEADY, log: Any = None) -> DuelSolution:
    """Returns the chances of every pair of scores. Reports each sweep to ``log``."""
    rolls = all_rolls()
    size = game.target - game.lowest
    steps = np.arange(size)
    first = 1 / (1 + np.exp(GUESS * (steps[None, :] - steps[:, None])))
    second = first.copy() if game.full_round else first
    top = size + FURTHEST + 1
    work = np.zeros((7, 7, top + 1, LANES))
    after = np.zeros((2, top + 1, LANES))
    written = np.zeros((max(size, FURTHEST) // DEDUCTION + 3, top + 1, LANES))
    last = np.zeros(FURTHEST if game.full_round else 0)
    if game.full_round:
        last_turns(game, rolls, last, work, after, written)
    change, highest = 1.0, 2 * game.target - 2
    for number in range(MOST_SWEEPS):
        change, changed = sweep(first, second, last, game, rolls, work, after, written, highest)
        highest = min(highest, changed + REACHED)
        if log:
            zero = -game.lowest
            print(number + 1, change, changed, first[zero, zero], file=log, flush=True)
        if change < steady:
            break
    return DuelSolution(first, second, last, change)


# Files --------------------------------------------------------------------------------------------

LOWEST = -2000
"""The lowest score of the files, in points. Lower scores count as this."""
QUANTUM = 65535
"""The stored number for the chance 1."""
PLACE = Path(__file__).parents[3] / "service/dice_referee/games/tutto/chances"


def game_of(rules: Ruleset) -> Game:
    """Returns the relevant rules of a published ruleset."""
    return Game(
        rules.target // STEP,
        rules.ending is Ending.FULL_ROUND,
        rules.firework_keep is FireworkKeep.ANY,
        rules.leader_draws_plus_minus is LeaderDraws.SITS_OUT,
        LOWEST // STEP,
    )


def file_of(solution: DuelSolution) -> bytes:
    """Returns the file of a ruleset: a line of JSON, and chances as numbers of two bytes."""
    full_round = len(solution.last) > 0
    seats = [solution.first, solution.second] if full_round else [solution.first]
    # Larger deficits are clamped: at that distance hardly anything but a clover wins.
    capped = max(solution.last[-1] - all_rolls().tutto[6] ** 2 / 56, 0) if full_round else 0
    head = {
        "lowest": LOWEST,
        "error": round(0.5 / QUANTUM + solution.change + capped, 7),
        "pairs": solution.first.size,
        "tables": len(seats),
    }
    chances = np.concatenate([*(seat.ravel() for seat in seats), solution.last])
    numbers: bytes = np.rint(chances * QUANTUM).astype("<u2").tobytes()
    return json.dumps(head).encode() + b"\n" + numbers


def main(names: Sequence[str]) -> None:
    """Writes the files of these rulesets, or of all."""
    PLACE.mkdir(exist_ok=True)
    for name in names or RULESETS:
        print(name)
        duel = solve_duel(game_of(RULESETS[name]), log=sys.stdout)
        (PLACE / f"{name}.bin").write_bytes(file_of(duel))
        print(f"{name}: the first player wins {duel.first[-LOWEST // STEP, -LOWEST // STEP]:.7f}")


if __name__ == "__main__":
    main(sys.argv[1:])
