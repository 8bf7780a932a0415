"""What all tests share: a real Redis, and silence; the log is read in ``tests/server``.

``make test`` and ``make test-long`` run them in several processes, each file in one of them.
"""

import gc
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from service.telemetry.logs import ACCESS_LOG
from tests.engines.servers import ENGINES, Single
from tests.programs import LEFT_OUT, missing

HERE = Path(__file__).parent

ACCESS_LOG.write = lambda records: None


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """Where a server listens that all tests may use; each has its own sessions."""
    with Single(ENGINES[0]) as server:
        yield server.unix_url


def pytest_sessionstart(session: pytest.Session) -> None:
    """Says at once what cannot be run here; the processes of ``-n`` leave that to the first."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None and not hasattr(session.config, "workerinput"):
        for name in missing():
            reporter.write_line(f"{name}: not found, tests that need it are LEFT OUT", yellow=True)


LONGEST = (
    "e2e/browser/test_live.py",
    "sessions/redis/test_faults.py",
    "server/test_server.py",
    "e2e/faults/test_redis.py",
    "contract/test_schemathesis.py",
    "sessions/redis/test_store.py",
    "telemetry/test_metrics.py",
    "sessions/test_machine.py",
    "sessions/test_documents.py",
    "test_readme.py",
    "e2e/browser/test_playground.py",
    "e2e/deploy/test_valkey.py",
    "e2e/browser/test_embedded.py",
    "games/test_tables.py",
    "contract/test_spec.py",
    "e2e/browser/test_textmode.py",
    "games/pot/test_adjudications.py",
    "e2e/deploy/test_restarts.py",
    "games/test_laws.py",
    "e2e/browser/test_create.py",
    "server/test_local_redis.py",
    "e2e/browser/test_share.py",
    "server/test_streams.py",
    "games/test_analysis.py",
    "e2e/browser/test_rules.py",
    "e2e/browser/test_odds.py",
    "e2e/browser/test_element.py",
    "telemetry/test_tracing.py",
    "sessions/redis/test_spending.py",
    "e2e/browser/test_spoken.py",
    "api/test_never_500.py",
    "e2e/browser/test_ending.py",
    "e2e/deploy/test_kubernetes.py",
    "games/yatzee/test_odds.py",
    "e2e/guides/test_guides.py",
    "games/test_bots.py",
    "games/test_order.py",
    "sessions/redis/test_session_count.py",
    "games/pot/test_odds.py",
    "validation/test_json_body.py",
    "e2e/guides/test_following.py",
    "e2e/browser/test_weight.py",
    "games/tutto/test_bots.py",
    "games/tutto/test_odds.py",
    "e2e/clients/test_clients.py",
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


@pytest.hookimpl(trylast=True)
def pytest_collection_finish(session: pytest.Session) -> None:
    """Takes the tests that were found out of garbage collection: they stay until the end."""
    gc.collect()
    gc.freeze()


def _turn(item: pytest.Item) -> int:
    """The place of a test's file among the longest; all others come behind them."""
    name = item.path.relative_to(HERE).as_posix()
    return LONGEST.index(name) if name in LONGEST else len(LONGEST)


@pytest.fixture
def say(record_property: Callable[[str, object], None]) -> Callable[[str], None]:
    """Writes one line at the end of the run, from any of its processes."""
    return partial(record_property, "said")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    reasons = (str(report.longrepr[-1]) for report in terminalreporter.stats.get("skipped", ()))
    left_out = Counter(reason.partition(LEFT_OUT)[2] for reason in reasons if LEFT_OUT in reason)
    if left_out:
        terminalreporter.section("LEFT OUT", yellow=True)
        for name, tests in sorted(left_out.items()):
            terminalreporter.write_line(f"{name}: not found, {tests} tests LEFT OUT", yellow=True)
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
