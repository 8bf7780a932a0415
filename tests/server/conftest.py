"""Fixture: the server that most tests of this folder use."""

from collections.abc import Iterator

import pytest

from tests.wire import Server, serving


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """Starts a server with short timeouts."""
    with serving(REQUEST_SECONDS=2, WRITE_SECONDS=2, LOG_ANSWERS=1) as started:
        yield started
