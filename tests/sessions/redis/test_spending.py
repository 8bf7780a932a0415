"""What clients have spent, as the store counts it: the same as a process would, for all of them."""

import secrets
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from service.limits.counters import MINUTE, RateLimitKey
from service.server.local_redis import RedisBinary
from service.sessions.redis.store import RedisStore
from service.sessions.store import CorruptSession, StoreFull, StoreUnavailable
from tests.engines.servers import Single
from tests.sessions.conftest import Home


def of(limit: int) -> RateLimitKey:
    return RateLimitKey("", "", limit)


@pytest.fixture
def client() -> str:
    return secrets.token_hex(16)


def key(client: str, policy: str = "events") -> str:
    return f"referee:rate:{{{client}}}:{policy}"


def test_as_many_are_let_through_as_the_limit_says_however_many_ask_at_once(
    store: RedisStore, home: Home, client: str
) -> None:
    # One comes back in 6 s: longer than this takes.
    other = RedisStore(home.url, 5000)
    with ThreadPoolExecutor(8) as people:
        futures = [
            people.submit((store if number % 2 else other).spend, client, "events", 10, 1)
            for number in range(30)
        ]
        answers = [one.result() for one in futures]
    other.close()
    assert sum(spent for spent, _ in answers) == 10
    assert all(54_000_000 < owed <= MINUTE for spent, owed in answers if not spent)
    assert store.spend(client, "batch", 10, 1)[0] == 1
    assert store.spend(secrets.token_hex(16), "events", 10, 1)[0] == 1


@pytest.mark.parametrize("limit", [1, 7, 61, 7919])
def test_the_store_counts_as_a_process_does(store: RedisStore, client: str, limit: int) -> None:
    rate, owed = of(limit), 0
    for most in (1, 3, limit, limit):
        taken, owed = rate.take(owed, most)
        spent, reported = store.spend(client, "events", limit, most)
        # Meanwhile some of it has come back.
        assert taken <= spent <= taken + 5_000_000 // rate.step
        assert owed - 5_000_000 < reported <= owed


def test_a_client_that_waits_for_retry_after_is_let_through(store: RedisStore, client: str) -> None:
    # 240 a minute: one in a quarter of a second.
    while (answer := store.spend(client, "events", 240, 100))[0]:
        pass
    time.sleep(of(240).status(False, answer[1]).wait / 1_000_000)
    assert store.spend(client, "events", 240, 1)[0] == 1


def test_what_was_spent_is_forgotten_when_it_is_all_there_again(
    store: RedisStore, home: Home, client: str
) -> None:
    store.spend(client, "events", 600, 1)
    assert 0 < int(str(home.ask("PTTL", key(client)))) <= 100
    time.sleep(0.15)
    assert home.ask("EXISTS", key(client)) == 0
    store.spend(client, "events", 1, 1)
    assert 55_000 < int(str(home.ask("PTTL", key(client)))) <= MINUTE // 1000


def test_a_count_from_another_clock_locks_no_client_out_for_longer_than_a_minute(
    store: RedisStore, home: Home, client: str
) -> None:
    for nonsense in ("9" * 16, "nan", "inf", "-1", "text", ""):
        home.ask("SET", key(client), nonsense)
        _, owed = store.spend(client, "events", 60, 1)
        assert 0 <= owed <= MINUTE
        # Not the same again and again, for as long as that clock was ahead.
        assert 0 < int(str(home.ask("PTTL", key(client)))) <= MINUTE // 1000


def test_a_foreign_key_is_left_as_it_is(store: RedisStore, home: Home, client: str) -> None:
    home.ask("RPUSH", key(client), "text")
    with pytest.raises(CorruptSession):
        store.spend(client, "events", 60, 1)
    assert home.ask("LLEN", key(client)) == 1


def test_a_lost_answer_is_not_retried(engine: RedisBinary, client: str) -> None:
    with Single(engine) as server:
        store, slow = RedisStore(server.url, 5000), RedisStore(server.url, 200)
        store.spend(client, "events", 1, 1)
        slow.ping()
        server.ask("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
        # A connection that was closed is seen to be so before it is used.
        assert store.spend(client, "events", 1, 1)[0] == 0
        server.freeze()
        with pytest.raises(StoreUnavailable):
            slow.spend(client, "batch", 3, 1)
        server.thaw()
        # What was sent into the frozen server counts once, if it does.
        left = sum(store.spend(client, "batch", 3, 1)[0] for _ in range(3))
        assert left in (2, 3)
        slow.close()
        store.close()


def test_a_full_memory_is_distinguished_from_a_server_that_is_away(
    engine: RedisBinary, client: str
) -> None:
    with Single(engine) as server:
        store = RedisStore(server.url, 5000)
        store.create("a", b"zero", 60)
        server.ask("CONFIG", "SET", "maxmemory", "1")
        for ask in (
            lambda: store.create("b", b"zero", 60),
            lambda: store.write("a", 0, b"one", b"entry", 60),
            lambda: store.spend(client, "events", 60, 1),
        ):
            with pytest.raises(StoreFull) as full:
                ask()
            assert full.value.retry == 60
        assert store.open_breakers() == 0
        assert store.read("a").version == 0
        store.close()
