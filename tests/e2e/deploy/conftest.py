"""Stack shared by most tests of this folder."""

from collections.abc import Iterator

import pytest

from tests.engines.stack import Stack


@pytest.fixture(scope="session")
def stack() -> Iterator[Stack]:
    """Starts two services behind nginx."""
    with Stack(2) as started:
        yield started
