"""Rematches: a new session with the same people and tokens, named in the log of the first."""

import json
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from flask.testing import FlaskClient

from dice_referee.app import create_app
from dice_referee.sessions.redis.store import RedisStore
from dice_referee.sessions.store import (
    CorruptSession,
    SessionDeleted,
    SessionNotFound,
    StoreFull,
    StoreUnavailable,
)
from tests.application import SessionClient, accepted, begin, refused
from tests.sessions.player import BEGINNINGS, choose
from tests.unlimited import UNLIMITED


def rematch(table: SessionClient, **headers: str) -> SessionClient:
    """Begins a rematch as the first seat and returns its table."""
    entry = accepted(table.post("rematch", {}, table.seats[0], **headers))["entry"]
    at = f"/v1/sessions/{entry['event']['session']}"
    return table._replace(at=at, state=json.loads(table.client.get(at).data))


@pytest.mark.parametrize("dice", ["service", "client"])
def test_rematch_keeps_players_and_tokens(client: FlaskClient, dice: str) -> None:
    table = begin(client, dice=dice, options={"target": 1000}, odds=False)
    accepted(table.post("abandon", {}))
    answer = accepted(table.post("rematch", {}, table.seats[1]))
    entry, ended = answer["entry"], answer["session"]
    assert (entry["player"], entry["by"], entry["event"]["type"]) == (1, "seat", "rematch")
    assert ended["rematch"] == entry["event"]["session"]
    assert json.loads(table.get().data) == ended
    assert json.loads(table.get("/events").data)["events"][-1] == entry
    second = table._replace(at=f"/v1/sessions/{ended['rematch']}")
    state = json.loads(second.get().data)
    for field in ("game", "ruleset", "options", "players", "dice", "odds", "bots"):
        assert state[field] == ended[field] == table.state[field], field
    assert (state["status"], state["version"], state["rematch"]) == ("running", 0, None)
    card = {} if dice == "service" else {"card": "stop"}
    assert (state["starter"], state["player"]) == (1, 1)
    refused(second.post("events", {"type": "draw", **card}, table.seats[0]), "forbidden", 403)
    accepted(second.post("events", {"type": "draw", **card}, table.seats[1]))
    accepted(second.post("seats/0/token", {}))
    refused(second.post("undo", {}, table.seats[0]), "unauthorized", 401)
    # A new token of one session is unknown to the other session.
    refused(table.post("abandon", {}, table.seats[0]), "forbidden", 403)
    if dice == "service":
        assert state["fairness"]["commitment"] != ended["fairness"]["commitment"]
        assert state["fairness"]["seed"] is None


def test_only_an_ended_game_has_a_rematch_and_only_once(client: FlaskClient) -> None:
    table = begin(client)
    refused(table.post("rematch", {}), "session-running", 409)
    accepted(table.post("abandon", {}))
    refused(table.post("rematch", {}, If_Match='"0"'), "precondition-failed", 412)
    refused(table.post("rematch", {}, "x" * 43), "unauthorized", 401)
    first = rematch(table, Idempotency_Key="once", If_Match='"1"')
    assert rematch(table, Idempotency_Key="once").at == first.at
    refused(table.post("rematch", {}), "session-ended", 409)
    refused(first.post("rematch", {}), "session-running", 409)


def test_rematch_key_gets_its_first_answer_after_later_events(client: FlaskClient) -> None:
    table = begin(client)
    accepted(table.post("abandon", {}))
    first = accepted(table.post("rematch", {}, Idempotency_Key="once"))
    accepted(table.post("seats/0/token", {}))
    assert accepted(table.post("rematch", {}, Idempotency_Key="once")) == first


def test_rematch_keeps_the_bots(client: FlaskClient) -> None:
    bots: list[dict[str, Any]] = [{"seat": 1, "level": "careful"}]
    table = begin(client, bots=bots)
    accepted(table.post("abandon", {}))
    second = rematch(table)
    assert second.state["bots"] == bots
    # A bot may win with its first turn, by a completed clover.
    assert second.state["player"] in (0, None)
    assert second.state["version"] > 0


