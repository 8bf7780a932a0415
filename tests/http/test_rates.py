"""So many requests a minute: what is let through, what is told, and what is forgotten."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.http.rates import MINUTE, Ledger, Purses, Rate, Spent

SECOND = 1_000_000
LIMITS = [1, 2, 7, 59, 60, 61, 1200, 6000, 7919]

many = settings(max_examples=300, deadline=None, derandomize=True)


class Clock:
    """Nanoseconds, as they are told."""

    def __init__(self) -> None:
        self.now = 10**18

    def __call__(self) -> int:
        return self.now

    def wait(self, microseconds: int) -> None:
        self.now += microseconds * 1000


# A process alone --------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", LIMITS)
def test_as_many_come_at_once_as_the_limit_says_and_not_one_more(limit: int) -> None:
    ledger = Ledger(Clock())
    for number in range(limit):
        spent = ledger.spend(("me", "events"), limit)
        assert (spent.allowed, spent.left) == (True, limit - 1 - number)
    for _ in range(3):
        spent = ledger.spend(("me", "events"), limit)
        assert spent == Spent(False, 0, MINUTE // limit)


@many
@given(
    limit=st.integers(1, 5000),
    pauses=st.lists(st.integers(0, 2 * MINUTE), min_size=1, max_size=40),
)
def test_whoever_waits_as_long_as_he_is_told_is_let_through_and_nobody_sooner(
    limit: int, pauses: list[int]
) -> None:
    clock, key = Clock(), ("me", "events")
    ledger = Ledger(clock)
    for pause in pauses:
        clock.wait(pause)
        spent = ledger.spend(key, limit)
        while spent.left and pause % 2:
            spent = ledger.spend(key, limit)
        clock.wait(spent.wait - 1)
        if spent.left:
            clock.wait(1)
            assert ledger.spend(key, limit).left == limit - 1
        else:
            assert not ledger.spend(key, limit).allowed
            clock.wait(1)
            assert ledger.spend(key, limit).allowed


@many
@given(limit=st.integers(1, 200), pauses=st.lists(st.integers(0, MINUTE // 10), max_size=300))
def test_in_no_minute_come_more_than_twice_the_limit_nor_over_time_more_than_it(
    limit: int, pauses: list[int]
) -> None:
    clock, came = Clock(), list[int]()
    ledger, began = Ledger(clock), clock.now
    for pause in pauses:
        clock.wait(pause)
        if ledger.spend(("me", "events"), limit).allowed:
            came.append(clock.now)
    for start in came:
        assert sum(start <= moment < start + MINUTE * 1000 for moment in came) <= 2 * limit
    assert len(came) <= limit + (clock.now - began) / 1000 / (MINUTE // limit)


def test_a_clock_that_goes_back_locks_nobody_out_for_longer_than_a_minute() -> None:
    clock = Clock()
    ledger = Ledger(clock)
    for _ in range(60):
        ledger.spend(("me", "events"), 60)
    clock.wait(-3600 * SECOND)
    assert ledger.spend(("me", "events"), 60) == Spent(False, 0, SECOND)
    clock.wait(SECOND)
    assert ledger.spend(("me", "events"), 60).allowed


def test_a_limit_that_was_lowered_holds_at_once() -> None:
    assert Rate(2).take(Rate(600).whole) == (0, MINUTE)
    assert Rate(2).until_next(MINUTE) == 30 * SECOND


def test_however_many_clients_come_the_ledger_does_not_grow() -> None:
    ledger = Ledger(Clock(), clients=100)
    for number in range(5000):
        assert ledger.spend((f"client {number}", "events"), 5).allowed
    assert len(ledger) == 100


def test_who_was_not_heard_of_for_longest_gives_way() -> None:
    ledger, busy = Ledger(Clock(), clients=3), ("busy", "events")
    assert ledger.spend(busy, 2).left == 1
    for stranger in ("a", "b"):
        ledger.spend((stranger, "events"), 2)
    assert ledger.spend(busy, 2).left == 0
    for stranger in ("c", "d"):
        ledger.spend((stranger, "events"), 2)
    assert not ledger.spend(busy, 2).allowed
    assert ledger.spend(("a", "events"), 2).left == 1


def test_clients_and_policies_have_a_count_of_their_own() -> None:
    ledger = Ledger(Clock())
    assert ledger.spend(("a", "events"), 1).allowed
    assert not ledger.spend(("a", "events"), 1).allowed
    assert ledger.spend(("b", "events"), 1).allowed
    assert ledger.spend(("a", "batch"), 1).allowed


# Processes together -----------------------------------------------------------------------------


class Store:
    """The count that processes share; it may be away, and remembers how often it was asked."""

    def __init__(self, clock: Clock) -> None:
        self._clock, self._due = clock, dict[tuple[str, str], int]()
        self.asked, self.away = 0, False

    def __call__(self, client: str, policy: str, limit: int, most: int) -> tuple[int, int] | None:
        self.asked += 1
        if self.away:
            return None
        now = self._clock.now // 1000
        taken, owed = Rate(limit).take(self._due.get((client, policy), now) - now, most)
        self._due[client, policy] = now + owed
        return taken, owed


ME = ("me", "events")


def spend(purses: Purses, limit: int) -> Spent:
    """As Limits does it."""
    spent = purses.at_hand(ME, limit) or purses.spend(ME, limit)
    assert spent is not None
    return spent


@pytest.mark.parametrize("limit", LIMITS)
def test_one_process_lets_through_what_the_limit_says_and_asks_a_hundred_times(limit: int) -> None:
    store = Store(clock := Clock())
    purses = Purses(store, clock)
    told = [spend(purses, limit) for _ in range(limit)]
    assert [spent.left for spent in told] == [*range(limit - 1, -1, -1)]
    assert all(spent.allowed for spent in told)
    assert store.asked <= 200
    for _ in range(1000):
        assert spend(purses, limit) == Spent(False, 0, MINUTE // limit)
    assert store.asked <= 201, "what is refused is not asked for again"
    clock.wait(MINUTE // limit)
    assert spend(purses, limit).allowed


@many
@given(
    limit=st.integers(1, 1500),
    steps=st.lists(st.tuples(st.integers(0, 2), st.integers(0, MINUTE // 20)), max_size=400),
)
def test_several_processes_together_let_through_no_more_and_hardly_less(
    limit: int, steps: list[tuple[int, int]]
) -> None:
    store = Store(clock := Clock())
    processes, began, came = [Purses(store, clock) for _ in range(3)], clock.now, 0
    for number, pause in steps:
        clock.wait(pause)
        spent = spend(processes[number], limit)
        came += spent.allowed
        if not spent.allowed:
            # All of it was taken, but for what the others have in hand.
            back = (clock.now - began) / 1000 / Rate(limit).step
            assert came >= min(limit, back) - 2 * max(limit // 100, 1)
    rest = 3 * max(limit // 100, 1)
    assert came <= limit + rest + (clock.now - began) / 1000 / Rate(limit).step


def test_who_asks_now_and_then_loses_nothing_that_was_taken_for_him() -> None:
    store = Store(clock := Clock())
    purses = Purses(store, clock)
    for _ in range(300):
        spent = spend(purses, 6000)
        assert spent.allowed
        assert spent.left >= 5900
        clock.wait(2 * SECOND)


def test_a_store_that_is_away_is_told_and_what_was_taken_is_still_spent() -> None:
    store = Store(clock := Clock())
    purses = Purses(store, clock)
    assert spend(purses, 500).allowed
    store.away = True
    assert [purses.at_hand(ME, 500) is not None for _ in range(6)] == [True] * 4 + [False] * 2
    assert purses.spend(ME, 500) is None
    store.away = False
    assert spend(purses, 500).left == 494


def test_however_many_clients_come_the_purses_do_not_grow() -> None:
    store = Store(clock := Clock())
    purses = Purses(store, clock, clients=100)
    for number in range(5000):
        assert purses.spend((f"client {number}", "events"), 5) is not None
    assert len(purses) == 100
