"""Rewards of an accepted combo, and the player's choices among them (P4, P6.1)."""

from itertools import combinations
from typing import NamedTuple

from dice_referee.games.pot import scoring
from dice_referee.games.pot.coins import BANK, Coins, Effect, EffectType, Transfers
from dice_referee.games.pot.rulesets import Ruleset
from dice_referee.games.pot.scoring import Combo


class Alternative(NamedTuple):
    """Reward that a combo offers, in coins."""

    bank: int = 0
    others: int = 0
    named: int = 0
    """Number of other players whom the roller names."""
    takes: int = 0
    """Coins from each named player to the roller."""
    gives: int = 0
    """Coins from the roller to each named player."""


class Reward(NamedTuple):
    """Reward with the players that it names, and all coins after it."""

    players: tuple[int, ...]
    coins: Coins
    effects: tuple[Effect, ...]
    moved: int
    """Number of coins moved, counted once per move."""
    short: bool
    """True if a player could not pay, or could not be named, in full (P6.1)."""


def alternatives(rules: Ruleset, combo: Combo | None) -> tuple[Alternative, ...]:
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
        case scoring.FOUR_TWENTY:
            return (Alternative(bank=1, others=1),)
        case _:
            return (Alternative(),)


def takes_from_players(rules: Ruleset, combo: Combo | None) -> bool:
    """Tells if the named players give coins, and so must have some (P6.1)."""
    return any(alternative.takes for alternative in alternatives(rules, combo))


def others_in_turn(player: int, count: int) -> tuple[int, ...]:
    return tuple((player + step) % count for step in range(1, count))


class Offer(NamedTuple):
    """Rewards that accepting can pay, by ``players``. ``limited`` is true if P6.1 limits them."""

    rewards: tuple[Reward, ...]
    limited: bool


def offer(rules: Ruleset, combo: Combo | None, coins: Coins, player: int) -> Offer:
    """Returns the rewards that accepting can pay.

    If two alternatives name the same players, the alternative that moves more coins counts. Rewards
    that move no coins are omitted unless all move none.
    """
    by_players, limited = dict[tuple[int, ...], Reward](), False
    for alternative in alternatives(rules, combo):
        able = [
            other
            for other in range(len(coins.players))
            if other != player and (coins.players[other] or not alternative.takes)
        ]
        for named in combinations(able, min(alternative.named, len(able))):
            choice = _pay(alternative, named, coins, player)
            limited = limited or choice.short
            if named not in by_players or choice.moved > by_players[named].moved:
                by_players[named] = choice
    rewards = [choice for choice in by_players.values() if choice.moved] or list(
        by_players.values()
    )
    return Offer(tuple(sorted(rewards)), limited)


def _pay(alternative: Alternative, named: tuple[int, ...], coins: Coins, player: int) -> Reward:
    """Returns the result of the alternative: the bank pays first, then the others in turn order."""
    transfers = Transfers(coins)
    transfers.move(EffectType.BANK_PAID, BANK, player, alternative.bank)
    for peer in others_in_turn(player, len(coins.players)):
        if alternative.others:
            transfers.move(EffectType.BANK_PAID, BANK, peer, alternative.others)
        if peer in named:
            transfers.move(EffectType.HANDED_OVER, peer, player, alternative.takes)
            transfers.move(EffectType.HANDED_OVER, player, peer, alternative.gives)
    moved = sum(effect.coins or 0 for effect in transfers.effects)
    short = transfers.short or len(named) < alternative.named
    return Reward(named, transfers.coins, transfers.effects, moved, short)


def pot_bonus(rules: Ruleset, coins: Coins, player: int) -> Reward:
    """Returns the bonus of P O T: coins from the bank and 1 from every other player (P4.4)."""
    bonus = Alternative(bank=rules.pot_bonus, takes=1)
    return _pay(bonus, others_in_turn(player, len(coins.players)), coins, player)
