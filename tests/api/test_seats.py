"""The seats of a session: arrivals are stored beside the game and change nothing in it."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from dice_referee.telemetry.metrics import REGISTRY
from tests.api.test_session_authorisation import AT, Table, new_table, unauthorized
from tests.application import accepted, begin, refused

SEATS = f"{AT}/seats"


@pytest.fixture
def table(client: FlaskClient) -> Table:
    return new_table(client)


def arrive(table: Table, seat: int, token: str | None = None, **headers: str) -> Any:
    """Reports an arrival at a seat with its own token, or with another, and returns the answer."""
    return table.post(f"seats/{seat}/arrival", None, token or table.seats[seat], **headers)


def arrived(table: Table) -> list[bool]:
    return [seat["arrived"] for seat in table.ask("get", SEATS).get_json()["seats"]]


def test_a_new_table_waits_for_everybody(table: Table) -> None:
    answer = table.ask("get", SEATS)
    assert answer.status_code == 200
    assert answer.get_json() == {
        "seats": [
            {"seat": 0, "name": "Ada", "bot": None, "arrived": False},
            {"seat": 1, "name": "Ben", "bot": None, "arrived": False},
        ]
    }
    assert answer.headers["Cache-Control"] == "no-store"
    assert "ETag" not in answer.headers


def test_reading_does_not_mark_a_seat_as_arrived(table: Table) -> None:
    table.seen()
    for path in ("", "/seats", "/events", "/game"):
        table.get(f"{path}?seat=0", Authorization=f"Bearer {table.seats[0]}")
    assert arrived(table) == [False, False]


def test_an_arrival_is_seen_and_changes_nothing_else(table: Table) -> None:
    def stored() -> list[Any]:
        parts = [table.ask("get", AT + part).get_json() for part in ("", "/events", "/game")]
        # An arrival keeps the session for longer.
        del parts[0]["expires_at"]
        return parts

    before = stored()
    answer = arrive(table, 1)
    assert answer.status_code == 200
    assert answer.get_json() == {"by": "seat", **table.ask("get", SEATS).get_json()}
    assert arrived(table) == [False, True]
    assert stored() == before
    arrive(table, 0)
    assert arrived(table) == [True, True]


def test_an_arrival_sent_again_is_counted_once(table: Table) -> None:
    labels = {"game": "tutto", "kind": "arrival"}

    def count() -> float:
        return REGISTRY.get_sample_value("referee_session_changes_total", labels) or 0

    before = count()
    answers = [arrive(table, 0, **{"Idempotency-Key": "k", "If-Match": '"9"'}) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200] * 3
    assert len({answer.get_data() for answer in answers}) == 1
    assert count() - before == 1


def test_only_the_seats_own_token_marks_it_as_arrived(table: Table) -> None:
    refused(arrive(table, 0, table.seats[1]), "forbidden", 403)
    for token in (
        table.seats[0][:-1],
        table.seats[0] + "x",
        "A" * 43,
        new_table(table.client).host,
    ):
        unauthorized(arrive(table, 0, token), 'Bearer realm="session", error="invalid_token"')
    refused(arrive(table, 9, table.seats[0]), "not-found", 404)
    assert arrived(table) == [False, False]


def test_the_host_s_token_is_valid_and_seats_nobody(table: Table) -> None:
    for seat in (0, 1):
        answer = arrive(table, seat, table.host)
        assert answer.status_code == 200
        assert answer.get_json()["by"] == "host"
    assert arrived(table) == [False, False]


def test_new_token_marks_its_seat_as_not_arrived(table: Table) -> None:
    arrive(table, 0)
    arrive(table, 1)
    answer = table.ask("post", f"{AT}/seats/{{number}}/token", f"Bearer {table.host}").get_json()
    assert arrived(table) == [True, False]
    arrive(table, 1, answer["seat_token"])
    assert arrived(table) == [True, True]


def test_moves_and_the_end_leave_arrivals_unchanged(table: Table) -> None:
    arrive(table, 1)
    accepted(table.post("events", {"type": "draw"}))
    assert arrived(table) == [False, True]
    accepted(table.post("abandon"))
    assert arrived(table) == [False, True]
    assert arrive(table, 0).status_code == 200
    assert arrived(table) == [True, True]


def test_a_bot_is_always_there(client: FlaskClient) -> None:
    bots = [{"seat": 1, "level": "bold"}]
    seats = begin(client, game="pot", bots=bots).get("/seats").get_json()["seats"]
    assert [(seat["bot"], seat["arrived"]) for seat in seats] == [(None, False), ("bold", True)]


def test_a_rematch_waits_for_everybody_again(table: Table) -> None:
    arrive(table, 0)
    for part in ("abandon", "rematch"):
        answer = accepted(table.post(part))
    second = table._replace(at=f"/v1/sessions/{answer['session']['rematch']}")
    assert arrived(second) == [False, False]
    assert arrive(second, 0).status_code == 200
    assert arrived(second) == [True, False]


def test_an_arrival_takes_no_body_but_an_empty_object(table: Table) -> None:
    accepted(table.post("seats/0/arrival", {}, table.seats[0]))
    refused(table.post("seats/0/arrival", {"x": 1}, table.seats[0]), "invalid-request", 400)
