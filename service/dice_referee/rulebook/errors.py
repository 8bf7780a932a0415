"""Exceptions for questions without an answer. An illegal move is an answer and never raised.

Refusal                       sessions and their store have others
└── Unanswerable
    ├── ImpossiblePosition    the position contradicts itself or the rules
    ├── NoOdds                the value of this position is unknown for this aim
    └── ContradictoryOptions  the house rules contradict each other
"""

from collections.abc import Sequence

from dice_referee.rulebook.findings import Finding


class Refusal(Exception):
    """Exception that the service answers with a problem of the code of its class."""

    code: str
    key: str = ""
    """Key of the sentence that explains the refusal, if it is not the code."""
    retry: float | None = None
    """Seconds after which another attempt makes sense."""
    findings: Sequence[Finding] = ()
    players: Sequence[str] = ()
    """Players' names in findings."""
    word: str = ""
    """Reason for the log, as a single word without text of a client."""


class Unanswerable(Refusal):
    """Well-formed question that has no answer. ``findings`` lists every reason."""

    findings: tuple[Finding, ...]

    def __init__(self, findings: tuple[Finding, ...]) -> None:
        reasons = (f"{finding.code} ({finding.rule}) at {finding.pointer}" for finding in findings)
        super().__init__(", ".join(reasons))
        self.findings = findings


class ImpossiblePosition(Unanswerable):
    code = "impossible-position"


class NoOdds(Unanswerable):
    code = "no-odds"


class ContradictoryOptions(Unanswerable):
    code = "contradictory-options"
