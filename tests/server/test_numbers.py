"""Numbers in problems: each problem whose sentence has a number tells the right number."""

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
from dice_referee.rulebook.details import Detail
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

TEXTS = {"path", "name", "near", "method", "allowed", "offered", "expected", "policy"}
"""Gaps that no number fills."""
LARGE = 1 << 17
"""Bytes of a body that needs memory of its own."""


class Case(NamedTuple):
    """A request, the settings and constants that it meets, and what fills the sentence."""

    question: Question
    params: dict[str, int | str]
    settings: Mapping[str, Any] = MappingProxyType({})
    constant: tuple[Any, str, int] | None = None


posted = Question.post
HOUSE = {"options": {"target": 7350}, "card": "double"}
GAME = {"aim": "game", "dice": [1, 2, 3, 4, 5, 6], "throw": 3}
LOG = {"players": ["Ann", "Ben"], "log": [{"type": "draw", "card": "stop"}] * 3}
CONTRADICTION = {
    "dice": [1, 2, 4],
    "throws": 1,
    "coins": [5, 3],
    "pot": 2,
    "bank": 1,
    "player": 0,
    "options": {"total_coins": 11, "start_coins": 6},
}
STATELESS: dict[Detail, Case] = {
    Detail.MALFORMED_JSON: Case(
        posted(ADJUDICATIONS, b'{\n"card": 1/2}'), {"line": 2, "column": 10}
    ),
    Detail.NOT_UTF_8: Case(posted(ADJUDICATIONS, b'{\n"card": "\xff"}'), {"line": 2, "column": 10}),
    Detail.SINGLE_QUOTES: Case(posted(ADJUDICATIONS, b"{\n 'card': 1}"), {"line": 2, "column": 2}),
    Detail.TRAILING_COMMA: Case(posted(ADJUDICATIONS, b'{\n"a": 1,}'), {"line": 2, "column": 7}),
    Detail.COMMENT: Case(posted(ADJUDICATIONS, b'{"a": 1}\n# yes'), {"line": 2, "column": 1}),
    Detail.TOO_DEEP: Case(posted(ADJUDICATIONS, [[[[]]]]), {"limit": 3}, {"nesting_limit": 3}),
    Detail.INVALID_REQUEST: Case(posted(ADJUDICATIONS, {"x": 1, "y": 2, "roll": []}), {"count": 3}),
    Detail.BODY_TOO_LARGE: Case(posted(ADJUDICATIONS, ROLL), {"limit": 7}, {"body_limit": 7}),
    Detail.QUERY_TOO_LONG: Case(
        Question("GET", ADJUDICATIONS, "card=clover"), {"limit": 7}, {"query_limit": 7}
    ),
    Detail.BATCH_TOO_LONG: Case(
        posted(BATCH, {"positions": [ROLL] * 3}), {"limit": 2}, {"batch_limit": 2}
    ),
    Detail.LOG_TOO_LONG: Case(posted("/v1/tutto/games", LOG), {"limit": 2}, {"log_limit": 2}),
    Detail.TOO_MANY_PAIRS: Case(
        posted("/v1/tutto/games/review", two_turns(1000, 1100)),
        {"limit": 1},
        constant=(verdicts, "TABLES_OF_A_REVIEW", 1),
    ),
    Detail.TOO_MANY_TABLES: Case(
        posted("/v1/tutto/odds/batch", {"positions": [HOUSE]}),
        {"limit": 0},
        constant=(verdicts, "TABLES_OF_A_BATCH", 0),
    ),
    Detail.IMPOSSIBLE_POSITION: Case(
        posted(ADJUDICATIONS, {"card": "clover", "roll": [1], "pending_deductions": 1}),
        {"count": 2},
    ),
    Detail.NO_ODDS: Case(posted("/v1/tutto/odds", {"aim": "win", "reach": 1000}), {"count": 2}),
    Detail.CONTRADICTORY_OPTIONS: Case(
        posted("/v1/pot/adjudications", CONTRADICTION), {"count": 2}
    ),
    Detail.RATE_LIMITED: Case(
        Question("GET", "/v1/games"),
        {"limit": 2, "policy": "stateless", "seconds": 30},
        {"rate_stateless": 2, "rate_loopback": 1},
    ),
}


