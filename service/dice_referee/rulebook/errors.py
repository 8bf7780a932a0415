"""Exceptions for questions without an answer. An illegal move is an answer and never raised.

Unanswerable
├── ImpossiblePosition    the position contradicts itself or the rules
├── NoOdds                the value of this position is unknown for this aim
└── ContradictoryOptions  the house rules contradict each other
"""

from dice_referee.rulebook.findings import Finding


class Unanswerable(Exception):
    """Well-formed question that has no answer; ``findings`` lists every reason."""

    code = "unanswerable"

    def __init__(self, findings: tuple[Finding, ...]) -> None:
        reasons = (f"{finding.code} ({finding.rule}) at {finding.pointer}" for finding in findings)
        super().__init__(", ".join(reasons))
        self.findings = findings


class ImpossiblePosition(Unanswerable):
    """The fields of a position contradict each other or the rules."""

    code = "impossible-position"


class NoOdds(Unanswerable):
    """The value of a position is unknown for this aim."""

    code = "no-odds"


class ContradictoryOptions(Unanswerable):
    """The house rules of a request contradict each other."""

    code = "contradictory-options"
