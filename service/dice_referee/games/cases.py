"""The numbered cases of each game: requests, and the expected answers."""

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any


@dataclass(frozen=True, slots=True)
class Case:
    id: str
    title: str
    rules: tuple[str, ...]
    """Numbers of the rules that the case tests. Their first rule names the case."""
    source: str
    comment: str
    resource: str
    status: int
    request: dict[str, Any]
    expect: dict[str, Any]
    """Part of the answer that must match, as the table's ``about`` explains."""


@dataclass(frozen=True, slots=True)
class CaseTable:
    game: str
    about: tuple[str, ...]
    cases: tuple[Case, ...]

    def of_rule(self, number: str) -> "CaseTable":
        """Returns the table with only the cases about this rule, possibly none."""
        cases = tuple(case for case in self.cases if number in case.rules)
        return CaseTable(self.game, self.about, cases)


@cache
def case_table(game: str) -> CaseTable:
    text = files(f"dice_referee.games.{game}").joinpath("cases.json").read_text("utf-8")
    table = json.loads(text)
    cases = (Case(**{**case, "rules": tuple(case["rules"])}) for case in table["cases"])
    return CaseTable(game, tuple(table["about"]), tuple(cases))
