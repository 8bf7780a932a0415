"""Rulesets of all games: their options, house rules and hash."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from functools import cached_property, lru_cache
from typing import Any, ClassVar, Self, TypeVar

OptionValue = int | str | bool | tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Option:
    """House rule that a request may set in its ``options``.

    Either ``values`` lists the allowed values, or ``minimum`` and ``maximum`` bound an integer.
    A ``length`` makes the option a list of that many bounded integers.
    """

    name: str
    rule: str
    values: tuple[str | bool, ...] = ()
    minimum: int | None = None
    maximum: int | None = None
    length: int | None = None
    unhashed: OptionValue | None = None
    """Value that hashes omit, so that older hashes stay valid, or None if they include all."""


def option(rule: str, default: OptionValue, *, added: bool = False, **bounds: int) -> Any:
    """Returns a ruleset's dataclass field for an option. ``bounds`` are those of ``Option``.

    ``added`` marks an option newer than some published hashes. Its default changes no verdict and
    stays out of the hash, so those hashes remain valid.
    """
    kind = type(default)
    values = (True, False) if kind is bool else tuple(kind) if issubclass(kind, StrEnum) else ()
    unhashed = default if added else None
    facts = {"rule": rule, "values": values, "unhashed": unhashed, **bounds}
    return field(default=default, metadata=facts)


@dataclass(frozen=True, eq=False)
class Ruleset:
    """Rules by which a game is judged: a published ruleset, with or without house rules.

    Each game's subclass adds its options as fields. Its ``facts`` list everything else on which its
    verdicts depend. Compared by identity: ``house`` returns the same object for equal options.
    """

    id: str
    base: Self | None = field(default=None, kw_only=True)
    """Published ruleset that the house rules change, or None without house rules."""

    facts: ClassVar[Mapping[str, Any]]

    @property
    def known_options(self) -> tuple[Option, ...]:
        return tuple(
            Option(declared.name, **declared.metadata)
            for declared in fields(self)
            if declared.metadata
        )

    @cached_property
    def options(self) -> dict[str, OptionValue]:
        return {option.name: getattr(self, option.name) for option in self.known_options}

    @cached_property
    def house_rules(self) -> dict[str, OptionValue]:
        """Values that differ from the published ruleset, by option."""
        published = (self.base or self).options
        return {name: value for name, value in self.options.items() if value != published[name]}

    @cached_property
    def hash(self) -> str:
        """SHA-256, in hex, of everything on which the published ruleset's verdicts depend."""
        if self.base is not None:
            return self.base.hash
        options = {
            option.name: self.options[option.name]
            for option in self.known_options
            if self.options[option.name] != option.unhashed
        }
        facts = {**self.facts, "ruleset": self.id, "options": options}
        return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()

    def house(self, options: Mapping[str, Any]) -> Self:
        """Returns the ruleset with these house rules, in the shape of the contract."""
        if not options:
            return self
        values = (
            (name, tuple(value) if isinstance(value, list) else value)
            for name, value in options.items()
        )
        rules: Self = _house(self, tuple(sorted(values)))
        return rules


R = TypeVar("R", bound=Ruleset)


@lru_cache(maxsize=1024)
def _house(published: R, options: tuple[tuple[str, Any], ...]) -> R:
    # A request has words as text, the ruleset has members of enumerations.
    types = {name: type(value) for name, value in published.options.items()}
    changed: dict[str, Any] = {name: types[name](value) for name, value in options}
    return replace(published, base=published, **changed)
