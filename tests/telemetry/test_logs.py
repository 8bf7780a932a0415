"""The log of a real server: the fields of its lines, and the secrets that no line may contain."""

import json
import logging
import socket
import sys
from collections.abc import Iterator
from contextlib import suppress
from io import BytesIO
from select import PIPE_BUF
from threading import Event, Thread
from types import SimpleNamespace
from typing import Any

import pytest

from dice_referee.app import create_app
from dice_referee.sessions.redis.store import RedisStore
from dice_referee.sessions.store import (
    CorruptSession,
    SessionNotFound,
    StoredSession,
    StoreError,
    StoreFull,
    StoreUnavailable,
    UnknownSchema,
    VersionConflict,
)
from dice_referee.settings import Settings
from dice_referee.telemetry.logs import (
    ACCESS_LOG,
    LINES,
    AccessRecord,
    BufferedLog,
    LineFormatter,
    Lines,
    LogFormat,
    trace,
    write_records,
)
from tests.application import ADJUDICATIONS, IMPOSSIBLE, ROLL_JSON
from tests.engines.servers import wait_until
from tests.stopwatch import Stopwatch
from tests.unlimited import UNLIMITED
from tests.wire import Server, Stream, begin, request, serving

MARK = "FIND-ME"
"""Mark in all client input that no log may contain."""
TOKEN = f"Authorization: Bearer {MARK}-token"
FIELDS = (TOKEN, f"Idempotency-Key: {MARK}-key", f"User-Agent: {MARK}", f"Cookie: a={MARK}")
EVENTS = "/v1/sessions/<session_id>/events"
OPTIONAL_FIELDS = ("game", "ruleset", "problem", "reason")
"""Optional fields of a log line."""
KEYS = ["request_id", "method", "route", "status", "ms", "event", "level", "timestamp"]


@pytest.fixture(scope="module")
def server(redis_url: str) -> Iterator[Server]:
    with serving(
        app="tests.telemetry.faulty:app",
        REDIS_URL=redis_url,
        WORKERS=2,
        LOG_ANSWERS=1,
        REQUEST_SECONDS=2,
    ) as started:
        yield started


def lines(server: Server) -> list[dict[str, Any]]:
    """Returns the whole log, and expects a JSON object in each line."""
    entries = [json.loads(line) for line in server.log().splitlines()]
    assert all(isinstance(line, dict) for line in entries)
    return entries


def line_of(server: Server, name: str) -> dict[str, Any]:
    """Returns the only line of the request with this id."""

    def written() -> list[dict[str, Any]]:
        return [line for line in lines(server) if line.get("request_id") == name]

    wait_until(f"the line of {name}", lambda: bool(written()))
    (line,) = written()
    return line


def logged(server: Server, name: str, method: str, target: str, body: bytes | None = None) -> Any:
    """Sends a request, and returns the fields of its line that never vary."""
    server.ask(method, target, body, f"X-Request-ID: {name}", *FIELDS)
    line = line_of(server, name)
    assert [key for key in line if key not in OPTIONAL_FIELDS] == KEYS
    assert (line["method"], line["event"], line["level"]) == (method, "request", "info")
    assert 0 <= line["ms"] < 10_000
    return line["route"], line["status"], line.get("game"), line.get("ruleset")


def test_reader_of_a_busy_log_tears_no_line(server: Server) -> None:
    names, ended = [f"busy-{number}" for number in range(600)], Event()

    def read() -> None:
        while not ended.is_set():
            server.log()

    reader = Thread(target=read)
    reader.start()
    try:
        with server.wire() as wire:
            for name in names:
                wire.send(request("GET", "/livez", None, f"X-Request-ID: {name}"))
                assert wire.reply().status == 200
    finally:
        ended.set()
        reader.join()
    line_of(server, names[-1])
    logged = [line.get("request_id", "") for line in lines(server)]
    assert [name for name in logged if name.startswith("busy-")] == names


