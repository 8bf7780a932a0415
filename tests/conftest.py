"""What all tests share: a real Redis, and silence; the log is read in ``tests/doors``."""

from collections.abc import Iterator

import pytest
import structlog

# Configures the log as a server does, once, at import; undone below, before anything is written.
import service.asgi
from tests.engines.servers import ENGINES, Single

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
