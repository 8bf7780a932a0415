"""Odds of a session over HTTP, computed from public knowledge of the table."""

import json
from collections import Counter
from random import Random
from typing import Any

import pytest
from flask.testing import FlaskClient

from dice_referee.games import catalogue
from dice_referee.games.tutto.cards import DECK, PILE
from dice_referee.games.tutto.events import Draw
from dice_referee.games.tutto.game import GAME
from tests.api.test_sessions import client
from tests.application import SessionClient, accepted, assert_problem_document, begin, post

assert client
"""The client fixture of the session tests."""


def draws(table: SessionClient) -> list[str]:
    entries = json.loads(table.get("/events").data)["events"]
    return [entry["event"]["card"] for entry in entries if entry["event"]["type"] == "draw"]


def play(table: SessionClient, events: int) -> None:
    """Plays events: the last legal kind each time, and the first legal keep."""
    for _ in range(events):
        state = json.loads(table.get().data)
        event: dict[str, Any] = {"type": state["legal_events"][-1]}
        if event["type"] == "keep":
            event["dice"] = state["adjudication"]["legal_keeps"][0]["dice"]
        assert table.post("events", event).status_code == 200


@pytest.mark.parametrize("game", catalogue())
def test_session_odds_equal_the_odds_of_the_turn(client: FlaskClient, game: str) -> None:
    table = begin(client, game=game)
    state = json.loads(table.get().data)
    odds = json.loads(table.get("/odds").data)
    assert odds == post(f"/v1/{game}/odds", state["turn"]).get_json()
    assert table.get("/odds").headers["ETag"] == '"0"'
    assert table.get("/odds", If_None_Match='"0"').status_code == 304


@pytest.mark.parametrize("dice", ["service", "client"])
def test_session_odds_exclude_drawn_cards_from_the_pile(client: FlaskClient, dice: str) -> None:
    table = begin(client, dice=dice)
    if dice == "service":
        play(table, 4)
    else:
        for card in ("stop", "stop", "bonus-600"):
            assert table.post("events", {"type": "draw", "card": card}).status_code == 200
        # An undone draw returns its card to the pile.
        assert table.post("undo", {}).status_code == 200
    drawn = Counter(draws(table))
    if dice == "client":
        drawn = Counter(stop=2)
    odds = json.loads(table.get("/odds").data)
    assert odds["pile"] == {card.id: card.copies - drawn[card.id] for card in DECK}


def test_known_pile_follows_from_the_draws_in_the_log() -> None:
    places = list(range(len(PILE)))
    Random(7).shuffle(places)
    public = GAME.public_of(None)
    for number, place in enumerate(places, 1):
        public = GAME.public_after(public, Draw(PILE[place]))
        assert public == GAME.public_of(places[number:])


def test_host_may_forbid_odds(client: FlaskClient) -> None:
    table = begin(client, odds=False)
    assert table.state["odds"] is False
    answer = table.get("/odds")
    assert_problem_document(answer.get_json(), "forbidden", 403)
    assert begin(client).state["odds"] is True


def test_events_of_a_perfect_bot_show_no_odds(client: FlaskClient) -> None:
    bots = [{"seat": 0, "level": "perfect"}]
    table = begin(client, game="yatzee", players=["Bot", "Ada"], odds=False, bots=bots)
    entries = table.get("/events").get_json()["events"]
    entries += [accepted(table.post("events", {"type": "roll"}, table.seats[1]))["entry"]]
    assert {"bot", "seat"} == {entry["by"] for entry in entries}
    assert len({frozenset(entry) for entry in entries}) == 1
    fields = {field for entry in entries for field in entry["event"]}
    assert fields <= {"type", "held", "dice", "category"}


def test_ended_session_has_no_odds(client: FlaskClient) -> None:
    table = begin(client)
    assert table.post("abandon", {}).status_code == 200
    assert_problem_document(table.get("/odds").get_json(), "session-ended", 409)


def test_session_odds_accept_the_aim_of_the_game(client: FlaskClient) -> None:
    table = begin(client, game="yatzee")
    assert table.post("events", {"type": "roll"}).status_code == 200
    turn = json.loads(table.get().data)["turn"]
    odds = json.loads(table.get("/odds?aim=game").data)
    assert odds == post("/v1/yatzee/odds", {**turn, "aim": "game"}).get_json()
    assert odds["game"]["choices"][odds["game"]["best"]]["value"] == odds["game"]["value"]
    assert json.loads(table.get("/odds?aim=category").data)["game"] is None
    assert json.loads(table.get("/odds").data)["game"] is None


def test_unknown_aim_of_a_session_is_refused(client: FlaskClient) -> None:
    for game in ("yatzee", "pot"):
        answer = begin(client, game=game).get("/odds?aim=reach")
        assert answer.status_code == 400
        [error] = json.loads(answer.data)["errors"]
        assert error["pointer"] == "/aim"


def test_aim_without_a_value_table_is_impossible(client: FlaskClient) -> None:
    table = begin(client, game="yatzee", options={"upper_bonus": 35})
    answer = table.get("/odds?aim=game")
    assert answer.status_code == 422
    assert [finding["code"] for finding in json.loads(answer.data)["findings"]] == ["no-table"]
    assert table.get("/odds").status_code == 200
