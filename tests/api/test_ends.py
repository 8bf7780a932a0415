"""Ends of sessions over HTTP: each entry of the log tells if the session is over after it."""

import json
from random import Random

import pytest
from flask.testing import FlaskClient

from tests.application import SessionClient, accepted, begin
from tests.sessions.player import BEGINNINGS, choose


def play(table: SessionClient) -> None:
    """Plays to the end as the host."""
    random, state = Random(1), table.state
    while state["status"] == "running":
        answer = accepted(table.post("events", choose(state, random)))
        entry, state = answer["entry"], answer["session"]
        # Bots may end the game in later entries.
        assert entry["over"] == (state["status"] == "over" and entry["version"] == state["version"])


def ends(table: SessionClient) -> list[bool]:
    """Returns ``over`` of the last entries of the log."""
    version = json.loads(table.get().data)["version"]
    answer = table.get(f"/events?after={max(0, version - 200)}")
    return [entry["over"] for entry in json.loads(answer.data)["events"]]


@pytest.mark.parametrize("game", BEGINNINGS)
def test_last_entry_of_a_game_is_over(client: FlaskClient, game: str) -> None:
    table = begin(client, game=game, **BEGINNINGS[game])
    play(table)
    *earlier, last = ends(table)
    assert (last, {*earlier}) == (True, {False})
    assert accepted(table.post("rematch"))["entry"]["over"]


@pytest.mark.parametrize("game", BEGINNINGS)
def test_undo_of_the_end_continues_the_game(client: FlaskClient, game: str) -> None:
    table = begin(client, game=game, dice="client", **BEGINNINGS[game])
    play(table)
    assert not accepted(table.post("undo"))["entry"]["over"]
    assert ends(table)[-2:] == [True, False]


@pytest.mark.parametrize("game", BEGINNINGS)
def test_abandoned_session_is_over(client: FlaskClient, game: str) -> None:
    table = begin(client, game=game, **BEGINNINGS[game])
    accepted(table.post("seeds", {"seed": "Ann"}, table.seats[0]))
    accepted(table.post("abandon"))
    accepted(table.post("seats/0/token"))
    assert ends(table) == [False, True, True]


def test_only_the_last_entry_of_bots_is_over(client: FlaskClient) -> None:
    bots = [{"seat": seat, "level": "careful"} for seat in (1, 2)]
    table = begin(client, bots=bots, **BEGINNINGS["tutto"])
    play(table)
    *earlier, last = ends(table)
    assert (last, {*earlier}) == (True, {False})


@pytest.mark.long
@pytest.mark.parametrize("game", BEGINNINGS)
def test_audit_lists_the_legal_events(client: FlaskClient, game: str) -> None:
    table = begin(client, game=game, dice="client", **BEGINNINGS[game])
    random, state = Random(1), table.state
    while True:
        log = json.loads(table.get("/game").data)
        audit = json.loads(client.post(f"/v1/{game}/audits", json=log).data)
        assert audit["legal_events"] == state["legal_events"]
        if state["status"] == "over":
            break
        state = accepted(table.post("events", choose(state, random)))["session"]
