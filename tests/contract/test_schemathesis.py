"""Generated requests, valid and invalid, to every operation, and walks along the links.

Requests about sessions address existing sessions, with a token where the operation needs a token.
The last operation of each family is always tested, the others in the long tests.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any

import pytest
import schemathesis
from flask import Flask
from hypothesis import HealthCheck, settings
from schemathesis import Case, Config
from schemathesis.core.parameters import ParameterLocation
from schemathesis.schemas import BaseSchema
from schemathesis.specs.openapi.checks import ignored_auth, negative_data_rejection

import tests.contract.ndjson  # noqa: F401
from dice_referee.api.contract import contract, operations
from dice_referee.app import create_app
from dice_referee.server.local_redis import LocalRedis, candidates
from dice_referee.sessions.redis.store import RedisStore
from dice_referee.web.reference import SCHEMATHESIS
from tests.sessions.player import BEGINNINGS, choose
from tests.unlimited import UNLIMITED

EXAMPLES = 25
"""Examples per operation. tests/e2e/guides uses ten."""
JSON = "application/json"
MOVES = 150
"""Maximum moves of a game that does not end."""


class Sessions:
    """The service, and the tokens of the sessions in its store."""

    def __init__(self, app: Flask) -> None:
        self.app = app
        self._id = re.compile(contract()["components"]["schemas"]["SessionId"]["pattern"])
        self._requests = cycle(
            {"game": game, **beginning, "dice": dice}
            for game, beginning in BEGINNINGS.items()
            for dice in ("service", "client")
        )
        self._hosts: dict[str, str] = {}
        """The token of each session's host."""
        self._seats: dict[str, str] = {}
        """The token of each session's first seat."""

    def wsgi(self, environ: dict[str, Any], start_response: Any) -> Any:
        """Serves a client without gzip, since the test client in this process decodes no gzip."""
        environ.pop("HTTP_ACCEPT_ENCODING", None)
        return self.app(environ, start_response)

    def remember(self, created: dict[str, Any]) -> str:
        session: str = created["session"]["id"]
        self._hosts[session] = created["host_token"]
        self._seats[session] = created["seat_tokens"][0]
        return session

    def fill_in(self, case: Case[Any]) -> None:
        """Fills in an existing session where the case needs a session."""
        session = (case.path_parameters or {}).get("session_id")
        if isinstance(session, str) and self._id.fullmatch(session) and session not in self._hosts:
            answer = self.app.test_client().post("/v1/sessions", json=next(self._requests))
            assert answer.status_code == 201, answer.text
            case.path_parameters["session_id"] = self.remember(answer.get_json())

    def token(self, case: Case[Any]) -> dict[str, str]:
        """Returns the token header, or no header for an operation without security."""
        if not case.operation.definition.raw.get("security"):
            return {}
        session = (case.path_parameters or {}).get("session_id")
        tokens = self._seats if case.operation.path.endswith("/seeds") else self._hosts
        return {"Authorization": f"Bearer {tokens.get(str(session), 'nobody')}"}

    def store_tokens(self, case: Case[Any], response: Any) -> None:
        """Stores the tokens of an answer."""
        if case.operation.path == "/v1/sessions" and response.status_code == 201:
            self.remember(response.json())
        if case.operation.path.endswith("/token") and response.status_code == 200:
            # The new token invalidates the old token.
            session, seat = (case.path_parameters[name] for name in ("session_id", "number"))
            if str(seat) == "0":
                self._seats[session] = response.json()["seat_token"]


@pytest.fixture(scope="module")
def sessions(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sessions]:
    """Starts the service with its own Redis."""
    server = LocalRedis(Path(tmp_path_factory.mktemp("redis")), candidates())
    # Waiting is disabled, so every request is answered at once.
    settings = replace(UNLIMITED, wait_limit=0, log_answers=True)
    assert server.reserve()
    assert server.start(), "no Redis can be started"
    yield Sessions(create_app(settings, RedisStore(server.url, 5000)))
    server.stop()


def schema_of(sessions: Sessions, *, coverage: bool) -> BaseSchema:
    """Returns the served contract. ``coverage`` enables the phase that breaks every field."""
    config = Config.from_path(SCHEMATHESIS)
    config.projects.default.generation.max_examples = EXAMPLES
    config.projects.default.phases.coverage.enabled = coverage
    return schemathesis.openapi.from_wsgi("/openapi.json", sessions.wsgi, config=config)


@pytest.fixture(scope="module")
def schema(sessions: Sessions) -> BaseSchema:
    return schema_of(sessions, coverage=True)


@pytest.fixture(scope="module")
def uncovered(sessions: Sessions) -> BaseSchema:
    """Returns the contract for operations whose fields tests/e2e/guides breaks already."""
    return schema_of(sessions, coverage=False)


@cache
def representatives() -> frozenset[str]:
    """Returns the id of the last operation of each family: the operations of a tag and method."""
    last_by_family = {
        (operation["tags"][0], operation["method"]): name
        for name, operation in operations().items()
    }
    return frozenset(last_by_family.values())


