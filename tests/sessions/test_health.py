"""Health of the store: a single caller pings, the others share the result."""

from contextlib import suppress
from threading import Event, Thread

from dice_referee.sessions.health import FRESH_SECONDS, Availability, StoreHealth
from dice_referee.sessions.redis.store import RedisStore
from dice_referee.sessions.store import StoreUnavailable

OK, DEGRADED, AWAY = Availability


class CountingStore(RedisStore):
    """A store that counts its pings."""

    def __init__(self) -> None:
        super().__init__("redis://127.0.0.1:1")
        self.pings, self.is_there, self.is_whole = 0, True, True
        self.gate, self.asked = Event(), Event()
        self.gate.set()
        self.error: BaseException | None = None

    def ping(self) -> bool:
        self.pings += 1
        self.asked.set()
        assert self.gate.wait(10)
        if not self.is_there:
            raise StoreUnavailable
        if self.error is not None:
            raise self.error
        return self.is_whole


def test_health_result_is_cached_for_half_a_second() -> None:
    store, now = CountingStore(), [100.0]
    health = StoreHealth(store, lambda: now[0])
    assert health.known() is None
    assert health.ask() is OK
    assert health.known() is OK
    store.is_there = False
    now[0] += FRESH_SECONDS - 0.1
    assert health.known() is OK
    assert health.ask() is OK, "the result is fresh"
    assert store.pings == 1
    now[0] += 0.1
    assert [health.known() for _ in range(3)] == [None, OK, OK]
    assert health.ask() is AWAY
    assert health.known() is AWAY
    assert store.pings == 2


def test_expired_health_is_refreshed_by_one_caller() -> None:
    now = [100.0]
    health = StoreHealth(CountingStore(), lambda: now[0])
    assert health.ask() is OK
    for _ in range(3):
        now[0] += FRESH_SECONDS
        assert [health.known(), health.known()] == [None, OK]


def test_second_thread_does_not_wait_for_a_ping() -> None:
    store, now = CountingStore(), [100.0]
    health = StoreHealth(store, lambda: now[0])
    assert health.ask() is OK
    now[0] += FRESH_SECONDS
    store.gate.clear()
    store.asked.clear()
    asking = Thread(target=health.ask)
    asking.start()
    assert store.asked.wait(10)
    assert health.ask() is OK, "as it was before"
    store.gate.set()
    asking.join(10)
    assert store.pings == 2


def test_concurrent_first_callers_share_one_ping() -> None:
    store, reports = CountingStore(), list[Availability]()
    health = StoreHealth(store)
    store.gate.clear()
    asking = [Thread(target=lambda: reports.append(health.ask())) for _ in range(4)]
    for thread in asking:
        thread.start()
    assert store.asked.wait(10)
    assert health.known() is None
    store.gate.set()
    for thread in asking:
        thread.join(10)
    assert reports == [OK] * 4
    assert store.pings == 1


def test_every_exit_from_a_ping_lets_the_next_caller_ping() -> None:
    store, now = CountingStore(), [100.0]
    health = StoreHealth(store, lambda: now[0])
    assert health.ask() is OK
    errors = None, StoreUnavailable(), ArithmeticError(), KeyboardInterrupt()
    for pings, error in enumerate(errors, 2):
        now[0] += FRESH_SECONDS
        store.error = error
        with suppress(ArithmeticError, KeyboardInterrupt):
            health.ask()
        assert store.pings == pings, error
    now[0] += FRESH_SECONDS
    store.error = None
    assert health.ask() is OK


def test_partly_answering_store_is_degraded() -> None:
    store, now = CountingStore(), [100.0]
    health = StoreHealth(store, lambda: now[0])
    store.is_whole = False
    assert health.ask() is DEGRADED
    store.is_whole = True
    now[0] += FRESH_SECONDS
    assert health.ask() is OK
