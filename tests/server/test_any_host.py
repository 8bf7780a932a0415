"""The ASGI application under plain uvicorn, and what any other host may send it."""

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from dice_referee.app import asgi_app, create_app
from dice_referee.http1.request_head import checked
from dice_referee.server.asgi_messages import Message
from tests.application import ADJUDICATIONS, ASGI, ROLL_JSON, Question
from tests.engines.servers import DEADLINE, free_port, wait_until
from tests.programs import ROOT, SOURCES
from tests.unlimited import UNLIMITED, UNLIMITED_ENVIRONMENT
from tests.wire import Line, Stream, begin, request


class Uvicorn(Line):
    """The service under ``uvicorn`` without gunicorn."""

    ended = ""
    """Log of the whole life."""

    def __init__(self, redis_url: str) -> None:
        self.port = free_port()
        self._log = tempfile.TemporaryFile()  # noqa: SIM115
        command = [sys.executable, "-m", "uvicorn", "--no-proxy-headers", "--no-access-log"]
        self.process = subprocess.Popen(
            [*command, "--port", str(self.port), "dice_referee.asgi:app"],
            cwd=ROOT,
            env={
                **os.environ,
                "PYTHONPATH": str(SOURCES),
                "REDIS_URL": redis_url,
                "REDIS_TIMEOUT_MS": "5000",
                **UNLIMITED_ENVIRONMENT,
            },
            stderr=self._log,
        )
        wait_until("uvicorn answers", self._is_up)

    def _is_up(self) -> bool:
        assert self.process.poll() is None, self.log()
        try:
            return self.ask("GET", "/livez").status == 200
        except OSError:
            return False

    def log(self) -> str:
        """Returns the log so far."""
        return os.pread(self._log.fileno(), 1 << 20, 0).decode()

    def stop(self) -> None:
        """Stops the host in order."""
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(DEADLINE)

    def close(self) -> None:
        """Drops the log."""
        self._log.close()


@contextmanager
def hosted(redis_url: str) -> Iterator[Uvicorn]:
    """Runs a host during a block."""
    host = Uvicorn(redis_url)
    try:
        yield host
    finally:
        host.stop()
        host.ended = host.log()
        host.close()


@pytest.fixture(scope="module")
def host(redis_url: str) -> Iterator[Uvicorn]:
    with hosted(redis_url) as running:
        yield running


def test_verdict_is_answered_under_any_host(host: Uvicorn) -> None:
    assert host.ask("POST", ADJUDICATIONS, ROLL_JSON).status == 200


def test_session_and_its_stream_run_under_any_host(host: Uvicorn) -> None:
    table = begin(host)
    table.seed("one")
    with host.wire() as wire:
        stream = Stream(wire, f"{table.at}/stream")
        assert stream.status == 200
        assert stream.line() == "retry: 1000"
        assert stream.event()["id"] == "1"
        table.seed("two")
        assert stream.event()["id"] == "2"


@pytest.mark.parametrize(
    ("raw", "status"),
    [
        (request("GET", "/v1/tutto%2Frules", close=True), 404),
        (request("GET", "/v1/tutto/rules", close=True), 200),
        (b"GET /v1/tutto/rules HTTP/1.1\r\nConnection: close\r\n\r\n", 400),
        (request("GET", "/v1/tutto/rules", None, "Host: other", close=True), 400),
        (request("GET", "http://localhost/v1/tutto/rules", close=True), 200),
        (request("GET", "/v1/tutto/rules", None, "Expect: x", close=True), 417),
    ],
    ids=["slash", "plain", "no host", "hosts", "absolute", "expect"],
)
def test_host_changes_no_status(host: Uvicorn, raw: bytes, status: int) -> None:
    reply, _ = host.ask_raw(raw)
    assert reply.status == status
    assert reply.headers["content-type"].startswith("application/")


def test_host_stops_in_order(redis_url: str) -> None:
    with hosted(redis_url) as running:
        assert running.ask("GET", "/readyz").status == 200
    assert running.process.returncode in (0, -signal.SIGTERM)
    log = running.ended
    assert "Application startup complete" in log
    assert "Application shutdown complete" in log
    assert "Traceback" not in log


