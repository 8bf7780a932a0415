"""The permits that the content of a request costs beyond its admission."""

import json
import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from dice_referee.app import create_app
from dice_referee.limits.counters import LocalCounter
from dice_referee.sessions.redis.store import RedisStore
from dice_referee.settings import Settings
from flask import Flask
from werkzeug.test import TestResponse

from tests.application import begin
from tests.sessions.player import choose
from tests.tools.examples import operations

ROLL: dict[str, Any] = {"card": "double", "roll": [1, 2, 3, 4, 5, 5]}
KEEP = {"type": "keep", "dice": [1]}
TEXT = {"Accept": "text/plain"}


def service(store: RedisStore | None = None, **limits: Any) -> Flask:
    """Returns a service whose clock stands still."""
    app = create_app(Settings(rate_loopback=True, **limits), store)
    app.extensions["dice-referee"].services.limiter.counter = LocalCounter(lambda: 10**18)
    return app


def left(answer: TestResponse) -> int:
    match = re.search(r";r=(\d+);", answer.headers["RateLimit"])
    assert match, answer.headers
    return int(match[1])


@pytest.mark.parametrize(
    ("path", "positions", "headers", "cost"),
    [
        ("adjudications", 499, {}, 1),
        ("adjudications", 500, {}, 2),
        ("adjudications", 199, TEXT, 1),
        ("adjudications", 200, TEXT, 2),
        ("odds", 149, {}, 1),
        ("odds", 300, {}, 3),
        ("odds", 99, TEXT, 1),
        ("odds", 200, TEXT, 3),
    ],
)
def test_a_batch_costs_permits_by_its_positions(
    path: str, positions: int, headers: dict[str, str], cost: int
) -> None:
    client, batch = service(rate_batch=60).test_client(), {"positions": [ROLL] * positions}
    target = f"/v1/tutto/{path}/batch"
    assert left(client.post(target, json=batch, headers=headers)) == 60 - cost
    lines = b"\n".join([json.dumps(ROLL).encode()] * positions)
    fields = {"Content-Type": "application/x-ndjson", **headers}
    assert left(client.post(target, data=lines, headers=fields)) == 60 - 2 * cost


def test_positions_that_take_long_count_as_eight() -> None:
    client = service(rate_batch=60).test_client()
    batch = {"positions": [{"aim": "game"}] * 100}
    answer = client.post("/v1/yatzee/odds/batch", json=batch)
    assert left(answer) == 59 - 7 * 100 // 150


def test_events_of_a_long_review_count_as_eight() -> None:
    client = service(rate_batch=60).test_client()
    log = {"players": ["A"], "aim": "game", "log": [{"type": "throw", "dice": [1] * 6}] * 100}
    assert left(client.post("/v1/yatzee/games/review", json=log)) == 57


def test_a_review_costs_permits_by_its_events() -> None:
    client = service(rate_batch=60).test_client()
    for events, remaining in ((399, 59), (400, 57)):
        # The charge precedes the verdict that the first event is illegal.
        log = {"players": ["A", "B"], "log": [KEEP] * events}
        assert left(client.post("/v1/tutto/games/review", json=log)) == remaining


HEAVY = [
    path.replace("{game}", "tutto")
    for path, method, operation in operations()
    if method == "post"
    and path.endswith(("/batch", "/games", "/review", "/comparisons", "/verify"))
]


@pytest.mark.parametrize("path", HEAVY)
def test_a_body_costs_permits_by_its_length(path: str) -> None:
    client = service(rate_batch=60).test_client()
    for size, remaining in (((1 << 17) - 1, 59), (3 << 17, 55)):
        answer = client.post(path, data=b"{}".ljust(size), content_type="application/json")
        assert left(answer) == remaining


@pytest.mark.parametrize("path", ["/v1/tutto/adjudications", "/v1/tutto/transitions"])
def test_a_body_that_no_position_needs_costs_more(path: str) -> None:
    client = service(rate_stateless=60).test_client()
    for size, remaining in ((4095, 59), (5 << 12, 53)):
        answer = client.post(path, data=b"{}".ljust(size), content_type="application/json")
        assert left(answer) == remaining


def test_no_request_costs_more_than_a_minute() -> None:
    batch = {"positions": [ROLL] * 10_000}
    client = service(rate_batch=3).test_client()
    target = "/v1/tutto/adjudications/batch"
    assert client.post(target, json=batch).status_code == 200
    refused = client.post(target, json=batch)
    assert (refused.status_code, left(refused)) == (429, 0)


def test_a_batch_that_costs_more_than_is_left_is_refused() -> None:
    client = service(rate_batch=5).test_client()
    target = "/v1/tutto/odds/batch"
    assert left(client.post(target, json={"positions": [ROLL] * 450})) == 1
    answer = client.post(target, json={"positions": [ROLL] * 150})
    assert answer.status_code == 429
    assert answer.get_json()["type"] == "/problems/rate-limited"
    assert answer.headers["Retry-After"] == "12"


# Tables that bots need --------------------------------------------------------------------------


