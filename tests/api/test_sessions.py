"""Sessions over HTTP: order of checks, guards of a change, rights, and answers."""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from flask.testing import FlaskClient

from dice_referee.app import create_app
from dice_referee.sessions.redis.store import RedisStore
from tests.api.conftest import PATIENT_MS
from tests.application import (
    TUTTO,
    SessionClient,
    accepted,
    begin,
    post,
    refused,
)
from tests.unlimited import UNLIMITED


@pytest.fixture(scope="module")
def client(redis_url: str) -> Iterator[FlaskClient]:
    store = RedisStore(redis_url, PATIENT_MS)
    yield create_app(replace(UNLIMITED, session_events=6), store).test_client()
    store.close()


@pytest.fixture
def table(client: FlaskClient) -> SessionClient:
    """Returns a session in which people roll their own dice."""
    return begin(client, dice="client")


@pytest.mark.parametrize(
    ("game", "event", "rule"),
    [
        ("tutto", {"type": "draw", "card": "stop"}, "T6.1"),
        ("yatzee", {"type": "roll", "dice": [1, 1, 2, 3, 4, 6]}, "Y4.2"),
        ("pot", {"type": "roll", "dice": [5, 4, 1]}, "P1.3"),
    ],
)
def test_starter_begins_every_game_and_its_export(
    client: FlaskClient, game: str, event: dict[str, Any], rule: str
) -> None:
    players = ["Ann", "Ben", "Cleo"]
    table = begin(client, game=game, players=players, starter=2, dice="client")
    assert (table.state["starter"], table.state["player"]) == (2, 2)
    assert table.post("events", event, table.seats[0]).status_code == 403
    assert table.post("events", event, table.seats[2]).status_code == 200
    exported = table.get("/game").get_json()
    assert exported["starter"] == 2
    assert exported["line"].startswith(f"{game} starter=3: Ann, Ben, Cleo: ")
    for sent in (exported, {"line": exported["line"]}):
        audit = client.post(f"/v1/{game}/audits", json=sent).get_json()
        assert (audit["legal"], audit["line"]) == (True, exported["line"])
        assert audit["player"] == table.get().get_json()["player"]
    for players, starter, status in ((["Ann", "Ben"], 2, 422), (["Ann", "Ben"], -1, 400)):
        body = {"game": game, "players": players, "starter": starter}
        answer = client.post("/v1/sessions", json=body)
        assert answer.status_code == status
    problem = client.post(f"/v1/{game}/audits", json={**exported, "starter": 3}).get_json()
    (finding,) = problem["findings"]
    assert (finding["code"], finding["rule"], finding["pointer"]) == (
        "player-out-of-range",
        rule,
        "/starter",
    )


# Beginning ----------------------------------------------------------------------------------------


def test_created_session_has_tokens_location_and_version(client: FlaskClient) -> None:
    answer = client.post("/v1/sessions", json={**TUTTO, "dice": "service"})
    document = json.loads(answer.data)
    state = document["session"]
    assert answer.status_code == 201
    assert list(document) == ["session", "host_token", "seat_tokens"]
    assert answer.headers["Location"] == f"/v1/sessions/{state['id']}"
    assert answer.headers["ETag"] == '"0"'
    assert answer.headers["Cache-Control"] == "no-store"
    assert len({document["host_token"], *document["seat_tokens"]}) == 3
    assert (state["ruleset"], state["options"]) == ("abacus-2013", {})
    assert (state["status"], state["version"], state["player"]) == ("running", 0, 0)
    assert state["legal_events"] == ["draw"]
    assert (state["dice"], begin(client).state["dice"]) == ("service", "service")
    assert state["fairness"]["seed"] is None
    assert state["expires_at"] > state["created_at"] == state["updated_at"]
    repeat = client.get(answer.headers["Location"])
    assert json.loads(repeat.data) == state


