"""Stops, reloads and replacements of the service during use."""

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.e2e.deploy.steady_clients import Load
from tests.e2e.faults.clients import playing
from tests.engines.servers import DEADLINE, running, wait_until
from tests.engines.stack import Nginx, Stack
from tests.programs import ROOT, activation
from tests.wire import FORCED, STREAM, Line, Wire, begin, request

pytestmark = pytest.mark.long


def test_rolling_restart_breaks_no_connection() -> None:
    with Stack(2) as stack:
        with playing(stack) as play, Load(stack.port) as load:
            for number in (0, 1):
                assert FORCED not in stack.restart(number)
                load.wait_for_answers()
                play.wait_for_moves()
        assert not load.failures
        assert sum(client.broken for client in play.clients) == 0
        # nginx never resends a move. One in some ten thousand gets a 503 and is repeated.
        assert sum(len(client.away) for client in play.clients) <= 1


def has_heard(stream: Wire) -> bool:
    """Tells if the move has arrived, without reading it."""
    try:
        arrived = stream.socket.recv(1 << 16, socket.MSG_PEEK | socket.MSG_DONTWAIT)
    except BlockingIOError:
        return False
    return b'"type":"draw"' in arrived


def test_streams_end_with_the_service_and_resume_at_another() -> None:
    with Stack(2) as stack:
        table = begin(stack)
        streams = [stack.wire() for _ in range(20)]
        for stream in streams:
            stream.send(request("GET", f"{table.at}/events", None, STREAM, close=True))
            assert b" 200 " in stream.file.readline()
        assert FORCED not in stack.services[0].stop()
        table.change("events", {"type": "draw"}, table.seats[0])
        wait_until(
            "streams of the second service receive the move", lambda: any(map(has_heard, streams))
        )
        assert FORCED not in stack.services[1].stop()
        seen = [stream.rest() for stream in streams]
        # Streams of the first service ended before the move. Streams of the second service received
        # the move.
        moves = [b'"type":"draw"' in content for content in seen]
        assert {True, False} == set(moves)
        for stream in streams:
            stream.close()


def test_reload_loses_no_answer() -> None:
    with Stack() as stack:
        service = stack.services[0]
        wait_until("both workers have started", lambda: len(service.workers()) == 2)
        before = service.workers()
        with playing(stack) as play, Load(stack.port) as load:
            service.process.send_signal(signal.SIGHUP)
            wait_until("the old workers have ended", lambda: not running(before))
            load.wait_for_answers()
            play.wait_for_moves()
        assert not load.failures
        assert len(service.workers()) == 2 * len(before)
        assert sum(client.broken for client in play.clients) == 0


def test_workers_at_their_request_limit_are_replaced_silently() -> None:
    few = "--max-requests 250 --max-requests-jitter 25"
    with Stack(GUNICORN_CMD_ARGS=few) as stack:
        service = stack.services[0]
        with Load(stack.port) as load, Load(service.port) as direct:
            wait_until("both workers are replaced", lambda: len(service.workers()) >= 5)
        assert not load.failures
        assert not direct.failures
        assert FORCED not in service.log()


# As systemd starts it: the socket exists before and after the service ------------------------


@contextmanager
def activated(sockets: list[socket.socket], home: Path, **environment: str) -> Iterator[None]:
    """Runs gunicorn with inherited listening sockets, as systemd passes them."""
    gunicorn = (sys.executable, "-m", "service", "serve")
    files = [listener.fileno() for listener in sockets]
    with (home / "log").open("ab") as log:
        process = subprocess.Popen(
            ["bash", "-c", activation(files), "bash", *gunicorn],
            cwd=ROOT,
            env={**os.environ, "LISTEN_FDS": str(len(sockets)), **environment},
            pass_fds=files,
            stderr=log,
        )
    try:
        yield
    finally:
        process.terminate()
        process.wait(DEADLINE)


def test_requests_during_a_restart_wait_at_the_socket(tmp_path: Path, redis_url: str) -> None:
    path = tmp_path / "referee.sock"
    with ExitStack() as closing:
        public = closing.enter_context(socket.socket(socket.AF_UNIX))
        public.bind(str(path))
        public.listen(512)
        inside = closing.enter_context(socket.create_server(("127.0.0.1", 0)))
        watching = Line()
        watching.port = inside.getsockname()[1]
        environment = {
            "HOST": f"unix:{path}",
            "METRICS_BIND": f"127.0.0.1:{watching.port}",
            "REDIS_URL": redis_url,
            "TRUSTED_PROXIES": "unix",
        }
        address = f"unix:{path} max_fails=0"
        nginx = closing.enter_context(Nginx(address, address))
        with activated([public, inside], tmp_path, **environment):
            wait_until("nginx answers", lambda: nginx.ask("GET", "/livez").status == 200)
            assert watching.ask("GET", "/metrics").status == 200
            load = Load(nginx.port)
        with activated([public, inside], tmp_path, **environment), load:
            load.wait_for_answers()
        assert not load.failures


def test_service_listens_at_a_unix_socket(tmp_path: Path, redis_url: str) -> None:
    path = tmp_path / "referee.sock"
    address = f"unix:{path} max_fails=0"
    environment = {"HOST": f"unix:{path}", "REDIS_URL": redis_url, "TRUSTED_PROXIES": "unix"}
    gunicorn = (sys.executable, "-m", "service", "serve")
    process = subprocess.Popen(
        gunicorn, cwd=ROOT, env={**os.environ, **environment}, stderr=subprocess.DEVNULL
    )
    try:
        with Nginx(address, address) as nginx:
            wait_until("nginx answers", lambda: nginx.ask("GET", "/readyz").status == 200)
            assert re.fullmatch(r"/v1/sessions/[^/:]+", begin(nginx).at)
    finally:
        process.terminate()
        assert process.wait(DEADLINE) == 0
    assert not path.exists()
