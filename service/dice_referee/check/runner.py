"""Runs the numbered cases of this release against a server that speaks the contract."""

from collections.abc import Callable
from contextlib import closing

from dice_referee.check.client import CannotAskError, Client
from dice_referee.check.matching import mismatches
from dice_referee.check.report import Report, Result
from dice_referee.games import catalogue
from dice_referee.games.cases import Case, case_table

AS_EXPECTED, DIFFERENT, NOT_ASKED = 0, 1, 2
"""Exit statuses: all cases match, some differ, or some were not sent."""

Chosen = list[tuple[str, Case]]


def chosen_cases(game: str | None, rule: str | None) -> Chosen:
    """Returns the cases, filtered by game and rule. Raises ValueError if no case is left."""
    if game is not None and game not in catalogue():
        raise ValueError(f"no game {game}: {', '.join(catalogue())}")
    tables = [case_table(name) for name in catalogue() if game in (name, None)]
    if rule is not None:
        tables = [table.of_rule(rule) for table in tables]
    cases = [(table.game, case) for table in tables for case in table.cases]
    if not cases:
        raise ValueError(f"no case is about {rule}")
    return cases


def check(
    url: str, cases: Chosen, report: Report, seconds: float, write: Callable[[str], object]
) -> int:
    """Sends every case to the server, writes each result, and returns the exit status.

    ``seconds`` limits each request. The run stops at the first case that cannot be sent.
    """
    write(report.plan(len(cases)))
    ended = AS_EXPECTED
    try:
        with closing(Client(url, seconds)) as client:
            for number, (game, case) in enumerate(cases, 1):
                result = _result(client, game, case)
                if not result.ok:
                    ended = DIFFERENT
                write(report.result(number, result))
    except CannotAskError as error:
        write(report.bail_out(str(error)))
        return NOT_ASKED
    return ended


def _result(client: Client, game: str, case: Case) -> Result:
    answer = client.post(f"/v1/{game}/{case.resource}", case.request)
    same = answer.status == case.status
    differences = mismatches(case.expect, answer.document) if same else []
    return Result(game, case, answer.status, differences)
