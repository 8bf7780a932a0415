"""So many requests a minute: what is allowed, what is reported, and what is forgotten."""

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.limits.counters import (
    MINUTE,
    LocalCounter,
    RateLimitKey,
    RateLimitStatus,
    SharedQuota,
)

SECOND = 1_000_000
LIMITS = [1, 2, 7, 59, 60, 61, 1200, 6000, 7919]

many = settings(max_examples=300, deadline=None, derandomize=True)


class Clock:
    """Nanoseconds, as the test sets them."""

    def __init__(self) -> None:
        self.now = 10**18

    def __call__(self) -> int:
        return self.now

    def wait(self, microseconds: int) -> None:
        self.now += microseconds * 1000


def of(limit: int) -> RateLimitKey:
    return RateLimitKey("me", "events", limit)


def refused(limit: int, wait: int) -> RateLimitStatus:
    return RateLimitStatus("events", limit, allowed=False, remaining=0, wait=wait)


# A process alone --------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", LIMITS)
def test_as_many_come_at_once_as_the_limit_says_and_not_one_more(limit: int) -> None:
    counter = LocalCounter(Clock())
    for number in range(limit):
        spent = counter.acquire(RateLimitKey("me", "events", limit))
        assert (spent.allowed, spent.remaining) == (True, limit - 1 - number)
    for _ in range(3):
        spent = counter.acquire(RateLimitKey("me", "events", limit))
        assert spent == refused(limit, MINUTE // limit)


@many
@given(
    limit=st.integers(1, 5000),
    pauses=st.lists(st.integers(0, 2 * MINUTE), min_size=1, max_size=40),
)
def test_a_client_that_waits_for_retry_after_is_let_through_and_none_sooner(
    limit: int, pauses: list[int]
) -> None:
    clock, key = Clock(), RateLimitKey("me", "events", limit)
    counter = LocalCounter(clock)
    for pause in pauses:
        clock.wait(pause)
        spent = counter.acquire(key)
        while spent.remaining and pause % 2:
            spent = counter.acquire(key)
        clock.wait(spent.wait - 1)
        if spent.remaining:
            clock.wait(1)
            assert counter.acquire(key).remaining == limit - 1
        else:
            assert not counter.acquire(key).allowed
            clock.wait(1)
            assert counter.acquire(key).allowed


@many
@given(limit=st.integers(1, 200), pauses=st.lists(st.integers(0, MINUTE // 10), max_size=300))
def test_in_no_minute_come_more_than_twice_the_limit_nor_over_time_more_than_it(
    limit: int, pauses: list[int]
) -> None:
    clock, came = Clock(), list[int]()
    counter, began = LocalCounter(clock), clock.now
    for pause in pauses:
        clock.wait(pause)
        if counter.acquire(RateLimitKey("me", "events", limit)).allowed:
            came.append(clock.now)
    for start in came:
        assert sum(start <= moment < start + MINUTE * 1000 for moment in came) <= 2 * limit
    assert len(came) <= limit + (clock.now - began) / 1000 / (MINUTE // limit)


def test_a_clock_that_goes_back_locks_no_client_out_for_longer_than_a_minute() -> None:
    clock = Clock()
    counter = LocalCounter(clock)
    for _ in range(60):
        counter.acquire(RateLimitKey("me", "events", 60))
    clock.wait(-3600 * SECOND)
    assert counter.acquire(RateLimitKey("me", "events", 60)) == refused(60, SECOND)
    clock.wait(SECOND)
    assert counter.acquire(RateLimitKey("me", "events", 60)).allowed


def test_a_limit_that_was_lowered_holds_at_once() -> None:
    assert of(2).take(MINUTE) == (0, MINUTE)
    assert of(2).status(False, MINUTE).wait == 30 * SECOND


def test_however_many_clients_come_the_counter_does_not_grow() -> None:
    counter = LocalCounter(Clock(), clients=100)
    for number in range(5000):
        assert counter.acquire(RateLimitKey(f"client {number}", "events", 5)).allowed
    assert len(counter) == 100


def test_the_client_that_was_idle_for_longest_gives_way() -> None:
    counter, busy = LocalCounter(Clock(), clients=3), RateLimitKey("busy", "events", 2)
    assert counter.acquire(busy).remaining == 1
    for stranger in ("a", "b"):
        counter.acquire(RateLimitKey(stranger, "events", 2))
    assert counter.acquire(busy).remaining == 0
    for stranger in ("c", "d"):
        counter.acquire(RateLimitKey(stranger, "events", 2))
    assert not counter.acquire(busy).allowed
    assert counter.acquire(RateLimitKey("a", "events", 2)).remaining == 1


def test_clients_and_policies_have_a_count_of_their_own() -> None:
    counter = LocalCounter(Clock())
    assert counter.acquire(RateLimitKey("a", "events", 1)).allowed
    assert not counter.acquire(RateLimitKey("a", "events", 1)).allowed
    assert counter.acquire(RateLimitKey("b", "events", 1)).allowed
    assert counter.acquire(RateLimitKey("a", "batch", 1)).allowed


def test_what_costs_more_is_counted_whole_or_not_at_all() -> None:
    clock, key = Clock(), of(60)
    for counter in (LocalCounter(clock), SharedQuota(Store(clock), clock)):
        first = counter.acquire(key, 50)
        assert first is not None
        assert (first.allowed, first.remaining) == (True, 10)
        assert counter.acquire(key, 12) == RateLimitStatus("events", 60, False, 10, 2 * SECOND)
        clock.wait(2 * SECOND)
        second = counter.acquire(key, 12)
        assert second is not None
        assert (second.allowed, second.remaining) == (True, 0)


# Processes together -----------------------------------------------------------------------------


class Store:
    """The count that processes share; it may be away, and remembers how often it was asked."""

    def __init__(self, clock: Clock) -> None:
        self._clock, self._due = clock, dict[tuple[str, str], int]()
        self.commands, self.away = 0, False

    def __call__(
        self, client: str, policy: str, limit: int, most: int, least: int
    ) -> tuple[int, int] | None:
        self.commands += 1
        if self.away:
            return None
        now = self._clock.now // 1000
        taken, owed = of(limit).take(self._due.get((client, policy), now) - now, most, least)
        self._due[client, policy] = now + owed
        return taken, owed


ME = RateLimitKey("me", "events", 500)


def spend(quota: SharedQuota, limit: int) -> RateLimitStatus:
    spent = quota.acquire(RateLimitKey("me", "events", limit))
    assert spent is not None
    return spent


@pytest.mark.parametrize("limit", LIMITS)
def test_one_process_lets_through_what_the_limit_says_and_asks_a_hundred_times(limit: int) -> None:
    store = Store(clock := Clock())
    quota = SharedQuota(store, clock)
    statuses = [spend(quota, limit) for _ in range(limit)]
    assert [spent.remaining for spent in statuses] == [*range(limit - 1, -1, -1)]
    assert all(spent.allowed for spent in statuses)
    assert store.commands <= 200
    for _ in range(1000):
        assert spend(quota, limit) == refused(limit, MINUTE // limit)
    assert store.commands <= 201, "what is refused is not asked for again"
    clock.wait(MINUTE // limit)
    assert spend(quota, limit).allowed


@many
@given(
    limit=st.integers(1, 1500),
    steps=st.lists(st.tuples(st.integers(0, 2), st.integers(0, MINUTE // 20)), max_size=400),
)
def test_several_processes_together_let_through_no_more_and_hardly_less(
    limit: int, steps: list[tuple[int, int]]
) -> None:
    store = Store(clock := Clock())
    processes, began, came = [SharedQuota(store, clock) for _ in range(3)], clock.now, 0
    for number, pause in steps:
        clock.wait(pause)
        spent = spend(processes[number], limit)
        came += spent.allowed
        if not spent.allowed:
            # All of it was taken, but for what the others have in hand.
            back = (clock.now - began) / 1000 / of(limit).step
            assert came >= min(limit, back) - 2 * max(limit // 100, 1)
    rest = 3 * max(limit // 100, 1)
    assert came <= limit + rest + (clock.now - began) / 1000 / of(limit).step


def test_an_occasional_client_loses_nothing_that_was_reserved_for_it() -> None:
    store = Store(clock := Clock())
    quota = SharedQuota(store, clock)
    for _ in range(300):
        spent = spend(quota, 6000)
        assert spent.allowed
        assert spent.remaining >= 5900
        clock.wait(2 * SECOND)


def test_a_store_that_is_away_is_reported_and_what_was_reserved_is_still_spent() -> None:
    store = Store(clock := Clock())
    quota = SharedQuota(store, clock)
    assert spend(quota, 500).allowed
    store.away = True
    assert [quota.try_local(ME) is not None for _ in range(6)] == [True] * 4 + [False] * 2
    assert quota.acquire(ME) is None
    store.away = False
    assert spend(quota, 500).remaining == 494


def test_however_many_clients_come_the_quota_do_not_grow() -> None:
    store = Store(clock := Clock())
    quota = SharedQuota(store, clock, clients=100)
    for number in range(5000):
        assert quota.acquire(RateLimitKey(f"client {number}", "events", 5)) is not None
    assert len(quota) == 100


def test_of_a_burst_no_request_is_allowed_that_the_store_has_not_counted() -> None:
    store, lock = Store(clock := Clock()), threading.Lock()

    def take(*asked: Any) -> tuple[int, int] | None:
        with lock:
            return store(*asked)

    processes = [SharedQuota(take, clock) for _ in range(3)]
    with ThreadPoolExecutor(30) as pool:
        burst = [pool.submit(spend, processes[number % 3], 60) for number in range(600)]
    assert sum(one.result().allowed for one in burst) == 60


def test_while_the_store_fails_one_thread_at_a_time_asks_it() -> None:
    clients, hanging, over = list[str](), threading.Event(), threading.Event()

    def fail(client: str, *_: object) -> None:
        clients.append(client)
        if len(clients) > 1:
            hanging.set()
            assert over.wait(10)

    quota = SharedQuota(fail)
    assert quota.acquire(ME) is None
    with ThreadPoolExecutor(1) as pool:
        probe = pool.submit(quota.acquire, ME)
        assert hanging.wait(10)
        assert [quota.acquire(ME) for _ in range(100)] == [None] * 100
        over.set()
        assert probe.result() is None
    assert len(clients) == 2
    assert quota.acquire(ME) is None
    assert len(clients) == 3, "the next one tries again"


# Requests that count for several ----------------------------------------------------------------


def test_a_body_counts_by_its_size_and_for_a_minute_at_most() -> None:
    key = RateLimitKey("me", "batch", 60)
    sizes = (0, (1 << 16) - 1, 1 << 16, 1 << 20, 1 << 30)
    assert [key.cost(size) for size in sizes] == [1, 1, 2, 17, 60]


def counters(clock: Clock) -> list[LocalCounter | SharedQuota]:
    """A count of one process, and the share of one process in a count of all."""
    owed = {"me": 0, "at": clock.now // 1000}

    def take_shared(client: str, policy: str, limit: int, most: int, least: int) -> tuple[int, int]:
        now = clock.now // 1000
        taken, left = RateLimitKey(client, policy, limit).take(
            owed["me"] - (now - owed["at"]), most, least
        )
        owed["me"], owed["at"] = left, now
        return taken, left

    return [LocalCounter(clock), SharedQuota(take_shared, clock)]


@pytest.mark.parametrize("number", [0, 1])
def test_a_request_of_a_cost_is_counted_whole_or_not_at_all(number: int) -> None:
    clock = Clock()
    counter, key = counters(clock)[number], of(60)
    allowed = []
    for _ in range(8):
        status = counter.acquire(key, 9)
        assert status is not None
        allowed.append(status.allowed)
    assert allowed == [True] * 6 + [False] * 2
    last = counter.acquire(key, 9)
    assert last is not None
    assert (last.remaining, last.wait) == (6, 3 * SECOND)
    for _ in range(6):
        small = counter.acquire(key)
        assert small is not None
        assert small.allowed
    clock.wait(9 * SECOND)
    again = counter.acquire(key, 9)
    assert again is not None
    assert again.allowed
