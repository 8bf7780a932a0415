"""New sessions of a client, as the store counts them: as a process would, for all of them."""

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
    """Creates a session; says whether it was allowed, and what the client owes."""
    session = secrets.token_hex(11)
    try:
        return True, store.create(session, b"zero", 60, quota=Quota(client, limit))
    except TooManySessions as refusal:
        with pytest.raises(SessionNotFound):
            store.read(session)
        return False, refusal.owed


@pytest.mark.parametrize("limit", [1, 7, 61, 7919])
def test_the_store_counts_as_a_process_does(store: RedisStore, client: str, limit: int) -> None:
    rate, owed, began = RateLimitKey("", "", limit), 0, time.time()
    for _ in range(3):
        allowed, owed = rate.take(owed)
        created, reported = create(store, client, limit)
        # Meanwhile some of it has come back.
        assert created >= allowed
        passed = math.ceil((time.time() - began) * 1_000_000)
        assert owed - passed <= reported <= owed + (created - allowed) * rate.step


def test_a_client_that_waits_as_told_may_create_again(
    store: RedisStore, server: Single, client: str
) -> None:
    rate = RateLimitKey("", "", 10)
    while (answer := create(store, client, 10))[0]:
        pass
    # The wait as the server sees it: its account is as much older.
    wait = rate.status(False, answer[1]).wait
    server.ask("SET", key(client), int(server.ask("GET", key(client))) - wait)
    assert create(store, client, 10)[0]


def test_a_count_is_forgotten_once_nothing_is_owed(
    store: RedisStore, server: Single, client: str
) -> None:
    create(store, client, 600)
    wait_until("it is forgotten", lambda: server.ask("EXISTS", key(client)) == 0)
    create(store, client, 1)
    before, rest = milliseconds(server), server.ask("PTTL", key(client))
    until = int(server.ask("GET", key(client))) / 1000
    # The server rounds both to milliseconds.
    assert before - 2 <= until - rest <= milliseconds(server) + 2


def milliseconds(server: Single) -> float:
    """Returns the time of the server's clock."""
    seconds, microseconds = server.ask("TIME")
    return int(seconds) * 1000 + int(microseconds) / 1000


def test_no_count_locks_a_client_out_for_over_a_minute(
    store: RedisStore, server: Single, client: str
) -> None:
    for nonsense in ("9" * 16, "nan", "inf", "-1", "text", ""):
        server.ask("SET", key(client), nonsense)
        _, owed = create(store, client, 60)
        assert 0 <= owed <= MINUTE
        # Not the same again and again, for as long as that clock was ahead.
        rest = server.ask("PTTL", key(client))
        assert rest != -1, "it expires"
        assert rest <= MINUTE // 1000
    server.ask("DEL", key(client))
    server.ask("RPUSH", key(client), "text")
    assert create(store, client, 60) == (True, MINUTE // 60)


def test_a_session_that_is_there_already_is_not_replaced(store: RedisStore, client: str) -> None:
    session = secrets.token_hex(11)
    store.create(session, b"zero", 60, quota=Quota(client, 60))
    with pytest.raises(VersionConflict):
        store.create(session, b"other", 60, quota=Quota(client, 60))
    assert store.read(session).document == b"zero"
