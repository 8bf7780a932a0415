"""Requests are charged by the CPU time of their work, to the limit that admitted them."""

import asyncio
import re
import threading
from collections.abc import Callable, Iterator
from random import Random
from time import thread_time
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from dice_referee.app import asgi_app, create_app
from dice_referee.games.tutto.game import Tutto
from dice_referee.games.tutto.values import odds
from dice_referee.games.tutto.values.tables import ValueTables
from dice_referee.limits.bill import Bill
from dice_referee.limits.counters import CPU_SECONDS, LocalCounter, RateLimitKey
from dice_referee.limits.policies import RatePolicy
from dice_referee.rulebook.value_tables import ValueTableCache
from dice_referee.sessions.redis.store import RedisStore
from dice_referee.settings import Settings
from tests.application import ADJUDICATIONS, BATCH, ROLL, Question, ask_asgi, begin, through_asgi
from tests.sessions.player import choose

ODDS = "/v1/tutto/odds"
REVIEW = "/v1/tutto/reviews"
TEXT = {"Accept": "text/plain"}
PERMIT = CPU_SECONDS / 60
"""CPU seconds that a permit buys under a limit of 60 a minute."""


class Processor:
    """A CPU clock that advances only during the work of the test."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds

    def working(self, seconds: float, function: Callable[..., Any]) -> Callable[..., Any]:
        """Returns the function with this CPU time added to each call."""

        def call(*arguments: Any, **named: Any) -> Any:
            self.seconds += seconds
            return function(*arguments, **named)

        return call


@pytest.fixture
def processor() -> Processor:
    return Processor()


def service(processor: Processor, store: RedisStore | None = None, **limits: Any) -> Flask:
    """Returns a service whose only clock is that of the processor."""
    settings = Settings(rate_loopback=True, rate_sessions=0, **limits)
    app = create_app(settings, store, work=processor)
    app.extensions["dice-referee"].services.limiter.counter = LocalCounter(lambda: 10**18)
    return app


def remaining_permits(answer: TestResponse) -> int:
    match = re.search(r";r=(\d+);", answer.headers["RateLimit"])
    assert match, answer.headers
    return int(match[1])


@pytest.fixture
def slow_verdicts(processor: Processor, monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Returns a function that sets the CPU time of each call for verdicts."""
    original = Tutto.adjudicate_all

    def slow(seconds: float) -> None:
        monkeypatch.setattr(Tutto, "adjudicate_all", processor.working(seconds, original))

    return slow


@pytest.mark.parametrize(
    ("seconds", "cost"), [(0.0, 1), (PERMIT, 1), (1.5 * PERMIT, 2), (10 * PERMIT, 10)]
)
def test_ratelimit_header_includes_the_charge_of_its_request(
    processor: Processor, slow_verdicts: Callable[[float], None], seconds: float, cost: int
) -> None:
    slow_verdicts(seconds)
    client = service(processor, rate_batch=60).test_client()
    assert remaining_permits(client.post(BATCH, json={"positions": [ROLL]})) == 60 - cost


def test_verdict_in_the_event_loop_is_charged(
    processor: Processor, slow_verdicts: Callable[[float], None]
) -> None:
    slow_verdicts(3 * PERMIT)
    reply = ask_asgi(
        Question.post(ADJUDICATIONS, ROLL), asgi_app(service(processor, rate_stateless=60))
    )
    assert reply.headers["ratelimit"] == '"stateless";r=57;t=3'


def test_first_part_in_the_event_loop_is_charged_once(
    processor: Processor, monkeypatch: pytest.MonkeyPatch
) -> None:
    empty_cache(monkeypatch)
    slow = processor.working(2 * PERMIT, Tutto.question_of)
    monkeypatch.setattr(Tutto, "question_of", slow)
    question = Question.post(ODDS, {"reach": 7050})
    reply = ask_asgi(question, asgi_app(service(processor, rate_odds=60)))
    # The loop reads the question, and the heavy thread continues with its missing value tables.
    assert reply.headers["ratelimit"] == '"odds";r=58;t=2'


def test_refusal_is_charged(processor: Processor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "dice_referee.api.documents.parse", processor.working(5 * PERMIT, lambda *_: {})
    )
    client = service(processor, rate_stateless=60).test_client()
    answer = client.post(ADJUDICATIONS, json={})
    assert (answer.status_code, remaining_permits(answer)) == (400, 55)


