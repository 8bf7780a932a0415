"""Seats that leave and come back by their own tokens, idle seats, and hosts that pass on."""

from collections.abc import Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from dice_referee.app import create_app
from dice_referee.sessions.redis.store import RedisStore
from tests.api.conftest import PATIENT_MS
from tests.application import SessionClient, accepted, begin, post, refused
from tests.unlimited import UNLIMITED

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


class Clock:
    now = 1_800_000_000_000


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def idle(clock: Clock, redis_url: str) -> Iterator[SessionClient]:
    """A table of three, where the first player lets the others wait."""
    store = RedisStore(redis_url, PATIENT_MS)
    client = create_app(UNLIMITED, store, now=lambda: clock.now).test_client()
    yield begin(client, players=["Ada", "Ben", "Cleo"], idle_seconds=IDLE)
    store.close()


def test_any_seat_gives_the_idle_seat_to_a_bot(idle: SessionClient, clock: Clock) -> None:
    clock.now += 1000 * IDLE - 1
    assert "idle" in refused(give(idle, 0, idle.seats[1]), "seat-unchanged", 409)["detail"]
    clock.now += 1
    refused(give(idle, 2, idle.seats[1]), "seat-unchanged", 409)
    refused(take_back(idle, 0, idle.seats[1]), "forbidden", 403)
    entry = accepted(give(idle, 0, idle.seats[2]))["entry"]
    assert (entry["by"], entry["player"], entry["event"]["player"]) == ("seat", 2, 0)
    assert accepted(take_back(idle, 0, idle.seats[0]))["session"]["bots"] == []


def test_first_of_two_who_replace_an_idle_seat_wins(idle: SessionClient, clock: Clock) -> None:
    clock.now += 1000 * IDLE
    accepted(give(idle, 0, idle.seats[1], If_Match='"0"'))
    refused(give(idle, 0, idle.seats[2], If_Match='"0"'), "precondition-failed", 412)
    refused(give(idle, 0, idle.seats[2]), "seat-unchanged", 409)
    substitutions = [e for e in idle.get("/events").get_json()["events"] if e["by"] == "seat"]
    assert len(substitutions) == 1


def test_idle_seconds_are_bounded_and_shown(client: FlaskClient) -> None:
    body = {"game": "tutto", "players": ["Ada", "Ben"]}
    for seconds in (59, 0, -1, 604_801, "60", True):
        answer = client.post("/v1/sessions", json={**body, "idle_seconds": seconds})
        (error,) = refused(answer, "invalid-request", 400)["errors"]
        assert error["pointer"] == "/idle_seconds"
    assert begin(client, players=["Ada", "Ben"], idle_seconds=IDLE).state["idle_seconds"] == IDLE
    assert begin(client, players=["Ada", "Ben"]).state["idle_seconds"] is None


def test_host_passes_the_rights_to_a_seat(client: FlaskClient) -> None:
    table = begin(client, players=["Ada", "Ben"])
    answer = accepted(table.post("host", {"seat": 1}, table.host))
    assert answer["entry"]["event"] == {"type": "hosted", "player": 1}
    assert answer["session"]["host_seat"] == 1
    refused(table.post("abandon", {}, table.host), "unauthorized", 401)
    refused(table.post("abandon", {}, table.seats[0]), "forbidden", 403)
    # The rights of the host do not include the moves of others.
    refused(table.post("events", {"type": "draw"}, table.seats[1]), "forbidden", 403)
    accepted(give(table, 0, table.seats[1]))
    accepted(take_back(table, 0, table.seats[1]))
    accepted(table.post("abandon", {}, table.seats[1]))


def test_new_host_shuts_the_former_out(client: FlaskClient) -> None:
    table = begin(client, players=["Ada", "Ben"])
    accepted(table.post("host", {"seat": 1}, table.host))
    token = accepted(table.post("seats/1/token", None, table.seats[1]))["seat_token"]
    refused(table.post("host", {"seat": 0}, table.seats[1]), "unauthorized", 401)
    accepted(table.post("host", {"seat": 0}, token))
    refused(table.post("host", {"seat": 1}, token), "forbidden", 403)
    accepted(table.post("host", {"seat": 1}, table.seats[0]))


def test_host_is_a_person_of_the_table(client: FlaskClient) -> None:
    table = begin(client, players=["Ada", "Bot"], bots=[{"seat": 1, "level": "bold"}])
    refused(table.post("host", {"seat": 2}, table.host), "not-found", 404)
    for seat in (99, -1, "0", None):
        answer = table.post("host", {"seat": seat}, table.host)
        (error,) = refused(answer, "invalid-request", 400)["errors"]
        assert error["pointer"] == "/seat"
    refused(table.post("host", {"seat": 1}, table.host), "seat-unchanged", 409)
    accepted(table.post("host", {"seat": 0}, table.host))
    refused(table.post("host", {"seat": 0}, table.seats[0]), "seat-unchanged", 409)


def test_rematch_and_undo_know_the_new_host(client: FlaskClient) -> None:
    table = begin(client, players=["Ada", "Ben"], dice="client")
    accepted(table.post("events", {"type": "draw", "card": "double"}, table.seats[0]))
    accepted(table.post("host", {"seat": 1}, table.host))
    accepted(table.post("undo", {}, table.seats[1]))
    accepted(table.post("abandon", {}, table.seats[1]))
    rematch = accepted(table.post("rematch", {}, table.seats[0]))["session"]["rematch"]
    second = table._replace(at=f"/v1/sessions/{rematch}")
    assert second.get().get_json()["host_seat"] == 1
    fields = {"Authorization": f"Bearer {table.seats[1]}"}
    assert client.delete(second.at, headers=fields).status_code == 200


def test_repeated_key_gets_the_host_of_its_time(client: FlaskClient) -> None:
    table = begin(client, players=["Ada", "Ben"], dice="client")
    stop, answers = {"type": "draw", "card": "stop"}, dict[str, bytes]()
    for key, seat in (("one", 1), ("two", 0), ("three", 1)):
        answers[key] = table.post("events", stop, table.seats[0], Idempotency_Key=key).data
        accepted(table.post("host", {"seat": seat}, table.host))
        table = table._replace(host=table.seats[seat])
        accepted(table.post("undo", {}, table.host))
    seen = table.get().data
    for key, first in answers.items():
        repeated = table.post("events", stop, table.seats[0], Idempotency_Key=key)
        assert repeated.data == first, key
    assert table.get().data == seen


def test_undo_after_a_bot_says_why(client: FlaskClient) -> None:
    table = begin(client, game="yatzee", players=["Ada", "Ben"])
    accepted(give(table, 1, table.seats[1]))
    accepted(table.post("events", {"type": "roll"}, table.seats[0]))
    accepted(table.post("events", {"type": "strike", "category": "royal"}, table.seats[0]))
    for language, word in (
        ("en", "computer"),
        ("de", "Computer"),
        ("fr", "ordinateur"),
        ("it", "computer"),
    ):
        answer = table.post("undo", {}, table.seats[0], Accept_Language=language)
        assert word in refused(answer, "cannot-undo", 409)["detail"]


def test_new_host_is_told_in_sentences(client: FlaskClient) -> None:
    table = begin(client, players=["Ada", "Ben"])
    answer = table.post("host", {"seat": 1}, table.host, Accept="text/plain")
    assert "Ben is now the host." in answer.text
    told = table.get("/events?seat=1", Accept="text/plain", Accept_Language="de").text
    assert "Du bist jetzt Gastgeber." in told
