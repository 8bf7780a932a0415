"""What a referee says of a move or a position that cannot be: findings."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

Param = int | str | tuple[int | str, ...]
"""A number, a word of the vocabulary, or a list of them."""


class Finding(NamedTuple):
    """One reason why something is illegal or impossible.

    ``code`` is stable and listed in the contract, ``rule`` the number it rests on, ``pointer`` the
    place in the request (RFC 6901). ``params`` fill the placeholders of the localised sentence.
    """

    code: str
    rule: str
    pointer: str
    params: Mapping[str, Param] = {}


def cited_rules(findings: Iterable[Finding]) -> frozenset[str]:
    """The numbers of the rules that the findings rest on."""
    return frozenset(finding.rule for finding in findings)


class SchemaError(NamedTuple):
    """One place where a request is not of the schema: no rule is involved.

    ``params`` say what would have been right: ``{"minimum": 1, "maximum": 6}``.
    """

    code: str
    pointer: str
    params: Mapping[str, Param] = {}
