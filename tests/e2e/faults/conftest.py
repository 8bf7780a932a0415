"""Fixtures of the tests of faults: every engine."""

import pytest

from dice_referee.server.local_redis import RedisBinary
from tests.engines.servers import FIRST_SOONER


@pytest.fixture(params=FIRST_SOONER, scope="module")
def engine(request: pytest.FixtureRequest) -> RedisBinary:
    binary: RedisBinary = request.param
    return binary
