"""Who is sent home when there is no room."""

from service.doors.crowd import Crowd


def test_who_has_waited_longest_goes_first_and_who_is_answered_stays() -> None:
    crowd: Crowd[str] = Crowd(10)
    for name in ("first", "second", "third"):
        assert crowd.comes(name) is None
        crowd.waits(name)
    assert crowd.least() == "first"
    crowd.waits("first")  # still
    assert crowd.least() == "first"
    crowd.has_asked("first")
    assert crowd.least() == "second"
    crowd.waits("first")  # anew: the others have waited longer
    crowd.leaves("second")
    assert crowd.least() == "third"
    for name in ("first", "third"):
        crowd.has_asked(name)
    assert crowd.least() is None


def test_who_does_not_read_goes_if_nobody_waits() -> None:
    crowd: Crowd[str] = Crowd(10)
    for name in ("slow", "slower", "idle"):
        assert crowd.comes(name) is None
    crowd.reads_not("slow", 10)
    crowd.reads_not("slower", 5)
    assert (crowd.least(), crowd.slowest(), crowd.unread) == ("slow", "slow", 15)
    crowd.waits("idle")
    assert crowd.least() == "idle"
    crowd.leaves("idle")
    crowd.reads("slow")
    assert (crowd.least(), crowd.slowest(), crowd.unread) == ("slower", "slower", 5)
    crowd.leaves("slower")
    crowd.leaves("slower")
    assert (crowd.least(), crowd.unread) == (None, 0)


def test_a_newcomer_takes_the_place_of_who_waits_longest_but_of_nobody_who_is_answered() -> None:
    crowd: Crowd[str] = Crowd(2)
    for name in ("first", "second"):
        assert crowd.comes(name) is None
        crowd.waits(name)
    assert crowd.comes("third") == "first"
    crowd.leaves("first")
    crowd.leaves("first")
    crowd.waits("third")
    assert len(crowd) == 2
    crowd.has_asked("second")
    crowd.has_asked("third")
    assert crowd.comes("fourth") == "fourth", "all others are being answered"
    crowd.leaves("fourth")
    assert len(crowd) == 2


def test_who_has_left_is_not_waited_for_whatever_is_found_of_him_later() -> None:
    crowd: Crowd[str] = Crowd(2)
    crowd.comes("gone")
    crowd.leaves("gone")
    crowd.waits("gone")
    assert crowd.least() is None