def test_rematch_names_its_starter(client: FlaskClient) -> None:
    table = begin(client, players=["Ann", "Ben", "Cleo"], starter=1)
    assert (table.state["starter"], table.state["player"]) == (1, 1)
    accepted(table.post("abandon", {}))
    problem = refused(table.post("rematch", {"starter": 3}), "impossible-position", 422)
    (finding,) = problem["findings"]
    assert (finding["rule"], finding["pointer"]) == ("T6.1", "/starter")
    refused(table.post("rematch", {"starter": "Ann"}), "invalid-request", 400)
    refused(table.post("rematch", {"begins": 1}), "invalid-request", 400)
    entry = accepted(table.post("rematch", {"starter": 1}, Idempotency_Key="once"))["entry"]
    state = json.loads(client.get(f"/v1/sessions/{entry['event']['session']}").data)
    assert (state["starter"], state["player"]) == (1, 1)
    reused = table.post("rematch", {"starter": 2}, Idempotency_Key="once")
    refused(reused, "idempotency-key-reused", 422)


def test_concurrent_rematch_leaves_a_single_session(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, ids = RedisStore(redis_url, 5000), list[str]()
    table = begin(create_app(UNLIMITED, store).test_client())
    accepted(table.post("abandon", {}))
    create = store.create

    def create_and_overtake(id: str, *document: Any) -> None:
        create(id, *document)
        ids.append(id)
        if len(ids) == 1:
            accepted(table.post("rematch", {}))

    monkeypatch.setattr(store, "create", create_and_overtake)
    refused(table.post("rematch", {}), "session-ended", 409)
    first, second = ids
    assert json.loads(table.get().data)["rematch"] == second
    assert table.client.get(f"/v1/sessions/{second}").status_code == 200
    assert table.client.get(f"/v1/sessions/{first}").status_code in (410, 404)
    store.close()


@pytest.mark.parametrize(
    ("error", "statuses"),
    [
        (StoreFull(), {404, 410}),
        (CorruptSession(), {404, 410}),
        (SessionNotFound(), {404, 410}),
        (SessionDeleted(b"{}"), {404, 410}),
        # The change may have been written, but the answer of the store is lost.
        (StoreUnavailable(), {200}),
    ],
)
def test_failed_rematch_leaves_no_session(
    redis_url: str, monkeypatch: pytest.MonkeyPatch, error: Exception, statuses: set[int]
) -> None:
    store, ids = RedisStore(redis_url, 5000), list[str]()
    table = begin(create_app(UNLIMITED, store).test_client())
    accepted(table.post("abandon", {}))
    create = store.create

    def create_session(id: str, *document: Any) -> None:
        ids.append(id)
        create(id, *document)

    def write(*_: Any) -> None:
        raise error

    monkeypatch.setattr(store, "create", create_session)
    monkeypatch.setattr(store, "write", write)
    assert table.post("rematch", {}).status_code >= 400
    (unseen,) = ids
    answer = table.client.get(f"/v1/sessions/{unseen}")
    assert answer.status_code in statuses
    store.close()


def test_full_session_refuses_a_rematch_without_creating_it(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, random = RedisStore(redis_url, 5000), Random(1)
    table = begin(create_app(UNLIMITED, store).test_client(), **BEGINNINGS["tutto"])
    state = table.state
    while state["status"] == "running":
        state = accepted(table.post("events", choose(state, random)))["session"]
    full = replace(UNLIMITED, session_events=state["version"])
    monkeypatch.setattr(store, "create", lambda *_: pytest.fail("creates a session without a link"))
    table = table._replace(client=create_app(full, store).test_client())
    refused(table.post("rematch", {}), "session-full", 409)
    store.close()
