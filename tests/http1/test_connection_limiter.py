"""Choice of the connection to close at the limit."""

from dice_referee.http1.connection_limiter import ConnectionLimiter


def test_longest_idle_connection_is_closed_first() -> None:
    limiter = ConnectionLimiter(10)
    for name in ("first", "second", "third"):
        assert limiter.opened(name) is None
    assert limiter.eviction_candidate() == "first"
    limiter.idle("first")  # still idle
    assert limiter.eviction_candidate() == "first"
    limiter.busy("first")
    assert limiter.eviction_candidate() == "second"
    limiter.idle("first")  # idle again, for a shorter time than the others
    limiter.closed("second")
    assert limiter.eviction_candidate() == "third"
    for name in ("first", "third"):
        limiter.busy(name)
    assert limiter.eviction_candidate() is None


def test_unread_connection_is_closed_if_none_is_idle() -> None:
    limiter = ConnectionLimiter(10)
    for name in ("slow", "slower", "idle"):
        assert limiter.opened(name) is None
        limiter.busy(name)
    limiter.write_stalled("slow", 10)
    limiter.write_stalled("slower", 5)
    assert limiter.eviction_candidate() == limiter.longest_stalled() == "slow"
    assert limiter.unread == 15
    limiter.idle("idle")
    assert limiter.eviction_candidate() == "idle"
    limiter.closed("idle")
    limiter.write_resumed("slow")
    assert limiter.eviction_candidate() == limiter.longest_stalled() == "slower"
    assert limiter.unread == 5
    limiter.closed("slower")
    limiter.closed("slower")
    assert limiter.eviction_candidate() is None
    assert limiter.unread == 0


def test_new_connection_evicts_the_longest_idle_connection() -> None:
    limiter = ConnectionLimiter(2)
    for name in ("first", "second"):
        assert limiter.opened(name) is None
    assert limiter.opened("third") == "first"
    limiter.closed("first")
    limiter.closed("first")
    assert len(limiter) == 2
    limiter.busy("second")
    limiter.busy("third")
    assert limiter.opened("fourth") == "fourth", "all other connections are busy"
    limiter.closed("fourth")
    assert len(limiter) == 2


def test_closed_connection_never_counts_as_idle() -> None:
    limiter = ConnectionLimiter(2)
    limiter.opened("gone")
    limiter.closed("gone")
    limiter.idle("gone")
    assert limiter.eviction_candidate() is None
