"""Findings: the reasons why a referee refuses a move or a position."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

Param = int | str | tuple[int | str, ...]
"""Number, word of the vocabulary, or list of these."""


MOST_ERRORS = 50
"""Maximum schema errors of a request. Reading and validation end with the last of them."""


class Finding(NamedTuple):
    """Reason why a move is illegal or a position impossible.

    ``code`` is stable and listed in the contract. ``rule`` is the number of the broken rule.
    ``pointer`` is the JSON pointer of the fault in the request (RFC 6901). ``params`` fill the
    placeholders of the localised sentence.
    """

    code: str
    rule: str
    pointer: str
    params: Mapping[str, Param] = {}


def cited_rules(findings: Iterable[Finding]) -> frozenset[str]:
    return frozenset(finding.rule for finding in findings)


class SchemaError(NamedTuple):
    """Violation of a schema by a request. No rule of a game is involved.

    ``params`` state the valid values: ``{"minimum": 1, "maximum": 6}``.
    """

    code: str
    pointer: str
    params: Mapping[str, Param] = {}
