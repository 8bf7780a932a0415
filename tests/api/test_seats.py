"""Seats of a session: arrivals are stored beside the game and change nothing else."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from dice_referee.telemetry.metrics import REGISTRY, Process
from tests.api.test_session_authorisation import AT, Table, new_table
from tests.application import accepted, begin, refused

SEATS = f"{AT}/seats"


@pytest.fixture
def table(client: FlaskClient) -> Table:
    return new_table(client)


def arrive(table: Table, seat: int, token: str | None = None, **headers: str) -> Any:
    """Reports an arrival at a seat, by default with its own token, and returns the answer."""
    return table.post(f"seats/{seat}/arrival", None, token or table.seats[seat], **headers)


def arrivals(table: Table) -> list[bool]:
    return [seat["arrived"] for seat in table.ask("get", SEATS).get_json()["seats"]]


def test_new_session_has_no_arrivals(table: Table) -> None:
    answer = table.ask("get", SEATS)
    assert answer.status_code == 200
    assert answer.get_json() == {
        "seats": [
            {"seat": 0, "name": "Ada", "bot": None, "arrived": False, "connected": False},
            {"seat": 1, "name": "Ben", "bot": None, "arrived": False, "connected": False},
        ]
    }
    assert answer.headers["Cache-Control"] == "no-store"
    assert "ETag" not in answer.headers


def test_reading_a_session_is_no_arrival(table: Table) -> None:
    table.read_answers()
    for path in ("", "/seats", "/events", "/game"):
        table.get(f"{path}?seat=0", Authorization=f"Bearer {table.seats[0]}")
    assert arrivals(table) == [False, False]


def test_arrival_changes_nothing_but_the_seats(table: Table) -> None:
    def snapshot() -> list[Any]:
        parts = [table.ask("get", AT + part).get_json() for part in ("", "/events", "/game")]
        # An arrival extends the session.
        del parts[0]["expires_at"]
        return parts

    before = snapshot()
    answer = arrive(table, 1)
    assert answer.status_code == 200
    assert answer.get_json() == {"by": "seat", **table.ask("get", SEATS).get_json()}
    assert arrivals(table) == [False, True]
    assert snapshot() == before
    arrive(table, 0)
    assert arrivals(table) == [True, True]


def test_repeated_arrival_is_counted_once(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Process, "counts", True)
    labels = {"game": "tutto", "kind": "arrival"}

    def count() -> float:
        return REGISTRY.get_sample_value("referee_session_changes_total", labels) or 0

    before = count()
    answers = [arrive(table, 0, **{"Idempotency-Key": "k", "If-Match": '"9"'}) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200] * 3
    assert len({answer.get_data() for answer in answers}) == 1
    assert count() - before == 1


def test_host_and_unknown_seat_report_no_arrival(table: Table) -> None:
    for seat in (0, 1):
        assert accepted(arrive(table, seat, table.host))["by"] == "host"
    refused(arrive(table, 9, table.seats[0]), "not-found", 404)
    assert arrivals(table) == [False, False]


def test_new_seat_token_resets_the_arrival(table: Table) -> None:
    arrive(table, 0)
    arrive(table, 1)
    answer = table.ask("post", f"{AT}/seats/{{number}}/token", f"Bearer {table.host}").get_json()
    assert arrivals(table) == [True, False]
    arrive(table, 1, answer["seat_token"])
    assert arrivals(table) == [True, True]


def test_moves_and_the_end_of_a_game_keep_arrivals(table: Table) -> None:
    arrive(table, 1)
    accepted(table.post("events", {"type": "draw"}))
    assert arrivals(table) == [False, True]
    accepted(table.post("abandon"))
    assert arrivals(table) == [False, True]
    assert arrive(table, 0).status_code == 200
    assert arrivals(table) == [True, True]


def test_seat_of_a_bot_has_always_arrived(client: FlaskClient) -> None:
    bots = [{"seat": 1, "level": "bold"}]
    seats = begin(client, game="pot", bots=bots).get("/seats").get_json()["seats"]
    assert [(seat["bot"], seat["arrived"]) for seat in seats] == [(None, False), ("bold", True)]


def test_rematch_has_no_arrivals(table: Table) -> None:
    arrive(table, 0)
    for part in ("abandon", "rematch"):
        answer = accepted(table.post(part))
    second = table._replace(at=f"/v1/sessions/{answer['session']['rematch']}")
    assert arrivals(second) == [False, False]
    assert arrive(second, 0).status_code == 200
    assert arrivals(second) == [True, False]


def test_arrival_accepts_only_an_empty_body(table: Table) -> None:
    accepted(table.post("seats/0/arrival", {}, table.seats[0]))
    refused(table.post("seats/0/arrival", {"x": 1}, table.seats[0]), "invalid-request", 400)