def test_log_line_has_route_status_game_and_ruleset(server: Server) -> None:
    house = ROLL_JSON[:-1] + b',"ruleset":"published"}'
    chosen = json.loads(server.ask("GET", "/v1/tutto").body)["default_ruleset"]
    assert logged(server, "quick-1", "POST", ADJUDICATIONS, ROLL_JSON) == (
        ADJUDICATIONS,
        200,
        "tutto",
        chosen,
    )
    query = f"{ADJUDICATIONS}?card=bonus-200&roll=112346"
    assert logged(server, "quick-2", "GET", query) == (ADJUDICATIONS, 200, "tutto", chosen)
    flask = house.replace(b"published", b"unheard-of-FIND-ME")
    assert logged(server, "slow-1", "POST", ADJUDICATIONS, flask) == (
        ADJUDICATIONS,
        400,
        "tutto",
        None,
    )
    impossible = json.dumps(IMPOSSIBLE).encode()
    assert logged(server, "quick-4", "POST", ADJUDICATIONS, impossible) == (
        ADJUDICATIONS,
        422,
        "tutto",
        chosen,
    )
    audit = f'{{"players":["{MARK}","Ben"],"log":[]}}'.encode()
    route = "/v1/tutto/audits"
    assert logged(server, "slow-2", "POST", route, audit) == (route, 200, "tutto", chosen)
    assert logged(server, "slow-3", "GET", f"/{MARK}?q={MARK}") == ("none", 404, None, None)
    assert logged(server, "slow-4", "GET", f"/v1/{MARK}") == ("none", 404, None, None)
    assert logged(server, "quick-3", "GET", "/v1/pot") == ("/v1/pot", 200, "pot", None)


def test_session_lines_name_the_game_and_no_players(server: Server) -> None:
    players = [f"{MARK} Ann", f"{MARK} Ben"]
    table = begin(server, "X-Request-ID: born", game="yatzee", players=players)
    ruleset = table.state["ruleset"]
    born = line_of(server, "born")
    assert (born["route"], born["status"]) == ("/v1/sessions", 201)
    assert (born["game"], born["ruleset"]) == ("yatzee", ruleset)
    event = b'{"type":"roll"}'
    assert logged(server, "no-token", "POST", f"{table.at}/events", event) == (
        EVENTS,
        401,
        "yatzee",
        ruleset,
    )
    table.change("events", event, "", "X-Request-ID: played")
    assert line_of(server, "played")["ruleset"] == ruleset
    log = server.log()
    for secret in (table.host, *table.seats, table.id):
        assert secret not in log


