"""The servers that the attacks of this folder share."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.deploy.stack import Stack
from tests.doors.serving import Line, Server, serving

IMPATIENT: dict[str, Any] = {"REQUEST_SECONDS": 1, "LOG_ANSWERS": 1}
"""So that the tests need not be patient; every answer is in the log."""


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """As ``make run`` starts it."""
    with serving(**IMPATIENT) as started:
        yield started


@pytest.fixture(scope="session")
def stack() -> Iterator[Stack]:
    """As it is deployed."""
    with Stack(**IMPATIENT) as started:
        yield started


@pytest.fixture(params=["server", "stack"])
def line(request: pytest.FixtureRequest) -> Line:
    """One after the other."""
    found: Line = request.getfixturevalue(request.param)
    return found
