"""Fixtures: a server and a client for each engine, shared by the tests."""

from collections.abc import Callable, Iterator

import pytest
from flask.testing import FlaskClient

from dice_referee.app import create_app
from dice_referee.server.local_redis import RedisBinary
from dice_referee.sessions.redis.store import RedisStore
from tests.engines.servers import ENGINES, FIRST_SOONER, Single
from tests.unlimited import UNLIMITED

assert len(ENGINES) > 1, "one engine: run tests/engines/install.sh"


PATIENT_MS = 5000
"""Command timeout in milliseconds: generous, since speed is tested elsewhere."""


@pytest.fixture(params=FIRST_SOONER, scope="session")
def engine(request: pytest.FixtureRequest) -> RedisBinary:
    binary: RedisBinary = request.param
    return binary


@pytest.fixture(scope="session")
def server(engine: RedisBinary) -> Iterator[Single]:
    """A server of each engine."""
    with Single(engine) as single:
        yield single


@pytest.fixture(scope="session")
def store(server: Single) -> Iterator[RedisStore]:
    """Client of the server at its Unix socket."""
    store = RedisStore(server.unix_url, PATIENT_MS)
    yield store
    store.close()


@pytest.fixture(scope="session")
def session_client(store: RedisStore) -> FlaskClient:
    """The service in process, with a fixed seed for reproducible runs."""
    return create_app(UNLIMITED, store, new_seed=lambda: bytes(32)).test_client()


@pytest.fixture
def expire(server: Single) -> Callable[[str], None]:
    """Expires a session immediately."""

    def expired(session: str) -> None:
        for key in (f"referee:{{{session}}}", f"referee:{{{session}}}:log"):
            server.ask("PEXPIRE", key, 0)

    return expired
