"""The exact chance that perfect play of POT wins against a bot that ignores coins (O13, O18).

Solves the chances of both players at every start of a turn, as the builder of the table does. The
dice are told apart by their faces only (O13).
"""

from itertools import combinations, product
from typing import Any

import numpy as np
from numba import njit

from dice_referee.games.pot.coins import Coins
from dice_referee.games.pot.events import Roll
from dice_referee.games.pot.position import Position
from dice_referee.games.pot.rulesets import POT_2020
from dice_referee.games.pot.scoring import as_dice
from dice_referee.games.pot.values.odds import Question
from tests.tools.tables.pot import (
    COINS,
    DICE,
    FREE,
    ONES,
    POT,
    RESULTS,
    STRAIGHT_345,
    TWOS,
    Floats,
    PotRolls,
    all_rolls,
    ended,
    in_order,
    won_round,
)

ENDS = -1
"""Action that accepts the dice, or has no choice."""


def actions() -> np.ndarray[Any, np.dtype[np.int64]]:
    """Returns the ways to hold that the odds of the turn choose, by result, rolls left and roll."""
    rolls = sorted({in_order(faces) for faces in product(*DICE)}, key=str)
    chosen = np.full((RESULTS, 3, len(rolls)), ENDS)
    for result, left, (place, roll) in product(range(RESULTS), (1, 2), enumerate(rolls)):
        holds = sorted({in_order(h) for n in range(3) for h in combinations(roll, n)}, key=str)
        position = Position(POT_2020, Coins((3, 3), 1, 48), 0, as_dice(roll), 3 - left)
        if result:
            position = position._replace(holder=1, to_beat=result)
        if position.end("") is None:
            event = Question(position).advice()
            if isinstance(event, Roll):
                chosen[result, left, place] = holds.index(in_order(event.held))
    return chosen


@njit
def settled(theirs, own, other, pot, result, total):  # type: ignore[no-untyped-def]
    """Returns the chance after a turn with this sum, by the chances of the opponent."""
    if total > result:
        return 1.0 - theirs[other, own, pot, total]
    return 1.0 - won_round(theirs, other + pot, own)


@njit
def after_end(best, mine, theirs, own, other, pot, result, kind, total, last):  # type: ignore[no-untyped-def]
    """Returns the chance after the turn has ended, by the reward that ``best`` chances prefer.

    Without ``best`` chances it takes the first reward.
    """
    bank = COINS - own - other - pot
    if kind == POT:
        taken = min(1, other)
        return won_round(mine, own + min(1, bank) + taken + pot, other - taken)
    if kind not in (STRAIGHT_345, TWOS):
        return ended(theirs, own, other, pot, result, kind, total, last)
    from_bank = min(2 if kind == STRAIGHT_345 else 1, bank)
    taken = min(1 if kind == STRAIGHT_345 else 2, other)
    paid = settled(theirs, own + from_bank, other, pot, result, total)
    took = settled(theirs, own + taken, other - taken, pot, result, total)
    if not taken:
        return paid
    if not from_bank:
        return took
    if not len(best):
        return paid
    by_bank = settled(best, own + from_bank, other, pot, result, total)
    by_other = settled(best, own + taken, other - taken, pot, result, total)
    return took if by_other > by_bank else paid


@njit
def means(rolls, after):  # type: ignore[no-untyped-def]
    """Returns the mean of ``after`` for each way to hold."""
    result = np.zeros(len(rolls.hold_start) - 1)
    for hold in range(len(result)):
        for each in range(rolls.hold_start[hold], rolls.hold_start[hold + 1]):
            result[hold] += rolls.chances[each] * after[rolls.fallen[each]]
    return result


@njit
def again(rolls, after, best_after, best, values, action):  # type: ignore[no-untyped-def]
    """Replaces ``values`` of rolls that are rolled again: by ``action``, or by ``best`` chances."""
    held = means(rolls, after)
    best_held = held if len(action) else means(rolls, best_after)
    for roll in range(len(values)):
        if rolls.classes[roll] in (ONES, POT):
            continue
        first, end = rolls.way_start[roll], rolls.way_start[roll + 1]
        if len(action):
            if action[roll] != ENDS:
                values[roll] = held[rolls.ways[first + action[roll]]]
            continue
        for way in rolls.ways[first:end]:
            if best_held[way] > best[roll]:
                best[roll], values[roll] = best_held[way], held[way]


@njit
def turn(best, mine, theirs, own, other, pot, result, rolls, action):  # type: ignore[no-untyped-def]
    """Returns the chance at the start of a turn. Without ``best`` chances ``action`` chooses."""
    number, none = len(rolls.classes), np.zeros(0, dtype=np.int64)
    values, chosen = np.zeros((3, number)), np.zeros((3, number))
    for made in range(2):
        if made and not own:
            continue
        for roll in range(number):
            kind, total = rolls.classes[roll], rolls.sums[roll]
            coins = own - made, other, pot + made
            values[made, roll] = after_end(
                best, mine, theirs, *coins, result, kind, total, rolls.last
            )
            if len(best):
                chosen[made, roll] = ended(best, *coins, result, kind, total, rolls.last)
    values[2], chosen[2] = values[0], chosen[0]
    second, first = 2, 0
    if own:
        decided = none if len(best) else action[result, 1]
        again(rolls, values[1], chosen[1], chosen[second], values[second], decided)
    decided = none if len(best) else action[result, 2 if own else 1]
    again(rolls, values[second], chosen[second], chosen[first], values[first], decided)
    return np.sum(rolls.first * values[first])


@njit
def sweep(best, perfect, bot, rolls, action):  # type: ignore[no-untyped-def]
    """Solves every start of a turn again, for both players. Returns the greatest change."""
    change, unknown = 0.0, np.zeros((0, 1, 1, 1))
    for total in range(COINS, -1, -1):
        for result in range(RESULTS - 1, -1, -1):
            for own in range(total + 1):
                for other in range(total - own + 1):
                    pot = total - own - other
                    place = own, other, pot, result
                    value = turn(best, perfect, bot, *place, rolls, action)
                    change = max(change, abs(value - perfect[place]))
                    perfect[place] = value
                    bot[place] = turn(unknown, bot, perfect, *place, rolls, action)
    return change


def perfect_wins(best: Floats, steady: float = 1e-7) -> tuple[float, float]:
    """Returns the chance that perfect play wins if it begins, and if the bot begins."""
    rolls: PotRolls = all_rolls()
    perfect, bot, action = np.full_like(best, 0.66), np.full_like(best, 0.34), actions()
    while sweep(best, perfect, bot, rolls, action) > steady:
        pass
    start = POT_2020.start_coins, POT_2020.start_coins, POT_2020.first_stake, FREE
    return float(perfect[start]), float(1 - bot[start])
