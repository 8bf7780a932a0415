"""What all tests share: a real Redis, and silence; the log is read in ``tests/doors``."""

from collections.abc import Callable, Iterator
from functools import partial

import pytest
import structlog

# Configures the log as a server does, once, at import; undone below, before anything is written.
import service.asgi
from tests.engines.servers import ENGINES, Single

assert service.asgi.app
structlog.configure(
    processors=[], logger_factory=structlog.ReturnLoggerFactory(), cache_logger_on_first_use=False
)


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """Where a server listens that all tests may use; each has its own sessions."""
    with Single(ENGINES[0]) as server:
        yield server.unix_url


@pytest.fixture
def say(record_property: Callable[[str, object], None]) -> Callable[[str], None]:
    """Tells whoever reads the end of the tests one line, from whichever process runs the test."""
    return partial(record_property, "said")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    said = [
        f"{report.nodeid}: {line}"
        for reports in terminalreporter.stats.values()
        for report in reports
        if isinstance(report, pytest.TestReport) and report.when == "call"
        for name, line in report.user_properties
        if name == "said"
    ]
    if said:
        terminalreporter.section("what tests have to say")
        for line in sorted(said):
            terminalreporter.write_line(line)