@pytest.mark.parametrize(
    ("error", "problem", "reason"),
    [
        (StoreUnavailable("READONLY You can't", word="READONLY"), "sessions-away", "READONLY"),
        (StoreFull("command not allowed", word="OOM"), "sessions-full", "OOM"),
        (CorruptSession(f"{MARK}-id"), "session-unreadable", "CorruptSession"),
        (UnknownSchema(f"{MARK}-id"), "session-unreadable", "UnknownSchema"),
        (VersionConflict(f"{MARK}-id"), "busy", ""),
        (SessionNotFound(f"{MARK}-id"), "not-found", ""),
    ],
)
def test_refusal_log_has_the_problem_and_the_store_error(
    error: StoreError, problem: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Refusing(RedisStore):
        def read(self, id: str, *, keyed: bool = False) -> StoredSession:
            raise error

    written: list[AccessRecord] = []
    monkeypatch.setattr(
        ACCESS_LOG, "write", lambda records: written.extend(record for record, _ in records)
    )
    client = create_app(UNLIMITED, Refusing("redis://127.0.0.1:1")).test_client()
    answer = client.get(f"/v1/sessions/{'a' * 22}", headers={"X-Request-ID": "refused"})
    wait_until(
        "the refusal is logged", lambda: any(entry.request_id == "refused" for entry in written)
    )
    [line] = [entry for entry in written if entry.request_id == "refused"]
    assert (line.status, line.problem, line.reason) == (answer.status_code, problem, reason)
    assert answer.get_json()["type"] == f"/problems/{problem}"


def test_only_lines_of_refusals_have_a_problem(server: Server) -> None:
    server.ask("GET", "/v1/hazard", None, "X-Request-ID: no-game")
    assert line_of(server, "no-game")["problem"] == "not-found"
    server.ask("POST", ADJUDICATIONS, ROLL_JSON, "X-Request-ID: verdict")
    assert not {"problem", "reason"} & line_of(server, "verdict").keys()


@pytest.mark.parametrize("log_answers", [False, True])
def test_flood_of_limited_requests_is_not_logged(
    monkeypatch: pytest.MonkeyPatch, log_answers: bool
) -> None:
    ACCESS_LOG.flush()
    lines: list[tuple[AccessRecord, float]] = []
    monkeypatch.setattr(ACCESS_LOG, "write", lines.extend)
    settings = Settings(rate_stateless=2, rate_loopback=True, log_answers=log_answers)
    client = create_app(settings).test_client()
    bodies = (ROLL_JSON, b"{}", ROLL_JSON, ROLL_JSON)
    json_type = "application/json"
    statuses = [
        client.post(ADJUDICATIONS, data=body, content_type=json_type).status_code for body in bodies
    ]
    assert statuses == [200, 400, 429, 429]
    ACCESS_LOG.flush()
    logged = [record.status for record, _ in lines]
    assert logged == (statuses if log_answers else [400])


def test_stream_is_logged_as_a_single_line(server: Server) -> None:
    table = begin(server)
    with server.wire() as wire:
        Stream(wire, f"{table.at}/events", "Accept: text/event-stream", "X-Request-ID: follow")
        line = line_of(server, "follow")
    assert (line["route"], line["status"]) == (EVENTS, 200)


def test_fault_line_has_its_place_and_no_message(server: Server) -> None:
    body = f"{MARK} body".encode()
    reply = server.ask("POST", f"/fail?{MARK}", body, *FIELDS, "X-Request-ID: failed")
    assert reply.status == 500
    wait_until(
        "both lines are logged",
        lambda: sum(x.get("request_id") == "failed" for x in lines(server)) == 2,
    )
    fault, answered = (line for line in lines(server) if line.get("request_id") == "failed")
    assert (fault["event"], fault["level"]) == ("fault", "error")
    assert "ValueError" in fault["trace"]
    assert any(
        "telemetry/faulty.py" in place and place.endswith(" fail") for place in fault["trace"]
    )
    assert any(kind.endswith("KeyError") for kind in fault["trace"])
    assert (answered["event"], answered["status"]) == ("request", 500)
    assert answered["level"] == "warning"


def test_logs_of_libraries_and_faults_hide_secrets(server: Server) -> None:
    server.ask("GET", f"/server?{MARK}", None, *FIELDS)
    wait_until("the fault is logged", lambda: '"RuntimeError"' in server.log())
    (line,) = (line for line in lines(server) if line["event"] == "Error in ASGI application")
    assert line["level"] == "error"
    assert any("telemetry/faulty.py" in place for place in line["trace"])
    (warning,) = (line for line in lines(server) if line["event"] == "cannot do %s")
    assert warning["level"] == "warning"


def test_malformed_http_is_not_quoted_in_logs(server: Server) -> None:
    good = request("GET", f"/livez?{MARK}", None, *FIELDS)
    broken = [
        f"GET /{MARK} HTTP/9.9\r\n\r\n".encode(),
        f"{MARK}\r\n\r\n".encode(),
        good.replace(b"Host", f"{MARK} :".encode()),
        good.replace(b"\r\n\r\n", f"\r\n{MARK}\nfolded\r\n\r\n".encode()),
        request("POST", ADJUDICATIONS, None, "Transfer-Encoding: chunked")
        + MARK.encode()
        + b"\r\n",
        request("POST", ADJUDICATIONS, None, f"Content-Length: {MARK}"),
        request("POST", f"/{MARK}", None, "Content-Length: 100") + MARK.encode(),
        b"GET /" + MARK.encode() * 2000 + b" HTTP/1.1\r\n\r\n",
    ]
    for raw in broken:
        with server.wire() as wire:
            wire.send(raw)
            wire.socket.shutdown(socket.SHUT_WR)
            wire.rest()
    # Several requests make every worker write a line.
    for _ in range(4):
        assert server.ask("GET", "/livez").status == 200
    assert lines(server)


def test_no_line_contains_client_input(server: Server) -> None:
    wait_until("the request is logged", lambda: "livez" in server.log())
    log = server.log()
    assert MARK not in log
    assert "127.0.0.1:5" not in log, "no port of a client"
    for line in lines(server):
        if line["event"] == "request":
            assert set(line) <= {*KEYS, *OPTIONAL_FIELDS}


@pytest.mark.parametrize(
    ("message", "written"),
    [
        ("Invalid request from ip=127.0.0.1: 'GET /secret'", "Invalid request from ip"),
        ("Exception in callback read(b'GET /secret') at x.py:1", "Exception in callback read"),
        (
            "Task exception was never retrieved\nfuture: <secret>",
            "Task exception was never retrieved",
        ),
    ],
)
def test_preformatted_message_is_logged_without_values(
    message: str, written: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = LineFormatter()
    monkeypatch.setattr(lines, "_master", 0)  # the filter of a worker
    record = logging.LogRecord("gunicorn.error", logging.WARNING, "", 0, message, None, None)
    assert json.loads(lines.format(record))["event"] == written


@pytest.mark.parametrize(
    ("logger", "value", "written"),
    [
        ("opentelemetry.exporter.otlp.common.http", "Bad Gateway", "no Bad Gateway"),
        ("opentelemetry.exporter.otlp.common.http", ValueError(MARK), "no ValueError"),
        ("library", ValueError(MARK), "no %s"),
        ("library", MARK, "no %s"),
        ("library", 7, "no 7"),
    ],
)
def test_only_span_exporters_may_quote_values(
    logger: str, value: object, written: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = LineFormatter()
    monkeypatch.setattr(lines, "_master", 0)  # the filter of a worker
    record = logging.LogRecord(logger, logging.WARNING, "", 0, "no %s", (value,), None)
    assert json.loads(lines.format(record))["event"] == written


def test_lines_of_several_processes_are_not_interleaved(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[bytes] = []

    class Pipe(BytesIO):
        def flush(self) -> None:
            written.append(self.getvalue())
            self.seek(0)
            self.truncate()

    monkeypatch.setattr(sys, "stderr", SimpleNamespace(buffer=Pipe()))
    record = AccessRecord("id", "POST", ADJUDICATIONS, 200, 0.001, "tutto", "published")
    write_records([(record, 1.0)] * 100)
    assert len(written) > 2
    assert all(0 < len(part) <= PIPE_BUF and part.endswith(b"\n") for part in written)
    assert len([json.loads(line) for line in b"".join(written).splitlines()]) == 100


def record(name: str) -> AccessRecord:
    return AccessRecord(name, "GET", "/test", 200, 0.001)


@pytest.mark.parametrize("error", [BrokenPipeError, ValueError, ArithmeticError])
def test_log_continues_after_a_failed_write(error: type[Exception]) -> None:
    def broken(records: object) -> None:
        raise error

    log, written = BufferedLog(broken), list[Any]()
    log.add(record("1"))
    with suppress(ArithmeticError):
        log.flush()
    log.write = written.extend
    log.add(record("2"))
    log.flush()
    assert [entry.request_id for entry, _ in written] == ["2"]


def test_slow_log_reader_blocks_one_thread_and_loses_nothing() -> None:
    written: list[AccessRecord] = []
    writing, read = Event(), Event()

    def slow(records: list[tuple[AccessRecord, float]]) -> None:
        writing.set()
        assert read.wait(10)
        written.extend(record for record, _ in records)

    log, added = BufferedLog(slow), [record(str(number)) for number in range(5)]
    log.add(added[0])
    stuck = Thread(target=log.flush)
    stuck.start()
    assert writing.wait(10)
    for entry in added[1:]:
        log.add(entry)
        log.flush()  # returns at once
    read.set()
    stuck.join(10)
    log.flush()
    assert written == added


def test_log_is_flushed_soon_and_drops_its_oldest_lines() -> None:
    written: list[AccessRecord] = []
    first, read = Event(), Event()

    def stuck(records: list[tuple[AccessRecord, float]]) -> None:
        written.extend(record for record, _ in records)
        first.set()
        assert read.wait(10)

    log = BufferedLog(stuck)
    log.add(record("first"))
    assert first.wait(10), "without a flush"
    watch = Stopwatch()
    for number in range(LINES + 5):
        log.add(record(str(number)))
    assert watch.seconds < 5
    read.set()
    wait_until("the remaining lines are written", lambda: len(written) == 1 + LINES)
    assert written[:2] == [record("first"), record("5")]


def test_log_is_written_after_a_failed_thread_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """The request of the line succeeds, and the next line starts the thread."""
    written, done = list[AccessRecord](), Event()

    def write(records: list[tuple[AccessRecord, float]]) -> None:
        written.extend(record for record, _ in records)
        done.set()

    log = BufferedLog(write)
    with monkeypatch.context() as patch:
        patch.setattr(Thread, "start", refuse_to_start)
        log.add(record("1"))
    log.add(record("2"))
    assert done.wait(60)
    assert written == [record("1"), record("2")]


def refuse_to_start(thread: Thread) -> None:
    raise RuntimeError("can't start new thread")


def test_traceback_has_every_cause_once_and_the_first_first() -> None:
    def deep() -> None:
        raise KeyError(MARK)

    def middle() -> None:
        try:
            deep()
        except KeyError as error:
            raise ValueError(MARK) from error

    with pytest.raises(ValueError, match=MARK) as caught:
        middle()
    parts = trace(caught.value)
    caught.value.__cause__.__cause__ = caught.value  # type: ignore[union-attr]
    assert trace(caught.value) == parts, "the causes form a cycle"
    assert [part.rpartition(" ")[2] for part in parts] == [
        "middle",
        "deep",
        "KeyError",
        parts[3].rpartition(" ")[2],
        "middle",
        "ValueError",
    ]
    assert MARK not in "".join(parts)


def test_fault_raised_from_none_hides_its_cause() -> None:
    def hide() -> None:
        try:
            raise KeyError(MARK)
        except KeyError:
            raise ValueError(MARK) from None

    with pytest.raises(ValueError, match=MARK) as caught:
        hide()
    assert [part for part in trace(caught.value) if "Error" in part] == ["ValueError"]


def test_text_lines_contain_no_control_character() -> None:
    lines = Lines()
    lines.format = LogFormat.TEXT
    for code in (*range(0x20), *range(0x7F, 0xA0), 0x200E, 0x202E, 0x2066, 0x2028, 0xFEFF):
        text = f"a{chr(code)}b"
        line = {"level": "error", "event": text, "reason": text, "trace": [text]}
        first, second, end = lines.encode(line, 0.0).decode().split("\n")
        assert first.endswith("error: a?b reason=a?b"), code
        assert (second, end) == ("  a?b", ""), code


@pytest.mark.parametrize(
    ("status", "level"),
    [(200, "info"), (404, "info"), (429, "info"), (500, "warning"), (503, "warning")],
)
def test_log_level_separates_failures_from_refusals(
    status: int, level: str, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    write_records([(AccessRecord("id", "GET", "/test", status, 0.001), 1.0)])
    assert json.loads(capfdbinary.readouterr().err)["level"] == level
