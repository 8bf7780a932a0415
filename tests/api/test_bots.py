"""Bots in sessions over HTTP: their turns are stored together with the event before them."""

import json
from typing import Any

import pytest
from flask.testing import FlaskClient

from dice_referee.games import catalogue
from dice_referee.rulebook.bots import Level
from tests.application import SessionClient, begin, post

SHORT = {"tutto": {"target": 1500}, "pot": {"target": 8}, "yatzee": {}}


def entries(table: SessionClient) -> list[dict[str, Any]]:
    log: list[dict[str, Any]] = json.loads(table.get("/events").data)["events"]
    return log


def next_event(state: dict[str, Any]) -> dict[str, Any]:
    """Returns the first offered event of a person."""
    legal, verdict = state["legal_events"], state["adjudication"]
    if "bank" in legal or "accept" in legal:
        kind = "bank" if "bank" in legal else "accept"
        players = verdict["choices"][0]["players"] if kind == "accept" else None
        return {"type": kind} | ({"players": players} if players else {})
    if verdict is None:
        return {"type": legal[0]}
    if "keep" in legal:
        return {"type": "keep", "dice": verdict["legal_keeps"][-1]["dice"]}
    rows = [row for row in verdict["categories"] if row["open"]]
    row = max(rows, key=lambda row: row["points"])
    return {"type": "write" if row["satisfied"] else "strike", "category": row["category"]}


def play(table: SessionClient) -> dict[str, Any]:
    """Plays a game to its end and returns the last state. Expects a person's turn each time."""
    state: dict[str, Any] = table.state
    seats = {bot["seat"] for bot in state["bots"]}
    while state["status"] == "running":
        assert state["player"] not in seats
        answer = table.post("events", next_event(state))
        assert answer.status_code == 200, answer.data
        state = json.loads(answer.data)["session"]
    return state


@pytest.mark.parametrize("level", Level)
@pytest.mark.parametrize("game", catalogue())
def test_game_with_bots_ends_and_passes_its_audit(
    client: FlaskClient, game: str, level: str
) -> None:
    bots = [{"seat": 0, "level": level}, {"seat": 2, "level": "careful"}]
    options = SHORT[game]
    table = begin(client, game=game, players=["Bot", "Ann", "Bea"], bots=bots, options=options)
    setup = {"players": ["Bot", "Ann", "Bea"], "options": options}
    played = catalogue()[game].bot_level(setup, Level(level))
    assert table.state["bots"] == [{"seat": 0, "level": played}, bots[1]]
    assert table.state["version"] > 0, "the first seat is a bot's"
    end = play(table)
    log = entries(table)
    assert [entry["version"] for entry in log] == list(range(1, end["version"] + 1))
    for entry in log:
        assert entry["by"] == ("host" if entry["player"] == 1 else "bot")
    record = json.loads(table.get("/game").data)
    audit = post(f"/v1/{game}/audits", record).get_json()
    assert (audit["legal"], audit["over"]) == (True, True)
    assert audit["winners"] == end["winners"]
    claim = {"game": game, "record": record, "fairness": end["fairness"]}
    assert post("/v1/fairness/verify", claim).get_json()["fair"] is True


def test_bot_turn_is_stored_with_the_event_before_it(
    client: FlaskClient,
) -> None:
    table = begin(client, game="yatzee", bots=[{"seat": 1, "level": "best"}])
    table.post("events", {"type": "roll"})
    sent = {"type": "strike", "category": "chance"}
    first = table.post("events", sent, Idempotency_Key="k")
    answer = json.loads(first.data)
    assert answer["entry"]["version"] == 2
    assert answer["session"]["player"] == 0
    log = entries(table)
    assert answer["session"]["version"] == len(log) > 3
    assert [entry["by"] for entry in log[2:]] == ["bot"] * (len(log) - 2)
    # A key returns its first answer, even after later events.
    assert table.post("events", sent, Idempotency_Key="k").data == first.data
    table.post("events", {"type": "roll"})
    assert table.post("events", sent, Idempotency_Key="k").data == first.data
    refused = table.post("events", {"type": "roll"}, If_Match='"2"')
    assert refused.status_code == 412


def test_first_move_of_a_bot_closes_the_seeds(client: FlaskClient) -> None:
    table = begin(client, bots=[{"seat": 0, "level": "bold"}])
    answer = table.post("seeds", {"seed": "too late"}, table.seats[1])
    assert answer.status_code == 409
    assert answer.get_json()["type"] == "/problems/seeds-closed"


def test_move_of_a_bot_cannot_be_undone(client: FlaskClient) -> None:
    table = begin(client, bots=[{"seat": 0, "level": "bold"}])
    assert entries(table)[-1]["by"] == "bot"
    for token in (table.host, *table.seats):
        answer = table.post("undo", {}, token)
        assert answer.status_code == 409
        assert "computer" in answer.get_json()["detail"]


@pytest.mark.parametrize(
    ("more", "pointer", "code"),
    [
        ({"bots": [{"seat": 2, "level": "best"}]}, "/bots/0/seat", "out-of-range"),
        (
            {"bots": [{"seat": 1, "level": "best"}, {"seat": 1, "level": "bold"}]},
            "/bots/1/seat",
            "repeated-seat",
        ),
        ({"bots": [{"seat": 1, "level": "clever"}]}, "/bots/0/level", "not-a-choice"),
        ({"bots": [{"seat": 1}]}, "/bots/0/level", "missing-field"),
        ({"bots": [{"seat": 1, "level": "best"}], "dice": "client"}, "/dice", "bots-need-dice"),
        (
            {"bots": [{"seat": 0, "level": "best"}, {"seat": 1, "level": "best"}]},
            "/bots",
            "no-person",
        ),
    ],
)
def test_invalid_bots_are_refused(
    client: FlaskClient, more: dict[str, Any], pointer: str, code: str
) -> None:
    answer = client.post("/v1/sessions", json={"game": "tutto", "players": ["Ann", "Ben"], **more})
    assert answer.status_code == (400 if pointer.endswith("/level") else 422)
    errors = [(error["pointer"], error["code"]) for error in answer.get_json()["errors"]]
    assert errors == [(pointer, code)]
