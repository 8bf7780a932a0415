"""The ruleset of Yatzee with six dice and the options that tables play differently.

A ruleset is one constant: a new one goes into ``RULESETS``, its words into ``words.toml``.
Source: the German instructions that come with the Danish score card.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from service.games.yatzee.categories import CATEGORIES, EXTRA, FACE_OF, FIXED, GROUPS, RUNS
from service.rules.game import Option, OptionValue

EDITION = 1
"""Raise it when a verdict changes although no fact does: stored answers then show their age."""

THROWS = 3
"""Throws of a turn (Y1.1)."""

OPTIONS = (
    Option("distinct_faces", "Y3.3", (True, False)),
    Option("upper_bonus", "Y2.2", minimum=0, maximum=1000),
    Option("upper_threshold", "Y2.2", minimum=1, maximum=126),
    Option("throw_bonus", "Y3.1", minimum=0, maximum=100, length=THROWS),
)


@dataclass(frozen=True, slots=True, eq=False)
class Ruleset:
    """The rules that a game is judged by: a published ruleset, house rules applied.

    Compared by identity: ``house`` gives one object for equal questions.
    """

    id: str
    distinct_faces: bool = True
    """Whether the pairs and triples of one category have different faces (Y3.3)."""
    upper_bonus: int = 50
    """Points for an upper block that reaches the threshold (Y2.2)."""
    upper_threshold: int = 84
    throw_bonus: tuple[int, ...] = (10, 5, 0)
    """Points of a lower category on top, by the throw after which it is written (Y3.1)."""

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
        facts = {
            "game": "yatzee",
            "edition": EDITION,
            "ruleset": self.id,
            "options": RULESETS[self.id].options,
            "throws": THROWS,
            "categories": CATEGORIES,
            "faces": FACE_OF,
            "groups": GROUPS,
            "runs": RUNS,
            "fixed": FIXED,
            "extra": EXTRA,
        }
        return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()


YATZEE_SIX = Ruleset("yatzee-six")

RULESETS = {rules.id: rules for rules in (YATZEE_SIX,)}
DEFAULT = YATZEE_SIX


def house(ruleset: str, options: Mapping[str, bool | int | list[int]]) -> Ruleset:
    """The named ruleset with these options in place of its own.

    No two options of Yatzee contradict each other, so every combination is playable.
    """
    if not options:
        return RULESETS[ruleset]
    told = (
        (name, tuple(map(int, value)) if isinstance(value, list) else value)
        for name, value in options.items()
    )
    return _house(ruleset, tuple(told))


@lru_cache(maxsize=1024)
def _house(ruleset: str, options: tuple[tuple[str, OptionValue], ...]) -> Ruleset:
    kinds = {option.name: type(getattr(DEFAULT, option.name)) for option in OPTIONS}
    return replace(RULESETS[ruleset], **{name: kinds[name](value) for name, value in options})
