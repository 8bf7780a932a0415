"""How many sessions are kept: counted by one, known to all, and nobody waits for it."""

import os
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from threading import Event
from typing import Any

import pytest

from service.sessions import census
from service.sessions.census import EVERY_SECONDS, FOUND, KEPT_SECONDS, LOCK, STEP, Census
from service.sessions.embedded import Engine
from service.sessions.redis_store import RedisStore
from service.sessions.store import Away
from tests.engines.servers import Single, wait_until
from tests.sessions.conftest import PATIENT_MS, Home

TTL = 60


@pytest.fixture
def mine(monkeypatch: pytest.MonkeyPatch) -> str:
    """The beginning of the ids of this test's sessions; the server has others' too."""
    beginning = f"census-{secrets.token_hex(4)}-"
    monkeypatch.setattr(census, "PATTERN", f"referee:{{{beginning}*}}")
    return beginning


@pytest.mark.usefixtures("mine")
def test_every_session_of_every_server_is_counted_but_none_that_was_deleted(
    home: Home, store: RedisStore, mine: str
) -> None:
    home.ask("DEL", FOUND)
    home.ask("DEL", LOCK)
    for number in range(STEP + 100):
        store.create(f"{mine}{number}", b"document", TTL)
    store.write(f"{mine}0", 0, b"one", b"entry", TTL)
    store.lease(f"{mine}0", "member", 5, TTL)
    for number in range(1, 4):
        store.bury(f"{mine}{number}", 0, b"tombstone", TTL)
    wait_until("somebody has counted", lambda: store.census() is not None)
    assert store.census() == STEP + 97
    other = RedisStore(home.url, PATIENT_MS)
    store.create(f"{mine}late", b"document", TTL)
    wait_until("another one has read", lambda: other.census() is not None)
    assert other.census() == STEP + 97, "it did not count again"
    other.close()


def test_keys_of_others_are_no_sessions(engine: Engine) -> None:
    with Single(engine) as server:
        store = RedisStore(server.unix_url, PATIENT_MS)
        store.create("one", b"document", TTL)
        store.write("one", 0, b"next", b"entry", TTL)
        server.ask("SET", "referee:{damaged}", "no hash")
        server.ask("HSET", "referee:rate:{client}:stateless", "doc", "1")
        server.ask("HSET", "dice:{two}", "doc", "1")
        wait_until("somebody has counted", lambda: store.census() is not None)
        assert store.census() == 1
        assert 0 < int(server.ask("TTL", FOUND)) <= KEPT_SECONDS
        assert 0 < int(server.ask("TTL", LOCK)) <= EVERY_SECONDS
        store.close()


def test_without_a_server_nobody_knows_and_nobody_waits() -> None:
    asked: list[bool] = []
    store = RedisStore("unix:///nowhere", 300, lambda name, seconds, ok: asked.append(ok))
    started = time.monotonic()
    assert store.census() is None
    assert time.monotonic() - started < 0.1
    wait_until("it was tried", lambda: asked == [False])
    assert store.census() is None
    store.close()


class Shared:
    """Two servers as several processes see them, one page of keys each."""

    def __init__(self) -> None:
        self.held: dict[str, bytes] = {}
        self.pages = 0
        self.away = False

    def ask(self, name: str, *more: str | bytes | int) -> Any:
        if self.away:
            raise Away
        if more[0] == "GET":
            return self.held.get(name)
        if "NX" in more and name in self.held:
            return None
        self.held[name] = str(more[1]).encode()
        return b"OK"

    def servers(self) -> list[int]:
        return [0, 9000]

    def page(self, slot: int, cursor: bytes, pattern: str, most: int) -> tuple[bytes, list[bytes]]:
        self.pages += 1
        return b"0", [b"one", b"two"]

    def living(self, slot: int, keys: Sequence[bytes]) -> int:
        return len(keys)


@pytest.fixture
def begun() -> Iterator[Callable[..., Census]]:
    """Makes a census whose thread has not begun: the test looks itself."""
    made: list[Census] = []

    def make(*arguments: Any) -> Census:
        made.append(Census(*arguments))
        made[-1]._pid = os.getpid()
        return made[-1]

    yield make
    for one in made:
        one.close()


def test_one_counts_for_all_until_the_lock_is_gone(begun: Callable[..., Census]) -> None:
    shared = Shared()
    first, second = begun(shared), begun(shared)
    for one in (first, second, second):
        one.look(Event())
    assert (first.number(), second.number(), shared.pages) == (4, 4, 2)
    del shared.held[LOCK]
    second.look(Event())
    assert shared.pages == 4


def test_a_number_that_nobody_renews_is_forgotten(begun: Callable[..., Census]) -> None:
    shared, now = Shared(), [0.0]
    one = begun(shared, lambda: now[0])
    one.look(Event())
    shared.away = True
    with pytest.raises(Away):
        one.look(Event())
    now[0] = KEPT_SECONDS
    assert one.number() == 4
    now[0] += 1
    assert one.number() is None


def test_who_ends_in_the_middle_says_nothing(begun: Callable[..., Census]) -> None:
    shared, ended = Shared(), Event()
    ended.set()
    begun(shared).look(ended)
    assert FOUND not in shared.held
