"""Who is asked where a session is, and for how long; without a server."""

from typing import Any

import pytest

from service.sessions.places import Place
from service.sessions.routes import Cluster, Sentinel
from service.sessions.store import Away

A, B, C, D = (Place("h", port) for port in range(1, 5))


class Answers:
    """What each place says; whoever is not named does not answer."""

    def __init__(self, answers: dict[Place, Any]) -> None:
        self.answers = answers
        self.asked: list[tuple[Place, int]] = []

    def __call__(self, place: Place, parts: int, *command: str) -> Any:
        self.asked.append((place, parts))
        if place not in self.answers:
            raise Away("silent")
        return self.answers[place]


def test_sentinels_are_asked_in_turn_and_leave_time_for_each_other_and_the_master() -> None:
    ask = Answers({C: [b"m", b"7"]})
    way = Sentinel([A, B, C], "dice")
    assert way.known(0) is None
    assert way.masters() == []
    way.refresh(ask)
    assert ask.asked == [(A, 4), (B, 3), (C, 2)]
    assert way.known(0) == Place("m", 7)
    assert way.masters() == [Place("m", 7)]


def test_another_sentinel_is_asked_next_time_since_one_may_be_mistaken() -> None:
    ask = Answers({A: [b"old", b"1"], B: [b"new", b"2"]})
    way = Sentinel([A, B], "dice")
    way.refresh(ask)
    assert way.known(0) == Place("old", 1)
    way.refresh(ask)
    assert way.known(0) == Place("new", 2)


def test_a_sentinel_that_knows_no_such_master_is_passed_over() -> None:
    way = Sentinel([A, B], "dice")
    way.refresh(Answers({A: None, B: [b"m", b"7"]}))
    assert way.known(0) == Place("m", 7)


def test_without_an_answer_what_was_known_stays() -> None:
    way = Sentinel([A], "dice")
    way.refresh(Answers({A: [b"m", b"7"]}))
    with pytest.raises(Away):
        way.refresh(Answers({}))
    assert way.known(0) == Place("m", 7)


SLOTS = [
    [10, 20, [b"h", 2, b"id"], [b"h", 3, b"id"]],
    [0, 9, [b"", 1, b"id"]],
    [30, 30, [None, 4, b"id"]],
]


def test_a_cluster_tells_who_keeps_a_slot_and_an_empty_name_is_the_tellers() -> None:
    way = Cluster([A])
    assert way.known(0) is None
    way.refresh(Answers({A: SLOTS}))
    assert [way.known(slot) for slot in (0, 9, 10, 20, 21, 30, 31)] == [A, A, B, B, None, D, None]
    assert way.masters() == [A, B, D]


def test_every_node_of_a_cluster_may_be_asked_and_the_seeds_after_them() -> None:
    seed = Place("seed", 9)
    way = Cluster([seed])
    way.refresh(Answers({seed: [[0, 16383, [b"h", 1, b"id"], [b"h", 2, b"id"]]]}))
    ask = Answers({})
    with pytest.raises(Away):
        way.refresh(ask)
    assert ask.asked == [(A, 4), (B, 3), (seed, 2)]
    assert way.known(5) == A
