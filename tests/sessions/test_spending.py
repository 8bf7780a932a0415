"""What clients have spent, as the store counts it: the same as a process would, for all of them."""

import secrets
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from service.app import limits_of
from service.http.limits import MINUTE
from service.sessions.embedded import Engine
from service.sessions.redis_store import RedisStore
from service.sessions.store import Away, Damaged, Full
from service.settings import Settings
from tests.engines.servers import Single
from tests.sessions.conftest import Home


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
        asked = [
            people.submit((store if number % 2 else other).spend, client, "events", 10)
            for number in range(30)
        ]
        told = [one.result() for one in asked]
    other.close()
    assert sorted(left for allowed, left, _ in told if allowed) == list(range(10))
    assert all(left == 0 and 0 < wait <= 6_000_000 for allowed, left, wait in told if not allowed)
    assert store.spend(client, "batch", 10)[:2] == (True, 9)
    assert store.spend(secrets.token_hex(16), "events", 10)[:2] == (True, 9)


@pytest.mark.parametrize("limit", [1, 7, 61, 7919])
def test_the_store_counts_as_a_process_does(store: RedisStore, client: str, limit: int) -> None:
    limits = limits_of(Settings(rate_events=limit), None)
    account = limits.account("GET", "/v1/sessions/x", client, None)
    assert account is not None
    here, (allowed, left, wait) = limits.spend(account), store.spend(client, "events", limit)
    assert (allowed, left) == (here.allowed, here.left)
    assert -(-wait // 1_000_000) == here.seconds


def test_whoever_waits_as_long_as_he_is_told_is_let_through(store: RedisStore, client: str) -> None:
    # 240 a minute: one in a quarter of a second.
    while (told := store.spend(client, "events", 240))[0]:
        pass
    assert not store.spend(client, "events", 240)[0]
    time.sleep(told[2] / 1_000_000)
    assert store.spend(client, "events", 240)[0]


def test_what_was_spent_is_forgotten_when_it_is_all_there_again(
    store: RedisStore, home: Home, client: str
) -> None:
    store.spend(client, "events", 600)
    assert 0 < int(str(home.ask("PTTL", key(client)))) <= 100
    time.sleep(0.15)
    assert home.ask("EXISTS", key(client)) == 0
    store.spend(client, "events", 1)
    assert 55_000 < int(str(home.ask("PTTL", key(client)))) <= MINUTE // 1000


def test_a_count_from_another_clock_locks_nobody_out_for_longer_than_a_minute(
    store: RedisStore, home: Home, client: str
) -> None:
    for nonsense in ("9" * 16, "nan", "inf", "-1", "text", ""):
        home.ask("SET", key(client), nonsense)
        _, _, wait = store.spend(client, "events", 60)
        assert 0 <= wait <= MINUTE


def test_somebody_elses_key_is_left_as_it_is(store: RedisStore, home: Home, client: str) -> None:
    home.ask("RPUSH", key(client), "text")
    with pytest.raises(Damaged):
        store.spend(client, "events", 60)
    assert home.ask("LLEN", key(client)) == 1


def test_a_lost_answer_is_not_asked_for_again(engine: Engine, client: str) -> None:
    with Single(engine) as server:
        store = RedisStore(server.url, 5000)
        store.spend(client, "events", 60)
        server.ask("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
        # A connection that was closed is seen to be so before it is used.
        assert store.spend(client, "events", 60)[1] == 58
        server.freeze()
        slow = RedisStore(server.url, 200)
        with pytest.raises(Away):
            slow.spend(client, "events", 60)
        server.thaw()
        # What was sent into the frozen server counts once, or, not sent at all, not.
        assert store.spend(client, "events", 60)[1] in (56, 57)
        slow.close()
        store.close()


def test_a_full_memory_is_told_from_a_server_that_is_away(engine: Engine, client: str) -> None:
    with Single(engine) as server:
        store = RedisStore(server.url, 5000)
        store.create("a", b"zero", 60)
        server.ask("CONFIG", "SET", "maxmemory", "1")
        for ask in (
            lambda: store.create("b", b"zero", 60),
            lambda: store.write("a", 0, b"one", b"entry", 60),
            lambda: store.spend(client, "events", 60),
        ):
            with pytest.raises(Full) as full:
                ask()
            assert full.value.retry == 60
        assert store.open_breakers() == 0
        assert store.read("a").version == 0
        assert store.lease("a", "me", 1, 60), "who listens needs next to nothing"
        store.close()
