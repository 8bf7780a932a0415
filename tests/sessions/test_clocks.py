"""The times of a session never decrease, although the clocks of services differ."""

import json
from collections.abc import Iterator
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from dice_referee.app import create_app
from dice_referee.sessions.redis.store import RedisStore
from tests.application import accepted, begin
from tests.engines.servers import Single
from tests.sessions.conftest import PATIENT_MS
from tests.sessions.player import BEGINNINGS, choose
from tests.unlimited import UNLIMITED

DAY = 86_400_000
"""Milliseconds of a day."""
NOON = 1_764_072_000_000
"""Milliseconds from the epoch to noon on 25 November 2025."""


class Clock:
    """A clock that a test sets."""

    now = NOON


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def client(server: Single, clock: Clock) -> Iterator[FlaskClient]:
    store = RedisStore(server.unix_url, PATIENT_MS)
    yield create_app(UNLIMITED, store, now=lambda: clock.now).test_client()
    store.close()


@pytest.mark.parametrize("game", sorted(BEGINNINGS))
def test_times_of_a_session_never_decrease(client: FlaskClient, clock: Clock, game: str) -> None:
    table = begin(client, game=game, dice="client", **BEGINNINGS[game])
    states, random = [table.state], Random(game)

    def change(path: str, body: Any, **headers: str) -> TestResponse:
        answer = table.post(path, body, **headers)
        states.append(accepted(answer)["session"])
        return answer

    # The clocks are right, three days ahead, and a day behind.
    for shift in (0, 3 * DAY, -DAY, 0):
        clock.now = NOON + shift
        change("events", choose(states[-1], random))
        change("seats/0/token", {})
    clock.now = NOON - DAY
    key = {"Idempotency-Key": "once"}
    undone = change("undo", {}, **key)
    repeat = change("undo", {}, **key)
    assert repeat.data == undone.data
    states.pop()
    change("abandon", {})
    change("rematch", {})
    entries = json.loads(table.get("/events").data)["events"]
    for times in (
        [entry["at"] for entry in entries],
        [state["updated_at"] for state in states],
        [state["expires_at"] for state in states],
    ):
        assert all(before <= after for before, after in pairwise(times)), times
    assert entries[-1]["at"] == states[-1]["updated_at"]
    rematch = json.loads(client.get(f"/v1/sessions/{states[-1]['rematch']}").data)
    assert rematch["created_at"] == rematch["updated_at"] == states[-1]["updated_at"]