@pytest.fixture
def store(redis_url: str) -> Iterator[RedisStore]:
    store = RedisStore(redis_url, 5000)
    yield store
    store.close()


def against(level: str, target: int, seat: int = 1) -> dict[str, Any]:
    """Returns the setup of a session whose tables no other test uses."""
    bots = [{"seat": seat, "level": level}]
    options = {"target": target, "double_scope": "card"}
    return {"game": "tutto", "players": ["A", "B"], "bots": bots, "options": options}


PERFECT = {
    "game": "tutto",
    "players": ["A", "B"],
    "bots": [{"seat": 1, "level": "perfect"}],
}


@pytest.mark.parametrize("setup", [against("best", 77_100), PERFECT], ids=["best", "perfect"])
def test_a_bot_whose_table_is_refused_makes_no_move(
    setup: dict[str, Any], store: RedisStore
) -> None:
    app = service(store, rate_tables=1)
    client = app.test_client()
    # The two cases must not share tables.
    target = 77_000 if setup is PERFECT else 78_000
    # The bot begins, so its table is built and charged before the session exists.
    assert client.post("/v1/sessions", json=against("best", target, seat=0)).status_code == 201
    refused = client.post("/v1/sessions", json=against("best", target + 50, seat=0))
    assert refused.status_code == 429
    assert refused.headers["RateLimit-Policy"] == '"tables";q=1;w=60'

    table, chance = begin(client, **setup), Random(1)
    # Other tests may have built the first tables of the bot.
    for _ in range(100):
        state = table.get().get_json()
        assert state["player"] == 0
        answer = table.post("events", choose(state, chance))
        if answer.status_code == 429:
            break
    assert answer.headers["RateLimit-Policy"] == '"tables";q=1;w=60'
    assert table.get().get_json()["version"] == state["version"]


def two_turns(*points: int) -> dict[str, Any]:
    """Returns a game of two who write these points in turn, for a review of the aim to win."""
    log = list[dict[str, Any]]()
    for score in points:
        rest = {1000: [2, 3, 4], 1050: [5, 2, 3], 1100: [1, 2, 3], 1150: [1, 5, 2]}.get(score)
        dice = [5, 2, 2, 3, 4, 6] if rest is None else [1, 1, 1, *rest]
        log += [
            {"type": "draw", "card": "bonus-200"},
            {"type": "roll", "dice": dice},
            {"type": "bank"},
        ]
    return {"aim": "win", "players": ["A", "B"], "log": log}


def test_a_review_pays_for_its_new_pairs_alone() -> None:
    client, target = service(rate_tables=1).test_client(), "/v1/tutto/games/review"
    # A minute's permits cover any review. Its tables are free afterwards.
    for _ in range(2):
        assert client.post(target, json=two_turns(1100, 1150, 1050)).status_code == 200
    assert client.post(target, json=two_turns(1100, 1150, 1000)).status_code == 200
    refused = client.post(target, json=two_turns(1150, 1100, 1150))
    assert refused.status_code == 429
    assert refused.headers["RateLimit-Policy"] == '"tables";q=1;w=60'


def test_a_review_of_too_many_pairs_makes_none() -> None:
    client, target = service(rate_tables=1).test_client(), "/v1/tutto/games/review"
    answer = client.post(target, json=two_turns(*70 * [50]))
    assert (answer.status_code, answer.get_json()["code"]) == (413, "too-large")


def test_a_plain_bot_needs_no_table(store: RedisStore) -> None:
    client = service(store, rate_tables=1).test_client()
    for level in ("careful", "bold", "careful"):
        begun = client.post("/v1/sessions", json=against(level, 77_200, seat=0))
        assert begun.status_code == 201
    assert client.post("/v1/sessions", json=against("best", 77_200, seat=0)).status_code == 201


def test_decisions_of_bots_cost_permits(store: RedisStore) -> None:
    client = service(store, rate_events=1000).test_client()
    bots = [{"seat": seat, "level": "bold"} for seat in range(1, 10)]
    table, chance = begin(client, players=[*"ABCDEFGHIJ"], bots=bots), Random(1)
    costs = set[bool]()
    while costs != {True, False}:
        state, before = table.get().get_json(), left(table.get())
        answer = table.post("events", choose(state, chance))
        decisions = answer.get_json()["session"]["version"] - state["version"] - 1
        assert before - left(answer) == 1 + decisions // 25
        costs.add(decisions >= 25)


def test_decision_of_a_perfect_bot_costs_as_much_as_twelve(store: RedisStore) -> None:
    client = service(store, rate_events=1000).test_client()
    bots = [{"seat": 0, "level": "perfect"}]
    setup = {"game": "yatzee", "players": ["A", "B"], "bots": bots}
    # Each creation and the last question are one permit; two decisions cost no further one.
    spent, decisions = 1, 0
    while decisions < 3:
        decisions = client.post("/v1/sessions", json=setup).get_json()["session"]["version"]
        spent += 1 + 12 * decisions // 25
    answer = client.get("/v1/sessions/AAAAAAAAAAAAAAAAAAAAAA")
    assert 1000 - left(answer) == spent
