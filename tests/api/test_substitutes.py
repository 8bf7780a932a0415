"""Seats that change between people and bots during a game."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.application import SessionClient, accepted, begin, fields_of, post, refused

LEVELS = pytest.mark.parametrize("level", ["careful", "best"])


def take_back(table: SessionClient, seat: int, **headers: str) -> Any:
    """Gives the seat back to its token and returns the answer."""
    fields = {"Authorization": f"Bearer {table.host}", **fields_of(headers)}
    return table.client.delete(f"{table.at}/seats/{seat}/bot", headers=fields)


def give(table: SessionClient, seat: int, level: str = "careful", **headers: str) -> Any:
    """Gives the seat to a bot and returns the answer."""
    return table.post(f"seats/{seat}/bot", {"level": level}, table.host, **headers)


def log(table: SessionClient) -> list[dict[str, Any]]:
    events: list[dict[str, Any]] = table.get("/events").get_json()["events"]
    return events


@LEVELS
def test_bot_plays_the_running_turn_of_its_seat_at_once(client: FlaskClient, level: str) -> None:
    table = begin(client, game="yatzee", players=["Ada", "Ben"])
    accepted(table.post("events", {"type": "roll"}, table.seats[0]))
    answer = accepted(give(table, 0, level))
    assert answer["entry"]["event"] == {"type": "substituted", "player": 0, "level": level}
    assert (answer["entry"]["player"], answer["entry"]["by"]) == (None, "host")
    state = answer["session"]
    assert (state["player"], state["bots"]) == (1, [{"seat": 0, "level": level}])
    rolled, _, *turn = log(table)
    assert rolled["by"] == "seat"
    assert {(entry["by"], entry["player"]) for entry in turn} == {("bot", 0)}
    assert turn[-1]["event"]["type"] in ("write", "strike")
    assert state["version"] == len(log(table))


def test_seat_given_back_is_played_by_its_old_token(client: FlaskClient) -> None:
    table = begin(client, players=["Ada", "Ben"])
    accepted(give(table, 1))
    answer = accepted(take_back(table, 1))
    assert answer["entry"]["event"] == {"type": "substituted", "player": 1, "level": None}
    assert answer["session"]["bots"] == []
    state = table.state
    while state["player"] == 0:
        legal = state["legal_events"]
        kind = "bank" if "bank" in legal else legal[0]
        event: dict[str, Any] = {"type": kind}
        if kind == "keep":
            event["dice"] = state["adjudication"]["legal_keeps"][0]["dice"]
        state = accepted(table.post("events", event, table.seats[0]))["session"]
    accepted(table.post("events", {"type": state["legal_events"][0]}, table.seats[1]))


def test_initial_bot_is_replaced_by_a_person(client: FlaskClient) -> None:
    table = begin(client, players=["Ada", "Bot"], bots=[{"seat": 1, "level": "bold"}])
    assert accepted(take_back(table, 1))["session"]["bots"] == []


def test_bot_changes_its_level(client: FlaskClient) -> None:
    table = begin(client, players=["Ada", "Bot"], bots=[{"seat": 1, "level": "bold"}])
    assert accepted(give(table, 1, "best"))["session"]["bots"] == [{"seat": 1, "level": "best"}]


def test_perfect_bot_without_a_value_table_plays_best(client: FlaskClient) -> None:
    for players, played in ((["Ada", "Ben"], "perfect"), (["Ada", "Ben", "Cleo"], "best")):
        table = begin(client, players=players)
        answer = accepted(give(table, 1, "perfect"))
        assert answer["entry"]["event"]["level"] == played
        assert answer["session"]["bots"] == [{"seat": 1, "level": played}]


def test_invalid_substitution_leaves_the_seat_unchanged(client: FlaskClient) -> None:
    table = begin(client, players=["Ada", "Ben"])
    refused(take_back(table, 1), "seat-unchanged", 409)
    accepted(give(table, 1))
    problem = refused(give(table, 1), "seat-unchanged", 409)
    assert "already" in problem["detail"]
    problem = refused(give(table, 0), "seat-unchanged", 409)
    assert "last" in problem["detail"]
    people = begin(client, players=["Ada", "Ben"], dice="client")
    problem = refused(give(people, 1), "seat-unchanged", 409)
    assert "dice" in problem["detail"]
    refused(give(table, 2), "not-found", 404)
    refused(table.post("seats/1/bot", {"level": "clever"}, table.host), "invalid-request", 400)
    refused(table.post("seats/1/bot", {}, table.host), "invalid-request", 400)


def test_ended_game_keeps_its_seats(client: FlaskClient) -> None:
    table = begin(client, players=["Ada", "Ben"])
    accepted(table.post("abandon", {}, table.host))
    refused(give(table, 1), "session-ended", 409)
    refused(take_back(table, 1), "session-ended", 409)


def test_repeated_key_returns_the_state_before_later_bots(client: FlaskClient) -> None:
    table = begin(client, players=["Ada", "Ben", "Cleo"])
    drawn = table.post("events", {"type": "draw"}, table.seats[0], Idempotency_Key="draw")
    substitution = give(table, 1, Idempotency_Key="bot")
    accepted(substitution)
    accepted(give(table, 2))
    repeated = table.post("events", {"type": "draw"}, table.seats[0], Idempotency_Key="draw")
    assert repeated.data == drawn.data
    assert give(table, 1, Idempotency_Key="bot").data == substitution.data
    refused(give(table, 1, "best", Idempotency_Key="bot"), "idempotency-key-reused", 422)


def test_key_of_a_seat_is_refused_at_another_seat(client: FlaskClient) -> None:
    table = begin(client, players=["Ada", "Ben", "Cleo"])
    for change in (give, take_back):
        answer = change(table, 1, Idempotency_Key=change.__name__)
        accepted(answer)
        refusal = change(table, 2, Idempotency_Key=change.__name__)
        refused(refusal, "idempotency-key-reused", 422)
        assert change(table, 1, Idempotency_Key=change.__name__).data == answer.data


def test_bot_replays_an_undone_move_of_its_seat(client: FlaskClient) -> None:
    table = begin(client, game="yatzee", players=["Ada", "Ben"])
    accepted(table.post("events", {"type": "roll"}, table.seats[0]))
    struck = {"type": "strike", "category": "royal"}
    accepted(table.post("events", struck, table.seats[0]))
    accepted(give(table, 0))
    state = accepted(table.post("undo", {}, table.host))["session"]
    assert state["player"] == 1
    undone, *turn = log(table)[3:]
    assert undone["event"] == {"type": "undone", "version": 2}
    assert {entry["by"] for entry in turn} == {"bot"}
    record = table.get("/game").get_json()
    assert record["log"][0]["type"] == "roll"
    assert struck not in record["log"]
    assert post("/v1/yatzee/audits", record).get_json()["legal"]


def test_text_of_a_substitution_names_the_player(client: FlaskClient) -> None:
    table = begin(client, players=["Ada", "Ben"])
    text = {"Accept": "text/plain"}
    assert "The computer now plays for Ben." in give(table, 1, **text).text
    accepted(take_back(table, 1))
    text_of_log = table.get("/events?seat=1", **text, Accept_Language="de").text
    assert "Für dich spielt jetzt der Computer." in text_of_log
    assert "Du spielst jetzt wieder selbst." in text_of_log
