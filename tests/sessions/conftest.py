"""The service in process, on every engine of this machine."""

from collections.abc import Callable, Iterator

import pytest
from flask.testing import FlaskClient

from service.app import create_app
from service.sessions.redis_store import RedisStore
from service.settings import Settings
from tests.engines.servers import ENGINES, NAMES, Single


@pytest.fixture(scope="module", params=ENGINES, ids=NAMES)
def engine(request: pytest.FixtureRequest) -> Iterator[Single]:
    with Single(request.param) as server:
        yield server


@pytest.fixture(scope="module")
def session_client(engine: Single) -> FlaskClient:
    return create_app(Settings(), RedisStore(engine.unix_url)).test_client()


@pytest.fixture(scope="module")
def expire(engine: Single) -> Callable[[str], None]:
    """Lets a session expire at once."""

    def expired(session: str) -> None:
        for key in (f"referee:{{{session}}}", f"referee:{{{session}}}:log"):
            engine.ask("PEXPIRE", key, 0)

    return expired
