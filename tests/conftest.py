"""Fixtures of all tests: a real Redis, and a quiet log. ``tests/server`` reads the log.

``make test`` and ``make test-long`` run the tests in several processes, each file in a single
process.
"""

import gc
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from functools import partial

import pytest

from dice_referee.telemetry.logs import ACCESS_LOG
from tests.engines.servers import ENGINES, Single

ACCESS_LOG.write = lambda records: None


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """Returns the URL of a server for all tests. Each test has its own sessions."""
    with Single(ENGINES[0]) as server:
        yield server.unix_url


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Sorts by names of files, not folders: folders that wait alternate with those that compute."""
    items.sort(key=lambda item: item.path.name)
    counts = Counter(item.nodeid for item in items)
    twice = [name for name, count in counts.items() if count > 1]
    if twice:
        raise pytest.UsageError(f"of tests with one id only one would be run: {twice}")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Pauses garbage collection, and exempts the collected tests from it until the end."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()


@pytest.fixture
def say(record_property: Callable[[str, object], None]) -> Callable[[str], None]:
    """Returns a function that prints a line at the end of the run, from any process."""
    return partial(record_property, "said")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    remarks = [
        f"{report.nodeid}: {line}"
        for reports in terminalreporter.stats.values()
        for report in reports
        if isinstance(report, pytest.TestReport) and report.when == "call"
        for name, line in report.user_properties
        if name == "said"
    ]
    if remarks:
        terminalreporter.section("what tests have to say")
        for line in sorted(remarks):
            terminalreporter.write_line(line)
