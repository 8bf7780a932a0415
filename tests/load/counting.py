"""A plugin for pytest: how many requests schemathesis has made."""

from typing import Any

import schemathesis

_asked = 0


@schemathesis.hook
def after_call(context: Any, case: Any, response: Any) -> None:
    """Counts an answer; schemathesis calls it for each."""
    global _asked
    _asked += 1


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Prints the number, where ``soak`` reads it."""
    terminalreporter.write_line(f"{_asked} requests by schemathesis")