@pytest.mark.parametrize("key", STATELESS)
def test_problem_of_a_question_tells_its_numbers(
    key: Detail, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = STATELESS[key]
    if case.constant is not None:
        monkeypatch.setattr(*case.constant)
    both = Servers.of(replace(UNLIMITED, **case.settings))
    both.wsgi.extensions["dice-referee"].services.limiter.counter = LocalCounter(lambda: 10**18)
    both.asgi.services.limiter.counter = LocalCounter(lambda: 10**18)
    for _ in range(3 if key is Detail.RATE_LIMITED else 1):
        replies = both.ask(case.question)
    for reply in replies:
        document = json.loads(reply.body)
        (problem,) = document.get("answers", [document])
        assert problem["detail"] == detail(key, "en", **case.params)


THREE = {"game": "tutto", "players": ["Ann", "Ben", "Cem"], "dice": "client"}
DRAW = {"type": "draw", "card": "clover"}
BOTS = [{"seat": seat, "level": "bold"} for seat in (7, 8)]
SESSIONS: dict[Detail, tuple[Callable[[SessionClient], Any], dict[str, int | str]]] = {
    Detail.UNKNOWN_SEAT: (lambda table: table.post("seats/7/token", {}), {"name": "7", "count": 3}),
    Detail.CONTRADICTORY_SEATS: (
        lambda table: table.client.post("/v1/sessions", json={**THREE, "bots": BOTS}),
        {"count": 3},
    ),
    Detail.ILLEGAL_EVENT: (lambda table: table.post("events", {"type": "bank"}), {"count": 2}),
    Detail.SESSION_FULL: (lambda table: table.post("undo", {}), {"limit": 1}),
    Detail.PRECONDITION_FAILED: (
        lambda table: table.post("undo", {}, If_Match='"7"'),
        {"version": 1},
    ),
    Detail.UNQUOTED_VERSION: (lambda table: table.post("undo", {}, If_Match="7"), {"version": 1}),
    Detail.BAD_IDEMPOTENCY_KEY: (
        lambda table: table.post("undo", {}, Idempotency_Key="x" * 8),
        {"limit": 7},
    ),
    Detail.SESSIONS_FULL: (
        lambda table: table.client.post("/v1/sessions", json=THREE),
        {"limit": 9},
    ),
}


@pytest.mark.parametrize("key", SESSIONS)
def test_problem_of_a_session_tells_its_numbers(
    key: Detail, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask, params = SESSIONS[key]
    monkeypatch.setattr(session_access, "LONGEST_KEY", 7)
    store = RedisStore(redis_url, PATIENT_MS)
    monkeypatch.setattr(store, "count_live", lambda: 8)
    settings = replace(UNLIMITED, session_events=1, sessions_limit=9)
    client = create_app(settings, store).test_client()
    table = begin(client, **THREE)
    accepted(table.post("events", DRAW))
    monkeypatch.setattr(store, "count_live", lambda: 8 + (key is Detail.SESSIONS_FULL))
    assert ask(table).get_json()["detail"] == detail(key, "en", **params)
    store.close()


# What only a server says -------------------------------------------------------------------------


def test_busy_service_tells_when_to_come_back() -> None:
    app = asgi_app(create_app(replace(UNLIMITED, unread_limit=1)))
    reply = ask_asgi(posted(ADJUDICATIONS, b" " * LARGE), app)
    assert json.loads(reply.body)["detail"] == detail(Detail.BUSY, "en", seconds=1)
    assert reply.headers["retry-after"] == "1"


def test_every_sentence_with_a_number_is_tested() -> None:
    sentences = {key: words["en"] for key, words in service_words()["details"].items()}
    numbered = {key for key, text in sentences.items() if {*re.findall(r"{(\w+)}", text)} - TEXTS}
    # tests/server/test_asgi.py lets a body be late.
    assert numbered == {*STATELESS, *SESSIONS, Detail.BUSY, Detail.REQUEST_TIMEOUT}


@pytest.mark.parametrize(
    ("path", "body", "text"),
    [
        (ADJUDICATIONS, {"card": "clover", "roll": [0]}, "The value must be from 1 to 6."),
        (ADJUDICATIONS, {"card": "clover", "roll": [1] * 7}, "The length must be from 0 to 6."),
        ("/v1/pot/games", {"players": ["A"], "log": []}, "The length must be from 2 to 5."),
        ("/v1/fairness/verify", {"fairness": {"seed": "0"}}, "The length must be 64."),
    ],
)
def test_errors_tell_the_bounds_of_a_value(path: str, body: Any, text: str) -> None:
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
