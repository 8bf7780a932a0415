"""The circuit breaker, with a clock that the test turns."""

import pytest

from service.sessions.breaker import Breaker
from service.sessions.store import Away


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def opened(clock: Clock) -> Breaker:
    breaker = Breaker(clock, failures=3, pause=2.0)
    for _ in range(3):
        assert breaker.admit() is False
        breaker.failed()
    return breaker


def test_a_few_failures_change_nothing(clock: Clock) -> None:
    breaker = Breaker(clock, failures=3, pause=2.0)
    for _ in range(5):
        breaker.failed()
        breaker.failed()
        assert not breaker.is_open
        assert breaker.admit() is False
        breaker.succeeded()


def test_failures_in_a_row_open_it_and_it_says_for_how_long(opened: Breaker, clock: Clock) -> None:
    assert opened.is_open
    clock.now += 0.5
    with pytest.raises(Away) as refused:
        opened.admit()
    assert refused.value.retry == 1.5


def test_after_the_pause_one_tries_and_the_others_wait(opened: Breaker, clock: Clock) -> None:
    clock.now += 2.0
    assert opened.admit() is True
    with pytest.raises(Away) as refused:
        opened.admit()
    assert refused.value.retry == 2.0


def test_a_success_closes_it(opened: Breaker, clock: Clock) -> None:
    clock.now += 2.0
    opened.admit()
    opened.succeeded()
    assert not opened.is_open
    assert opened.admit() is False
    opened.failed()
    assert opened.admit() is False


def test_a_failure_keeps_it_open_for_another_pause(opened: Breaker, clock: Clock) -> None:
    clock.now += 2.0
    opened.admit()
    clock.now += 0.25
    opened.failed()
    clock.now += 1.75
    with pytest.raises(Away):
        opened.admit()
    clock.now += 0.25
    assert opened.admit() is True


def test_one_who_tries_and_never_comes_back_holds_nobody_up(opened: Breaker, clock: Clock) -> None:
    clock.now += 2.0
    assert opened.admit() is True
    clock.now += 2.0
    assert opened.admit() is True
