"""The log with ``state=true``: each entry is ``{entry, session}``, the last with the session."""

import json
from random import Random

import pytest
from flask.testing import FlaskClient

from dice_referee.sessions.feed import PAGE_LINES
from tests.application import SessionClient, accepted, begin, refused
from tests.sessions.player import BEGINNINGS, choose
from tests.sessions.seated import QUICK


def news(table: SessionClient, after: int) -> list[dict[str, object]]:
    """Returns the log after a version, with states."""
    answer = json.loads(table.get(f"/events?after={after}&state=true").data)
    events: list[dict[str, object]] = answer["events"]
    return events


def streamed(table: SessionClient, path: str, after: int) -> list[dict[str, object]]:
    """Returns the entries of a stream, which ends at once under WSGI, with states."""
    query = f"?after={after}&state=true"
    answer = table.get(path + query, Accept="text/event-stream")
    lines = answer.get_data(as_text=True).splitlines()
    data = [json.loads(line[6:]) for line in lines if line.startswith("data: ")]
    return [entry for entry in data if "entry" in entry]


@pytest.mark.parametrize("dice", ["service", "client"])
@pytest.mark.parametrize("game", BEGINNINGS)
def test_last_entry_has_the_session_after_it(client: FlaskClient, game: str, dice: str) -> None:
    table = begin(client, dice=dice, **{"players": ["Ann", "Ben"], **QUICK[game], "game": game})
    random, state = Random(1), table.state
    for _ in range(20):
        answer = accepted(table.post("events", choose(state, random)))
        shown = {"entry": answer["entry"], "session": answer["session"]}
        assert news(table, state["version"]) == [shown]
        for path in ("/stream", "/events"):
            assert streamed(table, path, state["version"]) == [shown], path
        assert table.get().get_json() == answer["session"]
        state = answer["session"]
        if state["status"] != "running":
            break
    log = table.get("/events").get_json()["events"]
    assert [item["entry"] for item in news(table, 0)] == log[:PAGE_LINES]
    *earlier, last = [item["session"] for item in news(table, 0)]
    assert (last, [*filter(None, earlier)]) == (state, [])


def test_page_before_the_last_has_no_session(client: FlaskClient) -> None:
    table = begin(client, dice="client")
    for _ in range(PAGE_LINES + 1):
        accepted(table.post("seats/0/token", token=table.host))
    assert {item["session"] is None for item in news(table, 0)} == {True}
    assert news(table, PAGE_LINES)[0]["session"] == table.get().get_json()


def test_state_has_no_secrets(client: FlaskClient) -> None:
    table = begin(client)
    token = accepted(table.post("seats/0/token"))["seat_token"]
    accepted(table.post("events", {"type": "draw"}))
    answer = table.get("/events?state=true").get_data(as_text=True)
    for secret in (table.host, *table.seats, token):
        assert secret not in answer
    assert news(table, 1)[0]["session"] == table.get().get_json()


def test_state_is_true_or_false(client: FlaskClient) -> None:
    table = begin(client)
    for path in ("/events", "/stream"):
        problem = refused(table.get(f"{path}?state=1"), "invalid-request", 400)
        assert [error["pointer"] for error in problem["errors"]] == ["/state"]
    assert "entry" not in table.get("/events?state=false").get_data(as_text=True)
