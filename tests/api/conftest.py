"""Module fixture of API tests: a client of a service with a store."""

from collections.abc import Iterator

import pytest
from flask.testing import FlaskClient

from dice_referee.app import create_app
from dice_referee.sessions.redis.store import RedisStore
from tests.unlimited import UNLIMITED

PATIENT_MS = 5000


@pytest.fixture(scope="module")
def client(redis_url: str) -> Iterator[FlaskClient]:
    store = RedisStore(redis_url, PATIENT_MS)
    yield create_app(UNLIMITED, store).test_client()
    store.close()