@pytest.mark.parametrize(
    ("body", "pointers"),
    [
        ({}, ["/game"]),
        ({"game": "chess", "players": ["Ann", "Ben"]}, ["/game"]),
        ({**TUTTO, "dice": "loaded"}, ["/dice"]),
        ({**TUTTO, "players": ["Ann"]}, ["/players"]),
        ({**TUTTO, "log": []}, ["/log"]),
        ({**TUTTO, "options": {"target": True}}, ["/options/target"]),
        ([], [""]),
    ],
)
def test_malformed_session_request_is_refused(
    client: FlaskClient, body: Any, pointers: list[str]
) -> None:
    problem = refused(client.post("/v1/sessions", json=body), "invalid-request", 400)
    assert [error["pointer"] for error in problem["errors"]] == pointers


def test_options_that_contradict_each_other_are_refused(client: FlaskClient) -> None:
    body = {"game": "pot", "players": ["A", "B"], "options": {"total_coins": 20, "target": 60}}
    problem = refused(client.post("/v1/sessions", json=body), "contradictory-options", 422)
    assert problem["findings"]


def test_session_creation_refuses_an_idempotency_key(client: FlaskClient) -> None:
    answer = client.post("/v1/sessions", json=TUTTO, headers={"Idempotency-Key": "one"})
    refused(answer, "invalid-request", 400)


def test_verdicts_are_available_without_a_store() -> None:
    answer = post("/v1/sessions", TUTTO)
    refused(answer, "sessions-away", 503)
    assert answer.headers["Retry-After"] == "60"
    assert post("/v1/tutto/audits", {"players": ["A", "B"], "log": []}).status_code == 200


# The order of checks ------------------------------------------------------------------------------


def test_refusals_follow_the_order_of_checks(table: SessionClient) -> None:
    """Sends requests with all faults of later checks. Expects refusals for the first fault."""
    faults: dict[str, Any] = {"Idempotency_Key": "used", "If_Match": '"77"'}
    first = {"type": "draw", "card": "bonus-200"}
    assert table.post("events", first, table.seats[0], Idempotency_Key="used").status_code == 200
    bank, wrong = {"type": "bank"}, {"type": "fly"}
    elsewhere = table._replace(at="/v1/sessions/" + "x" * 22)
    refused(elsewhere.post("events", wrong, "anonymous", **faults), "not-found", 404)
    unknown = table.post("events", wrong, "anonymous", **faults)
    refused(unknown, "unauthorized", 401)
    refused(table.post("events", wrong, table.seats[0], **faults), "invalid-request", 400)
    reused = table.post("events", bank, table.seats[0], **faults)
    refused(reused, "idempotency-key-reused", 422)
    # The second seat has not used this key.
    refused(table.post("events", bank, table.seats[1], **faults), "forbidden", 403)
    fresh = {**faults, "Idempotency_Key": "fresh"}
    stale = table.post("events", bank, table.seats[0], **fresh)
    refused(stale, "precondition-failed", 412)
    illegal = table.post("events", bank, table.seats[0], Idempotency_Key="fresh")
    problem = refused(illegal, "illegal-event", 409)
    assert problem["findings"]
    # A refused request leaves its key unused.
    right = {"type": "roll", "dice": [1, 2, 3, 4, 6, 6]}
    assert table.post("events", right, table.seats[0], Idempotency_Key="fresh").status_code == 200


def test_token_is_checked_before_the_media_type(table: SessionClient) -> None:
    plain = {"Content-Type": "text/plain"}
    anonymous = table.client.post(f"{table.at}/events", data="roll", headers=plain)
    refused(anonymous, "unauthorized", 401)
    known = plain | {"Authorization": f"Bearer {table.host}"}
    host = table.client.post(f"{table.at}/events", data="roll", headers=known)
    refused(host, "unsupported-media-type", 415)


# Guards -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tags", ['"0"', 'W/"0"', "*", '"5", "0"', 'W/"9",W/"0"'])
def test_if_match_with_the_current_version_is_accepted(table: SessionClient, tags: str) -> None:
    accepted(table.post("events", {"type": "draw", "card": "stop"}, If_Match=tags))