class Spans:
    """A tracer that notes its calls, or fails to start."""

    def __init__(self, fails: bool = False) -> None:
        self.fails, self.calls = fails, list[str]()

    def start(self) -> None:
        self.calls.append("start")
        if self.fails:
            raise ValueError("no collector")

    def stop(self) -> None:
        self.calls.append("stop")


async def live(app: Any, sent: list[Message], stopping: asyncio.Event) -> None:
    """Runs the lifespan of an application until an event."""
    messages = [{"type": "lifespan.startup"}]

    async def receive() -> Message:
        if messages:
            return messages.pop()
        await stopping.wait()
        return {"type": "lifespan.shutdown"}

    async def send(message: Message) -> None:
        sent.append(message)

    await app({"type": "lifespan"}, receive, send)


def test_lifespan_exports_spans_and_sets_gauges() -> None:
    async def run() -> list[Message]:
        sent, stopping = list[Message](), asyncio.Event()

        def sample() -> float:
            # The first sample is taken after the start.
            assert sent == [{"type": "lifespan.startup.complete"}]
            assert spans.calls == ["start"]
            stopping.set()
            return 1.0

        app.gauges = {"referee_connections": sample}
        await asyncio.wait_for(live(app, sent, stopping), DEADLINE)
        return sent

    spans: Any = Spans()
    app = asgi_app(create_app(UNLIMITED, tracing=spans))
    assert asyncio.run(run())[1:] == [{"type": "lifespan.shutdown.complete"}]
    assert spans.calls == ["start", "stop"]


def test_failed_start_is_reported_to_the_host() -> None:
    spans: Any = Spans(fails=True)
    app, sent = asgi_app(create_app(UNLIMITED, tracing=spans)), list[Message]()
    with pytest.raises(ValueError, match="no collector"):
        asyncio.run(live(app, sent, asyncio.Event()))
    assert sent == [{"type": "lifespan.startup.failed", "message": "no collector"}]


async def answers(scope: dict[str, Any], *received: Message) -> list[Message]:
    """Returns what the application sends to a host."""
    sent, left = list[Message](), list(received)

    async def receive() -> Message:
        return left.pop(0)

    async def send(message: Message) -> None:
        sent.append(message)

    await ASGI(scope, receive, send)
    return sent


def test_websocket_is_closed() -> None:
    sent = asyncio.run(answers({"type": "websocket"}))
    assert sent == [{"type": "websocket.close"}]


def test_unknown_scope_raises() -> None:
    with pytest.raises(ValueError, match="telnet"):
        asyncio.run(answers({"type": "telnet"}))


RULES = Question("GET", "/v1/tutto/rules").scope


@pytest.mark.parametrize(
    ("members", "status"),
    [
        ({}, 200),
        ({"raw_path": None}, 200),
        ({"path": "/v1/tutto/rules", "raw_path": b"/v1/tutto%2Frules"}, 404),
        ({"raw_path": b"games"}, 400),
        ({"headers": []}, 400),
        ({"headers": [(b"host", b"a"), (b"host", b"b")]}, 400),
        ({"headers": [(b"host", b"a"), (b"expect", b"b")]}, 417),
        ({"headers": [], "http_version": "1.0"}, 200),
        ({"http_version": "2"}, 200),
    ],
)
def test_head_of_any_host_is_checked(members: dict[str, Any], status: int) -> None:
    head, body = asyncio.run(answers({**RULES, **members}, {"type": "http.request"}))
    assert head["status"] == status
    assert dict(head["headers"])[b"content-length"] == b"%d" % len(body["body"])


def test_host_of_an_absolute_target_overrides_the_field() -> None:
    scope = checked({**RULES, "raw_path": b"http://other/v1/tutto/rules"})
    assert (scope["path"], scope["headers"]) == ("/v1/tutto/rules", [(b"host", b"other")])


def test_body_of_http_2_needs_no_length() -> None:
    scope = Question("POST", ADJUDICATIONS, "", (("Content-Type", "application/json"),)).scope
    half = len(ROLL_JSON) // 2
    first = {"type": "http.request", "body": ROLL_JSON[:half], "more_body": True}
    last = {"type": "http.request", "body": ROLL_JSON[half:]}
    head, _ = asyncio.run(answers({**scope, "http_version": "2"}, first, last))
    assert head["status"] == 200
