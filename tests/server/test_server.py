"""The real server under gunicorn, and clients that misbehave by mistake or on purpose."""

import errno
import json
import os
import resource
import signal
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest

from dice_referee.api.contract import contract_json
from dice_referee.sessions.redis.store import RedisStore
from tests.api.conftest import PATIENT_MS
from tests.application import ADJUDICATIONS, BATCH, ROLL_JSON, Reply
from tests.engines.servers import DEADLINE, running, wait_until
from tests.wire import FORCED, Server, Wire, begin, request, serving, wait_for_follower

GOOD = request("POST", ADJUDICATIONS, ROLL_JSON)


def eventually(server: Server) -> Reply:
    """Sends a plain request within the deadline. Retries after a cut connection."""
    replies = list[Reply]()

    def is_answered() -> bool:
        replies.append(server.ask("POST", ADJUDICATIONS, ROLL_JSON))
        return True

    wait_until("the server answers", is_answered)
    return replies[0]


@pytest.fixture
def wire(server: Server) -> Iterator[Wire]:
    with server.wire() as connected:
        yield connected


def test_half_a_body_is_a_408_and_closes_the_connection(wire: Wire) -> None:
    wire.send(GOOD[:-10])
    reply = wire.reply()
    reply.problem("request-timeout", 408)
    assert reply.headers["connection"] == "close"
    assert wire.ends()


def test_silent_connection_is_closed(wire: Wire) -> None:
    assert wire.ends()


def test_connection_may_idle_between_two_requests(server: Server, wire: Wire) -> None:
    wire.send(GOOD)
    assert wire.reply().status == 200
    with server.wire() as silent:
        assert silent.ends(), "the time of a first request is over"
    wire.send(GOOD)
    assert wire.reply().status == 200


def test_connection_stays_open_after_a_refusal(wire: Wire) -> None:
    for raw, status in (
        (request("GET", "/nowhere"), 404),
        (request("DELETE", "/livez"), 405),
        (request("POST", ADJUDICATIONS, b"{"), 400),
        (request("POST", ADJUDICATIONS, b"{}", "Content-Type: text/plain"), 415),
        (request("POST", ADJUDICATIONS, b'{"card":"clover","roll":[]}'), 422),
        (request("POST", ADJUDICATIONS, b" " * ((1 << 20) + 1)), 413),
        (request("GET", "/livez", b'{"a": "body"}'), 200),
        (request("OPTIONS", ADJUDICATIONS), 204),
        (GOOD, 200),
    ):
        wire.send(raw)
        reply = wire.reply()
        assert reply.status == status
        assert reply.headers["server"].isalpha(), "the header names the server without its version"


def test_pipelined_requests_are_answered_in_order(wire: Wire) -> None:
    cards = [f"bonus-{n}00" for n in (2, 3, 4, 5, 6)]
    targets = [f"{ADJUDICATIONS}?card={card}&roll=123466" for card in cards]
    wire.send(
        b"".join(request("GET", target) for target in targets)
        + request("HEAD", "/livez")
        + request("GET", "/nowhere")
        + GOOD
    )
    for card in cards:
        assert f'"card":"{card}"' in wire.reply().body.decode()
    assert wire.reply("HEAD").body == b""
    assert wire.reply().status == 404
    assert wire.reply().status == 200


@pytest.mark.parametrize("host", ["a..b", "x" * 70, "evil.example"])
def test_make_run_answers_only_to_names_of_this_machine(server: Server, host: str) -> None:
    raw = request("POST", "/v1/sessions", b'{"game":"tutto","players":["A","B"]}', close=True)
    reply, _ = server.ask_raw(raw.replace(b"localhost", host.encode("latin-1"), 1))
    reply.problem("misdirected-request", 421)
    reply, _ = server.ask_raw(raw.replace(b"localhost", b"127.0.0.1:80", 1))
    assert reply.status == 201


def test_too_large_expect_100_continue_is_refused_at_once(wire: Wire) -> None:
    length = "Content-Length: 99999999"
    wire.send(request("POST", ADJUDICATIONS, None, "Content-Type: application/json", length,
                      "Expect: 100-continue"))  # fmt: skip
    reply = wire.reply()
    reply.problem("too-large", 413)
    assert wire.ends()
    assert reply.headers["connection"] == "close", "as the connection is closed"


CONTINUED = b"HTTP/1.1 100 Continue\r\n", b"\r\n"


def test_client_gets_100_continue_once(wire: Wire) -> None:
    # The server reads a body of this size in several parts.
    body = ROLL_JSON + b" " * 900_000
    wire.send(request("POST", ADJUDICATIONS, body, "Expect: 100-continue")[: -len(body)])
    assert (wire.file.readline(), wire.file.readline()) == CONTINUED
    wire.send(body)
    assert wire.file.readline() == b"HTTP/1.1 200 OK\r\n"