@pytest.mark.parametrize("tags", ['"1"', '"00"', '"x"', "0", "W/0", "7", "0, 1", ""])
def test_if_match_with_another_version_is_refused(table: SessionClient, tags: str) -> None:
    """Tags without quotation marks get a hint."""
    answer = table.post("events", {"type": "draw", "card": "stop"}, If_Match=tags)
    problem = refused(answer, "precondition-failed", 412)
    assert "0" in problem["detail"]
    assert ('`"0"`' in problem["detail"]) == ('"' not in tags)
    assert table.get().headers["ETag"] == '"0"'


@pytest.mark.parametrize("path", ["", "/odds", "/game"])
def test_if_none_match_with_the_current_version_gets_a_304(table: SessionClient, path: str) -> None:
    for held in ('"0"', 'W/"0"', "*"):
        answer = table.get(path, If_None_Match=held)
        assert (answer.status_code, answer.data, answer.headers["ETag"]) == (304, b"", '"0"')
    accepted(table.post("events", {"type": "draw", "card": "stop"}))
    assert table.get(path, If_None_Match='"0"').headers["ETag"] == '"1"'


def test_retry_gets_the_first_answer_after_later_events(client: FlaskClient) -> None:
    table = begin(client)
    first = table.post("events", {"type": "draw"}, Idempotency_Key="a")
    accepted(first)
    state = accepted(first)["session"]
    for _ in range(2):
        event = {"type": state["legal_events"][-1]}
        if event["type"] == "keep":
            event["dice"] = state["adjudication"]["legal_keeps"][0]["dice"]
        state = accepted(table.post("events", event))["session"]
    repeat = table.post("events", {"type": "draw"}, Idempotency_Key="a")
    assert (repeat.data, repeat.headers["ETag"]) == (first.data, first.headers["ETag"])
    assert table.get().headers["ETag"] == '"3"'


def test_bodies_under_an_idempotency_key_are_compared_as_json(table: SessionClient) -> None:
    assert table.post("events", {"type": "draw", "card": "double"}).status_code == 200
    event = b'{"type":"roll","dice":[1,2,3,4,6,6]}'
    variant = b'{ "dice": [1.0,2,3,4,6,6], "type": "roll" }'
    headers = {
        "Authorization": f"Bearer {table.host}",
        "Idempotency-Key": "k",
        "Content-Type": "application/json",
    }
    first = table.client.post(f"{table.at}/events", data=event, headers=headers)
    second = table.client.post(f"{table.at}/events", data=variant, headers=headers)
    assert first.status_code == 200
    assert first.data == second.data
    # The order of the dice is part of the request.
    permutation = event.replace(b"1,2", b"2,1")
    third = table.client.post(f"{table.at}/events", data=permutation, headers=headers)
    refused(third, "idempotency-key-reused", 422)
    refused(table.post("undo", {}, Idempotency_Key="k"), "idempotency-key-reused", 422)


@pytest.mark.parametrize("key", ["", "x" * 129, "ä", "a\tb"])
def test_malformed_idempotency_key_is_refused(table: SessionClient, key: str) -> None:
    answer = table.post("events", {"type": "draw", "card": "stop"}, Idempotency_Key=key)
    refused(answer, "invalid-request", 400)


def test_full_session_accepts_only_its_end(client: FlaskClient) -> None:
    table = begin(client)
    for number in range(6):
        accepted(table.post("seeds", {"seed": str(number)}, table.seats[0]))
    refused(table.post("seeds", {"seed": "x"}, table.seats[0]), "session-full", 409)
    # A full session can still be abandoned, which reveals its seed.
    state = accepted(table.post("abandon", {}))["session"]
    assert (state["status"], state["version"]) == ("abandoned", 7)
    assert state["fairness"]["seed"]
    gone = client.delete(table.at, headers={"Authorization": f"Bearer {table.host}"})
    assert gone.status_code == 200


# Dice ---------------------------------------------------------------------------------------------


