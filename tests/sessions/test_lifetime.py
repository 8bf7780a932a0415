"""Lifetime of a session: a day until its first use, then ``SESSION_TTL`` after each entry."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from dice_referee.app import create_app
from dice_referee.sessions.redis.store import RedisStore
from tests.application import SessionClient, accepted, begin
from tests.engines.servers import Single
from tests.unlimited import UNLIMITED

HOUR, DAY, WEEK = 3600, 86_400, 604_800
BOT_FIRST = {"bots": [{"seat": 0, "level": "careful"}]}
SLACK = 60
"""Seconds of tolerance for a busy machine."""


class Clock:
    """Clock of the service in milliseconds since 1970."""

    def __init__(self) -> None:
        self.now = 1_800_000_000_000

    def pass_hours(self, hours: int) -> None:
        self.now += hours * HOUR * 1000


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def client(clock: Clock, store: RedisStore) -> FlaskClient:
    return create_app(UNLIMITED, store, now=lambda: clock.now).test_client()


def seconds(table: SessionClient, clock: Clock) -> int:
    """Returns the seconds from now to the session's expiry."""
    state = json.loads(table.client.get(table.at).data)
    return round(datetime.fromisoformat(state["expires_at"]).timestamp() - clock.now / 1000)


def stored(server: Single, id: str) -> list[int]:
    """Returns the remaining seconds of the session and of its log in the store."""
    keys = (f"referee:{{{id}}}", f"referee:{{{id}}}:log")
    return [left for key in keys if (left := int(server.ask("TTL", key))) != -2]


def lives(table: SessionClient, clock: Clock, server: Single, expected: int) -> None:
    """Expects this lifetime in the session's document and in the store."""
    assert seconds(table, clock) == expected
    assert all(expected - SLACK <= left <= expected for left in stored(server, table.id))


USES: dict[str, Callable[[SessionClient], Any]] = {
    "event": lambda table: table.post("events", {"type": "draw"}),
    "seed": lambda table: table.post("seeds", {"seed": "of Ada"}, table.seats[0]),
    "token": lambda table: table.post("seats/0/token", {}),
    "end": lambda table: table.post("abandon", {}),
    "arrival": lambda table: arrive(table, 0),
}


def arrive(table: SessionClient, seat: int) -> TestResponse:
    return table.post(f"seats/{seat}/arrival", None, table.seats[seat])


@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_first_use_starts_the_full_lifetime(
    client: FlaskClient, clock: Clock, server: Single, use: Callable[[SessionClient], Any]
) -> None:
    table = begin(client)
    lives(table, clock, server, DAY)
    clock.pass_hours(5)
    accepted(use(table))
    lives(table, clock, server, WEEK)


def test_bot_moves_at_creation_are_no_use(
    client: FlaskClient, clock: Clock, server: Single
) -> None:
    table = begin(client, **BOT_FIRST)
    assert table.state["version"] > 0
    assert len(stored(server, table.id)) == 2
    lives(table, clock, server, DAY)
    accepted(arrive(table, 1))
    lives(table, clock, server, WEEK)


def test_only_new_arrivals_before_the_first_entry_count_as_use(
    client: FlaskClient, clock: Clock, server: Single
) -> None:
    table = begin(client)
    accepted(arrive(table, 0))
    clock.pass_hours(5)
    accepted(arrive(table, 0))
    assert seconds(table, clock) == WEEK - 5 * HOUR
    accepted(USES["event"](table))
    clock.pass_hours(5)
    accepted(arrive(table, 1))
    assert seconds(table, clock) == WEEK - 5 * HOUR


def test_arrival_during_a_change_keeps_the_change(client: FlaskClient, store: RedisStore) -> None:
    table = begin(client)
    known = store.read(table.id)
    accepted(USES["event"](table))
    changed = store.read(table.id)
    assert store.arrive(table.id, "hash", known.version, known.document, WEEK)
    assert store.read(table.id) == changed


def test_unused_rematch_expires_after_a_day(
    client: FlaskClient, clock: Clock, server: Single
) -> None:
    table = begin(client)
    accepted(USES["end"](table))
    begun = accepted(table.post("rematch", {}))["session"]["rematch"]
    lives(table._replace(at=f"/v1/sessions/{begun}"), clock, server, DAY)


def test_shorter_setting_limits_unused_sessions(
    clock: Clock, store: RedisStore, server: Single
) -> None:
    settings = replace(UNLIMITED, session_ttl=HOUR)
    client = create_app(settings, store, now=lambda: clock.now).test_client()
    table = begin(client)
    lives(table, clock, server, HOUR)


def test_tombstone_keeps_the_lifetime_of_its_session(client: FlaskClient, server: Single) -> None:
    unused, used = begin(client), begin(client)
    accepted(USES["event"](used))
    for table, expected in ((unused, DAY), (used, WEEK)):
        headers = {"Authorization": f"Bearer {table.host}"}
        assert client.delete(table.at, headers=headers).status_code == 200
        (left,) = stored(server, table.id)
        assert expected - SLACK <= left <= expected
