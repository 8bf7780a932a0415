"""How many Python functions a request calls: the same at every run, and so a gate for speed."""

import asyncio
import gc
import json
import sys
import time
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from service.http.metrics import count_request, hand_over
from tests.doors.driving import FLASK, FRONT, Question, environ_of

FRONT_DOOR_CALLS = 58
FLASK_CALLS = 250

QUESTIONS = [
    {"card": card, "roll": roll, "keeps": keeps, "carried": carried}
    for card in ("bonus-300", "double", "firework", "straight", "plus-minus", "clover")
    for roll, keeps in (
        ([1, 2, 3, 4, 6, 6], []),
        ([1, 5], [[1], [5], [1], [5]]),
        ([2, 3, 4, 6], [[1], [5]]),
    )
    for carried in (0, 350)
    if card != "straight" or not keeps or len(keeps) == 2
]


@pytest.fixture(autouse=True)
def _no_counts_handed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """Prometheus gets its counts from a timer: here it is started once and never rings."""
    hand_over()
    monkeypatch.setattr("service.http.metrics.PAUSE", 3600.0)
    time.sleep(0.3)
    count_request("GET", "/test", 200, 0.0)


def counted(work: Callable[[], Any]) -> int:
    """The number of Python functions that are entered while the work is done."""
    calls = 0

    def count(frame: FrameType, event: str, arg: object) -> None:
        nonlocal calls
        if event == "call":
            calls += 1

    # A collection in between would count for whoever hooks into it.
    gc.disable()
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
        gc.enable()
    return calls


def question(document: dict[str, Any]) -> Question:
    fields = (
        ("Host", "127.0.0.1:8000"),
        ("Accept", "*/*"),
        ("User-Agent", "curl/8"),
        ("Content-Type", "application/json"),
    )
    return Question("POST", "/v1/tutto/adjudications", "", fields, json.dumps(document).encode())


def front_calls(asked: Question) -> int:
    scope, sent = asked.scope, []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": asked.body, "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    async def ask() -> int:
        # A coroutine that waits for nothing runs to its end at the first step.
        answering = FRONT(scope, receive, send)

        def step() -> None:
            with pytest.raises(StopIteration):
                answering.send(None)

        raised = counted(step) - counted(nothing)
        assert sent[0]["status"] == 200
        return raised

    def nothing() -> None:
        with pytest.raises(StopIteration):
            raise StopIteration

    return asyncio.run(ask())


def flask_calls(asked: Question) -> int:
    environ, status = environ_of(asked), ""

    def start_response(line: str, headers: list[tuple[str, str]], _: Any = None) -> Any:
        nonlocal status
        status = line

    def ask() -> None:
        b"".join(FLASK(environ, start_response))

    calls = counted(ask)
    assert status.startswith("200")
    return calls


@pytest.mark.parametrize(
    ("calls", "limit"), [(front_calls, FRONT_DOOR_CALLS), (flask_calls, FLASK_CALLS)]
)
def test_a_request_calls_no_more_functions_than_it_did(
    calls: Callable[[Question], int], limit: int
) -> None:
    questions = [question(document) for document in QUESTIONS]
    for asked in questions:
        calls(asked)
    numbers = [calls(asked) for asked in questions]
    assert numbers == [calls(asked) for asked in questions], "the same at every run"
    assert max(numbers) <= limit, numbers
