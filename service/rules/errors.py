"""Questions that cannot be answered. An illegal move is an answer and never raised.

Unanswerable
├── ImpossiblePosition    no game can stand like this
├── NoOdds                nothing tells the worth of this position for this aim
└── ContradictoryOptions  no game can be played like this
"""

from service.rules.findings import Finding


class Unanswerable(Exception):
    """A well-formed question about what cannot be; carries every reason, not the first."""

    code = "unanswerable"

    def __init__(self, findings: tuple[Finding, ...]) -> None:
        super().__init__(", ".join(f"{f.code} ({f.rule}) at {f.pointer}" for f in findings))
        self.findings = findings


class ImpossiblePosition(Unanswerable):
    """The fields of a position contradict each other or the rules."""

    code = "impossible-position"


class NoOdds(Unanswerable):
    """The worth of a position is not known for this aim."""

    code = "no-odds"


class ContradictoryOptions(Unanswerable):
    """The house rules of a request cannot hold together."""

    code = "contradictory-options"
