"""Results of cases as text: TAP (version 14) for people and test runners, or JSON lines."""

import json
from typing import Any, NamedTuple

from dice_referee.check.matching import Mismatch
from dice_referee.games.cases import Case


class Result(NamedTuple):
    game: str
    case: Case
    status: int
    mismatches: list[Mismatch]
    """Differences between answer and expectation, empty if the status differs."""

    @property
    def ok(self) -> bool:
        return self.status == self.case.status and not self.mismatches


class Tap:
    """The Test Anything Protocol, version 14. It reports mismatches as YAML blocks.

    Its texts, like those of every report, are lines that end with a line break.
    """

    def plan(self, number: int) -> str:
        return f"TAP version 14\n1..{number}\n"

    def result(self, number: int, result: Result) -> str:
        """Reports a result. Results are numbered from 1."""
        case, outcome = result.case, "ok" if result.ok else "not ok"
        title = case.title.replace("\\", "\\\\").replace("#", "\\#")
        lines = [f"{outcome} {number} - {result.game} {case.id} {title}"]
        if not result.ok:
            # Every JSON document is YAML.
            lines += ["  ---", f"  request: {_json(case.request)}"]
            if result.status != case.status:
                lines.append(f"  status: {_json(_statuses(result))}")
            if result.mismatches:
                lines.append("  differences:")
            lines += [f"    - {_json(mismatch.document())}" for mismatch in result.mismatches]
            lines.append("  ...")
        return "\n".join(lines) + "\n"

    def bail_out(self, reason: str) -> str:
        return f"Bail out! {reason}\n"


class JsonLines:
    def plan(self, number: int) -> str:
        return ""

    def result(self, number: int, result: Result) -> str:
        case = result.case
        document = {
            "game": result.game,
            "case": case.id,
            "title": case.title,
            "rules": case.rules,
            "ok": result.ok,
            "status": _statuses(result),
            "differences": [mismatch.document() for mismatch in result.mismatches],
        }
        return f"{_json(document)}\n"

    def bail_out(self, reason: str) -> str:
        return f"{_json({'error': reason})}\n"


Report = Tap | JsonLines
REPORTS: dict[str, Report] = {"tap": Tap(), "json": JsonLines()}


def _statuses(result: Result) -> dict[str, int]:
    return {"expected": result.case.status, "actual": result.status}


def _json(value: Any) -> str:
    # Non-ASCII characters are escaped, because an unknown server's text reaches a terminal.
    return json.dumps(value)