def test_client_in_debt_is_refused_without_work(
    processor: Processor, slow_verdicts: Callable[[float], None]
) -> None:
    slow_verdicts(1.5 * CPU_SECONDS)
    client = service(processor, rate_batch=60).test_client()
    first = client.post(BATCH, json={"positions": [ROLL]})
    assert (first.status_code, remaining_permits(first)) == (200, 0)
    spent = processor.seconds
    refused = client.post(BATCH, json={"positions": [ROLL]})
    # The client owes 90 s, and after 59 s a permit is free.
    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "31")
    assert refused.headers["RateLimit"] == '"batch";r=0;t=31'
    assert processor.seconds == spent


def test_debt_is_capped_at_one_further_minute(
    processor: Processor, slow_verdicts: Callable[[float], None]
) -> None:
    slow_verdicts(100 * CPU_SECONDS)
    client = service(processor, rate_batch=60).test_client()
    for _ in range(2):
        answer = client.post(BATCH, json={"positions": [ROLL]})
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "61")


@pytest.mark.parametrize("accept", ["application/json", "application/x-ndjson", "text/plain"])
def test_positions_beyond_the_debt_are_refused_alone(
    processor: Processor, monkeypatch: pytest.MonkeyPatch, accept: str
) -> None:
    # A client may owe two minutes. Each position takes a little more than a fifth of them.
    fifth = 2.1 * CPU_SECONDS / 5
    slow = processor.working(fifth, Tutto.adjudicate_all)
    monkeypatch.setattr(Tutto, "adjudicate_all", slow)
    monkeypatch.setattr("dice_referee.api.batches.POSITIONS_AT_A_TIME", 1)
    monkeypatch.setattr(
        "dice_referee.sentences.speech.adjudication",
        processor.working(fifth, lambda *_: ("ok", ["Fine."])),
    )
    client = service(processor, rate_batch=60).test_client()
    lines = b"\n".join([b'{"card":"bonus-200","roll":[1,2,3,4,6,6]}'] * 8)
    kind = "application/x-ndjson"
    if accept == "application/json":
        answer = client.post(BATCH, json={"positions": [ROLL] * 8})
        problems = [one.get("code") for one in answer.get_json()["answers"]]
    else:
        answer = client.post(BATCH, data=lines, content_type=kind, headers={"Accept": accept})
        word = "Too many requests" if accept == "text/plain" else '"code":"rate-limited"'
        parts = answer.text.split("\n\n" if accept == "text/plain" else "\n")
        problems = ["rate-limited" if word in one else None for one in parts if one.strip()]
    assert answer.status_code == 200
    assert problems == [None] * 5 + ["rate-limited"] * 3


def test_streamed_chunks_are_charged_as_they_are_computed(
    processor: Processor, slow_verdicts: Callable[[float], None]
) -> None:
    slow_verdicts(PERMIT)
    client = service(processor, rate_batch=60).test_client()
    lines = b"\n".join([b'{"card":"bonus-200","roll":[1,2,3,4,6,6]}'] * 10)
    answer = client.post(BATCH, data=lines, content_type="application/x-ndjson")
    # The head is sent before the first chunk is computed.
    assert remaining_permits(answer) == 59
    assert len(answer.text.splitlines()) == 10
    assert remaining_permits(client.post(BATCH, json={"positions": []})) == 49