def is_representative(context: Any) -> bool:
    return context.operation.definition.raw["operationId"] in representatives()


SESSIONS = schemathesis.pytest.from_fixture("schema").exclude(path_regex="^(?!/v1/sessions)")
OTHERS = schemathesis.pytest.from_fixture("uncovered").exclude(path_regex="^/v1/sessions")


def lacks_token(case: Case[Any]) -> bool:
    """Tells if the request is negative by its headers and has no token."""
    negative = case.meta is not None and case.meta.is_negative_at(ParameterLocation.HEADER)
    return negative and "Authorization" not in (case.headers or {})


def declared_query(case: Case[Any]) -> set[str]:
    """Returns the parameters of a query that the operation declares."""
    return {parameter.name for parameter in case.operation.query}


def ask(case: Case[Any], sessions: Sessions) -> None:
    """Sends a case about sessions, with the token that the operation needs."""
    sessions.fill_in(case)
    headers = {} if lacks_token(case) else sessions.token(case)
    sessions.store_tokens(case, case.call_and_validate(headers=headers))


@OTHERS.include(is_representative).parametrize()
def test_representative_operations_keep_the_contract(case: Case[Any]) -> None:
    case.call_and_validate()


@pytest.mark.long
@OTHERS.exclude(is_representative).parametrize()
def test_remaining_stateless_operations_keep_the_contract(case: Case[Any]) -> None:
    case.call_and_validate()


@SESSIONS.include(is_representative).parametrize()
def test_representative_session_operations_keep_the_contract(
    case: Case[Any], sessions: Sessions
) -> None:
    ask(case, sessions)


@pytest.mark.long
@SESSIONS.exclude(is_representative).parametrize()
def test_remaining_session_operations_keep_the_contract(
    case: Case[Any], sessions: Sessions
) -> None:
    ask(case, sessions)


@pytest.mark.long
def test_walks_along_the_links_keep_the_contract(schema: BaseSchema, sessions: Sessions) -> None:
    class Walk(schema.as_state_machine()):  # type: ignore[misc]
        """Walk from a created session along the links."""

        def get_call_kwargs(self, case: Case[Any]) -> dict[str, Any]:
            return {"headers": sessions.token(case)}

        def before_call(self, case: Case[Any]) -> None:
            # An invented version would end most walks at their first step.
            case.headers.pop("If-Match", None)

        def after_call(self, response: Any, case: Case[Any]) -> None:
            sessions.store_tokens(case, response)

        def validate_response(self, response: Any, case: Case[Any], *_: Any, **kwargs: Any) -> None:
            # The check mistakes the tokens of a walk for invented tokens.
            excluded = [ignored_auth]
            if not declared_query(case).issuperset(case.query or {}):
                # Undeclared parameters are ignored, so the request counts as valid.
                excluded.append(negative_data_rejection)
            case.validate_response(response, excluded_checks=excluded, transport_kwargs=kwargs)

    Walk.run(
        settings=settings(
            max_examples=40,
            stateful_step_count=10,
            deadline=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
        )
    )


# Whole games: the moves of a random walk are hardly ever legal ------------------------------------


@pytest.mark.parametrize("dice", ["service", pytest.param("client", marks=pytest.mark.long)])
@pytest.mark.parametrize("game", BEGINNINGS)
def test_whole_game_keeps_the_contract(
    schema: BaseSchema, sessions: Sessions, game: str, dice: str
) -> None:
    def answer_to(method: str, path: str, **more: Any) -> Any:
        """Returns the answer to a request of the contract, checked by all of schemathesis."""
        case: Case[Any] = schema[path][method].Case(**more)
        headers = sessions.token(case)
        answer = case.call_and_validate(headers=headers, excluded_checks=[ignored_auth])
        assert answer.status_code < 300, answer.text
        return answer.json()

    random = Random(f"{game} {dice}")
    begun = {"game": game, **BEGINNINGS[game], "dice": dice}
    created = answer_to("POST", "/v1/sessions", body=begun, media_type=JSON)
    here = {"path_parameters": {"session_id": sessions.remember(created)}}
    at, state = "/v1/sessions/{session_id}", created["session"]
    for _ in range(MOVES):
        if state["status"] == "over":
            break
        move = choose(state, random)
        accepted = answer_to("POST", f"{at}/events", **here, body=move, media_type=JSON)
        state = accepted["session"]
        assert answer_to("GET", at, **here) == state
    answer_to("GET", f"{at}/events", **here)
    record = answer_to("GET", f"{at}/game", **here)
    audit = answer_to("POST", f"/v1/{game}/audits", body=record, media_type=JSON)
    assert (audit["legal"], audit["turn"]) == (True, state["turn"])
    fairness = answer_to("DELETE", at, **here)["session"]["fairness"]
    if dice == "service":
        claim = {"game": game, "record": record, "fairness": fairness}
        assert answer_to("POST", "/v1/fairness/verify", body=claim, media_type=JSON)["fair"]
