"""The numbered cases of each game: requests, and what has to come out of them."""

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any


@dataclass(frozen=True, slots=True)
class Case:
    """A request, and what its answer has to be."""

    id: str
    title: str
    rules: tuple[str, ...]
    """The numbers of the rules that it is about, the one that names it first."""
    source: str
    comment: str
    """Subject of the case, in English."""
    resource: str
    """Address of the request: a path below ``/v1/<game>``."""
    status: int
    """The HTTP status of the answer."""
    request: dict[str, Any]
    expect: dict[str, Any]
    """Part of the answer that must match; ``about`` of the table says how."""


@dataclass(frozen=True, slots=True)
class CaseTable:
    """The cases of a game."""

    game: str
    about: tuple[str, ...]
    """Instructions for readers of the table, in English, a paragraph each."""
    cases: tuple[Case, ...]

    def of_rule(self, number: str) -> "CaseTable":
        """Returns the table with only the cases about this rule; there may be none."""
        cases = tuple(case for case in self.cases if number in case.rules)
        return CaseTable(self.game, self.about, cases)


@cache
def case_table(game: str) -> CaseTable:
    """Reads the cases of a game of the catalogue, from ``cases.json`` in its folder."""
    text = files(f"dice_referee.games.{game}").joinpath("cases.json").read_text("utf-8")
    table = json.loads(text)
    cases = (Case(**{**case, "rules": tuple(case["rules"])}) for case in table["cases"])
    return CaseTable(game, tuple(table["about"]), tuple(cases))
