"""New sessions of a client, as the store counts them: as a process would, for all of them."""

import secrets
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from service.limits.counters import MINUTE, RateLimitKey
from service.sessions.redis.store import RedisStore
from service.sessions.store import Quota, SessionNotFound, TooManySessions, VersionConflict
from tests.sessions.conftest import Home


@pytest.fixture
def client() -> str:
    return secrets.token_hex(16)


def key(client: str) -> str:
    return f"referee:rate:{{{client}}}:sessions"


def create(store: RedisStore, client: str, limit: int) -> tuple[bool, int]:
    """Creates a session; says whether it was allowed, and what the client owes."""
    session = secrets.token_hex(11)
    try:
        return True, store.create(session, b"zero", 60, quota=Quota(client, limit))
    except TooManySessions as refusal:
        with pytest.raises(SessionNotFound):
            store.read(session)
        return False, refusal.owed


def test_processes_together_create_what_the_limit_says(
    store: RedisStore, home: Home, client: str
) -> None:
    # One comes back in 6 s: longer than this takes.
    second = RedisStore(home.url, 5000)
    with ThreadPoolExecutor(8) as people:
        futures = [
            people.submit(create, store if number % 2 else second, client, 10)
            for number in range(30)
        ]
        answers = [one.result() for one in futures]
    second.close()
    assert sum(allowed for allowed, _ in answers) == 10
    assert all(54_000_000 < owed <= MINUTE for allowed, owed in answers if not allowed)
    assert create(store, secrets.token_hex(16), 10)[0]


@pytest.mark.parametrize("limit", [1, 7, 61, 7919])
def test_the_store_counts_as_a_process_does(store: RedisStore, client: str, limit: int) -> None:
    rate, owed = RateLimitKey("", "", limit), 0
    for _ in range(3):
        allowed, owed = rate.take(owed)
        created, reported = create(store, client, limit)
        # Meanwhile some of it has come back.
        assert created >= allowed
        assert owed - 5_000_000 < reported <= owed + (created - allowed) * rate.step


def test_a_client_that_waits_as_told_may_create_again(store: RedisStore, client: str) -> None:
    # 240 a minute: one in a quarter of a second.
    rate = RateLimitKey("", "", 240)
    while (answer := create(store, client, 240))[0]:
        pass
    time.sleep(rate.status(False, answer[1]).wait / 1_000_000)
    assert create(store, client, 240)[0]


def test_a_count_is_forgotten_once_nothing_is_owed(
    store: RedisStore, home: Home, client: str
) -> None:
    create(store, client, 600)
    assert 0 < int(str(home.ask("PTTL", key(client)))) <= 100
    time.sleep(0.15)
    assert home.ask("EXISTS", key(client)) == 0
    create(store, client, 1)
    assert 55_000 < int(str(home.ask("PTTL", key(client)))) <= MINUTE // 1000


def test_no_count_locks_a_client_out_for_over_a_minute(
    store: RedisStore, home: Home, client: str
) -> None:
    for nonsense in ("9" * 16, "nan", "inf", "-1", "text", ""):
        home.ask("SET", key(client), nonsense)
        _, owed = create(store, client, 60)
        assert 0 <= owed <= MINUTE
        # Not the same again and again, for as long as that clock was ahead.
        assert 0 < int(str(home.ask("PTTL", key(client)))) <= MINUTE // 1000
    home.ask("DEL", key(client))
    home.ask("RPUSH", key(client), "text")
    assert create(store, client, 60) == (True, MINUTE // 60)


def test_a_session_that_is_there_already_is_not_replaced(store: RedisStore, client: str) -> None:
    session = secrets.token_hex(11)
    store.create(session, b"zero", 60, quota=Quota(client, 60))
    with pytest.raises(VersionConflict):
        store.create(session, b"other", 60, quota=Quota(client, 60))
    assert store.read(session).document == b"zero"
