"""Sessions as ``play`` moves them: what is taken back, begun again and committed to."""

from dataclasses import fields
from functools import partial
from random import Random
from typing import Any

import pytest

from dice_referee.sessions import play
from dice_referee.sessions.change import Actor, SessionRuleError
from dice_referee.sessions.fairness import commitment
from dice_referee.sessions.log import standing_entries
from dice_referee.sessions.session import DiceSource, Session, Status
from tests.sessions.player import choose
from tests.sessions.seated import (
    HOST,
    NOW,
    QUICK,
    SEED,
    Sitting,
    chosen,
    played,
    read,
    sit_down,
    stored,
)
from tests.tools.spoken import unprepared

GAMES = pytest.mark.parametrize("name", sorted(QUICK))
LATER = NOW + 86_400_000
NEW_ID, NEW_SEED = "b" * 22, bytes(reversed(SEED))


def refusal(change: Any) -> tuple[str, str]:
    with pytest.raises(SessionRuleError) as raised:
        change()
    return raised.value.code, raised.value.key or raised.value.code


# Undo -------------------------------------------------------------------------------------------


@GAMES
def test_undo_is_refused_once_the_seed_is_out(name: str) -> None:
    """The last event is a decision, which could be taken back before."""
    _, ended = chosen(name, Status.OVER)
    assert ended.state["fairness"]["seed"] is not None
    for actor in (HOST, Actor(ended.log[-1]["player"])):
        assert refusal(partial(ended.undo, actor)) == ("cannot-undo", "seed-is-out")


def test_undo_at_the_end_is_the_hosts_where_people_throw() -> None:
    begun = sit_down("tutto", dice=DiceSource.CLIENT)
    for event in (
        {"type": "draw", "card": "clover"},
        {"type": "roll", "dice": [1, 1, 1, 5, 5, 5]},
        {"type": "keep", "dice": [1, 1, 1, 5, 5, 5]},
        {"type": "roll", "dice": [1, 1, 1, 5, 5, 5]},
        {"type": "keep", "dice": [1, 1, 1, 5, 5, 5]},
    ):
        begun = begun.act(event)
    assert begun.session.status is Status.OVER
    assert refusal(lambda: begun.undo(Actor(0))) == ("forbidden", "host-only")
    assert begun.undo().session.status is Status.RUNNING


@GAMES
def test_undo_does_not_reset_the_count_of_draws(name: str) -> None:
    """A throw after an undo gets new random numbers: the count of draws stays."""
    before, decided = chosen(name, Status.RUNNING)
    back = decided.undo()
    draws = [sitting.session.draws for sitting in (before, decided, back)]
    assert draws == [draws[0]] * 3
    assert draws[0] > 0
    assert back.session.hidden == before.session.hidden
    assert back.state["turn"] == before.state["turn"]
    assert refusal(back.undo) == ("cannot-undo", "past-chance")


# Fair dice --------------------------------------------------------------------------------------


@GAMES
def test_the_commitment_stays_from_creation_to_the_end(name: str) -> None:
    sitting, random = sit_down(name), Random(3)
    committed = sitting.state["fairness"]["commitment"]
    assert committed == commitment(SEED)
    sitting = sitting.add("x", seat=1)
    while sitting.session.status is Status.RUNNING:
        fairness, draws = sitting.state["fairness"], sitting.session.draws
        assert (fairness["commitment"], fairness["seed"]) == (committed, None)
        sitting = sitting.act(choose(sitting.state, random))
        assert sitting.session.draws == draws + sitting.by_chance
    assert sitting.state["fairness"] == {
        "scheme": "hmac-sha256/1",
        "commitment": committed,
        "seeds": (None, "x"),
        "draws": sum(each["event"]["type"] in sitting.game.chance_events for each in sitting.log),
        "seed": SEED.hex(),
    }


@GAMES
def test_the_seed_comes_out_when_a_game_is_given_up(name: str) -> None:
    ended = sit_down(name).abandon()
    assert ended.state["fairness"]["seed"] == SEED.hex()
    assert refusal(ended.undo) == ("session-ended", "session-ended")


@GAMES
def test_a_text_of_a_seat_changes_the_dice_and_not_the_seed(name: str) -> None:
    begun = sit_down(name)
    tables = [begun, *(begun.add(str(number)) for number in range(9))]
    assert {(table.session.seed, table.session.draws) for table in tables} == {(SEED, 0)}
    assert len({str(table.begins().log[-1]["event"]) for table in tables}) > 2


