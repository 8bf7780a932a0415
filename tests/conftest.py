"""What all tests share: a real Redis, and silence; the log is read in ``tests/doors``.

``make test`` runs them in several processes, each file in one of them.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
import structlog

# Configures the log as a server does, once, at import; undone below, before anything is written.
import service.asgi
from tests.engines.servers import ENGINES, Single

HERE = Path(__file__).parent

assert service.asgi.app
structlog.configure(
    processors=[], logger_factory=structlog.ReturnLoggerFactory(), cache_logger_on_first_use=False
)
pytest.MonkeyPatch().setattr("service.http.metrics.write_requests", lambda lines: None)


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """Where a server listens that all tests may use; each has its own sessions."""
    with Single(ENGINES[0]) as server:
        yield server.unix_url


LONGEST = (
    "faults/test_redis.py",
    "attack/test_hostile.py",
    "clients/test_clients.py",
    "test_readme.py",
    "browser/test_live.py",
    "contract/test_schemathesis.py",
    "sessions/test_faults.py",
    "doors/test_server.py",
    "deploy/test_restarts.py",
    "sessions/test_embedded.py",
    "games/test_laws.py",
    "browser/test_playground.py",
    "sessions/test_store.py",
    "guides/test_guides.py",
    "doors/test_streams.py",
    "sessions/test_documents.py",
    "api/test_never_500.py",
    "games/test_tables.py",
    "browser/test_access.py",
    "sessions/test_machine.py",
    "attack/test_smuggling.py",
    "deploy/test_nginx.py",
    "http/test_metrics.py",
    "games/pot/test_adjudications.py",
    "contract/test_spec.py",
    "guides/test_client.py",
)
"""Files that take long, in the order in which the processes of ``make test`` begin them."""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    counts = Counter(item.nodeid for item in items)
    twice = [name for name, count in counts.items() if count > 1]
    if twice:
        raise pytest.UsageError(f"of tests with one id only one would be run: {twice}")
    if unknown := [name for name in LONGEST if not (HERE / name).is_file()]:
        raise pytest.UsageError(f"no longer there: {unknown}")
    if hasattr(config, "workerinput"):
        items.sort(key=_turn)


def _turn(item: pytest.Item) -> int:
    """The place of a test's file among the longest; all others come behind them."""
    name = item.path.relative_to(HERE).as_posix()
    return LONGEST.index(name) if name in LONGEST else len(LONGEST)


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