def test_limit_is_checked_again_when_the_heavy_thread_is_free(
    processor: Processor, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = asgi_app(service(processor, rate_batch=60))
    gate, original = threading.Event(), Tutto.adjudicate_all
    limiter = app.services.limiter
    counter, key = limiter.counter, limiter.key(RatePolicy.BATCH, "127.0.0.1", None)
    assert key is not None

    def held(*arguments: Any) -> Any:
        assert gate.wait(60)
        processor.seconds += 1.5 * CPU_SECONDS
        return original(*arguments)

    monkeypatch.setattr(Tutto, "adjudicate_all", held)
    question = Question.post(BATCH, {"positions": [ROLL]})

    async def both() -> list[int]:
        pair = [asyncio.ensure_future(through_asgi(question, app)) for _ in range(2)]
        await asyncio.sleep(0)
        assert counter.charge(key, 0).remaining == 58, "both are admitted"
        gate.set()
        return [reply.status for reply in await asyncio.gather(*pair)]

    assert asyncio.run(both()) == [200, 429]
    assert processor.seconds == 1.5 * CPU_SECONDS


# Value tables -----------------------------------------------------------------------------------


def empty_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    cache = ValueTableCache(ValueTables, odds.VALUE_TABLES.published, 64)
    monkeypatch.setattr(odds, "VALUE_TABLES", cache)
    monkeypatch.setattr(Tutto, "value_tables", cache)


@pytest.fixture
def slow_tables(processor: Processor, monkeypatch: pytest.MonkeyPatch) -> None:
    """Charges the CPU time of 12.5 permits for each value table."""
    empty_cache(monkeypatch)
    prepare = Tutto.prepare

    def slow(self: Tutto, question: Any) -> None:
        processor.seconds += 12.5 * PERMIT
        prepare(self, question)

    monkeypatch.setattr(Tutto, "prepare", slow)


@pytest.mark.usefixtures("slow_tables")
def test_unpublished_table_is_charged_once(processor: Processor) -> None:
    client = service(processor, rate_odds=60).test_client()
    assert remaining_permits(client.post(ODDS, json={"reach": 7150})) == 47
    assert remaining_permits(client.post(ODDS, json={"reach": 7150})) == 46


@pytest.mark.usefixtures("slow_tables")
def test_tables_of_published_rulesets_are_free(processor: Processor) -> None:
    client = service(processor, rate_odds=60).test_client()
    for number, ruleset in enumerate(Tutto().rulesets, 1):
        assert remaining_permits(client.post(ODDS, json={"ruleset": ruleset})) == 60 - number


def two_turns(*points: int) -> dict[str, Any]:
    """Returns a game of two players who write these points in turn, reviewed with aim `win`."""
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


@pytest.mark.long
@pytest.mark.usefixtures("slow_tables")
def test_repeated_review_continues_with_the_tables_built(processor: Processor) -> None:
    game, tables = two_turns(*[50] * 24), list[float]()
    for _ in range(2):
        client = service(processor, rate_batch=60).test_client()
        refused = client.post(REVIEW, json=game)
        assert refused.status_code == 429
        assert refused.headers["RateLimit-Policy"] == '"batch";q=60;w=60'
        tables.append(processor.seconds / (12.5 * PERMIT))
    # Two minutes of debt pay for ten tables. The second attempt builds ten more.
    assert tables == pytest.approx([10, 20])


def test_review_of_too_many_pairs_is_refused_as_too_large(processor: Processor) -> None:
    client = service(processor, rate_batch=60).test_client()
    answer = client.post(REVIEW, json=two_turns(*70 * [50]))
    assert (answer.status_code, answer.get_json()["code"]) == (413, "too-large")


# Sessions ---------------------------------------------------------------------------------------


@pytest.fixture
def store(redis_url: str) -> Iterator[RedisStore]:
    store = RedisStore(redis_url, 5000)
    yield store
    store.close()


@pytest.mark.usefixtures("slow_tables")
def test_bot_without_permits_for_its_table_makes_no_move(
    processor: Processor, store: RedisStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    bots, client = [{"seat": 1, "level": "perfect"}], service(processor, store).test_client()
    table, chance = begin(client, game="tutto", players=["A", "B"], bots=bots), Random(1)
    decided = processor.working(2 * CPU_SECONDS, Tutto.bot_question)
    monkeypatch.setattr(Tutto, "bot_question", staticmethod(decided))
    status = 200
    while status == 200:
        state = table.get().get_json()
        assert state["player"] == 0
        status = table.post("events", choose(state, chance)).status_code
    assert status == 429
    monkeypatch.undo()
    client = service(processor, store).test_client()
    assert client.get(table.at).get_json()["version"] == state["version"]


# Measurement ------------------------------------------------------------------------------------


def test_bill_sums_the_work_of_all_parts() -> None:
    processor, key = Processor(), RateLimitKey("me", "batch", 60)
    counter = LocalCounter(lambda: 10**18)
    bill = Bill(counter, key, processor)
    bill.admit()
    for _ in range(3):
        # The time between the parts is not charged.
        processor.seconds += 100
        with bill:
            processor.seconds += PERMIT
    assert counter.charge(key, 0).remaining == 57


def test_charge_equals_the_cpu_time_of_the_thread() -> None:
    app = create_app(Settings(rate_loopback=True, rate_batch=10**7))
    counter = LocalCounter(lambda: 10**18)
    app.extensions["dice-referee"].services.limiter.counter = counter
    client, batch = app.test_client(), {"positions": [ROLL] * 2000}
    client.post(BATCH, json=batch)
    before, began = remaining_permits(client.post(BATCH, json={})), thread_time()
    answer = client.post(BATCH, json=batch)
    used = (thread_time() - began) * 10**7 / CPU_SECONDS
    assert 0.2 * used < before - remaining_permits(answer) <= used + 1
