"""Every cap equals its setting at both servers: a request above the cap is refused."""

import json
import time
from dataclasses import replace
from functools import partial
from itertools import count
from typing import Any

import pytest
from redis import Redis

from dice_referee.api.i18n import detail
from dice_referee.app import create_app
from dice_referee.sessions.redis.store import RedisStore
from dice_referee.sessions.store import StoreUnavailable
from dice_referee.settings import Settings
from tests.application import (
    ADJUDICATIONS,
    BATCH,
    GAMES,
    JSON_FIELD,
    QUERY,
    ROLL,
    Fields,
    Question,
    Servers,
    accepted,
    begin,
    refused,
)
from tests.engines.servers import ENGINES, Single
from tests.stopwatch import Stopwatch
from tests.unlimited import MOST, UNLIMITED

PLAIN: Fields = (JSON_FIELD, ("X-Request-ID", "cap-1"))
LINES: Fields = (("Content-Type", "application/x-ndjson"), ("X-Request-ID", "cap-1"))
NESTED = {"card": "bonus-200", "keeps": [[1]], "roll": [1, 2, 3, 4, 6]}


posted = partial(Question.post, fields=PLAIN)


def game(events: int) -> dict[str, Any]:
    return {"players": ["Ada", "Ben"], "log": [{"type": "draw", "card": "stop"}] * events}


def lines(number: int) -> bytes:
    return json.dumps(ROLL).encode().join([b""] + [b"\n"] * number)


CAPS: dict[str, tuple[dict[str, Any], Question, Question, str, int]] = {
    "body": (
        {"body_limit": 80},
        posted(ADJUDICATIONS, ROLL, size=80),
        posted(ADJUDICATIONS, ROLL, size=81),
        *("too-large", 413),
    ),
    "body of a batch": (
        {"body_limit": 1, "batch_body_limit": 80},
        posted(BATCH, {"positions": [ROLL]}, size=80),
        posted(BATCH, {"positions": [ROLL]}, size=81),
        *("too-large", 413),
    ),
    "query": (
        {"query_limit": len(QUERY)},
        Question("GET", ADJUDICATIONS, QUERY, PLAIN),
        Question("GET", ADJUDICATIONS, f"{QUERY}&carried=0", PLAIN),
        *("query-too-long", 414),
    ),
    "query of a POST": (
        {"query_limit": 3},
        posted(ADJUDICATIONS, ROLL)._replace(query="a=b"),
        posted(ADJUDICATIONS, ROLL)._replace(query="a=bc"),
        *("query-too-long", 414),
    ),
    "nesting": (
        {"nesting_limit": 2},
        posted(ADJUDICATIONS, ROLL),
        posted(ADJUDICATIONS, NESTED),
        *("malformed-json", 400),
    ),
    "nesting of a batch": (
        {"nesting_limit": 4},
        posted(BATCH, {"positions": [ROLL]}),
        posted(BATCH, {"positions": [NESTED]}),
        *("malformed-json", 400),
    ),
    "batch": (
        {"batch_limit": 2},
        posted(BATCH, {"positions": [ROLL] * 2}),
        posted(BATCH, {"positions": [ROLL] * 3}),
        *("too-large", 413),
    ),
    "batch by lines": (
        {"batch_limit": 2},
        Question.post(BATCH, lines(2), LINES),
        Question.post(BATCH, lines(3), LINES),
        *("too-large", 413),
    ),
    "log": ({"log_limit": 2}, posted(GAMES, game(2)), posted(GAMES, game(3)), "too-large", 413),
}


@pytest.mark.parametrize(("caps", "least", "more", "code", "status"), CAPS.values(), ids=CAPS)
def test_cap_admits_its_number_and_refuses_more(
    caps: dict[str, Any], least: Question, more: Question, code: str, status: int
) -> None:
    servers = Servers.of(replace(UNLIMITED, **caps))
    taken, refused = servers.ask(least), servers.ask(more)
    assert taken[0] == taken[1]
    assert taken[0].status == 200, taken
    assert refused[0] == refused[1]
    assert refused[0].status == status, refused
    assert json.loads(refused[0].body)["type"] == f"/problems/{code}"
    # The default caps accept the refused request.
    assert [reply.status for reply in Servers.of(UNLIMITED).ask(more)] == [200, 200]


def test_last_fifth_of_memory_is_reserved_for_existing_sessions() -> None:
    begun = {"game": "tutto", "players": ["Ada", "Ben"]}
    with Single(ENGINES[0]) as redis:
        store = RedisStore(redis.url, 5000)
        client = create_app(UNLIMITED, store).test_client()
        # Makes the memory of connections negligible.
        redis.ask("SETRANGE", "ballast", 64 << 20, "x")
        used = int(redis.info("memory")["used_memory"])
        table = begin(client)

        redis.ask("CONFIG", "SET", "maxmemory", int(used / 0.82))
        creation = client.post("/v1/sessions", json=begun)
        assert refused(creation, "sessions-full", 503)["detail"] == detail("store-full", "en")
        assert creation.headers["Retry-After"] == "60"
        assert client.get("/readyz").get_json()["sessions"] == "ok"
        accepted(table.post("seats/0/arrival", None, table.seats[0]))
        accepted(table.post("events", {"type": "draw"}))
        accepted(table.post("abandon"))
        assert refused(table.post("rematch"), "sessions-full", 503)
        headers = {"Authorization": f"Bearer {table.host}"}
        assert client.delete(table.at, headers=headers).status_code == 200

        redis.ask("CONFIG", "SET", "maxmemory", int(used / 0.78))
        assert client.post("/v1/sessions", json=begun).status_code == 201
        store.close()


def test_session_may_live_as_long_as_the_settings_allow(redis_url: str) -> None:
    longest = Settings.read({"SESSION_TTL": str(MOST["SESSION_TTL"])})
    store = RedisStore(redis_url, MOST["REDIS_TIMEOUT_MS"])
    client = create_app(longest, store).test_client()
    table = begin(client)
    accepted(table.post("events", {"type": "draw"}))
    with Redis.from_url(redis_url) as redis:
        left = redis.ttl(f"referee:{{{table.id}}}")
    assert MOST["SESSION_TTL"] - 3600 < left <= MOST["SESSION_TTL"]
    store.close()


def test_wait_parameter_is_bounded_by_the_wait_limit(redis_url: str) -> None:
    store = RedisStore(redis_url, 5000)
    client = create_app(replace(UNLIMITED, wait_limit=1), store).test_client()
    created = client.post("/v1/sessions", json={"game": "tutto", "players": ["Ada", "Ben"]})
    watch, started = Stopwatch(), time.monotonic()
    answer = client.get(f"{created.headers['Location']}/events?wait=30")
    assert answer.get_json()["events"] == []
    assert time.monotonic() - started > 0.9
    assert watch.seconds < 25
    store.close()


def test_store_failure_during_a_poll_is_a_503(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = RedisStore(redis_url, 5000)
    client = create_app(UNLIMITED, store).test_client()
    created = client.post("/v1/sessions", json={"game": "tutto", "players": ["Ada", "Ben"]})
    read, readings = store.log, count()

    def log(*arguments: Any) -> Any:
        if next(readings):
            raise StoreUnavailable
        return read(*arguments)

    monkeypatch.setattr(store, "log", log)
    answer = client.get(f"{created.headers['Location']}/events?wait=2")
    assert answer.status_code == 503
    assert answer.get_json()["type"] == "/problems/sessions-away"
    store.close()
