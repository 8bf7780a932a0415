"""Servers shared by the attacks of this folder."""

from collections.abc import Iterator

import pytest

from tests.engines.stack import Stack
from tests.unlimited import IMPATIENT
from tests.wire import Line, Server, serving


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """Starts the service as ``make run`` does."""
    with serving(**IMPATIENT) as started:
        yield started


@pytest.fixture(scope="session")
def stack() -> Iterator[Stack]:
    """Starts the deployed stack."""
    with Stack(**IMPATIENT) as started:
        yield started


@pytest.fixture(params=["server", "stack"])
def line(request: pytest.FixtureRequest) -> Line:
    """Gives the service itself, then the stack in front of the service."""
    endpoint: Line = request.getfixturevalue(request.param)
    return endpoint
