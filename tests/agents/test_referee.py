"""Answers to an agent, and retries after failures of the service."""

import asyncio
import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

from dice_referee.agents.referee import ATTEMPTS, LONGEST_WAIT, MOST_BYTES, Referee, RefusedError
from tests.wire import listening

CREATED = '{"session": {"id": "abc"}, "host_token": "secret"}'
TWICE = '{"rule": "T1.1", "detail": "Six dice."}'
AWAY = (
    '{"title": "Sessions away", "detail": "Redis is away.",'
    ' "errors": [{"pointer": "", "detail": "An object."}],'
    f' "findings": [{TWICE}, {TWICE}]}}'
)


class Scripted(NamedTuple):
    """A scripted answer. The status 0 closes the connection instead."""

    status: int
    text: str = ""
    media_type: str = "text/plain; charset=utf-8"
    retry_after: str = ""


BEGIN = [Scripted(201, CREATED, "application/json"), Scripted(200, "Ada to play.")]


class Service:
    """A server that sends scripted answers and records the requests."""

    def __init__(self) -> None:
        self.script: list[Scripted] = []
        self.requests: list[tuple[str, str | None, str | None]] = []
        notes, script = self.requests, self.script

        class Handler(BaseHTTPRequestHandler):
            def handle_any(self) -> None:
                key, token = self.headers["Idempotency-Key"], self.headers["Authorization"]
                notes.append((f"{self.command} {self.path}", key, token))
                self.rfile.read(int(self.headers.get("Content-Length", 0)))
                answer = script.pop(0)
                if not answer.status:
                    self.close_connection = True
                    return
                self.send_response(answer.status)
                self.send_header("Content-Type", answer.media_type)
                self.send_header("Content-Length", str(len(answer.text)))
                if answer.retry_after:
                    self.send_header("Retry-After", answer.retry_after)
                self.end_headers()
                self.wfile.write(answer.text.encode())

            do_GET = do_POST = handle_any  # noqa: N815

            def log_message(self, *_: object) -> None:
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def ask(self, *calls: tuple[str, dict[str, Any]]) -> list[str]:
        """Returns the answers to calls. A refusal is its message after an exclamation mark."""

        async def conversation() -> list[str]:
            referee = Referee(self.url, None)
            texts = []
            for tool, arguments in calls:
                try:
                    texts.append((await referee.answer(tool, arguments)).text)
                except RefusedError as refusal:
                    texts.append(f"!{refusal}")
            return texts

        return asyncio.run(conversation())


@pytest.fixture
def service() -> Iterator[Service]:
    service = Service()
    with listening(service.server):
        yield service


BEGUN = ("begin", {"game": "tutto", "players": ["Ada", "Ben"]})
MOVE = ("move", {"session": "abc", "event": {"type": "draw"}})
LOOK = ("look", {"session": "abc"})


@pytest.mark.parametrize(
    "failure",
    [Scripted(0), Scripted(503, "Away.", retry_after="0"), Scripted(429, "Slow.", retry_after="0")],
)
def test_retried_move_has_the_same_idempotency_key(service: Service, failure: Scripted) -> None:
    service.script += [*BEGIN, failure, Scripted(200, "Ada draws."), Scripted(200, "Ada rolls.")]
    begun, *moved = service.ask(BEGUN, MOVE, MOVE)
    assert begun == f"session: abc\ntable: {service.url}/table/abc\n\nAda to play."
    assert moved == ["Ada draws.", "Ada rolls."]
    first, repeat, second = service.requests[2:]
    assert first == repeat
    assert first[0] == "POST /v1/sessions/abc/events"
    assert first[1]
    assert first[2] == "Bearer secret"
    assert second[1] != first[1]
    assert all(key is None for _, key, _ in service.requests[:2]), "requests that begin have no key"


def test_persistent_failure_is_reported_after_the_last_attempt(service: Service) -> None:
    service.script += [Scripted(503, "Away.", retry_after="0")] * ATTEMPTS
    assert service.ask(LOOK) == ["!Away.\nTry again in 0 s."]
    assert not service.script


def test_retry_waits_for_retry_after(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    waits = list[float]()

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    monkeypatch.setattr("dice_referee.agents.referee.asyncio", SimpleNamespace(sleep=sleep))
    for seconds in range(LONGEST_WAIT + 1):
        service.script += [Scripted(429, "Slow.", retry_after=f"{seconds}"), Scripted(200, "Ada.")]
        assert service.ask(LOOK) == ["Ada."]
    assert waits == [*range(LONGEST_WAIT + 1)]


@pytest.mark.parametrize("after", [f"{LONGEST_WAIT + 1}", "57", "Wed, 25 Nov 2026 18:00:00 GMT"])
def test_long_retry_after_is_reported_to_the_agent(service: Service, after: str) -> None:
    service.script += [Scripted(429, "Too many requests.", retry_after=after)]
    when = f"in {after} s" if after.isdecimal() else f"after {after}"
    assert service.ask(LOOK) == [f"!Too many requests.\nTry again {when}."]


def test_json_problem_becomes_sentences(service: Service) -> None:
    service.script += [Scripted(502, AWAY, "application/problem+json")]
    assert service.ask(LOOK) == ["!Sessions away.\n/: An object.\nT1.1: Six dice."]


def test_foreign_server_is_recognized(service: Service) -> None:
    service.script += [Scripted(200, "<html>" * 10000, "text/html")]
    [text] = service.ask(LOOK)
    assert text == f"!{service.url}/v1/sessions/abc is not a Dice Referee: 200 text/html"


@pytest.mark.long
@pytest.mark.parametrize("url", ["http://127.0.0.1:9", "localhost:8000", "http://[x"])
def test_unreachable_address_is_named(url: str, service: Service) -> None:
    service.url = url
    [text] = service.ask(LOOK)
    assert text.startswith(f"!{url} does not answer: ")


@pytest.mark.parametrize("status", [404, 410])
def test_missing_session_is_reported_in_terms_of_the_tools(service: Service, status: int) -> None:
    service.script += [Scripted(status, "Not found.\nCreate another with POST /v1/sessions.")]
    assert service.ask(LOOK) == ["!No session abc, or no longer: begin starts one."]


def test_large_fields_are_omitted_and_named(service: Service) -> None:
    large, larger = [7] * 1000, [7] * 2000
    document = {"legal": True, "categories": larger, "rules": ["Y1.1"], "totals": large}
    service.script += [
        Scripted(200, "Write."),
        Scripted(200, json.dumps(document), "application/json"),
    ]
    arguments = {"game": "yatzee", "position": {}}
    reply = asyncio.run(Referee(service.url, None).answer("adjudicate", arguments))
    fields = {"legal": True, "rules": ["Y1.1"], "totals": large}
    assert reply.document == {**fields, "omitted": ["categories"]}
    assert len(json.dumps(reply.document)) <= MOST_BYTES
