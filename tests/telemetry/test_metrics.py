"""Metrics of a real server whose workers are restarted, replaced or killed."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from select import select

import pytest
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from dice_referee.server.bind_address import BindAddress
from tests.application import ADJUDICATIONS, BATCH, ROLL_JSON, Reply
from tests.engines.servers import ENGINES, Single, free_port, running, wait_until
from tests.programs import activation
from tests.telemetry.scraping import Counts, SecondAddress, answer_at, total, watched
from tests.wire import Server, Stream, Wire, begin, request, serving, wait_for_follower

WORKERS = 3
AUDIT = b'{"players":["Ann","Ben"],"log":[{"type":"draw","card":"bonus-200"}]}'


def counters(counts: Counts) -> Counts:
    """Returns the samples that only grow."""
    endings = ("_total", "_bucket", "_count", "_sum")
    return {key: value for key, value in counts.items() if key[0].endswith(endings)}


def is_monotonic(before: Counts, after: Counts) -> bool:
    return all(after.get(key, 0.0) >= value for key, value in counters(before).items())


def ask_many(server: Server, number: int) -> list[Reply]:
    """Sends requests to both routes and a batch, each on a new connection."""
    questions = [("POST", ADJUDICATIONS, ROLL_JSON), ("POST", "/v1/tutto/audits", AUDIT)] * number
    batch = b'{"positions":[' + b",".join([ROLL_JSON] * 7) + b"]}"
    with ThreadPoolExecutor(8) as pool:
        return list(
            pool.map(lambda question: server.ask(*question), [*questions, ("POST", BATCH, batch)])
        )


def test_request_counters_are_exact_and_monotonic(redis_url: str) -> None:
    number = 60
    with watched(REDIS_URL=redis_url, WORKERS=WORKERS) as inside, ExitStack() as stack:
        server = inside.server
        wait_until("all workers have started", lambda: len(server.workers()) == WORKERS)
        assert {reply.status for reply in ask_many(server, number)} == {200}
        labels = {"method": "POST", "status": "200"}
        # Every worker reports the counts of all workers.
        for route, expected in ((ADJUDICATIONS, number), ("/v1/tutto/audits", number), (BATCH, 1)):
            inside.reaches(expected, "referee_requests_total", route=route, **labels)
            inside.reaches(expected, "referee_request_duration_seconds_count", route=route)
        inside.reaches(number + 7, "referee_verdicts_total", game="tutto")

        wires = [stack.enter_context(server.wire()) for _ in range(4 * WORKERS)]
        inside.reaches(len(wires), "referee_connections")
        assert inside.number("referee_connections_limit") == 1000 * WORKERS
        before = inside.counts()
        inside.reaches(0, "referee_workers_ended_total", how="died")
        for number_gone, pid in enumerate(server.workers()):
            os.kill(pid, signal.SIGKILL)
            wait_until(
                "another worker has started",
                lambda: len(server.workers()) == WORKERS + number_gone + 1,  # noqa: B023
            )
            left = [wire for wire in wires if not is_closed(wire)]
            inside.reaches(len(left), "referee_connections")
            assert is_monotonic(before, inside.counts())
        assert left == [], "the workers of these streams have ended"
        inside.reaches(WORKERS, "referee_workers_ended_total", how="died")
        assert inside.number("referee_workers_ended_total", how="stopped") == 0
        inside.reaches(1000 * WORKERS, "referee_connections_limit")

        old = server.workers()
        server.process.send_signal(signal.SIGHUP)
        wait_until("all workers are replaced", lambda: not running(old))
        wait_until("all new workers have started", lambda: len(server.workers()) == 3 * WORKERS)
        ask_many(server, 10)
        inside.reaches(number + 10, "referee_requests_total", route=ADJUDICATIONS, **labels)
        inside.reaches(number + 17 + 7, "referee_verdicts_total", game="tutto")
        assert is_monotonic(before, inside.counts())
        inside.reaches(WORKERS, "referee_workers_ended_total", how="stopped")
        inside.reaches(WORKERS, "referee_workers_ended_total", how="died")
        left_files = slots(Path(server._metrics.name))
        assert left_files <= {"master", *map(str, range(2 * WORKERS))}, "nine have counted"


def is_closed(wire: Wire) -> bool:
    """Tells if the server has closed the connection, and expects no answer."""
    if not select([wire.socket], [], [], 0)[0]:
        return False
    with suppress(ConnectionError):
        assert wire.socket.recv(1, socket.MSG_PEEK) == b""
    return True


def test_sessions_streams_and_redis_have_metrics(redis_url: str) -> None:
    with watched(REDIS_URL=redis_url, WORKERS=2, STREAMS=3) as inside:
        server = inside.server
        table = begin(server)
        table.seed("luck")
        assert table.post("events", {"type": "bank"}).status == 409, "no change"
        assert table.post("events", {"type": "draw"}).status == 200
        inside.reaches(1, "referee_session_changes_total", game="tutto", kind="create")
        inside.reaches(1, "referee_session_changes_total", game="tutto", kind="seed")
        inside.reaches(1, "referee_session_changes_total", game="tutto", kind="act")
        inside.reaches(6, "referee_streams_limit")
        inside.reaches(0, "referee_redis_breakers_open")
        inside.reaches(
            1, "referee_redis_command_duration_seconds_count", command="create", ok="yes"
        )
        inside.reaches(2, "referee_redis_command_duration_seconds_count", command="write", ok="yes")
        with server.wire() as wire:
            Stream(wire, f"{table.at}/events", "Accept: text/event-stream")
            inside.reaches(1, "referee_streams")
        inside.reaches(0, "referee_streams")
        with server.wire() as wire:
            Stream(wire, f"{table.at}/stream")
            inside.reaches(1, "referee_streams")
        stream = "/v1/sessions/<session_id>/stream"
        inside.reaches(1, "referee_requests_total", route=stream, method="GET", status="200")
        events = "/v1/sessions/<session_id>/events"
        inside.reaches(1, "referee_requests_total", route=events, method="GET", status="200")
        assert table.delete().status == 200
        inside.reaches(1, "referee_session_changes_total", game="tutto", kind="delete")


def test_refused_stream_is_one_request(redis_url: str) -> None:
    events = "/v1/sessions/<session_id>/events"
    with watched(REDIS_URL=redis_url, WORKERS=1, STREAMS=1) as inside:
        server = inside.server
        table = begin(server)
        with server.wire() as wire:
            Stream(wire, f"{table.at}/events", "Accept: text/event-stream")
            stream = server.ask("GET", f"{table.at}/events", None, "Accept: text/event-stream")
            assert stream.status == 429
            poll = server.ask("GET", f"{table.at}/events?wait=5")
            assert poll.status == 200
            inside.reaches(2, "referee_requests_total", route=events, status="200")
            inside.reaches(1, "referee_requests_total", route=events, status="429")
        assert inside.number("referee_requests_total", route=events) == 3


@pytest.mark.long
def test_poll_wait_is_not_measured(redis_url: str) -> None:
    events = "/v1/sessions/<session_id>/events"
    with watched(REDIS_URL=redis_url, WORKERS=1, LOG_ANSWERS=1) as inside:
        server = inside.server
        table = begin(server)
        begun = time.monotonic()
        with server.wire() as wire:
            wire.send(request("GET", f"{table.at}/events?wait=30"))
            wait_for_follower(redis_url, table.at)
            held = time.monotonic()
            assert server.ask("GET", f"{table.at}/events?wait=3").status == 200
            waited = time.monotonic() - held
            assert table.delete().status == 200
            assert wire.reply().status == 410
        # Both requests took this time and waited for at least 3 s.
        most = waited + time.monotonic() - begun - 2 * 2.9
        inside.reaches(1, "referee_requests_total", route=events, status="200")
        inside.reaches(1, "referee_requests_total", route=events, status="410")
        assert inside.number("referee_request_duration_seconds_count", route=events) == 2
        assert inside.number("referee_request_duration_seconds_sum", route=events) < most
        wait_until("both polls are logged", lambda: server.log().count(events) == 2)
        logged = [json.loads(line) for line in server.log().splitlines() if events in line]
        assert all(0 < line["ms"] < 1000 * most for line in logged)


def test_unavailable_redis_is_reported_without_invented_values() -> None:
    away = f"redis://127.0.0.1:{free_port()}"
    with watched(REDIS_URL=away, WORKERS=1, REDIS_TIMEOUT_MS=200) as inside:
        for _ in range(4):
            assert inside.server.ask("GET", f"/v1/sessions/{'a' * 22}").status == 503
        inside.reaches(1, "referee_redis_breakers_open")
        assert (
            0
            < inside.number("referee_redis_command_duration_seconds_count", command="read", ok="no")
            < 4
        )
        assert inside.ask("/readyz").body == b'{"status":"degraded","sessions":"away"}'


@pytest.fixture(scope="module")
def inside(redis_url: str) -> "SecondAddress":  # type: ignore[misc]
    with watched(REDIS_URL=redis_url, WORKERS=1, CONNECTIONS=3) as started:
        yield started


def test_public_address_does_not_serve_metrics(inside: SecondAddress) -> None:
    inside.server.ask("GET", "/metrics").problem("not-found", 404)


def test_second_address_serves_metrics_and_probes_only(inside: SecondAddress) -> None:
    assert json.loads(inside.ask("/livez").body) == {"status": "ok"}
    assert json.loads(inside.ask("/readyz").body) == {"status": "ok", "sessions": "ok"}
    for path in ("/", "/version", ADJUDICATIONS, "/v1/sessions", "/metrics/", "/static/page.js"):
        assert inside.ask(path).status == 404, path
    refused = inside.ask("/metrics", "POST")
    assert (refused.status, refused.headers["allow"]) == (405, "GET, HEAD, OPTIONS")
    head = inside.ask("/metrics", "HEAD")
    assert (head.status, head.body) == (200, b"")
    assert int(head.headers["content-length"]) > 0
    counts = inside.counts()
    assert total(counts, "referee_build_info") == 1
    assert not any("metrics" in dict(labels).get("route", "") for _, labels in counts)


def test_second_address_has_its_own_connections(
    inside: SecondAddress,
) -> None:
    server = inside.server
    good = request("GET", "/livez")
    with ExitStack() as stack:
        wires = [stack.enter_context(server.wire()) for _ in range(4)]
        for wire in wires[1:]:
            wire.send(good)
            assert wire.reply().status == 200
        assert wires[0].ends(), "the public has three"
        inside_wires = [stack.enter_context(Wire(inside.port)) for _ in range(10)]
        for wire in inside_wires:
            wire.send(request("GET", "/livez"))
            assert wire.reply().status == 200
        inside.reaches(3, "referee_connections")
    wait_until("all connections are closed", lambda: inside.number("referee_connections") == 0)
    with ExitStack() as stack:
        for _ in range(10):
            wire = stack.enter_context(Wire(inside.port))
            wire.send(good)
            assert wire.reply().status == 200
        assert server.ask("GET", "/livez").status == 200, "nor from it"


def test_second_address_answers_while_all_threads_are_busy() -> None:
    with (
        Single(ENGINES[0]) as redis,
        watched(REDIS_URL=redis.url, WORKERS=1, THREADS=1, REDIS_TIMEOUT_MS=20_000) as inside,
        inside.server.wire() as busy,
        inside.server.wire() as waiting,
    ):
        table = begin(inside.server)
        redis.freeze()
        busy.send(request("GET", table.at))
        waiting.send(request("GET", table.at))
        # The worker reads these requests after the two others.
        assert inside.server.ask("GET", "/livez").status == 200
        assert inside.ask("/livez").status == 200
        assert b"referee_build_info" in inside.page()
        assert not is_closed(busy)
        assert not is_closed(waiting)
        redis.thaw()
        assert busy.reply().status == waiting.reply().status == 200


def test_labels_contain_no_client_input(inside: SecondAddress) -> None:
    server = inside.server
    before = inside.counts()
    for number in range(20):
        server.ask("GET", f"/nowhere/{number}")
        server.ask("GET", f"/v1/unknown-{number}")
        server.ask_raw(request(f"BREW{number}", "/livez", close=True))
        server.ask("POST", f"/v1/sessions/{'b' * 20}{number:02}/undo")
    counts = inside.counts()
    missing = [total(page, "referee_requests_total", status="404") for page in (before, counts)]
    assert missing[1] - missing[0] == 3 * 20
    assert len(counts) - len(before) < 120
    text = json.dumps([[name, sorted(labels)] for name, labels in counts])
    assert "BREW" not in text
    assert "unknown-" not in text
    assert "nowhere" not in text


def test_second_address_may_be_a_unix_socket(redis_url: str, tmp_path: Path) -> None:
    path = str(tmp_path / "metrics.sock")
    with serving(REDIS_URL=redis_url, METRICS_BIND=f"unix:{path}") as server:
        page = answer_at(path, "/metrics")
        assert page.startswith(b"HTTP/1.1 200")
        assert b"referee_build_info" in page
        assert answer_at(path, "/version").startswith(b"HTTP/1.1 404")
        assert server.ask("GET", "/version").status == 200


def test_systemd_sockets_are_identified_by_their_names(redis_url: str, tmp_path: Path) -> None:
    with ExitStack() as closing:
        # In an unusual order: the socket of the metrics is first.
        sockets = [closing.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(2)]
        second, public = (listener.getsockname()[1] for listener in sockets)
        files = [listener.fileno() for listener in sockets]
        process = subprocess.Popen(
            ["bash", "-c", activation(files), "bash", sys.executable, "-m", "service", "serve"],
            env={
                **os.environ,
                "LISTEN_FDS": "2",
                "PORT": str(public),
                "METRICS_BIND": f"127.0.0.1:{second}",
                "WORKERS": "1",
                "REDIS_URL": redis_url,
                "VAR_DIR": str(tmp_path),
            },
            pass_fds=files,
            stderr=closing.enter_context(open(tmp_path / "log", "wb")),
        )
    try:

        def status(port: int, target: str) -> int:
            with Wire(port) as wire:
                wire.send(request("GET", target, close=True))
                return wire.reply().status

        wait_until("the service answers", lambda: status(public, "/version") == 200)
        assert (status(public, "/metrics"), status(second, "/metrics")) == (404, 200)
        assert status(second, "/version") == 404
    finally:
        process.terminate()
        process.wait(120)


def test_each_master_removes_its_own_directory(redis_url: str, tmp_path: Path) -> None:
    environment = {"REDIS_URL": redis_url, "WORKERS": 1, "PROMETHEUS_MULTIPROC_DIR": tmp_path}
    with watched(**environment) as first:
        (own,) = tmp_path.iterdir()
        first.server.ask("GET", "/version")
        with watched(**environment) as second:
            assert len(list(tmp_path.iterdir())) == 2
            assert second.number("referee_requests_total", route="/version") == 0
        assert list(tmp_path.iterdir()) == [own]
        first.reaches(1, "referee_requests_total", route="/version")
    assert list(tmp_path.iterdir()) == []


def test_service_without_second_address_makes_no_files(redis_url: str, tmp_path: Path) -> None:
    with serving(REDIS_URL=redis_url, PROMETHEUS_MULTIPROC_DIR=tmp_path) as server:
        assert server.ask("POST", ADJUDICATIONS, ROLL_JSON).status == 200
        assert list(tmp_path.iterdir()) == []


def test_service_without_its_directory_works_on(redis_url: str, tmp_path: Path) -> None:
    environment = {"REDIS_URL": redis_url, "WORKERS": 1, "PROMETHEUS_MULTIPROC_DIR": tmp_path}
    with watched(**environment) as inside:
        server = inside.server
        inside.reaches(1000, "referee_connections_limit")
        (directory,) = tmp_path.iterdir()
        shutil.rmtree(directory)
        assert server.ask("POST", ADJUDICATIONS, ROLL_JSON).status == 200
        os.kill(server.workers()[0], signal.SIGKILL)
        wait_until("another worker has started", lambda: len(server.workers()) == 2)
        assert server.ask("POST", ADJUDICATIONS, ROLL_JSON).status == 200
        inside.reaches(1, "referee_verdicts_total", game="tutto")


def slots(directory: Path) -> set[str]:
    """Returns the workers that have files."""
    return {file.stem.rpartition("_")[2] for file in directory.rglob("*.db")}


REPLACED = 200


@pytest.mark.long
def test_sums_include_replaced_workers(redis_url: str, tmp_path: Path) -> None:
    """Half of the workers are replaced by HUP, and half are killed."""
    environment = {"REDIS_URL": redis_url, "WORKERS": 4, "PROMETHEUS_MULTIPROC_DIR": tmp_path}
    with watched(**environment) as inside:
        server, request_count = inside.server, 0
        wait_until("all workers have started", lambda: len(server.workers()) == 4)
        for number in range(REPLACED // 4):
            old = server.workers()[-4:]
            request_count += len([server.ask("POST", ADJUDICATIONS, ROLL_JSON) for _ in range(8)])
            if number % 2:
                server.process.send_signal(signal.SIGHUP)
            else:
                for pid in old:
                    os.kill(pid, signal.SIGKILL)
            wait_until(
                "all workers are replaced",
                lambda: not running(old) and len(server.workers()) == 4 * (number + 2),  # noqa: B023
            )
        inside.reaches(request_count, "referee_requests_total", route=ADJUDICATIONS, status="200")
        inside.reaches(request_count, "referee_verdicts_total", game="tutto")
        inside.reaches(request_count, "referee_request_duration_seconds_count", route=ADJUDICATIONS)
        inside.reaches(REPLACED / 2, "referee_workers_ended_total", how="stopped")
        inside.reaches(REPLACED / 2, "referee_workers_ended_total", how="died")
        inside.reaches(4000, "referee_connections_limit")
        files = list(tmp_path.rglob("*.db"))
        # Eight workers are alive while all four are replaced.
        assert slots(tmp_path) <= {"master", *map(str, range(8))}
        assert sum(file.stat().st_size for file in files) < 16 << 20
        registry = CollectorRegistry()
        MultiProcessCollector(registry, str(files[0].parent))  # type: ignore[no-untyped-call]
        begun = time.thread_time()
        generate_latest(registry)
        assert time.thread_time() - begun < 0.1, "seconds of CPU of a page"


@pytest.mark.parametrize("text", ["9464", ":9464", "localhost", "localhost:http", "localhost:0"])
def test_invalid_bind_address_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="must be host:port or unix:/path"):
        BindAddress(text)


@pytest.mark.parametrize(
    ("text", "name", "is_it"),
    [
        ("127.0.0.1:9464", ("127.0.0.1", 9464), True),
        ("127.0.0.1:9464", ("127.0.0.1", 8000), False),
        ("127.0.0.1:9464", ("127.0.0.2", 9464), False),
        ("0.0.0.0:9464", ("10.1.2.3", 9464), True),
        ("[::1]:9464", ("::1", 9464, 0, 0), True),
        ("localhost:9464", ("127.0.0.1", 9464), True),
        ("127.0.0.1:9464", "/run/public.sock", False),
        ("unix:/run/metrics.sock", "/run/metrics.sock", True),
        ("unix:/run/metrics.sock", b"/run/metrics.sock", True),
        ("unix:/run/metrics.sock", ("127.0.0.1", 9464), False),
    ],
)
def test_bind_address_recognizes_its_socket(text: str, name: object, is_it: bool) -> None:
    assert BindAddress(text).is_at(name) is is_it
