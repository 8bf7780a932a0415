"""Generated requests, good and bad, to every operation of the contract; and walks along its links.

Requests about sessions go to sessions that exist, with a token of theirs where one is needed.
"""

import os
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis import Case, Config
from schemathesis.core.parameters import ParameterLocation
from schemathesis.schemas import BaseSchema
from schemathesis.specs.openapi.checks import ignored_auth, negative_data_rejection

import tests.contract.ndjson  # noqa: F401
from service.api.about import SCHEMATHESIS
from service.api.contract import contract
from service.app import create_app
from service.server.local_redis import LocalRedis, candidates
from service.sessions.redis.store import RedisStore
from tests.sessions.player import BEGINNINGS, choose
from tests.unlimited import UNLIMITED

# A stranger has ten; make soak has many more than a test has time for.
EXAMPLES = int(os.environ.get("SCHEMATHESIS_EXAMPLES", 25))
DIRECTORY = TemporaryDirectory()
SERVER = LocalRedis(Path(DIRECTORY.name), candidates())
# News are not waited for here: every request is answered at once.
APP = create_app(replace(UNLIMITED, wait_limit=0, log_answers=True), RedisStore(SERVER.url, 5000))


def uncompressed(environ: dict[str, Any], start_response: Any) -> Any:
    """Wraps the application for a client without gzip: in process nothing unpacks an answer."""
    environ.pop("HTTP_ACCEPT_ENCODING", None)
    return APP(environ, start_response)


def schema_of(*, coverage: bool) -> BaseSchema:
    """Returns the served contract, with every way to break a field where that is wanted."""
    config = Config.from_path(SCHEMATHESIS)
    config.projects.default.generation.max_examples = EXAMPLES
    config.projects.default.phases.coverage.enabled = coverage
    return schemathesis.openapi.from_wsgi("/openapi.json", uncompressed, config=config)


SCHEMA = schema_of(coverage=True)
SESSIONS = SCHEMA.exclude(path_regex="^(?!/v1/sessions)")
# Its fields are broken in tests/e2e/guides already, which runs schemathesis as a stranger does.
OTHERS = schema_of(coverage=False).exclude(path_regex="^/v1/sessions")

JSON = "application/json"
SESSION_ID = re.compile(contract()["components"]["schemas"]["SessionId"]["pattern"])
REQUESTS = cycle(
    {"game": game, **beginning, "dice": dice}
    for game, beginning in BEGINNINGS.items()
    for dice in ("service", "client")
)
MOVES = 150
"""Moves of a game that goes on and on."""
HOSTS: dict[str, str] = {}
"""The token of each session's host."""
SEATS: dict[str, str] = {}
"""The token of each session's first seat."""


@pytest.fixture(autouse=True, scope="module")
def _serving() -> Iterator[None]:
    assert SERVER.reserve()
    assert SERVER.start(), "no Redis can be started"
    yield
    SERVER.stop()
    DIRECTORY.cleanup()


def remember(created: dict[str, Any]) -> str:
    session: str = created["session"]["id"]
    HOSTS[session], SEATS[session] = created["host_token"], created["seat_tokens"][0]
    return session


def into_a_session(case: Case[Any]) -> None:
    """Fills in a session that exists, where the case needs any."""
    session = (case.path_parameters or {}).get("session_id")
    if isinstance(session, str) and SESSION_ID.fullmatch(session) and session not in HOSTS:
        answer = APP.test_client().post("/v1/sessions", json=next(REQUESTS))
        assert answer.status_code == 201, answer.text
        case.path_parameters["session_id"] = remember(answer.get_json())


def with_token(case: Case[Any]) -> dict[str, str]:
    """Returns the header that the operation needs, if it needs one."""
    if not case.operation.definition.raw.get("security"):
        return {}
    session = (case.path_parameters or {}).get("session_id")
    tokens = SEATS if case.operation.path.endswith("/seeds") else HOSTS
    return {"Authorization": f"Bearer {tokens.get(str(session), 'nobody')}"}


