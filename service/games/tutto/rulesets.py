"""The published rulesets of Tutto and the options that tables play differently.

A ruleset is one constant: a new one goes into ``RULESETS``, its words into ``words.toml``.
Sources: A = publisher's rules, four languages, 2013; B = Braillespiel; V = Volle Lotte.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from functools import cache, lru_cache

from service.games.tutto.cards import DECK
from service.games.tutto.scoring import SINGLES, TRIPLES
from service.rules.game import Option, OptionValue

EDITION = 1
"""Raise it when a verdict changes although no fact does: stored answers then show their age."""


class Ending(StrEnum):
    """When the game ends (T6.3)."""

    AT_ONCE = "at-once"
    FULL_ROUND = "full-round"


class FireworkKeep(StrEnum):
    """What a firework demands of each roll (T5.2)."""

    ALL = "all"
    ANY = "any"


class DoubleScope(StrEnum):
    """Which points a double doubles (T5.4)."""

    TURN = "turn"
    CARD = "card"


class LeaderDraws(StrEnum):
    """What a sole leader does who draws Plus/Minus (T5.5b)."""

    SITS_OUT = "sits-out"
    PLAYS = "plays"


class Deduction(StrEnum):
    """When the leaders lose their points (T5.5d)."""

    ON_TUTTO = "on-tutto"
    ON_BANK = "on-bank"


class ScoreFloor(StrEnum):
    """How low a deduction can push a score (T5.5e)."""

    NONE = "none"
    ZERO = "zero"


OPTIONS = (
    Option("target", "T6.2", minimum=50, maximum=1_000_000),
    Option("ending", "T6.3", tuple(Ending)),
    Option("firework_keep", "T5.2", tuple(FireworkKeep)),
    Option("double_scope", "T5.4", tuple(DoubleScope)),
    Option("leader_draws_plus_minus", "T5.5b", tuple(LeaderDraws)),
    Option("sits_out_loses_carried", "T5.5f", (True, False)),
    Option("deduction", "T5.5d", tuple(Deduction)),
    Option("score_floor", "T5.5e", tuple(ScoreFloor)),
)


@dataclass(frozen=True, slots=True, eq=False)
class Ruleset:
    """The rules that a game is judged by: a published ruleset, house rules applied.

    The defaults are those of the publisher's rules (A). Compared by identity: ``house`` gives one
    object for equal questions.
    """

    id: str
    target: int = 6000
    ending: Ending = Ending.AT_ONCE
    firework_keep: FireworkKeep = FireworkKeep.ALL
    double_scope: DoubleScope = DoubleScope.TURN
    leader_draws_plus_minus: LeaderDraws = LeaderDraws.SITS_OUT
    sits_out_loses_carried: bool = True
    deduction: Deduction = Deduction.ON_TUTTO
    score_floor: ScoreFloor = ScoreFloor.NONE

    @property
    def options(self) -> dict[str, OptionValue]:
        """Every option with its value."""
        return {option.name: getattr(self, option.name) for option in OPTIONS}

    @property
    def house_rules(self) -> dict[str, OptionValue]:
        """The options in which this table differs from the published ruleset."""
        published = RULESETS[self.id].options
        return {name: value for name, value in self.options.items() if value != published[name]}

    @property
    def hash(self) -> str:
        """SHA-256, in hex, of all that the published ruleset's verdicts depend on."""
        return _hash(self.id)


ABACUS_2013 = Ruleset("abacus-2013")
BRAILLESPIEL = Ruleset(
    "braillespiel", ending=Ending.FULL_ROUND, leader_draws_plus_minus=LeaderDraws.PLAYS
)
VOLLE_LOTTE = Ruleset(
    "volle-lotte",
    firework_keep=FireworkKeep.ANY,
    leader_draws_plus_minus=LeaderDraws.PLAYS,
)

RULESETS = {rules.id: rules for rules in (ABACUS_2013, BRAILLESPIEL, VOLLE_LOTTE)}
DEFAULT = ABACUS_2013


@cache
def _hash(ruleset: str) -> str:
    facts = {
        "game": "tutto",
        "edition": EDITION,
        "ruleset": ruleset,
        "options": RULESETS[ruleset].options,
        "deck": [asdict(card) for card in DECK],
        "singles": SINGLES,
        "triples": TRIPLES,
    }
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()


def house(ruleset: str, options: Mapping[str, OptionValue]) -> Ruleset:
    """The named ruleset with these options in place of its own.

    No two options of Tutto contradict each other, so every combination is playable.
    """
    return _house(ruleset, tuple(options.items()))


@lru_cache(maxsize=1024)
def _house(ruleset: str, options: tuple[tuple[str, OptionValue], ...]) -> Ruleset:
    kinds = {option.name: type(getattr(DEFAULT, option.name)) for option in OPTIONS}
    return replace(RULESETS[ruleset], **{name: kinds[name](value) for name, value in options})
