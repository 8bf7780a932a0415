"""Nudges over a real Redis. Streams of every process send a nudge, and nothing stores it."""

from queue import SimpleQueue
from typing import Any

import pytest
from flask.testing import FlaskClient

from dice_referee.sessions.redis.store import RedisStore
from dice_referee.sessions.watchers import SessionWatchers
from tests.application import SessionClient, accepted, begin, refused
from tests.engines.servers import DEADLINE, Single


@pytest.fixture
def table(session_client: FlaskClient) -> SessionClient:
    return begin(session_client, players=["Ada", "Ben"])


def nudge(table: SessionClient, seat: int, token: str) -> Any:
    """Nudges the seat and returns the answer."""
    return table.post(f"seats/{seat}/nudge", None, token)


def test_nudge_reaches_watchers_of_another_process(table: SessionClient, server: Single) -> None:
    second_store = RedisStore(server.unix_url)
    watchers, calls = SessionWatchers(second_store), SimpleQueue[int | None]()
    with watchers.watching(table.id, lambda _: calls.put(None), calls.put):
        # The start of a subscription notifies, too.
        assert calls.get(timeout=DEADLINE) is None
        accepted(nudge(table, 1, table.seats[0]))
        assert calls.get(timeout=DEADLINE) == 1
        accepted(nudge(table, 0, table.host))
        assert calls.get(timeout=DEADLINE) == 0
        accepted(table.post("events", {"type": "draw"}))
        assert calls.get(timeout=DEADLINE) is None
    second_store.close()


def test_seat_is_nudged_once_a_minute(table: SessionClient, server: Single) -> None:
    key = f"referee:{{{table.id}}}:nudge:1"
    answer = accepted(nudge(table, 1, table.seats[0]))
    assert answer == table.get("/seats").get_json()
    for token in (table.seats[0], table.host):
        refusal = nudge(table, 1, token)
        seconds = int(refusal.headers["Retry-After"])
        problem = refused(refusal, "rate-limited", 429)
        assert 0 < seconds <= 60
        assert f"{seconds} s" in problem["detail"]
    assert 0 < server.ask("PTTL", key) <= 60_000
    accepted(nudge(table, 0, table.seats[1]))
    server.ask("PEXPIRE", key, 0)
    accepted(nudge(table, 1, table.seats[0]))


def test_nudge_stores_only_its_key(table: SessionClient, server: Single) -> None:
    def stored() -> list[Any]:
        key = f"referee:{{{table.id}}}"
        return [server.ask("HGETALL", key), server.ask("XLEN", f"{key}:log")]

    before, state = stored(), table.get().get_json()
    keys = set(server.ask("KEYS", f"referee:{{{table.id}}}*"))
    accepted(nudge(table, 1, table.seats[0]))
    assert stored() == before
    assert table.get().get_json() == state
    (key,) = set(server.ask("KEYS", f"referee:{{{table.id}}}*")) - keys
    assert key.endswith(b":nudge:1")


def test_own_seat_cannot_be_nudged(table: SessionClient) -> None:
    problem = refused(nudge(table, 1, table.seats[1]), "cannot-nudge", 409)
    assert "your own" in problem["detail"]
    # The refusal did not use the call of this minute.
    accepted(nudge(table, 1, table.seats[0]))


def test_seat_of_a_bot_cannot_be_nudged(table: SessionClient) -> None:
    accepted(table.post("seats/1/bot", {"level": "best"}))
    for token in (table.seats[0], table.host):
        problem = refused(nudge(table, 1, token), "cannot-nudge", 409)
        assert "bot" in problem["detail"]
    accepted(nudge(table, 0, table.host))


def test_nudge_after_the_end_is_refused(table: SessionClient) -> None:
    accepted(table.post("abandon", {}))
    refused(nudge(table, 1, table.seats[0]), "session-ended", 409)
    refused(nudge(table, 2, table.seats[0]), "not-found", 404)
    refused(nudge(table, 1, "nobody"), "unauthorized", 401)
    refused(table.post("seats/1/nudge", {"x": 1}), "invalid-request", 400)
