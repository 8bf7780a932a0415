"""The published ruleset of POT and its options."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from enum import StrEnum
from functools import cached_property

from dice_referee.games.pot.scoring import COMBOS, LETTERS
from dice_referee.rulebook import ruleset
from dice_referee.rulebook.findings import Finding
from dice_referee.rulebook.ruleset import option

EDITION = 2
"""Version of the verdicts, part of ``ruleset_hash``.

Increment it when they change without options.
"""

PLAYERS = (2, 5)
"""Minimum and maximum number of players (P1.2)."""

MOST_COINS = 1000
"""Maximum coins in a house rule."""

FINE = 3
"""Fine for three 1s, in coins (P2.2)."""

ROLL_PRICE = 1
"""Price of the last roll of a turn, in coins (P2.1)."""

ROUND_STAKE = 2
"""Coins from the bank onto the POT of every round but the first (P3.3)."""


class ZeroLetter(StrEnum):
    ANY = "any"
    O = "O"  # noqa: E741


@dataclass(frozen=True, eq=False)
class Ruleset(ruleset.Ruleset):
    """The defaults, in coins, are those of the publisher's rules of 2020."""

    facts = {  # noqa: RUF012
        "game": "pot",
        "edition": EDITION,
        "combos": [asdict(combo) for combo in COMBOS],
        "players": PLAYERS,
        "fine": FINE,
        "throw_price": ROLL_PRICE,
        "round_stake": ROUND_STAKE,
    }

    target: int = option("P5.1", 24, minimum=1, maximum=MOST_COINS)
    start_coins: int = option("P1.2", 3, minimum=0, maximum=100)
    twos_from_bank: int = option("P4.5", 1, minimum=1, maximum=5)
    pot_bonus: int = option("P4.4", 1, minimum=1, maximum=5)
    first_stake: int = option("P1.3", 1, minimum=1, maximum=5)
    zero_letter: ZeroLetter = option("P4.9", ZeroLetter.ANY)
    threes_from_player: int = option("P4.6", 1, minimum=1, maximum=2)
    total_coins: int = option("P1.2", 55, minimum=1, maximum=MOST_COINS)

    @cached_property
    def zero_letters(self) -> tuple[str, ...]:
        return LETTERS if self.zero_letter is ZeroLetter.ANY else (self.zero_letter.value,)


POT_2020 = Ruleset("pot-2020")

RULESETS = {rules.id: rules for rules in (POT_2020,)}


def contradictions(rules: Ruleset, players: int) -> Iterator[Finding]:
    """Yields every reason why this number of players cannot play by these rules.

    The coins of the game must cover all start coins and the first stake (P1.2, P1.3). Some player
    must be able to reach the target, or the game never ends (P5.1, P6.3).
    """
    needed, total = players * rules.start_coins + rules.first_stake, rules.total_coins
    if rules.target > total:
        at = _changed_option(rules, "target", "total_coins")
        params = {"target": rules.target, "total": total}
        yield Finding("target-out-of-reach", "P5.1", at, params)
    if needed > total:
        at = _changed_option(rules, "total_coins", "start_coins", "first_stake")
        params = {"needed": needed, "total": total, "players": players}
        yield Finding("too-few-coins", "P1.2", at, params)


def _changed_option(rules: Ruleset, *names: str) -> str:
    """Returns a pointer to the first of these options that differs from the published rules.

    At least one of them differs, because the published rules fit every number of players.
    """
    return f"/options/{next(name for name in names if name in rules.house_rules)}"
