"""The published ruleset of POT and the options that tables play differently.

A ruleset is one constant: a new one goes into ``RULESETS``, its words into ``words.toml``.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from functools import cached_property, lru_cache

from service.games.pot.scoring import COMBOS, LETTERS
from service.rules.errors import ContradictoryOptions
from service.rules.game import Option, OptionValue
from service.rules.verdict import Finding

EDITION = 1
"""Raise it when a verdict changes although no fact does: stored answers then show their age."""

PLAYERS = (2, 5)
"""How many play (P1.2)."""

MOST_COINS = 1000
"""The most coins that a house rule can ask for."""

FINE = 3
"""Coins that three 1s cost (P2.2)."""

THROW_PRICE = 1
"""Coins that the last throw of a turn costs (P2.1)."""

ROUND_STAKE = 2
"""Coins from the bank on the POT of every round but the first (P3.3)."""


class ZeroLetter(StrEnum):
    """Which letter can be the 0 of 4-2-0 (P4.9)."""

    ANY = "any"
    O = "O"  # noqa: E741


OPTIONS = (
    Option("target", "P5.1", minimum=1, maximum=MOST_COINS),
    Option("start_coins", "P1.2", minimum=0, maximum=100),
    Option("twos_from_bank", "P4.5", minimum=1, maximum=5),
    Option("pot_bonus", "P4.4", minimum=1, maximum=5),
    Option("first_stake", "P1.3", minimum=1, maximum=5),
    Option("zero_letter", "P4.9", tuple(ZeroLetter)),
    Option("threes_from_player", "P4.6", minimum=1, maximum=2),
    Option("total_coins", "P1.2", minimum=1, maximum=MOST_COINS),
)


@dataclass(frozen=True, eq=False)
class Ruleset:
    """The rules that a game is judged by: a published ruleset, house rules applied.

    The defaults, in coins, are those of the publisher's rules of 2020. Compared by identity:
    ``house`` gives one object for equal questions.
    """

    id: str
    target: int = 24
    start_coins: int = 3
    twos_from_bank: int = 1
    pot_bonus: int = 1
    first_stake: int = 1
    zero_letter: ZeroLetter = ZeroLetter.ANY
    threes_from_player: int = 1
    total_coins: int = 55

    @property
    def options(self) -> dict[str, OptionValue]:
        """Every option with its value."""
        return {option.name: getattr(self, option.name) for option in OPTIONS}

    @cached_property
    def house_rules(self) -> dict[str, OptionValue]:
        """The options in which this table differs from the published ruleset."""
        published = RULESETS[self.id].options
        return {name: value for name, value in self.options.items() if value != published[name]}

    @cached_property
    def zero_letters(self) -> tuple[str, ...]:
        """The letters that make ``4 2`` a 4-2-0 (P4.9)."""
        return LETTERS if self.zero_letter is ZeroLetter.ANY else (self.zero_letter.value,)

    @cached_property
    def hash(self) -> str:
        """SHA-256, in hex, of all that the published ruleset's verdicts depend on."""
        facts = {
            "game": "pot",
            "edition": EDITION,
            "ruleset": self.id,
            "options": RULESETS[self.id].options,
            "combos": [asdict(combo) for combo in COMBOS],
            "players": PLAYERS,
            "fine": FINE,
            "throw_price": THROW_PRICE,
            "round_stake": ROUND_STAKE,
        }
        return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()


POT_2020 = Ruleset("pot-2020")

RULESETS = {rules.id: rules for rules in (POT_2020,)}
DEFAULT = POT_2020


def house(ruleset: str, options: Mapping[str, OptionValue], players: int) -> Ruleset:
    """The named ruleset with these options in place of its own, for so many players.

    Raises ContradictoryOptions with every reason why so many cannot play by them.
    """
    rules = _house(ruleset, tuple(options.items())) if options else RULESETS[ruleset]
    findings = contradictions(rules, players)
    if findings:
        raise ContradictoryOptions(findings)
    return rules


@lru_cache(maxsize=1024)
def _house(ruleset: str, options: tuple[tuple[str, OptionValue], ...]) -> Ruleset:
    kinds = {option.name: type(getattr(DEFAULT, option.name)) for option in OPTIONS}
    return replace(RULESETS[ruleset], **{name: kinds[name](value) for name, value in options})


def contradictions(rules: Ruleset, players: int) -> tuple[Finding, ...]:
    """Every reason why no game of so many players can be played by these rules.

    All start coins and the first stake come out of the coins there are (P1.2, P1.3), and the game
    ends only if one player can have the target (P5.1, P6.3).
    """
    found = []
    needed = players * rules.start_coins + rules.first_stake
    if rules.target > rules.total_coins:
        params = {"target": rules.target, "total": rules.total_coins}
        at = _changed(rules, "target", "total_coins")
        found.append(Finding("target-out-of-reach", "P5.1", at, params))
    if needed > rules.total_coins:
        params = {"needed": needed, "total": rules.total_coins, "players": players}
        at = _changed(rules, "total_coins", "start_coins", "first_stake")
        found.append(Finding("too-few-coins", "P1.2", at, params))
    return tuple(found)


def _changed(rules: Ruleset, *names: str) -> str:
    """A pointer to the first of these options that differs from the published ruleset.

    One of them does: by the published rules alone every number of players can play.
    """
    return f"/options/{next(name for name in names if name in rules.house_rules)}"