def lacks_token(case: Case[Any]) -> bool:
    """Tells if the request is meant to be wrong, even if only for want of a token."""
    negative = case.meta is not None and case.meta.is_negative_at(ParameterLocation.HEADER)
    return negative and "Authorization" not in (case.headers or {})


def declared_query(case: Case[Any]) -> set[str]:
    """Returns the parameters of a query that the operation declares."""
    return {one.name for one in case.operation.query}


def learn(case: Case[Any], response: Any) -> None:
    """Remembers the tokens that an answer tells."""
    if case.operation.path == "/v1/sessions" and response.status_code == 201:
        remember(response.json())
    if case.operation.path.endswith("/token") and response.status_code == 200:
        # The token before it is worth nothing from now on.
        session, seat = (case.path_parameters[name] for name in ("session_id", "number"))
        if str(seat) == "0":
            SEATS[session] = response.json()["seat_token"]


@OTHERS.parametrize()
def test_stateless_operations_keep_the_contract(case: Case[Any]) -> None:
    case.call_and_validate()


@SESSIONS.parametrize()
def test_sessions_keep_their_contract(case: Case[Any]) -> None:
    into_a_session(case)
    learn(case, case.call_and_validate(headers={} if lacks_token(case) else with_token(case)))


class Walk(SCHEMA.as_state_machine()):  # type: ignore[misc]
    """Walk from a created session along the links."""

    def get_call_kwargs(self, case: Case[Any]) -> dict[str, Any]:
        return {"headers": with_token(case)}

    def before_call(self, case: Case[Any]) -> None:
        # A version out of the air would end most walks at their first step.
        case.headers.pop("If-Match", None)

    def after_call(self, response: Any, case: Case[Any]) -> None:
        learn(case, response)

    def validate_response(self, response: Any, case: Case[Any], *_: Any, **kwargs: Any) -> None:
        # It takes the tokens of a walk for invented ones; above it does not.
        excluded = [ignored_auth]
        if not declared_query(case).issuperset(case.query or {}):
            # What the operation does not declare is ignored, so that a token of the walk counts.
            excluded.append(negative_data_rejection)
        case.validate_response(response, excluded_checks=excluded, transport_kwargs=kwargs)


Walk.TestCase.settings = settings(
    max_examples=40,
    stateful_step_count=10,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
TestWalk = Walk.TestCase


# Whole games: the moves of a random walk are hardly ever legal ------------------------------------


def asked(method: str, path: str, **more: Any) -> Any:
    """The answer to a request that is of the contract, checked by all that schemathesis checks."""
    case: Case[Any] = SCHEMA[path][method].Case(**more)
    answer = case.call_and_validate(headers=with_token(case), excluded_checks=[ignored_auth])
    assert answer.status_code < 300, answer.text
    return answer.json()


@pytest.mark.parametrize("dice", ["service", "client"])
@pytest.mark.parametrize("game", BEGINNINGS)
def test_a_whole_game_keeps_the_contract(game: str, dice: str) -> None:
    random = Random(f"{game} {dice}")
    begun = {"game": game, **BEGINNINGS[game], "dice": dice}
    created = asked("POST", "/v1/sessions", body=begun, media_type=JSON)
    here = {"path_parameters": {"session_id": remember(created)}}
    at, state = "/v1/sessions/{session_id}", created["session"]
    for _ in range(MOVES):
        if state["status"] == "over":
            break
        move = choose(state, random)
        accepted = asked("POST", f"{at}/events", **here, body=move, media_type=JSON)
        state = accepted["session"]
        assert asked("GET", at, **here) == state
    asked("GET", f"{at}/events", **here)
    record = asked("GET", f"{at}/game", **here)
    audit = asked("POST", f"/v1/{game}/games", body=record, media_type=JSON)
    assert (audit["legal"], audit["turn"]) == (True, state["turn"])
    fairness = asked("DELETE", at, **here)["session"]["fairness"]
    if dice == "service":
        claim = {"game": game, "record": record, "fairness": fairness}
        assert asked("POST", "/v1/fairness/verify", body=claim, media_type=JSON)["fair"]
