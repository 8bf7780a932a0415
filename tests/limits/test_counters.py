"""Permits per minute: use, status, and refill."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dice_referee.limits.counters import (
    MINUTE,
    LocalCounter,
    RateLimitKey,
    RateLimitStatus,
)

SECOND = 1_000_000
LIMITS = [1, 2, 7, 59, 60, 61, 1200, 6000, 7919]

many = settings(max_examples=300, deadline=None, derandomize=True)


class Clock:
    """A clock in nanoseconds that the test sets."""

    def __init__(self) -> None:
        self.now = 10**18

    def __call__(self) -> int:
        return self.now

    def wait(self, microseconds: int) -> None:
        self.now += microseconds * 1000


def key_of(limit: int) -> RateLimitKey:
    return RateLimitKey("me", "events", limit)


def refusal(limit: int, wait: int) -> RateLimitStatus:
    return RateLimitStatus("events", limit, allowed=False, remaining=0, wait=wait)


@pytest.mark.parametrize("limit", LIMITS)
def test_burst_stops_exactly_at_the_limit(limit: int) -> None:
    counter = LocalCounter(Clock())
    for number in range(limit):
        spent = counter.count(RateLimitKey("me", "events", limit))
        assert (spent.allowed, spent.remaining) == (True, limit - 1 - number)
    for _ in range(3):
        spent = counter.count(RateLimitKey("me", "events", limit))
        assert spent == refusal(limit, MINUTE // limit)


@pytest.mark.long
@many
@given(
    limit=st.integers(1, 5000),
    pauses=st.lists(st.integers(0, 2 * MINUTE), min_size=1, max_size=40),
)
def test_client_is_admitted_after_retry_after_and_not_before(limit: int, pauses: list[int]) -> None:
    clock, key = Clock(), RateLimitKey("me", "events", limit)
    counter = LocalCounter(clock)
    for pause in pauses:
        clock.wait(pause)
        spent = counter.count(key)
        while spent.remaining and pause % 2:
            spent = counter.count(key)
        clock.wait(spent.wait - 1)
        if spent.remaining:
            clock.wait(1)
            assert counter.count(key).remaining == limit - 1
        else:
            assert not counter.count(key).allowed
            clock.wait(1)
            assert counter.count(key).allowed


@many
@given(limit=st.integers(1, 200), pauses=st.lists(st.integers(0, MINUTE // 10), max_size=300))
def test_admissions_stay_below_twice_the_limit_a_minute(limit: int, pauses: list[int]) -> None:
    clock, came = Clock(), list[int]()
    counter, began = LocalCounter(clock), clock.now
    for pause in pauses:
        clock.wait(pause)
        if counter.count(RateLimitKey("me", "events", limit)).allowed:
            came.append(clock.now)
    for start in came:
        assert sum(start <= moment < start + MINUTE * 1000 for moment in came) <= 2 * limit
    assert len(came) <= limit + (clock.now - began) / 1000 / (MINUTE // limit)


def test_clock_set_back_blocks_clients_for_two_minutes_at_most() -> None:
    clock = Clock()
    counter = LocalCounter(clock)
    for _ in range(60):
        counter.count(RateLimitKey("me", "events", 60))
    clock.wait(-3600 * SECOND)
    assert counter.count(RateLimitKey("me", "events", 60)) == refusal(60, MINUTE + SECOND)
    clock.wait(MINUTE + SECOND)
    assert counter.count(RateLimitKey("me", "events", 60)).allowed


def test_lowered_limit_applies_at_once() -> None:
    assert key_of(2).take(MINUTE) == (False, MINUTE)
    assert key_of(2).status(False, MINUTE).wait == 30 * SECOND


def test_counter_holds_a_bounded_number_of_clients() -> None:
    counter = LocalCounter(Clock(), clients=100)
    for number in range(5000):
        assert counter.count(RateLimitKey(f"client {number}", "events", 5)).allowed
    assert len(counter) == 100


def test_counter_evicts_the_least_recently_seen_client() -> None:
    counter, busy = LocalCounter(Clock(), clients=3), RateLimitKey("busy", "events", 2)
    assert counter.count(busy).remaining == 1
    for stranger in ("a", "b"):
        counter.count(RateLimitKey(stranger, "events", 2))
    assert counter.count(busy).remaining == 0
    for stranger in ("c", "d"):
        counter.count(RateLimitKey(stranger, "events", 2))
    assert not counter.count(busy).allowed
    assert counter.count(RateLimitKey("a", "events", 2)).remaining == 1


def test_clients_and_policies_are_counted_separately() -> None:
    counter = LocalCounter(Clock())
    assert counter.count(RateLimitKey("a", "events", 1)).allowed
    assert not counter.count(RateLimitKey("a", "events", 1)).allowed
    assert counter.count(RateLimitKey("b", "events", 1)).allowed
    assert counter.count(RateLimitKey("a", "batch", 1)).allowed


def test_charge_beyond_a_minute_is_debt() -> None:
    clock, key = Clock(), key_of(60)
    counter = LocalCounter(clock)
    assert counter.charge(key, 50 * SECOND) == RateLimitStatus("events", 60, True, 10, 50 * SECOND)
    assert counter.charge(key, 40 * SECOND) == RateLimitStatus("events", 60, True, 0, 31 * SECOND)
    assert counter.charge(key, 0, minutes=1) == counter.count(key) == refusal(60, 31 * SECOND)
    clock.wait(31 * SECOND)
    assert counter.charge(key, 0, minutes=1).allowed
    assert counter.count(key).allowed


def test_debt_is_capped_at_two_minutes() -> None:
    clock, key = Clock(), key_of(60)
    counter = LocalCounter(clock)
    assert counter.charge(key, 2 * MINUTE - 1).allowed
    assert not counter.charge(key, 10 * MINUTE).allowed
    assert counter.count(key) == refusal(60, MINUTE + SECOND)


def test_limit_allows_work_up_to_a_whole_minute() -> None:
    counter, key = LocalCounter(Clock()), key_of(60)
    assert counter.charge(key, MINUTE).allowed
    assert counter.charge(key, 0, minutes=1).allowed
    assert counter.charge(key, 1).allowed
    assert not counter.charge(key, 0, minutes=1).allowed


def test_burst_of_threads_stops_at_the_limit() -> None:
    counter = LocalCounter(Clock())
    with ThreadPoolExecutor(30) as pool:
        burst = [pool.submit(counter.count, key_of(60)) for _ in range(600)]
    assert sum(answer.result().allowed for answer in burst) == 60
