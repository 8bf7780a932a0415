"""What came out of cases, as text: TAP (version 14) for people and test runners, or JSON lines."""

import json
from typing import Any, NamedTuple, Protocol

from service.check.matching import Difference
from service.games.cases import Case


class Outcome(NamedTuple):
    """What came out of a case."""

    game: str
    case: Case
    status: int
    """The HTTP status of the answer."""
    differences: list[Difference]
    """Where the answer is not what the case expects; not looked for if the status is another."""

    @property
    def ok(self) -> bool:
        """Whether the answer is what the case expects."""
        return self.status == self.case.status and not self.differences


class Report(Protocol):
    """A way to write outcomes, in lines that end with a line break."""

    def plan(self, number: int) -> str:
        """What stands before the outcomes of so many cases."""

    def outcome(self, number: int, outcome: Outcome) -> str:
        """One outcome; the first has the number 1."""

    def given_up(self, reason: str) -> str:
        """Why there are no outcomes, or no more."""


class Tap:
    """The Test Anything Protocol, version 14; differences stand in blocks of YAML."""

    def plan(self, number: int) -> str:
        return f"TAP version 14\n1..{number}\n"

    def outcome(self, number: int, outcome: Outcome) -> str:
        case, told = outcome.case, "ok" if outcome.ok else "not ok"
        title = case.title.replace("\\", "\\\\").replace("#", "\\#")
        lines = [f"{told} {number} - {outcome.game} {case.id} {title}"]
        if not outcome.ok:
            # JSON is YAML.
            lines += ["  ---", f"  request: {_json(case.request)}"]
            if outcome.status != case.status:
                lines.append(f"  status: {_json(_statuses(outcome))}")
            if outcome.differences:
                lines.append("  differences:")
            lines += [f"    - {_json(one.document())}" for one in outcome.differences]
            lines.append("  ...")
        return "\n".join(lines) + "\n"

    def given_up(self, reason: str) -> str:
        return f"Bail out! {reason}\n"


class JsonLines:
    """An object a line for each case."""

    def plan(self, number: int) -> str:
        return ""

    def outcome(self, number: int, outcome: Outcome) -> str:
        case = outcome.case
        document = {
            "game": outcome.game,
            "case": case.id,
            "title": case.title,
            "rules": case.rules,
            "ok": outcome.ok,
            "status": _statuses(outcome),
            "differences": [one.document() for one in outcome.differences],
        }
        return f"{_json(document)}\n"

    def given_up(self, reason: str) -> str:
        return f"{_json({'error': reason})}\n"


REPORTS: dict[str, Report] = {"tap": Tap(), "json": JsonLines()}


def _statuses(outcome: Outcome) -> dict[str, int]:
    return {"expected": outcome.case.status, "actual": outcome.status}


def _json(value: Any) -> str:
    # What is not ASCII is escaped: an answer of a stranger goes to a terminal.
    return json.dumps(value)
