"""Published cases, and a sample of them for other interfaces to the same verdicts.

``test_cases.py`` sends every case by HTTP. Other interfaces to the same verdicts (a query, a
comparison, the library) are tested with the sample alone.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from dice_referee.games import catalogue
from dice_referee.games.cases import Case, case_table

Numbered = tuple[str, Case]
"""A game and a case of its table."""


def published_cases(*resources: str) -> list[Numbered]:
    """Returns the cases about these resources of every game, or all cases."""
    return [
        (game, case)
        for game in catalogue()
        for case in case_table(game).cases
        if not resources or case.resource in resources
    ]


def sample(cases: Iterable[Numbered]) -> list[Numbered]:
    """Chooses each case with a trait that no earlier case of its game and verb has."""
    seen, chosen = set[Any](), []
    for game, case in cases:
        case_traits = {(game, case.resource, trait) for trait in traits(case)}
        if not case_traits <= seen:
            seen |= case_traits
            chosen.append((game, case))
    return chosen


def traits(case: Case) -> Iterator[tuple[str, Any]]:
    """Yields the status, outcome, fields, options and type of event of a case."""
    yield "status", case.status
    yield from ((name, case.expect[name]) for name in ("legal", "status") if name in case.expect)
    yield from (("field", name) for name in case.request)
    yield from (("option", name) for name in case.request.get("options", ()))
    event = case.request.get("event")
    if isinstance(event, dict):
        yield "event", event.get("type")
