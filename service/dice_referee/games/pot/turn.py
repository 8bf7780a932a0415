"""Verdict on the dice: the rewards of accepting, and the choice to throw again (P2, P4)."""

from enum import StrEnum
from typing import NamedTuple

from dice_referee.games.pot.coins import BANK, EffectType, Transfers
from dice_referee.games.pot.position import HELD_FOR_RETHROW, Phase, Position, Turn
from dice_referee.games.pot.rewards import Reward, offer, pot_bonus
from dice_referee.games.pot.rounds import beats, pass_on, settle, win_round
from dice_referee.games.pot.rulesets import FINE, THROW_PRICE
from dice_referee.games.pot.scoring import ONES, POT_COMBO, STRAIGHT_123, Combo, points
from dice_referee.rulebook.game import Step


class ThrowStatus(StrEnum):
    """Status of the dice on the table."""

    OPEN = "open"
    BUST = "bust"
    POT = "pot"


class NextThrow(StrEnum):
    """Price of throwing again."""

    FREE = "free"
    PAID = "paid"


class Verdict(NamedTuple):
    """Verdict on the dice: ``rewards`` to accept with, or the ``end`` that they force."""

    points: int
    status: ThrowStatus
    combo: Combo | None
    beats: bool | None
    """True if accepting takes control; None while 1 2 3 has to be thrown again (P4.1)."""
    next_throw: NextThrow | None
    rewards: tuple[tuple[Reward, Step[Turn]], ...]
    """Rewards of accepting, each with the step that it leads to."""
    end: Step[Turn] | None
    """Step that 1 1 1 or P O T leads to (P2.2, P2.3)."""
    rules: frozenset[str]


def status_of(position: Position) -> ThrowStatus:
    """Returns the status of the dice: 1 1 1 and P O T end the turn or the round (P2.2, P2.3)."""
    if position.combo is ONES:
        return ThrowStatus.BUST
    return ThrowStatus.POT if position.combo is POT_COMBO else ThrowStatus.OPEN


def next_throw(position: Position) -> NextThrow | None:
    """Returns the next throw's price: free once, then a coin; None if none is left (P2.1)."""
    if position.phase is not Phase.CHOOSE or status_of(position) is not ThrowStatus.OPEN:
        return None
    if position.throws == 1:
        return NextThrow.FREE
    affordable = position.coins.players[position.player] >= THROW_PRICE
    return NextThrow.PAID if position.throws == 2 and affordable else None


def adjudicate(position: Position) -> Verdict:
    """Returns the verdict on the dice. The position is in phase ``choose``."""
    combo, status, total = position.combo, status_of(position), points(position.dice or ())
    if status is not ThrowStatus.OPEN:
        end = forced(position)
        wins = status is ThrowStatus.POT
        return Verdict(total, status, combo, wins, None, (), end, end.rules)
    offered = offer(position)
    rewards = tuple((choice, accepted(position, choice)) for choice in offered.rewards)
    cites = frozenset({"P2.1", "P6.1"} if offered.limited else {"P2.1"})
    cites = cites.union(*(step.rules for _, step in rewards))
    takes = None if combo is STRAIGHT_123 else beats(position, total)
    return Verdict(total, status, combo, takes, next_throw(position), rewards, None, cites)


def accepted(position: Position, choice: Reward) -> Step[Turn]:
    """Returns the step of accepting the dice with this reward (P2.4)."""
    cites = {"P2.4", "P6.1"} if choice.short else {"P2.4"}
    if position.combo is not None:
        cites.add(position.combo.rule)
    if position.combo is STRAIGHT_123:
        turn = position._replace(coins=choice.coins, dice=None, held=HELD_FOR_RETHROW)
        return Step(turn, choice.effects, frozenset(cites))
    step = settle(position, choice.coins, points(position.dice or ()))
    return step.after(choice.effects, *cites)


def forced(position: Position) -> Step[Turn]:
    """Ends the turn by 1 1 1 (P2.2), the round by P O T (P2.3, P4.4)."""
    paid: Transfers | Reward
    if status_of(position) is ThrowStatus.BUST:
        paid = transfers = Transfers(position.coins)
        transfers.move(EffectType.FINE_PAID, position.player, BANK, FINE)
        step, cites = pass_on(position, transfers.coins), {"P2.2"}
    else:
        paid = pot_bonus(position)
        step, cites = win_round(position.rules, paid.coins, position.player), {"P2.3", "P4.4"}
    if paid.short:
        cites.add("P6.1")
    return step.after(paid.effects, *cites)
