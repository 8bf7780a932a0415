"""Sessions with a long log, which is read only after the checks, and only if needed."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from dice_referee.app import create_app
from dice_referee.sessions.redis.store import RedisStore
from dice_referee.sessions.store import Log
from tests.unlimited import UNLIMITED

ENTRIES = 250
KEYED = {"type": "draw", "card": "stop"}


class ReadingStore(RedisStore):
    """A store that counts the lines read from logs."""

    lines = 0

    def log(self, id: str, after: int, most: int) -> Log:
        answer = super().log(id, after, most)
        self.lines += len(answer.lines)
        return answer


class LongSession(NamedTuple):
    """A session of people who drew many cards, each draw under its own key."""

    store: ReadingStore
    at: str
    host: dict[str, str]
    seat: dict[str, str]

    def draw(self, client: FlaskClient, key: int) -> TestResponse:
        headers = {**self.host, "Idempotency-Key": str(key)}
        return client.post(f"{self.at}/events", json=KEYED, headers=headers)

    @property
    def client(self) -> FlaskClient:
        return create_app(UNLIMITED, self.store).test_client()


@pytest.fixture(scope="module")
def long(redis_url: str) -> Iterator[LongSession]:
    store = ReadingStore(redis_url, 5000)
    client = create_app(UNLIMITED, store).test_client()
    body = {"game": "tutto", "players": ["Ann", "Ben"], "dice": "client"}
    document: Any = client.post("/v1/sessions", json=body).get_json()
    host, seat = document["host_token"], document["seat_tokens"][0]
    tokens = [{"Authorization": f"Bearer {token}"} for token in (host, seat)]
    session = LongSession(store, f"/v1/sessions/{document['session']['id']}", tokens[0], tokens[1])
    for number in range(ENTRIES):
        assert session.draw(client, number).status_code == 200
    yield session
    store.close()


def test_undo_without_right_is_refused_before_the_log_is_read(long: LongSession) -> None:
    before = long.store.lines
    assert long.client.post(f"{long.at}/undo", headers=long.seat).status_code == 403
    assert long.store.lines == before


def test_repeated_request_is_answered_without_reading_the_log(long: LongSession) -> None:
    client = long.client
    first = long.draw(client, 1000)
    for _ in range(2):
        before = long.store.lines
        repeat = long.draw(client, 1000)
        assert (repeat.data, repeat.headers["ETag"]) == (first.data, first.headers["ETag"])
        assert long.store.lines == before + 1
        # After this draw the repeated draw is no longer the last change.
        assert long.draw(client, 1001).status_code == 200
