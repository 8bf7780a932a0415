"""Servers that tests share: a server and a client for each engine."""

from collections.abc import Callable, Iterator

import pytest
from flask.testing import FlaskClient

from dice_referee.app import create_app
from dice_referee.server.local_redis import RedisBinary
from dice_referee.sessions.redis.store import RedisStore
from tests.engines.servers import ENGINES, NAMES, Single
from tests.unlimited import UNLIMITED

assert len(ENGINES) > 1, "one engine: run tests/engines/install.sh"


PATIENT_MS = 5000
"""The machine of the tests may be busy: what is asked here is not how fast it is."""


@pytest.fixture(params=ENGINES, ids=NAMES, scope="session")
def engine(request: pytest.FixtureRequest) -> RedisBinary:
    binary: RedisBinary = request.param
    return binary


@pytest.fixture(scope="session")
def server(engine: RedisBinary) -> Iterator[Single]:
    """A single server of every engine."""
    with Single(engine) as single:
        yield single


@pytest.fixture(scope="session")
def store(server: Single) -> Iterator[RedisStore]:
    """Client of that server at its Unix socket."""
    store = RedisStore(server.unix_url, PATIENT_MS)
    yield store
    store.close()


@pytest.fixture(scope="session")
def session_client(store: RedisStore) -> FlaskClient:
    """The service in process. Its seed is always the same, so that runs can be repeated."""
    return create_app(UNLIMITED, store, new_seed=lambda: bytes(32)).test_client()


@pytest.fixture
def expire(server: Single) -> Callable[[str], None]:
    """Lets a session expire at once."""

    def expired(session: str) -> None:
        for key in (f"referee:{{{session}}}", f"referee:{{{session}}}:log"):
            server.ask("PEXPIRE", key, 0)

    return expired
