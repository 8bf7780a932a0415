"""Sessions as ``play`` changes them: undo, rematch and commitment."""

from dataclasses import fields
from functools import partial
from random import Random
from typing import Any

import pytest

from dice_referee.sessions import play
from dice_referee.sessions.change import Actor, SessionRuleError
from dice_referee.sessions.fairness import commitment
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
def test_undo_is_refused_after_the_seed_is_published(name: str) -> None:
    """The last event is a decision, which could be undone otherwise."""
    _, ended = chosen(name, Status.OVER)
    assert ended.state["fairness"]["seed"] is not None
    for actor in (HOST, Actor(ended.log[-1]["player"])):
        assert refusal(partial(ended.undo, actor)) == ("cannot-undo", "seed-is-out")


def test_undo_at_the_end_with_client_dice_is_host_only() -> None:
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
def test_undo_keeps_the_count_of_draws(name: str) -> None:
    """A roll after an undo gets new random numbers, because the count of draws stays."""
    before, decided = chosen(name, Status.RUNNING)
    undone_sitting = decided.undo()
    draws = [sitting.session.draws for sitting in (before, decided, undone_sitting)]
    assert draws == [draws[0]] * 3
    assert draws[0] > 0
    assert undone_sitting.session.hidden == before.session.hidden
    assert undone_sitting.state["turn"] == before.state["turn"]
    assert refusal(undone_sitting.undo) == ("cannot-undo", "past-chance")


# Fair dice --------------------------------------------------------------------------------------


@GAMES
def test_commitment_is_constant_from_creation_to_the_end(name: str) -> None:
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
def test_abandoned_game_publishes_its_seed(name: str) -> None:
    ended = sit_down(name).abandon()
    assert ended.state["fairness"]["seed"] == SEED.hex()
    assert refusal(ended.undo) == ("session-ended", "session-ended")


@GAMES
def test_seat_text_changes_the_dice_but_not_the_seed(name: str) -> None:
    begun = sit_down(name)
    sittings = [begun, *(begun.add(str(number)) for number in range(9))]
    assert {(sitting.session.seed, sitting.session.draws) for sitting in sittings} == {(SEED, 0)}
    assert len({str(sitting.begins().log[-1]["event"]) for sitting in sittings}) > 2


# A rematch --------------------------------------------------------------------------------------

COPIED = {
    "game",
    "setup",
    "dice",
    "ttl",
    "host",
    "host_seat",
    "seats",
    "odds",
    "bots",
    "idle_seconds",
}
"""Fields that a rematch copies from its session."""
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
"""Values of the other fields in a rematch. ``table`` is that of a new game."""


def rematched(ended: Sitting, starter: int | None = 0) -> tuple[Session, Session]:
    """Returns the ended session and its rematch."""
    change = play.rematch(
        ended.game, ended.session, NEW_ID, NEW_SEED, starter, HOST, LATER, unprepared
    )
    assert change.begun is not None
    assert change.begun.entries == ()
    return stored(change.session), stored(change.begun.session)


def test_each_session_field_is_copied_or_reset_by_a_rematch() -> None:
    """Every new field must be assigned to exactly one of the two sets."""
    names = {field.name for field in fields(Session)}
    assert COPIED | RESET.keys() | {"table"} == names
    assert not COPIED & RESET.keys()


@GAMES
def test_rematch_copies_and_resets_its_fields(name: str) -> None:
    begun = sit_down(name, odds=False, bots=(None, "bold"), idle_seconds=60, host_seat=0, ttl=77)
    ended = begun.add("x").begins().abandon()
    old, new = rematched(ended)
    for field in COPIED:
        assert getattr(new, field) == getattr(old, field), field
    for field, value in RESET.items():
        assert getattr(new, field) == value, field
    assert new.table == begun.session.table
    # Each reset field had another value before, so that a copied field is noticed. A game may hide
    # nothing, and a session with a rematch gets no other rematch.
    same = {field for field in RESET if getattr(ended.session, field) == RESET[field]}
    assert same - {"hidden"} == {"rematch"}
    assert name != "tutto" or "hidden" not in same, "the pile"
    defaults = {field.name: field.default for field in fields(Session)}
    assert all(getattr(old, field) != defaults[field] for field in COPIED)


@GAMES
def test_rematch_of_a_finished_game_starts_afresh(name: str) -> None:
    ended = played(sit_down(name), Random(5))
    old, new = rematched(ended)
    assert (old.status, old.rematch, old.version) == (Status.OVER, NEW_ID, len(ended.log) + 1)
    assert (new.status, new.player, new.draws, new.version) == (Status.RUNNING, 0, 0, 0)
    assert new == sit_down(name, id=NEW_ID, seed=NEW_SEED, created_at=LATER, updated_at=LATER)[1]


@GAMES
def test_rematch_passes_the_start_on_to_the_next_seat(name: str) -> None:
    ended = sit_down(name).abandon()
    for starter in (1, 0, 1):
        _, begun = rematched(ended, None)
        assert (begun.starter, begun.player) == (starter, starter)
        ended = Sitting(ended.game, begun, ended.game.new_state(begun.setup)).abandon()


def test_rematch_with_client_dice_has_no_seed() -> None:
    _, new = rematched(sit_down("tutto", dice=DiceSource.CLIENT).abandon())
    assert (new.seed, new.seeds, new.draws) == (None, (), 0)


@GAMES
def test_rematch_counts_only_its_own_bot_draws(name: str) -> None:
    """A bot on the first seat plays at once. Its random numbers begin at 0, too."""
    bots = ("bold", None)
    begun = sit_down(name, bots=bots)
    if begun.session.status is Status.RUNNING:
        begun = begun.abandon()
    change = play.rematch(begun.game, begun.session, NEW_ID, NEW_SEED, 0, HOST, LATER, unprepared)
    assert change.begun is not None
    session, _, entries = change.begun
    fresh = sit_down(name, bots=bots, id=NEW_ID, seed=NEW_SEED, created_at=LATER, updated_at=LATER)
    assert change.entry["event"] == {"type": "rematch", "session": NEW_ID}
    assert (stored(session), read(*entries)) == (fresh.session, fresh.log)
    assert 0 < session.draws < begun.session.draws + session.draws
