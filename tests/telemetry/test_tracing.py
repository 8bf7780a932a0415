"""Spans of a real server, as a collector on this machine receives them."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.application import ADJUDICATIONS, ROLL_JSON
from tests.engines.servers import free_port, wait_until
from tests.programs import SOURCES
from tests.telemetry.collector import Collector, Span
from tests.wire import Server, begin, listening, serving

MARK = "FIND-ME"
TRACE = "0af7651916cd43dd8448eb211c80319c"
PARENT = "b7ad6b7169203331"
TRACED = f"traceparent: 00-{TRACE}-{PARENT}-01"
STATE = f"tracestate: secret={MARK}"
EVENTS = "/v1/sessions/<session_id>/events"


@pytest.fixture(scope="module")
def collector() -> Iterator[Collector]:
    collector = Collector()
    with listening(collector.server):
        yield collector


@pytest.fixture(scope="module")
def server(redis_url: str, collector: Collector) -> Iterator[Server]:
    environment: dict[str, Any] = {
        "TRACING": 1,
        "WORKERS": 2,
        "REDIS_URL": redis_url,
        "OTEL_EXPORTER_OTLP_ENDPOINT": collector.url,
        "OTEL_BSP_SCHEDULE_DELAY": 100,
    }
    with serving(**environment) as started:
        yield started


def span_of(collector: Collector, name: str) -> Span:
    """Returns the only span of the request with this id."""
    wait_until(f"the span of {name}", lambda: bool(collector.of(name)))
    (span,) = collector.of(name)
    return span


@pytest.mark.parametrize(
    ("name", "method", "target", "body", "route", "status"),
    [
        ("quick", "POST", ADJUDICATIONS, ROLL_JSON, ADJUDICATIONS, 200),
        (
            "quick-get",
            "GET",
            f"{ADJUDICATIONS}?card=bonus-200&roll=112346",
            None,
            ADJUDICATIONS,
            200,
        ),
        ("slow", "POST", ADJUDICATIONS, b"{" + MARK.encode(), ADJUDICATIONS, 400),
        ("none", "GET", f"/{MARK}?{MARK}", None, "none", 404),
    ],
)
def test_request_is_one_span_below_its_client_span(
    server: Server,
    collector: Collector,
    name: str,
    method: str,
    target: str,
    body: bytes | None,
    route: str,
    status: int,
) -> None:
    begun = time.monotonic()
    reply = server.ask(method, target, body, TRACED, STATE, f"X-Request-ID: {name}")
    took = time.monotonic() - begun
    assert reply.status == status
    span = span_of(collector, name)
    assert (span.trace, span.parent, span.kind) == (TRACE, PARENT, "SPAN_KIND_SERVER")
    assert span.name == f"{method} {route}"
    assert span.attributes == {
        "http.request.method": method,
        "http.route": route,
        "http.response.status_code": status,
        "referee.request_id": name,
    }
    assert 0 < span.seconds < took
    assert not span.failed
    assert span.service["service.name"] == "dice-referee"
    assert collector.below(span) == []


@pytest.mark.parametrize(
    "header", ["X-Other: 1", f"traceparent: 00-{'0' * 32}-{PARENT}-01", "traceparent: x"]
)
def test_request_without_a_trace_starts_a_trace(
    server: Server, collector: Collector, header: str
) -> None:
    name = f"own-{len(header)}"
    server.ask("POST", ADJUDICATIONS, ROLL_JSON, header, f"X-Request-ID: {name}")
    span = span_of(collector, name)
    assert span.parent == ""
    assert span.trace not in (TRACE, "0" * 32)


def test_unsampled_trace_is_not_sent(server: Server, collector: Collector) -> None:
    unwanted = TRACED.removesuffix("1") + "0"
    for number in range(4):
        server.ask("POST", ADJUDICATIONS, ROLL_JSON, unwanted, f"X-Request-ID: unwanted-{number}")
        server.ask("GET", "/livez", None, unwanted, f"X-Request-ID: unwanted-{number}")
    server.ask("GET", "/livez", None, "X-Request-ID: wanted")
    span_of(collector, "wanted")
    assert not any(collector.of(f"unwanted-{number}") for number in range(4))


def test_redis_commands_of_a_request_are_its_child_spans(
    server: Server, collector: Collector
) -> None:
    table = begin(server)
    table.change("events", {"type": "draw"}, "", TRACED, "X-Request-ID: played")
    span = span_of(collector, "played")
    assert (span.name, span.trace) == (f"POST {EVENTS}", TRACE)
    wait_until("both commands have spans", lambda: len(collector.below(span)) == 2)
    below = sorted(collector.below(span), key=lambda child: child.name)
    assert [child.name for child in below] == ["redis read", "redis write"]
    for child in below:
        assert (child.trace, child.kind) == (TRACE, "SPAN_KIND_CLIENT")
        assert child.attributes["db.system.name"] == "redis"
        assert 0 < child.seconds <= span.seconds
    secrets = (table.host, table.id)
    assert not any(secret.encode() in raw for raw in collector.raw for secret in secrets)


def test_poll_wait_is_not_in_its_span(server: Server, collector: Collector) -> None:
    table = begin(server)
    begun = time.monotonic()
    server.ask("GET", f"{table.at}/events?wait=3", None, "X-Request-ID: polled")
    took = time.monotonic() - begun
    assert 0 < span_of(collector, "polled").seconds < took - 2.9


def test_redis_commands_outside_requests_have_no_trace(
    server: Server, collector: Collector
) -> None:
    owners = {span.own for span in collector.spans}
    assert all(span.parent in owners for span in collector.spans if span.name.startswith("redis"))
    assert server.is_up()


def test_spans_contain_no_client_input(collector: Collector) -> None:
    assert collector.raw
    assert not any(MARK.encode() in raw for raw in collector.raw)
    assert not any(b"127.0.0.1" in raw.partition(b"\n\n")[2] for raw in collector.raw)


def test_redis_command_without_an_answer_is_a_failed_span(collector: Collector) -> None:
    away = f"redis://127.0.0.1:{free_port()}"
    environment: dict[str, Any] = {
        "OTEL_EXPORTER_OTLP_ENDPOINT": collector.url,
        "OTEL_BSP_SCHEDULE_DELAY": 100,
    }
    with serving(
        TRACING=1, WORKERS=1, REDIS_URL=away, REDIS_TIMEOUT_MS=200, **environment
    ) as server:
        server.ask("GET", f"/v1/sessions/{'a' * 22}", None, "X-Request-ID: away")
        span = span_of(collector, "away")
        wait_until("the command has a span", lambda: bool(collector.below(span)))
        assert span.failed
        assert [below.failed for below in collector.below(span)] == [True]


def test_remaining_spans_are_sent_when_the_server_stops(collector: Collector) -> None:
    late: dict[str, Any] = {
        "OTEL_EXPORTER_OTLP_ENDPOINT": collector.url,
        "OTEL_BSP_SCHEDULE_DELAY": 60_000,
    }
    with serving(TRACING=1, WORKERS=2, **late) as server:
        for number in range(6):
            server.ask("POST", ADJUDICATIONS, ROLL_JSON, f"X-Request-ID: left-{number}")
        assert not collector.of("left-0")
    assert all(len(collector.of(f"left-{number}")) == 1 for number in range(6))


@pytest.mark.long
def test_unreachable_collector_does_not_delay_a_stop() -> None:
    away: dict[str, Any] = {"OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{free_port()}"}
    with serving(TRACING=1, WORKERS=1, **away) as server:
        assert server.ask("POST", ADJUDICATIONS, ROLL_JSON).status == 200
        assert "Worker exiting" in server.stop(), "the worker stopped within the grace period"


@pytest.mark.long
def test_log_states_why_spans_are_not_sent() -> None:
    away: dict[str, Any] = {
        "OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{free_port()}",
        "OTEL_BSP_SCHEDULE_DELAY": 100,
    }
    with serving(TRACING=1, WORKERS=1, **away) as server:
        server.ask("POST", ADJUDICATIONS, ROLL_JSON)
        why = "Transient error ConnectionRefusedError encountered while exporting spans batch"
        wait_until("the reason is logged", lambda: why in server.log())


def test_opentelemetry_is_imported_only_for_tracing() -> None:
    look = "import sys, dice_referee.asgi, dice_referee.wsgi; print('opentelemetry' in sys.modules)"
    for tracing, expected in (("", "False"), ("1", "True")):
        ended = subprocess.run(
            [sys.executable, "-c", look],
            cwd=SOURCES,
            env={**os.environ, "TRACING": tracing, "REDIS_URL": ""},
            capture_output=True,
            check=True,
            timeout=300,
        )
        assert ended.stdout.decode().strip() == expected


def test_tracing_without_opentelemetry_is_one_error_line(tmp_path: Path) -> None:
    absent = "raise ModuleNotFoundError('gone', name='opentelemetry')"
    (tmp_path / "opentelemetry.py").write_text(absent, "utf-8")
    ended = subprocess.run(
        [sys.executable, "-m", "service", "serve"],
        env={
            **os.environ,
            "TRACING": "1",
            "PYTHONPATH": str(tmp_path),
            "PORT": str(free_port()),
            "VAR_DIR": str(tmp_path),
            "REDIS_URL": "redis://127.0.0.1:1",
        },
        capture_output=True,
        check=False,
        timeout=300,
    )
    assert ended.returncode != 0
    (line,) = ended.stderr.decode().splitlines()
    assert "deploy/requirements/tracing.txt" in json.loads(line)["event"]