# A rematch --------------------------------------------------------------------------------------

KEPT = {"game", "setup", "dice", "ttl", "host", "seats", "odds", "bots"}
"""The fields of a session that its rematch has, too."""
RESET: dict[str, Any] = {
    "id": NEW_ID,
    "created_at": LATER,
    "updated_at": LATER,
    "version": 0,
    "status": Status.RUNNING,
    "player": 0,
    "seed": NEW_SEED,
    "seeds": (None, None),
    "draws": 0,
    "hidden": None,
    "rematch": None,
    "until": LATER + 77_000,
}
"""The others, and what they are in a rematch; ``table`` is that of a game that begins."""


def again(ended: Sitting) -> tuple[Session, Session]:
    """Returns the session that has ended, and its rematch."""
    change, session, entries = play.rematch(
        ended.game, ended.session, NEW_ID, NEW_SEED, HOST, LATER, unprepared
    )
    assert entries == ()
    return stored(change.session), stored(session)


def test_each_field_of_a_session_is_kept_or_reset() -> None:
    """A field that is new has to be said to be one or the other."""
    names = {field.name for field in fields(Session)}
    assert KEPT | RESET.keys() | {"table"} == names
    assert not KEPT & RESET.keys()


@GAMES
def test_a_rematch_keeps_and_resets_what_it_should(name: str) -> None:
    begun = sit_down(name, odds=False, bots=(None, "bold"), ttl=77)
    ended = begun.add("x").begins().abandon()
    old, new = again(ended)
    for field in KEPT:
        assert getattr(new, field) == getattr(old, field), field
    for field, value in RESET.items():
        assert getattr(new, field) == value, field
    assert new.table == begun.session.table
    # All that is reset was something else before, so that a field that is kept is seen. A game may
    # hide nothing, and a session that has a rematch gets no other.
    same = {field for field in RESET if getattr(ended.session, field) == RESET[field]}
    assert same - {"hidden"} == {"rematch"}
    assert name != "tutto" or "hidden" not in same, "the pile"
    defaults = {field.name: field.default for field in fields(Session)}
    assert all(getattr(old, field) != defaults[field] for field in KEPT)


@GAMES
def test_a_rematch_of_a_finished_game_begins_anew(name: str) -> None:
    ended = played(sit_down(name), Random(5))
    old, new = again(ended)
    assert (old.status, old.rematch, old.version) == (Status.OVER, NEW_ID, len(ended.log) + 1)
    assert (new.status, new.player, new.draws, new.version) == (Status.RUNNING, 0, 0, 0)
    assert new == sit_down(name, id=NEW_ID, seed=NEW_SEED, created_at=LATER, updated_at=LATER)[1]


def test_a_rematch_with_dice_of_people_has_no_seed() -> None:
    _, new = again(sit_down("tutto", dice=DiceSource.CLIENT).abandon())
    assert (new.seed, new.seeds, new.draws) == (None, (), 0)


@GAMES
def test_a_rematch_counts_the_draws_of_its_own_bots(name: str) -> None:
    """A bot on the first seat plays at once: its numbers begin at 0, too."""
    bots = ("bold", None)
    begun = sit_down(name, bots=bots)
    if begun.session.status is Status.RUNNING:
        begun = begun.abandon()
    change, session, entries = play.rematch(
        begun.game, begun.session, NEW_ID, NEW_SEED, HOST, LATER, unprepared
    )
    fresh = sit_down(name, bots=bots, id=NEW_ID, seed=NEW_SEED, created_at=LATER, updated_at=LATER)
    assert change.entry["event"] == {"type": "rematch", "session": NEW_ID}
    assert (stored(session), read(*entries)) == (fresh.session, fresh.log)
    assert 0 < session.draws < begun.session.draws + session.draws


def test_a_substitution_that_release_090_took_back_removes_no_move() -> None:
    """Release 0.9.0 takes an unknown entry for a move, so its undo may name one."""
    moved = sit_down("yatzee").act({"type": "throw"})
    note = {"version": 2, "player": None, "event": {"type": "substituted", "player": 1}}
    undone = {"version": 3, "player": None, "event": {"type": "undone", "version": 2}}
    assert standing_entries((*moved.log, note, undone)) == list(moved.log)
