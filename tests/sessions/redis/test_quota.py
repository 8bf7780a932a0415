"""The store counts new sessions of a client for all processes, with the formula of a process."""

import math
import secrets
import time

import pytest

from dice_referee.limits.counters import MINUTE, RateLimitKey
from dice_referee.sessions.redis.store import RedisStore
from dice_referee.sessions.store import Quota, SessionNotFound, TooManySessions, VersionConflict
from tests.engines.servers import Single, wait_until


@pytest.fixture
def client() -> str:
    return secrets.token_hex(16)


def key(client: str) -> str:
    return f"referee:rate:{{{client}}}:sessions"


def create(store: RedisStore, client: str, limit: int) -> tuple[bool, int]:
    """Creates a session. Returns if the creation was allowed, and what the client owes."""
    session = secrets.token_hex(11)
    try:
        return True, store.create(session, b"zero", 60, quota=Quota(client, limit))
    except TooManySessions as refusal:
        with pytest.raises(SessionNotFound):
            store.read(session)
        return False, refusal.owed


@pytest.mark.parametrize("limit", [1, 7, 61, 7919])
def test_store_quota_matches_the_rate_limit_of_a_process(
    store: RedisStore, client: str, limit: int
) -> None:
    rate, owed, began = RateLimitKey("", "", limit), 0, time.time()
    for _ in range(3):
        allowed, owed = rate.take(owed)
        created, reported = create(store, client, limit)
        # The allowance may have grown meanwhile.
        assert created >= allowed
        passed = math.ceil((time.time() - began) * 1_000_000)
        assert owed - passed <= reported <= owed + (created - allowed) * rate.step


def test_client_may_create_again_after_the_wait(
    store: RedisStore, server: Single, client: str
) -> None:
    rate = RateLimitKey("", "", 10)
    while (answer := create(store, client, 10))[0]:
        pass
    # Simulates the wait by moving the server's record into the past.
    wait = rate.status(False, answer[1]).wait
    server.ask("SET", key(client), int(server.ask("GET", key(client))) - wait)
    assert create(store, client, 10)[0]


def test_quota_key_expires_once_the_debt_is_zero(
    store: RedisStore, server: Single, client: str
) -> None:
    create(store, client, 600)
    wait_until("the key expires", lambda: server.ask("EXISTS", key(client)) == 0)
    create(store, client, 1)
    before, rest = milliseconds(server), server.ask("PTTL", key(client))
    until = int(server.ask("GET", key(client))) / 1000
    # The server rounds both values to milliseconds.
    assert before - 2 <= until - rest <= milliseconds(server) + 2


def milliseconds(server: Single) -> float:
    """Returns the time of the server's clock."""
    seconds, microseconds = server.ask("TIME")
    return int(seconds) * 1000 + int(microseconds) / 1000


def test_damaged_quota_locks_a_client_out_for_a_minute_at_most(
    store: RedisStore, server: Single, client: str
) -> None:
    for nonsense in ("9" * 16, "nan", "inf", "-1", "text", ""):
        server.ask("SET", key(client), nonsense)
        _, owed = create(store, client, 60)
        assert 0 <= owed <= MINUTE
        # A damaged value must expire, not lock the client out for as long as its clock was ahead.
        rest = server.ask("PTTL", key(client))
        assert rest != -1, "the key expires"
        assert rest <= MINUTE // 1000
    server.ask("DEL", key(client))
    server.ask("RPUSH", key(client), "text")
    assert create(store, client, 60) == (True, MINUTE // 60)


def test_existing_session_is_not_replaced(store: RedisStore, client: str) -> None:
    session = secrets.token_hex(11)
    store.create(session, b"zero", 60, quota=Quota(client, 60))
    with pytest.raises(VersionConflict):
        store.create(session, b"other", 60, quota=Quota(client, 60))
    assert store.read(session).document == b"zero"