def test_begun_answer_has_no_100_continue() -> None:
    raw = request("POST", "/early", b"late", "Expect: 100-continue", close=True)
    with serving(app="tests.server.early:app", WORKERS=1) as server, server.wire() as wire:
        wire.send(raw[:-4])
        while (line := wire.file.readline()) != b"early\r\n":
            assert line not in (b"", CONTINUED[0])
        wire.send(raw[-4:])
        assert wire.rest() == b"4\r\nlate\r\n0\r\n\r\n"


def test_lines_are_streamed_in_chunks(server: Server) -> None:
    kind = "Content-Type: application/x-ndjson"
    with server.wire() as wire:
        wire.send(request("POST", BATCH, (ROLL_JSON + b"\n") * 5000, kind) + GOOD)
        streamed = wire.reply()
        assert wire.reply().status == 200
    assert streamed.status == 200
    assert streamed.headers["transfer-encoding"] == "chunked"
    assert streamed.headers["content-type"] == "application/x-ndjson"
    single = server.ask("POST", ADJUDICATIONS, ROLL_JSON).body
    assert streamed.body == (single + b"\n") * 5000


LONG = 15_000_000
"""Bytes of an answer larger than any buffer on the way."""


@contextmanager
def unread(server: Server, kind: str) -> Iterator[Wire]:
    """A client that requests some megabytes and reads only the head of the answer."""
    many = [b'{"card":"double","roll":[1,1,5,5,5,2]}'] * 6000
    body = b"\n".join(many)
    if kind == "application/json":
        body = b'{"positions":[' + b",".join(many) + b"]}"
    with server.wire(receive_buffer=1 << 18) as wire:
        wire.send(request("POST", BATCH, body, f"Content-Type: {kind}"))
        assert wire.file.readline() == b"HTTP/1.1 200 OK\r\n"
        yield wire


def sockets_of(server: Server) -> int:
    """Returns the number of open sockets of the only worker."""
    [worker] = server.workers()
    links = [os.readlink(link) for link in Path(f"/proc/{worker}/fd").iterdir()]
    return sum(link.startswith("socket:") for link in links)


def test_clients_that_do_not_read_are_dropped_and_hold_no_thread() -> None:
    with ExitStack() as stack:
        server = stack.enter_context(serving(WORKERS=1, THREADS=2, WRITE_SECONDS=2))
        assert server.ask("GET", "/openapi.yaml").status == 200
        before = sockets_of(server)
        kinds = "application/json", "application/x-ndjson", "application/x-ndjson"
        wires = [stack.enter_context(unread(server, kind)) for kind in kinds]
        assert server.ask("GET", "/openapi.yaml").status == 200, "while they do not read"
        wait_until("the connections are closed", lambda: sockets_of(server) <= before)
        assert server.ask("GET", "/openapi.yaml").status == 200
        assert all(len(wire.rest()) < LONG for wire in wires), "the answer is cut"


def test_thousand_half_heads_do_not_stop_the_server(server: Server) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    number = 1100 if hard == resource.RLIM_INFINITY else min(1100, hard - 300)
    try:
        with ExitStack() as stack:
            guarded = stack.enter_context(serving(files=1024, WORKERS=1, REQUEST_SECONDS=2))
            for _ in range(number):
                half = stack.enter_context(socket.socket())
                half.setblocking(False)
                # Connections that are not accepted at once stay in the backlog.
                if half.connect_ex(("127.0.0.1", guarded.port)) in (0, errno.EINPROGRESS):
                    with suppress(BlockingIOError):
                        half.send(b"POST / HTTP/1.1\r\nHost: ")
            assert eventually(guarded).status == 200
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_connection_limit_closes_the_longest_idle_connection() -> None:
    with serving(WORKERS=1, CONNECTIONS=5) as server, ExitStack() as stack:
        resting, *wires = (stack.enter_context(server.wire()) for _ in range(5))
        for wire in (resting, *wires):
            wire.send(GOOD)
            assert wire.reply().status == 200
        wires[0].send(GOOD[:-10])
        assert server.ask("POST", ADJUDICATIONS, ROLL_JSON).status == 200
        assert resting.ends()
        wires[0].send(GOOD[-10:])
        for wire in wires[1:]:
            wire.send(GOOD)
        for wire in wires:
            assert wire.reply().status == 200


