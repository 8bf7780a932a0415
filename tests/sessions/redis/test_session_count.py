"""The session count: one process counts, all others read its number, and no request waits."""

import socket
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from dice_referee.server.local_redis import RedisBinary
from dice_referee.sessions.redis.periodic import PeriodicThread
from dice_referee.sessions.redis.session_count import (
    EVERY_SECONDS,
    FOUND,
    KEPT_SECONDS,
    LOCK,
    SessionCount,
)
from dice_referee.sessions.redis.store import RedisStore
from dice_referee.sessions.store import StoreUnavailable

from tests.engines.servers import Single, wait_until
from tests.sessions.conftest import PATIENT_MS

TTL = 60


def test_keys_of_others_are_no_sessions(engine: RedisBinary) -> None:
    with Single(engine) as server:
        store = RedisStore(server.unix_url, PATIENT_MS)
        store.create("one", b"document", TTL)
        store.write("one", 0, b"next", b"entry", TTL)
        server.ask("SET", "referee:{damaged}", "no hash")
        server.ask("HSET", "referee:rate:{client}:stateless", "doc", "1")
        server.ask("HSET", "dice:{two}", "doc", "1")
        wait_until("somebody has counted", lambda: store.count_live() is not None)
        assert store.count_live() == 1
        assert 0 < int(server.ask("TTL", FOUND)) <= KEPT_SECONDS
        assert 0 < int(server.ask("TTL", LOCK)) <= EVERY_SECONDS
        store.close()


def test_session_count_is_unknown_at_once_without_a_server() -> None:
    answered: list[bool] = []
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"redis://127.0.0.1:{silent.getsockname()[1]}"
        store = RedisStore(url, 60_000, lambda name, seconds, ok: answered.append(ok))
        assert store.count_live() is None
        assert answered == [], "it does not wait for an answer"
    # Its end breaks the connection.
    wait_until("it was tried", lambda: answered == [False])
    assert store.count_live() is None
    store.close()


class Shared:
    """Redis as several processes see it, with one page of keys: it runs commands."""

    def __init__(self) -> None:
        self.held: dict[str, bytes] = {}
        self.pages = 0
        self.away = False

    def __call__(self, command: Callable[[Any], Any]) -> Any:
        if self.away:
            raise StoreUnavailable
        return command(self)

    def get(self, name: str) -> bytes | None:
        return self.held.get(name)

    def set(self, name: str, value: object, ex: int, nx: bool = False) -> bool | None:
        if nx and name in self.held:
            return None
        self.held[name] = str(value).encode()
        return True

    def scan(self, cursor: int, match: str, count: int) -> tuple[int, list[bytes]]:
        self.pages += 1
        return 0, [b"one", b"two", b"deleted"]

    def pipeline(self, transaction: bool) -> "Shared":
        self.answers: list[bool] = []
        return self

    def hexists(self, name: bytes, field: str) -> None:
        self.answers.append(name != b"deleted")

    def execute(self, raise_on_error: bool) -> list[bool]:
        return self.answers


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., SessionCount]]:
    """Makes a ``SessionCount`` whose thread never starts: tests look themselves."""
    monkeypatch.setattr(PeriodicThread, "start", lambda _: None)
    counts: list[SessionCount] = []

    def make(*arguments: Any) -> SessionCount:
        counts.append(SessionCount(*arguments))
        return counts[-1]

    yield make
    for count in counts:
        count.close()


def test_single_worker_counts_while_it_has_the_lock(begun: Callable[..., SessionCount]) -> None:
    shared = Shared()
    first, second = begun(shared), begun(shared)
    for worker in (first, second, second):
        worker.refresh()
    assert (first.number(), second.number(), shared.pages) == (2, 2, 1)
    del shared.held[LOCK]
    second.refresh()
    assert shared.pages == 2


def test_a_number_that_is_not_renewed_is_forgotten(begun: Callable[..., SessionCount]) -> None:
    shared, now = Shared(), [0.0]
    count = begun(shared, lambda: now[0])
    count.refresh()
    shared.away = True
    with pytest.raises(StoreUnavailable):
        count.refresh()
    now[0] = KEPT_SECONDS
    assert count.number() == 2
    now[0] += 1
    assert count.number() is None


def test_a_count_that_is_interrupted_is_not_published(begun: Callable[..., SessionCount]) -> None:
    shared = Shared()
    count = begun(shared)
    count.close()
    count.refresh()
    assert FOUND not in shared.held
