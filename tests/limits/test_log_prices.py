"""A request that reads the log of a session pays a permit for each started hundred entries."""

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest
from flask.testing import FlaskClient

from dice_referee.app import create_app
from dice_referee.limits.bill import Bill
from dice_referee.limits.counters import LocalCounter, RateLimitKey
from dice_referee.sessions.redis.store import RedisStore
from dice_referee.settings import Settings
from tests.api.test_long_sessions import ReadingStore

ENTRIES = 250
LIMIT = 1000
"""Requests a minute. A permit buys 6 ms of CPU."""
STREAM = {"Accept": "text/event-stream"}
TEXT = {"Accept": "text/plain"}


class LongSession(NamedTuple):
    """A session of 250 entries."""

    url: str
    id: str
    tokens: list[dict[str, str]]
    """Headers of the host, and of the seats."""

    @property
    def at(self) -> str:
        return f"/v1/sessions/{self.id}"


def service(store: RedisStore, limit: int = LIMIT) -> FlaskClient:
    """Returns a service whose clocks stand still, so that only entries and requests cost."""
    settings = Settings(rate_events=limit, rate_sessions=0)
    app = create_app(settings, store, work=lambda: 0.0)
    app.extensions["dice-referee"].services.limiter.counter = LocalCounter(lambda: 10**18)
    return app.test_client()


def long_session(url: str, dice: str, change: Callable[..., None]) -> LongSession:
    store = RedisStore(url, 5000)
    client = service(store, 0)
    body = {"game": "tutto", "players": ["Ann", "Ben"], "dice": dice}
    document: Any = client.post("/v1/sessions", json=body).get_json()
    secrets = [document["host_token"], *document["seat_tokens"]]
    tokens = [{"Authorization": f"Bearer {secret}"} for secret in secrets]
    session = LongSession(url, document["session"]["id"], tokens)
    for _ in range(ENTRIES):
        change(client, session)
    store.close()
    return session


def draw(client: FlaskClient, session: LongSession) -> None:
    event = {"type": "draw", "card": "stop"}
    answer = client.post(f"{session.at}/events", json=event, headers=session.tokens[0])
    assert answer.status_code == 200


def reissue(client: FlaskClient, session: LongSession) -> None:
    answer = client.post(f"{session.at}/seats/1/token", headers=session.tokens[0])
    assert answer.status_code == 200


@pytest.fixture(scope="module")
def drawn(redis_url: str) -> LongSession:
    """A game with dice of its own."""
    return long_session(redis_url, "client", draw)


@pytest.fixture
def store(redis_url: str) -> Iterator[ReadingStore]:
    store = ReadingStore(redis_url, 5000)
    yield store
    store.close()


def permits(client: FlaskClient, method: str, target: str, **request: Any) -> int:
    """Returns the permits that a request has used, after a request that reads no log."""
    used = list[int]()
    for verb, path, fields in ((method, target, request), ("GET", "/v1/sessions/none", {})):
        answer = client.open(path, method=verb, **fields)
        assert answer.status_code in (200, 404), answer.text
        match = re.search(r";r=(\d+);", answer.headers["RateLimit"])
        assert match
        used.append(LIMIT - int(match[1]))
    assert used[1] == used[0] + 1, "headers have the whole charge"
    return used[0]


@pytest.mark.parametrize(
    ("reads", "cost"),
    [([0], 0), ([100], 0), ([101], 1), ([200], 1), ([250], 2), ([200, 50], 2), ([50] * 6, 2)],
)
def test_permit_buys_a_hundred_entries(reads: list[int], cost: int) -> None:
    key = RateLimitKey("client", "events", LIMIT)
    bill = Bill(LocalCounter(lambda: 10**18), key, lambda: 0.0)
    bill.admit()
    for entries in reads:
        bill.read(entries)
    limit = bill.look()
    assert limit is not None
    assert limit.remaining == LIMIT - 1 - cost


def test_permits_for_entries_buy_cpu_time() -> None:
    times = iter([0.0, 0.025, 0.025, 0.040])
    bill = Bill(
        LocalCounter(lambda: 10**18), RateLimitKey("a", "events", LIMIT), lambda: next(times)
    )
    bill.admit()
    for cost in (5, 7):
        bill.read(500 if cost == 5 else 0)
        bill.start()
        limit = bill.charge()
        assert limit is not None
        # 25 ms are 4.2 permits, fewer than the 5 for the entries; 40 ms are 6.7.
        assert limit.remaining == LIMIT - cost


@pytest.mark.parametrize(
    ("target", "fields", "cost"),
    [
        ("", {}, 1),
        ("/events?after=200", {}, 1),
        ("/events", {}, 2),
        ("/events", STREAM, 2),
        ("/stream", STREAM, 2),
        ("/events", TEXT, 2),
        ("/events?until=150", TEXT, 2),
        ("/game", {}, 3),
        ("/odds", {}, 3),
        ("/odds", TEXT, 3),
    ],
)
def test_read_of_a_log_costs_permits(
    drawn: LongSession, store: ReadingStore, target: str, fields: dict[str, str], cost: int
) -> None:
    assert permits(service(store), "GET", drawn.at + target, headers=fields) == cost
    assert store.lines <= 100 * cost


def test_undo_after_a_long_log_costs_a_permit(redis_url: str, store: ReadingStore) -> None:
    session = long_session(redis_url, "client", draw)
    target, host = f"{session.at}/undo", session.tokens[0]
    assert permits(service(store), "POST", target, headers=host) == 1


def test_seed_after_a_long_log_costs_permits(redis_url: str, store: ReadingStore) -> None:
    session = long_session(redis_url, "service", reissue)
    body = {"json": {"seed": "a"}, "headers": session.tokens[1]}
    assert permits(service(store), "POST", f"{session.at}/seeds", **body) == 3


def test_export_ends_where_the_client_cannot_pay(
    drawn: LongSession, store: ReadingStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dice_referee.api.session_access.PAGE_LINES", 50)
    # The third page begins the second hundred, and the only permit of the minute is spent.
    answer = service(store, 1).get(f"{drawn.at}/game")
    assert (answer.status_code, answer.get_json()["code"]) == (429, "rate-limited")
    assert store.lines == 150
