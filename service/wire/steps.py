"""The answers of transitions and audits, whose shape is the same in every game.

A game brings what is its own: the document of a turn, of its effects and of its sheet.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

from service.rules.game import OptionValue
from service.rules.verdict import Finding, rules_of

Named = Mapping[str, Any]
"""What every answer begins with: ruleset, its hash, the options that differ from it."""


class Rules(Protocol):
    """A ruleset, house rules applied."""

    @property
    def id(self) -> str: ...
    @property
    def hash(self) -> str: ...
    @property
    def options(self) -> dict[str, OptionValue]: ...
    @property
    def house_rules(self) -> dict[str, OptionValue]: ...


def named(rules: Rules) -> dict[str, Any]:
    """What every answer begins with: the rules that it was given under."""
    return {"ruleset": rules.id, "ruleset_hash": rules.hash, "options": rules.house_rules}


class Cited(Protocol):
    """What an event led to, with the rules that it rests on."""

    @property
    def rules(self) -> frozenset[str]: ...


T = TypeVar("T")
E = TypeVar("E")
S = TypeVar("S", bound=Cited)


def refused(
    named: Named, findings: Sequence[Finding], legal_events: Sequence[str], sheet: Named
) -> dict[str, Any]:
    """An illegal event: every finding against it, and what would be legal instead."""
    return {
        **named,
        "legal": False,
        "turn": None,
        "findings": list(findings),
        "legal_events": legal_events,
        "effects": [],
        **sheet,
        "rules": sorted(rules_of(findings)),
    }


def taken(
    named: Named,
    turn: Any,
    legal_events: Sequence[str],
    effects: Iterable[Named],
    sheet: Named,
    rules: frozenset[str],
) -> dict[str, Any]:
    """A legal event: the turn that follows, what is legal in it, and what the event did."""
    return {
        **named,
        "legal": True,
        "turn": turn,
        "findings": [],
        "legal_events": legal_events,
        "effects": list(effects),
        **sheet,
        "rules": sorted(rules),
    }


class Walked(NamedTuple):
    """A log played up to its end or its first illegal event."""

    table: Any
    first_illegal: dict[str, Any] | None
    rules: frozenset[str]
    """The rules that the events rest on."""


def walk(
    table: T,
    log: Iterable[E],
    objections: Callable[[T, E, str], Sequence[Finding]],
    advance: Callable[[T, E], tuple[T, S]],
) -> Walked:
    """Play a log at a table; what stands behind the first illegal event is not looked at."""
    cites = frozenset[str]()
    for index, event in enumerate(log):
        findings = objections(table, event, f"/log/{index}")
        if findings:
            illegal = {"index": index, "findings": list(findings)}
            return Walked(table, illegal, cites | rules_of(findings))
        table, step = advance(table, event)
        cites |= step.rules
    return Walked(table, None, cites)
