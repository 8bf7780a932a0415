"""Who is sent home when there is no room."""

from service.doors.crowd import Crowd


def test_who_has_waited_longest_goes_first_and_who_is_answered_stays() -> None:
    crowd: Crowd[str] = Crowd()
    for name in ("first", "second", "third"):
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
    crowd: Crowd[str] = Crowd()
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
