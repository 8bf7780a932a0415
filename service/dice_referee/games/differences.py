"""Differences between two published rulesets, each shown by a numbered case."""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from dice_referee.games.cases import Case, case_table
from dice_referee.games.comparison import RULESET_FIELDS, VERBS, Judgement, judge, with_options_of
from dice_referee.games.game import AnyGame
from dice_referee.rulebook.game import Document
from dice_referee.rulebook.ruleset import Option, Ruleset

MALFORMED = 400
"""The status of cases that no rules can judge."""


class Shown(NamedTuple):
    """A case that shows what an option changes."""

    case: Case
    request: Document
    """Its request without the rules that it names."""
    judgements: tuple[Judgement, Judgement]
    """Judgements of the two rulesets."""


class Difference(NamedTuple):
    """An option in which two rulesets differ."""

    option: Option
    example: Shown | None
    """None if no case of the table shows the difference."""


@cache
def differences(game: AnyGame, ruleset: str, compared: str) -> tuple[Difference, ...]:
    """Returns the options in which two published rulesets differ, in the game's order."""
    first, second = game.rulesets[ruleset], game.rulesets[compared]
    return tuple(
        Difference(option, next(_showing(game, option, first, second), None))
        for option in game.options
        if first.options[option.name] != second.options[option.name]
    )


def _showing(game: AnyGame, option: Option, first: Ruleset, second: Ruleset) -> Iterator[Shown]:
    """Yields the cases that the rulesets judge differently by this option and no other.

    First those that are about the option's rule.
    """
    changed = with_options_of(first, second, [option.name])
    cases = [
        case
        for case in case_table(game.name).cases
        if case.status != MALFORMED and case.resource in VERBS
    ]
    for case in sorted(cases, key=lambda case: option.rule not in case.rules):
        request = {
            name: value for name, value in case.request.items() if name not in RULESET_FIELDS
        }
        judged = [judge(game, case.resource, request, rules) for rules in (first, second, changed)]
        one_way, other_way, changed_way = (judgement.meaning for judgement in judged)
        if one_way != other_way == changed_way and all(judgement.verdict for judgement in judged):
            yield Shown(case, request, (judged[0], judged[1]))
