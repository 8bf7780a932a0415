"""Sessions with a long log: reading it costs permits by its length, after the token is checked."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import pytest
from dice_referee.app import create_app
from dice_referee.limits.counters import LocalCounter
from dice_referee.sessions.redis.store import RedisStore
from dice_referee.sessions.store import LogLine
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.unlimited import UNLIMITED

ENTRIES = 250
KEYED = {"type": "draw", "card": "stop"}


class ReadingStore(RedisStore):
    """A store that counts the lines read from logs."""

    lines = 0

    def log(self, id: str, after: int, most: int) -> tuple[int, list[LogLine]]:
        answer = super().log(id, after, most)
        self.lines += len(answer[1])
        return answer


class Long(NamedTuple):
    """A session of people who drew many cards, each draw under its own key."""

    store: ReadingStore
    at: str
    host: dict[str, str]
    seat: dict[str, str]

    def draw(self, client: FlaskClient, key: int) -> TestResponse:
        headers = {**self.host, "Idempotency-Key": str(key)}
        return client.post(f"{self.at}/events", json=KEYED, headers=headers)

    def limited(self, limit: int) -> FlaskClient:
        """Returns a client with this limit of requests, whose clock stands still."""
        app = create_app(replace(UNLIMITED, rate_events=limit), self.store)
        limiter = app.extensions["dice-referee"].services.limiter
        limiter.counter = LocalCounter(lambda: 10**18)
        return app.test_client()

    @property
    def client(self) -> FlaskClient:
        return create_app(UNLIMITED, self.store).test_client()


@pytest.fixture(scope="module")
def long(redis_url: str) -> Iterator[Long]:
    store = ReadingStore(redis_url, 5000)
    client = create_app(UNLIMITED, store).test_client()
    body = {"game": "tutto", "players": ["Ann", "Ben"], "dice": "client"}
    document: Any = client.post("/v1/sessions", json=body).get_json()
    host, seat = document["host_token"], document["seat_tokens"][0]
    tokens = [{"Authorization": f"Bearer {token}"} for token in (host, seat)]
    session = Long(store, f"/v1/sessions/{document['session']['id']}", tokens[0], tokens[1])
    for number in range(ENTRIES):
        assert session.draw(client, number).status_code == 200
    yield session
    store.close()


def left(answer: TestResponse) -> int:
    return int(answer.headers["RateLimit"].split("r=")[1].split(";")[0])


def test_reading_a_log_costs_a_permit_per_hundred_entries(long: Long) -> None:
    client = long.limited(30)
    assert left(client.get(long.at)) == 29
    assert left(client.get(f"{long.at}/game")) == 26
    assert left(client.get(f"{long.at}/events?after=0")) == 23
    assert left(client.get(f"{long.at}/events?after={ENTRIES - 99}")) == 22
    assert left(long.draw(client, 199)) == 21, "an answer that is given again"
    assert left(client.post(f"{long.at}/undo", headers=long.seat)) == 20, "refused unread"


def test_log_beyond_the_remaining_permits_is_refused_unread(long: Long) -> None:
    client, before = long.limited(4), long.store.lines
    assert left(client.get(f"{long.at}/game")) == 1
    read = long.store.lines
    assert read == before + ENTRIES
    refused = client.get(f"{long.at}/game")
    assert refused.status_code == 429
    assert refused.get_json()["type"] == "/problems/rate-limited"
    # The limit refills four permits a minute: the two missing ones take half a minute.
    assert refused.headers["Retry-After"] == "30"
    assert long.store.lines == read


def test_longest_log_can_be_read_once_a_minute(long: Long) -> None:
    client = long.limited(2)
    assert client.get(f"{long.at}/game").status_code == 200
    assert client.get(f"{long.at}/game").status_code == 429


def test_undo_without_right_is_refused_before_the_log_is_read(long: Long) -> None:
    before = long.store.lines
    assert long.client.post(f"{long.at}/undo", headers=long.seat).status_code == 403
    assert long.store.lines == before


def test_repeated_request_is_answered_without_reading_the_log(long: Long) -> None:
    client = long.client
    first = long.draw(client, 1000)
    for _ in range(2):
        before = long.store.lines
        repeat = long.draw(client, 1000)
        assert (repeat.data, repeat.headers["ETag"]) == (first.data, first.headers["ETag"])
        assert long.store.lines == before + 1
        # After this draw the repeated one is no longer the last change.
        assert long.draw(client, 1001).status_code == 200
