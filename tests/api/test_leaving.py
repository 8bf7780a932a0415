"""Seats that leave and come back by their own tokens, idle seats, and hosts that pass on."""

from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.application import SessionClient, accepted, begin, post, refused

IDLE = 60


def give(table: SessionClient, seat: int, token: str, **headers: str) -> TestResponse:
    return table.post(f"seats/{seat}/bot", {"level": "careful"}, token, **headers)


def take_back(table: SessionClient, seat: int, token: str) -> TestResponse:
    fields = {"Authorization": f"Bearer {token}"}
    return table.client.delete(f"{table.at}/seats/{seat}/bot", headers=fields)


def moves(table: SessionClient) -> Any:
    """Returns the game as its audit reads it, after the audit has accepted it."""
    record = table.get("/game").get_json()
    audit = post("/v1/yatzee/audits", record).get_json()
    assert audit["legal"]
    return record["log"]


def test_seat_leaves_and_comes_back_by_its_token(client: FlaskClient) -> None:
    table = begin(client, game="yatzee", players=["Ada", "Ben"])
    entry = accepted(give(table, 0, table.seats[0]))["entry"]
    assert entry["event"] == {"type": "substituted", "player": 0, "level": "careful"}
    assert (entry["by"], entry["player"]) == ("seat", 0)
    assert accepted(take_back(table, 0, table.seats[0]))["session"]["bots"] == []
    accepted(table.post("events", {"type": "roll"}, table.seats[1]))
    assert moves(table)[-1]["type"] == "roll"


def test_seat_that_the_host_gave_away_comes_back(client: FlaskClient) -> None:
    table = begin(client, players=["Ada", "Ben"])
    accepted(give(table, 1, table.host))
    assert accepted(take_back(table, 1, table.seats[1]))["session"]["bots"] == []


def test_last_person_cannot_leave(client: FlaskClient) -> None:
    table = begin(client, players=["Ada", "Ben"])
    accepted(give(table, 1, table.seats[1]))
    assert "last" in refused(give(table, 0, table.seats[0]), "seat-unchanged", 409)["detail"]
    people = begin(client, players=["Ada", "Ben"], dice="client")
    refused(give(people, 1, people.seats[1]), "seat-unchanged", 409)


def test_other_seats_cannot_be_given_or_taken(client: FlaskClient) -> None:
    table = begin(client, players=["Ada", "Ben", "Cleo"])
    refused(give(table, 0, table.seats[1]), "forbidden", 403)
    accepted(give(table, 0, table.host))
    refused(take_back(table, 0, table.seats[1]), "forbidden", 403)


def test_wrong_level_names_the_levels(client: FlaskClient) -> None:
    table = begin(client, players=["Ada", "Ben"])
    for level in ("clever", None, 1):
        answer = table.post("seats/1/bot", {"level": level}, table.seats[1])
        (error,) = refused(answer, "invalid-request", 400)["errors"]
        assert error["pointer"] == "/level"


def idle_table(client: FlaskClient, monkeypatch: pytest.MonkeyPatch, seconds: int) -> SessionClient:
    """Returns a table of three whose first player has not moved for these seconds."""
    table = begin(client, players=["Ada", "Ben", "Cleo"], idle_seconds=IDLE)
    services = client.application.extensions["services"]
    later = services.now() + 1000 * seconds
    monkeypatch.setattr(services, "now", lambda: later)
    return table
