"""The service that agents ask: a real server, with a real Redis."""

from collections.abc import Iterator

import pytest

from tests.wire import serving


@pytest.fixture(scope="module")
def address(redis_url: str) -> Iterator[str]:
    with serving(REDIS_URL=redis_url, WORKERS=1) as server:
        yield f"http://127.0.0.1:{server.port}"
