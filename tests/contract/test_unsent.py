"""The service gives the answers of unsent examples, the examples excluded from the normal run.

Each is provoked here: by an internal problem, an unavailable store, or a body too large to print.
The full session has a smaller limit, and its text differs only in that number.
"""

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from flask import Response
from werkzeug.test import TestResponse

from dice_referee.api.contract import contract
from dice_referee.api.message import Request
from dice_referee.api.pipeline import answer, begin, refuse
from dice_referee.api.problems import busy, request_timeout, too_many_streams
from dice_referee.api.rate_limits import RateLimited
from dice_referee.api.routing import Router
from dice_referee.app import create_app
from dice_referee.limits.counters import RateLimitStatus
from dice_referee.sessions.redis.store import RedisStore
from dice_referee.sessions.store import CorruptSession, Quota, StoredSession, StoreFull
from dice_referee.settings import Settings
from tests.application import ADJUDICATIONS
from tests.tools.examples import followed, operations

SESSION = "/v1/sessions/AAAAAAAAAAAAAAAAAAAAAA"
SETTINGS = Settings()
PATIENT_MS = 5000
"""Timeout in milliseconds of each store command, long enough for a busy machine."""

UNSENT: dict[str, dict[str, Any]] = {
    name: example
    for name, example in contract()["components"]["examples"].items()
    if "x-unsent" in example
}


def failed_answer(path: str, problem: Exception) -> Response:
    """Returns the answer to a request that fails inside the server."""
    app = create_app()
    services = app.extensions["dice-referee"].services
    request = Request("GET", path, b"", {}, "", *Router(app).find("GET", path), services)
    begin(request)
    refuse(request, problem)
    refusal = answer(request)
    assert isinstance(refusal.body, bytes)
    return Response(refusal.body, refusal.status, [*refusal.shared.pairs, *refusal.headers])


def too_large_answer() -> TestResponse:
    body = b" " * (SETTINGS.body_limit + 1)
    sent = {"data": body, "content_type": "application/json"}
    return create_app().test_client().post(ADJUDICATIONS, **sent)


def answer_without_store(path: str) -> TestResponse:
    return create_app(store=RedisStore("redis://127.0.0.1:1", 200)).test_client().get(path)


class DamagedStore(RedisStore):
    """Store whose contents cannot be read."""

    def read(self, id: str, *, keyed: bool = False) -> StoredSession:
        raise CorruptSession(id)


def unreadable_answer() -> TestResponse:
    return create_app(store=DamagedStore("redis://127.0.0.1:1")).test_client().get(SESSION)


def rate_limited_answer() -> Response:
    """Returns the answer of a limiter without permits."""
    receipt = RateLimitStatus("events", SETTINGS.rate_events, False, 0, 1)
    return failed_answer(SESSION, problem=RateLimited(receipt))


class FullStore(RedisStore):
    """Store without room for another session."""

    def create(
        self,
        id: str,
        document: bytes,
        ttl_seconds: int,
        entries: Sequence[bytes] = (),
        quota: Quota | None = None,
        moment: bytes = b"",
        game: str = "",
    ) -> int:
        raise StoreFull


def store_full_answer() -> TestResponse:
    begun = {"game": "tutto", "players": ["Ada", "Ben"]}
    client = create_app(SETTINGS, FullStore("redis://127.0.0.1:1")).test_client()
    return client.post("/v1/sessions", json=begun)


QUERY = f"{ADJUDICATIONS}?card=double&roll={'1' * SETTINGS.query_limit}"

PROVOKED: dict[str, Callable[[], Response | TestResponse]] = {
    "ReadinessWithoutStore": lambda: answer_without_store("/readyz"),
    "RequestTimeout": lambda: failed_answer(
        ADJUDICATIONS, problem=request_timeout(SETTINGS.request_seconds)
    ),
    "BodyTooLarge": too_large_answer,
    "QueryTooLong": lambda: create_app().test_client().get(QUERY),
    "Busy": lambda: failed_answer(ADJUDICATIONS, problem=busy()),
    "TooManyStreams": lambda: failed_answer(f"{SESSION}/events", problem=too_many_streams()),
    "RateLimited": rate_limited_answer,
    "StoreFull": store_full_answer,
    "SessionsAway": lambda: answer_without_store(SESSION),
    "SessionUnreadable": unreadable_answer,
}


def promised_answers(name: str) -> set[tuple[int, str]]:
    """Returns the statuses and media types under which the contract has this example."""
    return {
        (int(status), kind)
        for _, _, operation in operations()
        for status, response in operation["responses"].items()
        for kind, media in followed(response).get("content", {}).items()
        for example in media.get("examples", {}).values()
        if example.get("$ref") == f"#/components/examples/{name}"
    }


def test_every_unsent_example_is_provoked() -> None:
    assert set(UNSENT) == {*PROVOKED, "SessionIsFull"}


@pytest.mark.parametrize("name", PROVOKED)
def test_provoked_answer_equals_its_example(name: str) -> None:
    answer = PROVOKED[name]()
    assert json.dumps(answer.get_json()) == json.dumps(UNSENT[name]["value"])
    assert promised_answers(name) == {(answer.status_code, answer.mimetype)}


def test_refusal_of_a_full_session_equals_its_example(redis_url: str) -> None:
    store = RedisStore(redis_url, PATIENT_MS)
    client = create_app(Settings(session_events=1), store).test_client()
    begun = {"game": "tutto", "players": ["Ada", "Ben"], "dice": "client"}
    table = client.post("/v1/sessions", json=begun).get_json()
    events = f"/v1/sessions/{table['session']['id']}/events"
    headers = {"Authorization": f"Bearer {table['host_token']}"}
    draw = {"type": "draw", "card": "double"}
    assert client.post(events, json=draw, headers=headers).status_code == 200
    roll = {"type": "roll", "dice": [1, 2, 3, 4, 6, 6]}
    answer = client.post(events, json=roll, headers=headers)

    sentences = answer.get_data(as_text=True).replace(" 1 ", f" {SETTINGS.session_events} ")
    assert json.dumps(json.loads(sentences)) == json.dumps(UNSENT["SessionIsFull"]["value"])
    assert promised_answers("SessionIsFull") == {(answer.status_code, answer.mimetype)}
