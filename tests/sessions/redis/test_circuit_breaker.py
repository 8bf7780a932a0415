"""The circuit breaker, with a clock that the test advances."""

import pytest

from dice_referee.sessions.redis.circuit_breaker import STALL_SECONDS, CircuitBreaker
from dice_referee.sessions.store import StoreUnavailable


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def opened(clock: Clock) -> CircuitBreaker:
    breaker = CircuitBreaker(clock, failures=3, pause=2.0)
    for _ in range(3):
        breaker.allow()
        breaker.failure("WRONGPASS")
    return breaker


def test_failures_below_the_threshold_keep_the_breaker_closed(clock: Clock) -> None:
    breaker = CircuitBreaker(clock, failures=3, pause=2.0)
    for _ in range(5):
        breaker.failure("WRONGPASS")
        breaker.failure("WRONGPASS")
        assert not breaker.is_open
        breaker.allow()
        breaker.success()


def test_failures_in_a_row_open_the_breaker_with_a_retry_time(
    opened: CircuitBreaker, clock: Clock
) -> None:
    assert opened.is_open
    clock.now += 0.5
    with pytest.raises(StoreUnavailable) as refused:
        opened.allow()
    assert refused.value.retry == 1.5
    assert refused.value.word == "not-asked: WRONGPASS"


def test_half_open_breaker_admits_a_single_probe(opened: CircuitBreaker, clock: Clock) -> None:
    clock.now += 2.0
    opened.allow()
    with pytest.raises(StoreUnavailable) as refused:
        opened.allow()
    assert refused.value.retry == 2.0


def test_success_closes_the_breaker(opened: CircuitBreaker, clock: Clock) -> None:
    clock.now += 2.0
    opened.allow()
    opened.success()
    assert not opened.is_open
    opened.allow()
    opened.failure("WRONGPASS")
    opened.allow()


def test_failed_probe_opens_the_breaker_for_another_pause(
    opened: CircuitBreaker, clock: Clock
) -> None:
    clock.now += 2.0
    opened.allow()
    clock.now += 0.25
    opened.failure("WRONGPASS")
    clock.now += 1.75
    with pytest.raises(StoreUnavailable):
        opened.allow()
    clock.now += 0.25
    opened.allow()


def test_hanging_probe_does_not_block_later_probes(opened: CircuitBreaker, clock: Clock) -> None:
    clock.now += 2.0
    opened.allow()
    clock.now += 2.0
    opened.allow()
    assert opened.is_open, "the probe has not returned"


@pytest.mark.parametrize(("seconds", "opens"), [(0.3, False), (STALL_SECONDS, True)])
def test_failures_of_one_stall_open_the_breaker_after_long_waits(
    clock: Clock, seconds: float, opens: bool
) -> None:
    breaker = CircuitBreaker(clock, failures=3)
    for _ in range(8):
        breaker.failure("TimeoutError", seconds)
        clock.now += 0.01
    assert breaker.is_open is opens
    # A call that began later met another stall.
    clock.now += seconds
    breaker.failure("TimeoutError", seconds)
    assert breaker.is_open


def test_breaker_logs_each_change_once_with_its_reason(clock: Clock) -> None:
    answers: list[tuple[bool, str]] = []
    breaker = CircuitBreaker(clock, failures=2, pause=2.0, changed=lambda *now: answers.append(now))
    breaker.failure("TimeoutError")
    breaker.success()
    assert answers == []
    for word in ("TimeoutError", "WRONGPASS", "ConnectionError"):
        breaker.failure(word)
    assert answers == [(True, "WRONGPASS")]
    for _ in range(2):
        breaker.success()
    assert answers == [(True, "WRONGPASS"), (False, "ConnectionError")]
