"""What a combo pays when it is accepted, and what it leaves to the player's choice (P4, P6.1)."""

from itertools import combinations
from typing import NamedTuple

from service.games.pot import scoring
from service.games.pot.coins import Coins, Effect, Transfers
from service.games.pot.rulesets import Ruleset
from service.games.pot.scoring import Combo


class Alternative(NamedTuple):
    """One of the rewards that a combo offers, in coins."""

    bank: int = 0
    """From the bank to the roller."""
    named: int = 0
    """How many other players the roller names."""
    takes: int = 0
    """From each of those named to the roller."""
    gives: int = 0
    """From the roller to each of those named."""


class Reward(NamedTuple):
    """A reward with the players that it names, and all coins after it."""

    players: tuple[int, ...]
    coins: Coins
    effects: tuple[Effect, ...]
    moved: int
    short: bool
    """Whether somebody could not pay, or could not be named, in full (P6.1)."""


def alternatives(rules: Ruleset, combo: Combo | None) -> tuple[Alternative, ...]:
    """What the combo offers; without a combo, nothing. P O T and 1 1 1 are never accepted."""
    match combo:
        case scoring.STRAIGHT_123 | scoring.STRAIGHT_234:
            return (Alternative(bank=1),)
        case scoring.STRAIGHT_345:
            return Alternative(named=2, takes=1), Alternative(bank=2)
        case scoring.TWOS:
            from_bank = Alternative(bank=rules.twos_from_bank)
            return Alternative(named=1, takes=2), Alternative(named=2, takes=1), from_bank
        case scoring.THREES:
            return (Alternative(bank=2, named=1, takes=rules.threes_from_player),)
        case scoring.FOURS:
            return (Alternative(bank=2, named=2, takes=1),)
        case scoring.FIVES:
            return (Alternative(bank=5, named=2, gives=1),)
        case _:
            return (Alternative(),)


def takes_from_players(rules: Ruleset, combo: Combo | None) -> bool:
    """Whether those named have to give something, and so must have a coin (P6.1)."""
    return any(alternative.takes for alternative in alternatives(rules, combo))


def in_turn(player: int, count: int) -> tuple[int, ...]:
    """All players in the order of play, from this one on."""
    return tuple((player + step) % count for step in range(count))


def choices(
    rules: Ruleset, combo: Combo | None, coins: Coins, player: int
) -> tuple[tuple[Reward, ...], bool]:
    """Every reward that accepting can pay, by ``players``, and whether P6.1 limits them.

    Where two alternatives name the same players, that which moves more coins counts; those that
    move none are left out unless none moves any.
    """
    if combo is scoring.FOUR_TWENTY:
        everybody = _everybody(coins, player)
        return (everybody,), everybody.short
    found, limited = dict[tuple[int, ...], Reward](), False
    for alternative in alternatives(rules, combo):
        able = [
            other
            for other in range(len(coins.players))
            if other != player and (coins.players[other] or not alternative.takes)
        ]
        for named in combinations(able, min(alternative.named, len(able))):
            choice = _pay(alternative, named, coins, player)
            limited = limited or choice.short
            if named not in found or choice.moved > found[named].moved:
                found[named] = choice
    offered = [choice for choice in found.values() if choice.moved] or list(found.values())
    return tuple(sorted(offered)), limited


def _pay(alternative: Alternative, named: tuple[int, ...], coins: Coins, player: int) -> Reward:
    """The alternative carried out: the bank first, then those named in turn order."""
    transfers = Transfers(coins)
    transfers.from_bank(player, alternative.bank)
    for other in in_turn(player, len(coins.players)):
        if other in named:
            transfers.hand_over(other, player, alternative.takes)
            transfers.hand_over(player, other, alternative.gives)
    short = transfers.short or len(named) < alternative.named
    return Reward(named, transfers.coins, transfers.effects, transfers.moved, short)


def _everybody(coins: Coins, player: int) -> Reward:
    """1 from the bank for every player, the roller first, as far as it goes (P4.9, P6.1)."""
    transfers = Transfers(coins)
    for other in in_turn(player, len(coins.players)):
        transfers.from_bank(other, 1)
    return Reward((), transfers.coins, transfers.effects, transfers.moved, transfers.short)


def pot_bonus(rules: Ruleset, coins: Coins, player: int) -> Transfers:
    """The bonus of P O T: from the bank and 1 from every other player (P4.4)."""
    transfers = Transfers(coins)
    transfers.from_bank(player, rules.pot_bonus)
    for other in in_turn(player, len(coins.players))[1:]:
        transfers.hand_over(other, player, 1)
    return transfers