def test_clients_may_not_send_dice_that_the_service_rolls(client: FlaskClient) -> None:
    table = begin(client)
    for event in ({"type": "draw", "card": "clover"}, {"type": "roll", "dice": [1] * 6}):
        problem = refused(table.post("events", event), "invalid-request", 400)
        (error,) = problem["errors"]
        assert (error["code"], error["pointer"]) == ("brought-by-service", f"/{list(event)[1]}")
        assert "leave this field out" in error["detail"]
    # A field that no event has is refused with another code, and own dice must be reported.
    own = begin(client, dice="client")
    for at, more, code, pointer in (
        (table, {"colour": 1}, "unknown-field", "/colour"),
        (own, {}, "missing-field", "/card"),
    ):
        answer = at.post("events", {"type": "draw", **more})
        [error] = refused(answer, "invalid-request", 400)["errors"]
        assert (error["code"], error["pointer"]) == (code, pointer)


def test_undo_of_chance_is_refused_to_everybody(
    client: FlaskClient,
) -> None:
    table = begin(client)
    for token in (table.host, *table.seats):
        problem = refused(table.post("undo", {}, token), "cannot-undo", 409)
        assert problem["detail"].startswith("Nothing has been played yet")
    accepted(table.post("events", {"type": "draw"}))
    for token in (table.host, *table.seats):
        problem = refused(table.post("undo", {}, token), "cannot-undo", 409)
        assert "decided by chance" in problem["detail"]


def test_seat_cannot_undo_moves_of_another_seat(client: FlaskClient) -> None:
    table = begin(client, game="yatzee")
    accepted(table.post("events", {"type": "roll"}))
    accepted(table.post("events", {"type": "strike", "category": "chance"}))
    refused(table.post("undo", {}, table.seats[1]), "forbidden", 403)
    accepted(table.post("undo", {}, table.seats[0]))
    accepted(table.post("abandon", {}))
    for token in (table.host, *table.seats):
        refused(table.post("undo", {}, token), "session-ended", 409)


@pytest.mark.parametrize("seed", ["x", " ~" * 32, "", "x" * 65, "ä", "a\nb", 7, None])
def test_seed_is_a_line_of_1_to_64_ascii_characters(client: FlaskClient, seed: Any) -> None:
    table = begin(client)
    answer = table.post("seeds", {"seed": seed}, table.seats[1])
    if seed in ("x", " ~" * 32):
        assert accepted(answer)["session"]["fairness"]["seeds"] == [None, seed]
    else:
        assert refused(answer, "invalid-request", 400)["errors"][0]["pointer"] == "/seed"


def test_only_seats_add_seeds_and_only_before_the_first_draw(client: FlaskClient) -> None:
    table = begin(client)
    refused(table.post("seeds", {"seed": "x"}), "forbidden", 403)
    state = accepted(table.post("seeds", {"seed": "one"}, table.seats[1]))["session"]
    assert state["fairness"]["seeds"] == [None, "one"]
    accepted(table.post("events", {"type": "draw"}))
    refused(table.post("seeds", {"seed": "two"}, table.seats[1]), "seeds-closed", 409)


def test_abandoned_or_deleted_session_reveals_its_seed(client: FlaskClient) -> None:
    table, second = begin(client), begin(client)
    commitment = table.state["fairness"]["commitment"]
    proof = accepted(table.post("abandon", {}))["session"]["fairness"]
    assert proof["commitment"] == commitment
    verdict = {"game": "tutto", "record": json.loads(table.get("/game").data), "fairness": proof}
    assert json.loads(client.post("/v1/fairness/verify", json=verdict).data)["fair"]
    gone = client.delete(second.at, headers={"Authorization": f"Bearer {second.host}"})
    assert json.loads(gone.data)["session"]["fairness"]["seed"]
    problem = refused(second.get(), "gone", 410)
    assert problem["fairness"] == json.loads(gone.data)["session"]["fairness"]


# Seats --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", ["2", "-1", "x", "00", "1.0"])
def test_unknown_seat_is_a_404(table: SessionClient, number: str) -> None:
    refused(table.post(f"seats/{number}/token", {}), "not-found", 404)