def test_connection_limit_keeps_busy_connections(redis_url: str) -> None:
    with serving(REDIS_URL=redis_url, WORKERS=1, CONNECTIONS=3) as server, ExitStack() as stack:
        paths = [begin(server).at for _ in range(3)]
        polls = [stack.enter_context(server.wire()) for _ in paths]
        for wire, path in zip(polls, paths, strict=True):
            wire.send(request("GET", f"{path}/events?after=0&wait=30"))
            wait_for_follower(redis_url, path)
        with server.wire() as fourth:
            assert fourth.ends()
        store = RedisStore(redis_url, PATIENT_MS)
        for path in paths:
            store.delete(path.rpartition("/")[2], 0, b"{}", 60)
        store.close()
        for wire in polls:
            assert wire.reply().status == 410
        assert eventually(server).status == 200


def test_half_requests_over_the_limit_block_no_client() -> None:
    with ExitStack() as stack:
        guarded = stack.enter_context(serving(WORKERS=1, CONNECTIONS=20))
        for number in range(60):
            wire = stack.enter_context(guarded.wire())
            wire.send(GOOD[: -10 if number % 2 else 20])
        for _ in range(30):
            assert guarded.ask("POST", ADJUDICATIONS, ROLL_JSON).status == 200


def test_unread_answers_are_buffered_up_to_a_limit() -> None:
    with ExitStack() as stack:
        # The limit allows one unread answer, but not the answers of eight clients.
        size = len(contract_json())
        server = stack.enter_context(serving(WORKERS=1, UNREAD_LIMIT=size * 5 // 4))
        file = request("GET", "/openapi.json")
        wires = [stack.enter_context(server.wire(receive_buffer=1 << 16)) for _ in range(8)]
        for wire in wires:
            wire.send(file * 29 + file.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
        lengths = [len(wire.rest()) for wire in wires]
        assert min(lengths) < 30 * size, "unread answers were dropped"
        assert max(lengths) > 30 * size


def test_slow_reader_gets_every_answer_whole() -> None:
    with ExitStack() as stack:
        # The limit allows a quarter of one answer.
        server = stack.enter_context(serving(WORKERS=1, UNREAD_LIMIT=LONG // 4))
        wires = [stack.enter_context(unread(server, "application/json")) for _ in range(4)]
        for wire in wires:
            wire.send(request("GET", "/livez", close=True))
        assert all(len(wire.rest()) > LONG for wire in wires)


@pytest.mark.long
def test_orphaned_workers_close_connections_and_exit(redis_url: str) -> None:
    with serving(WORKERS=1, REDIS_URL=redis_url) as server, server.wire() as idle:
        (worker,) = server.workers()
        idle.send(request("GET", "/livez"))
        assert idle.reply().status == 200
        server.process.kill()
        server.process.wait()
        assert idle.ends()
        wait_until("the worker has ended", lambda: not running([worker]))
        assert FORCED not in server.log()


def test_killed_worker_is_replaced() -> None:
    with serving(WORKERS=1) as server:
        (first,) = server.workers()
        os.kill(first, signal.SIGKILL)
        assert eventually(server).status == 200
        assert len(server.workers()) == 2


def test_stop_finishes_requests_and_drops_idle_connections() -> None:
    server = Server(WORKERS=1, REQUEST_SECONDS=30)
    try:
        with server.wire() as idle, server.wire() as busy:
            idle.send(GOOD)
            assert idle.reply().status == 200
            busy.send(
                request("POST", ADJUDICATIONS, ROLL_JSON, "Expect: 100-continue")[: -len(ROLL_JSON)]
            )
            assert busy.file.readline() == b"HTTP/1.1 100 Continue\r\n", "it waits for the body"
            assert busy.file.readline() == b"\r\n"
            server.process.send_signal(signal.SIGTERM)
            wait_until("the server is stopping", lambda: not server.is_up())
            busy.send(ROLL_JSON)
            assert busy.reply().status == 200
    finally:
        logged = server.stop()
    assert FORCED not in logged
    assert server.process.returncode == 0


@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGQUIT])
def test_quick_stop_does_not_wait_for_requests(number: int) -> None:
    server = Server(WORKERS=1, REQUEST_SECONDS=30)
    with server.wire() as busy:
        busy.send(GOOD[:-10])
        wait_until("the server is up", server.is_up)
        server.process.send_signal(number)
        assert busy.ends()
        assert server.process.wait(DEADLINE) == 0
    server.stop()


def test_log_has_no_fault(server: Server) -> None:
    lines = server.log().splitlines()
    assert [line for line in lines if '"trace":' in line or "Traceback" in line] == []


def test_odds_of_house_rules_wait_for_their_value_tables(server: Server) -> None:
    """The first request runs outside the event loop, and later requests in the loop."""
    question = json.dumps({"options": {"target": 7350}, "card": "double"}).encode()
    first, second = (server.ask("POST", "/v1/tutto/odds", question) for _ in range(2))
    assert first.status == second.status == 200
    assert first.body == second.body
