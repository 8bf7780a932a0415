"""A plugin for pytest that counts the requests of schemathesis."""

from typing import Any

import schemathesis

_asked = 0


@schemathesis.hook
def after_call(context: Any, case: Any, response: Any) -> None:
    """Counts an answer. schemathesis calls this hook for each answer."""
    global _asked
    _asked += 1


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Prints the number for ``soak``."""
    terminalreporter.write_line(f"{_asked} requests by schemathesis")
