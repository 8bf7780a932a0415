"""The server that most tests of this folder talk to."""

from collections.abc import Iterator

import pytest

from tests.wire import Server, serving


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """Impatient, so that the tests need not be patient."""
    with serving(REQUEST_SECONDS=2, WRITE_SECONDS=2, LOG_ANSWERS=1) as started:
        yield started
