"""Numbers in problems: each sentence with a number states the right number."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest

from dice_referee.api import session_access, verdicts
from dice_referee.api.i18n import detail, service_words
from dice_referee.api.problems import busy, problem_of, too_many_streams
from dice_referee.app import asgi_app, create_app
from dice_referee.limits.counters import LocalCounter
from dice_referee.sessions.redis.store import RedisStore
from dice_referee.sessions.store import (
    CorruptSession,
    StoreFull,
    StoreUnavailable,
    UnknownSchema,
    VersionConflict,
)
from tests.api.conftest import PATIENT_MS
from tests.application import (
    ADJUDICATIONS,
    BATCH,
    ROLL,
    Question,
    Servers,
    SessionClient,
    accepted,
    ask_asgi,
    begin,
)
from tests.limits.test_charges import two_turns
from tests.unlimited import UNLIMITED

TEXTS = {"path", "name", "near", "games", "method", "allowed", "offered", "expected", "policy"}
"""Placeholders that no number fills."""
LARGE = 1 << 17
"""Bytes of a body that needs memory of its own."""


class Case(NamedTuple):
    """A request, its settings and constants, and the values of the sentence."""

    question: Question
    params: dict[str, int | str]
    settings: Mapping[str, Any] = MappingProxyType({})
    constant: tuple[Any, str, int] | None = None


posted = Question.post
HOUSE = {"options": {"target": 7350}, "card": "double"}
GAME = {"aim": "game", "roll": [1, 2, 3, 4, 5, 6], "rolls_made": 3}
LOG = {"players": ["Ann", "Ben"], "log": [{"type": "draw", "card": "stop"}] * 3}
CONTRADICTION = {
    "roll": [1, 2, 4],
    "rolls_made": 1,
    "coins": [5, 3],
    "pot": 2,
    "bank": 1,
    "player": 0,
    "options": {"total_coins": 11, "start_coins": 6},
}
STATELESS: dict[str, Case] = {
    "malformed-json": Case(posted(ADJUDICATIONS, b'{\n"card": 1/2}'), {"line": 2, "column": 10}),
    "not-utf-8": Case(posted(ADJUDICATIONS, b'{\n"card": "\xff"}'), {"line": 2, "column": 10}),
    "single-quotes": Case(posted(ADJUDICATIONS, b"{\n 'card': 1}"), {"line": 2, "column": 2}),
    "trailing-comma": Case(posted(ADJUDICATIONS, b'{\n"a": 1,}'), {"line": 2, "column": 7}),
    "comment": Case(posted(ADJUDICATIONS, b'{"a": 1}\n# yes'), {"line": 2, "column": 1}),
    "too-deep": Case(posted(ADJUDICATIONS, [[[[]]]]), {"limit": 3}, {"nesting_limit": 3}),
    "invalid-request": Case(posted(ADJUDICATIONS, {"x": 1, "y": 2, "roll": []}), {"count": 3}),
    "many-errors": Case(posted(ADJUDICATIONS, dict.fromkeys(map(str, range(60)))), {"count": 50}),
    "body-too-large": Case(posted(ADJUDICATIONS, ROLL), {"limit": 7}, {"body_limit": 7}),
    "query-too-long": Case(
        Question("GET", ADJUDICATIONS, "card=clover"), {"limit": 7}, {"query_limit": 7}
    ),
    "batch-too-long": Case(
        posted(BATCH, {"positions": [ROLL] * 3}), {"limit": 2}, {"batch_limit": 2}
    ),
    "log-too-long": Case(posted("/v1/tutto/audits", LOG), {"limit": 2}, {"log_limit": 2}),
    "too-many-pairs": Case(
        posted("/v1/tutto/reviews", two_turns(1050, 1150)),
        {"limit": 0},
        constant=(verdicts, "TABLES_OF_A_REVIEW", 0),
    ),
    "too-dear": Case(
        Question("GET", "/v1/tutto/odds", "aim=win&scores=3650,-1850&player=1"),
        {"limit": 100},
        constant=(verdicts, "SPAN_OF_A_TABLE", 100),
    ),
    "too-many-tables": Case(
        posted("/v1/tutto/odds/batch", {"positions": [HOUSE]}),
        {"limit": 0},
        constant=(verdicts, "TABLES_OF_A_BATCH", 0),
    ),
    "impossible-position": Case(
        posted(ADJUDICATIONS, {"card": "clover", "roll": [1], "pending_deductions": 1}),
        {"count": 2},
    ),
    "no-odds": Case(posted("/v1/tutto/odds", {"aim": "win", "reach": 1000}), {"count": 2}),
    "contradictory-options": Case(posted("/v1/pot/adjudications", CONTRADICTION), {"count": 2}),
    "rate-limited": Case(
        Question("GET", "/v1"),
        {"limit": 2, "policy": "stateless", "seconds": 30},
        {"rate_stateless": 2, "rate_loopback": 1},
    ),
}


@pytest.mark.parametrize("key", STATELESS)
def test_problem_of_a_request_states_its_numbers(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    case = STATELESS[key]
    if case.constant is not None:
        monkeypatch.setattr(*case.constant)
    servers = Servers.of(replace(UNLIMITED, **case.settings))
    servers.wsgi.extensions["dice-referee"].services.limiter.counter = LocalCounter(lambda: 10**18)
    servers.asgi.services.limiter.counter = LocalCounter(lambda: 10**18)
    for _ in range(3 if key == "rate-limited" else 1):
        replies = servers.ask(case.question)
    for reply in replies:
        document = json.loads(reply.body)
        (problem,) = document.get("answers", [document])
        assert problem["detail"] == detail(key, "en", **case.params)


THREE = {"game": "tutto", "players": ["Ann", "Ben", "Cem"], "dice": "client"}
DRAW = {"type": "draw", "card": "clover"}
BOTS = [{"seat": seat, "level": "bold"} for seat in (7, 8)]
SESSIONS: dict[str, tuple[Callable[[SessionClient], Any], dict[str, int | str]]] = {
    "unknown-seat": (lambda table: table.post("seats/7/token", {}), {"name": "7", "count": 3}),
    "contradictory-seats": (
        lambda table: table.client.post("/v1/sessions", json={**THREE, "bots": BOTS}),
        {"count": 3},
    ),
    "illegal-event": (lambda table: table.post("events", {"type": "bank"}), {"count": 2}),
    "session-full": (lambda table: table.post("undo", {}), {"limit": 1}),
    "precondition-failed": (
        lambda table: table.post("undo", {}, If_Match='"7"'),
        {"version": 1},
    ),
    "unquoted-version": (lambda table: table.post("undo", {}, If_Match="7"), {"version": 1}),
    "bad-idempotency-key": (
        lambda table: table.post("undo", {}, Idempotency_Key="x" * 8),
        {"limit": 7},
    ),
}


@pytest.mark.parametrize("key", SESSIONS)
def test_problem_of_a_session_states_its_numbers(
    key: str, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask, params = SESSIONS[key]
    monkeypatch.setattr(session_access, "LONGEST_KEY", 7)
    store = RedisStore(redis_url, PATIENT_MS)
    settings = replace(UNLIMITED, session_events=1)
    client = create_app(settings, store).test_client()
    table = begin(client, **THREE)
    accepted(table.post("events", DRAW))
    assert ask(table).get_json()["detail"] == detail(key, "en", **params)
    store.close()


def test_second_nudge_states_its_retry_time(redis_url: str) -> None:
    store = RedisStore(redis_url, PATIENT_MS)
    table = begin(create_app(UNLIMITED, store).test_client(), **THREE)
    accepted(table.post("seats/1/nudge"))
    refusal = table.post("seats/1/nudge")
    seconds = int(refusal.headers["Retry-After"])
    assert 0 < seconds <= 60
    assert refusal.get_json()["detail"] == detail("nudged", "en", seconds=seconds)
    store.close()


# Problems of servers alone
# -------------------------------------------------------------------------


def test_busy_service_states_its_retry_time() -> None:
    app = asgi_app(create_app(replace(UNLIMITED, unread_limit=1)))
    reply = ask_asgi(posted(ADJUDICATIONS, b" " * LARGE), app)
    assert json.loads(reply.body)["detail"] == detail("busy", "en", seconds=1)
    assert reply.headers["retry-after"] == "1"


def test_every_sentence_with_a_number_is_tested() -> None:
    details = service_words()["details"]
    sentences = {key: words.get("many", words)["en"] for key, words in details.items()}
    numbered = {key for key, text in sentences.items() if {*re.findall(r"{(\w+)}", text)} - TEXTS}
    # tests/server/test_asgi.py covers a late body.
    assert numbered == {*STATELESS, *SESSIONS, "nudged", "busy", "request-timeout"}


@pytest.mark.parametrize(
    ("path", "body", "text"),
    [
        (ADJUDICATIONS, {"card": "clover", "roll": [0]}, "The value must be from 1 to 6."),
        (ADJUDICATIONS, {"card": "clover", "roll": [1] * 7}, "The length must be from 0 to 6."),
        ("/v1/pot/audits", {"players": ["A"], "log": []}, "The length must be from 2 to 5."),
        ("/v1/fairness/verify", {"fairness": {"seed": "0"}}, "The length must be 64."),
    ],
)
def test_errors_state_the_bounds_of_a_value(path: str, body: Any, text: str) -> None:
    for reply in Servers.of(UNLIMITED).ask(posted(path, body)):
        assert text in [error["detail"] for error in json.loads(reply.body)["errors"]]


@pytest.mark.parametrize(
    ("error", "seconds"),
    [
        (StoreFull(), "60"),
        (StoreUnavailable(retry=2.2), "3"),
        (VersionConflict(), "1"),
        (CorruptSession(), "60"),
        (UnknownSchema(), "60"),
        (too_many_streams(), "1"),
        (busy(), "1"),
    ],
)
def test_retry_after_is_a_whole_number_of_seconds(error: Exception, seconds: str) -> None:
    assert dict(problem_of(error).headers) == {"Retry-After": seconds}
