"""What the rulesets of all games have in common: options, house rules and a hash."""

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
    """One thing that tables play differently: a house rule of the request's ``options``.

    Either ``values`` lists what may be chosen, or ``minimum`` and ``maximum`` bound an integer, or
    with a ``length`` each of so many integers.
    """

    name: str
    rule: str
    values: tuple[str | bool, ...] = ()
    minimum: int | None = None
    maximum: int | None = None
    length: int | None = None
    unhashed: OptionValue | None = None
    """The value that hashes leave out: that of rulesets from before there was the option."""


def option(rule: str, default: OptionValue, *, added: bool = False, **bounds: int) -> Any:
    """A field of a ruleset that is an option; its bounds, if any, are those of ``Option``.

    An ``added`` one is newer than hashes that were published. By default it judges as before, and
    hashes leave that value out, so they stand.
    """
    kind = type(default)
    values = (True, False) if kind is bool else tuple(kind) if issubclass(kind, StrEnum) else ()
    unhashed = default if added else None
    facts = {"rule": rule, "values": values, "unhashed": unhashed, **bounds}
    return field(default=default, metadata=facts)


@dataclass(frozen=True, eq=False)
class Ruleset:
    """The rules that a game is judged by: a published ruleset, house rules applied.

    A game's own class adds its options as fields and says in ``facts`` what else its verdicts
    depend on. Compared by identity: ``house`` gives one object for equal options.
    """

    id: str
    base: Self | None = field(default=None, kw_only=True)
    """The published ruleset that house rules change; None where there are none."""

    facts: ClassVar[Mapping[str, Any]]

    @property
    def known_options(self) -> tuple[Option, ...]:
        """The options of the game."""
        return tuple(Option(one.name, **one.metadata) for one in fields(self) if one.metadata)

    @cached_property
    def options(self) -> dict[str, OptionValue]:
        """Every option with its value."""
        return {one.name: getattr(self, one.name) for one in fields(self) if one.metadata}

    @cached_property
    def house_rules(self) -> dict[str, OptionValue]:
        """The options in which this table differs from the published ruleset."""
        published = (self.base or self).options
        return {name: value for name, value in self.options.items() if value != published[name]}

    @cached_property
    def hash(self) -> str:
        """SHA-256, in hex, of all that the published ruleset's verdicts depend on."""
        if self.base is not None:
            return self.base.hash
        options = {
            one.name: self.options[one.name]
            for one in self.known_options
            if self.options[one.name] != one.unhashed
        }
        facts = {**self.facts, "ruleset": self.id, "options": options}
        return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()

    def house(self, options: Mapping[str, Any]) -> Self:
        """The published ruleset with these options, of the shape that the contract prescribes."""
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
    # A word comes as text, and becomes what it is in the ruleset.
    kinds = {name: type(value) for name, value in published.options.items()}
    changed: dict[str, Any] = {name: kinds[name](value) for name, value in options}
    return replace(published, base=published, **changed)
