"""Requests over a socket to a real server under gunicorn, by a client that sends bytes.

``tests/application.py`` sends requests to the application object.
"""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPResponse
from http.server import HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple, Self, cast

from redis import Redis

from dice_referee.sessions.redis.notifications import CHANNEL
from dice_referee.settings import CONSTANTS
from tests.application import TUTTO, Reply, encoded
from tests.engines.servers import DEADLINE, free_port, wait_until
from tests.programs import ROOT, SOURCES
from tests.unlimited import UNLIMITED_ENVIRONMENT

STREAM = "Accept: text/event-stream"
FORCED = "Forcing close"
"""Log text of a worker whose connections did not end within the grace period."""


def wait_for_follower(redis_url: str, session: str) -> None:
    """Waits until a process has subscribed to the session at this path."""
    channel = CHANNEL + session.rpartition("/")[2]
    with Redis.from_url(redis_url) as client:
        wait_until(f"{session} is followed", lambda: client.pubsub_numsub(channel)[0][1] > 0)


class _Stream:
    """Stream for HTTPResponse that stays open for the next answer."""

    def __init__(self, file: Any) -> None:
        self.file = file

    def makefile(self, _: str) -> "_Stream":
        return self

    def close(self) -> None:
        pass

    def __getattr__(self, name: str) -> Any:
        return getattr(self.file, name)


class Wire:
    """A client connection that sends and reads bytes."""

    def __init__(self, port: int, receive_buffer: int = 0, source: str = "") -> None:
        self.socket = socket.socket()
        if source:
            self.socket.bind((source, 0))
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(DEADLINE)
        try:
            self.socket.connect(("127.0.0.1", port))
        except OSError:
            self.socket.close()
            raise
        self.file = self.socket.makefile("rb")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.file.close()
        self.socket.close()

    def send(self, raw: bytes) -> None:
        self.socket.sendall(raw)

    def reply(self, method: str = "GET") -> Reply:
        """Reads the next answer."""
        response = HTTPResponse(cast(socket.socket, _Stream(self.file)), method=method)
        response.begin()
        headers: dict[str, str] = {}
        for name, value in response.getheaders():
            name = name.lower()
            # The only header that a proxy may extend with a line of its own.
            assert name == "vary" or name not in headers, f"twice: {name}"
            headers[name] = f"{headers[name]}, {value}" if name in headers else value
        return Reply(response.status, headers, response.read())

    def rest(self) -> bytes:
        """Reads until the server closes or resets the connection."""
        parts = []
        try:
            while part := self.file.read1(1 << 16):
                parts.append(part)
        except ConnectionError:
            pass
        return b"".join(parts)

    def ends(self) -> bool:
        """Tells if the server closes without another byte."""
        return self.rest() == b""


def request(
    method: str, target: str, body: bytes | None = None, *fields: str, close: bool = False
) -> bytes:
    """Returns a request as bytes. ``fields`` are whole header lines."""
    lines = [f"{method} {target} HTTP/1.1", "Host: localhost", *fields]
    if body is not None:
        if not any(field.lower().startswith("content-type") for field in fields):
            lines.append("Content-Type: application/json")
        lines.append(f"Content-Length: {len(body)}")
    if close:
        lines.append("Connection: close")
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + (body or b"")


class Line:
    """An HTTP server on a port of this machine."""

    port: int

    def workers(self) -> list[int]:
        """The server's worker processes, if known."""
        return []

    def wire(self, receive_buffer: int = 0, source: str = "") -> Wire:
        return Wire(self.port, receive_buffer, source)

    def ask(self, method: str, target: str, body: bytes | None = None, *fields: str) -> Reply:
        """Sends a request on a new connection and returns the answer."""
        with self.wire() as wire:
            wire.send(request(method, target, body, *fields, close=True))
            return wire.reply(method)

    def ask_raw(self, raw: bytes) -> tuple[Reply, bytes]:
        """Sends these bytes. Returns the answer, and the bytes after it until the server closes."""
        with self.wire() as wire:
            wire.send(raw)
            return wire.reply(), wire.rest()


class Server(Line):
    """gunicorn as ``make run`` starts it, on a new port or on a given port.

    ``tests/server/replaced.py`` replaces constants that are among the ``environment``.
    """

    def __init__(
        self,
        files: int = 0,
        port: int = 0,
        app: str = "dice_referee.asgi:app",
        group: Path | None = None,
        **environment: object,
    ) -> None:
        self.port = port or free_port()
        self._log = tempfile.TemporaryFile()  # noqa: SIM115
        settings = {name: str(value) for name, value in environment.items()}
        if constants := {name: settings.pop(name) for name in CONSTANTS & settings.keys()}:
            app = "tests.server.replaced:app"
            settings["REPLACED_CONSTANTS"] = json.dumps(constants)
        metrics = self._metrics = tempfile.TemporaryDirectory()
        var = self._var = tempfile.TemporaryDirectory()
        command = [
            sys.executable,
            "-m",
            "gunicorn",
            "-c",
            "python:dice_referee.server.gunicorn_conf",
            app,
        ]
        if files:
            command = ["sh", "-c", f'ulimit -n {files} && exec "$@"', "sh", *command]
        if group is not None:
            command = ["sh", "-c", 'echo $$ >"$0"/cgroup.procs && exec "$@"', str(group), *command]
        self.process = subprocess.Popen(
            command,
            cwd=ROOT,
            env={
                **os.environ,
                "PYTHONPATH": str(SOURCES),
                "PROMETHEUS_MULTIPROC_DIR": metrics.name,
                "PORT": str(self.port),
                # Generous, since the machine may be busy. Tests of faults set a lower value.
                "REDIS_TIMEOUT_MS": "5000",
                "VAR_DIR": var.name,
                **UNLIMITED_ENVIRONMENT,
                **settings,
            },
            stderr=self._log,
        )
        deadline = time.monotonic() + DEADLINE
        while not self.is_up():
            assert self.process.poll() is None, self.log()
            assert time.monotonic() < deadline, self.log()
            time.sleep(0.05)

    def is_up(self) -> bool:
        """Tells if Flask answers a request."""
        try:
            return self.ask("GET", "/livez").status == 200
        except OSError:
            return False

    def log(self) -> str:
        """Returns the log so far. Does not seek: the server's processes share the file's offset."""
        descriptor = self._log.fileno()
        size = os.fstat(descriptor).st_size
        return os.pread(descriptor, size, 0).decode("utf-8", "replace")

    def workers(self) -> list[int]:
        """Process ids of the workers, in the order of their start."""
        return [int(pid) for pid in re.findall(r"Booting worker with pid: (\d+)", self.log())]

    def stop(self) -> str:
        """Stops the server as a supervisor does. Returns its log."""
        if self._log.closed:
            return ""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(DEADLINE)
        finally:
            if self.process.poll() is None:
                self.process.kill()
                self.process.wait()
            logged = self.log()
            self._log.close()
            self._metrics.cleanup()
            self._var.cleanup()
        return logged


class Table(NamedTuple):
    """A session at a server, its tokens and its first state."""

    server: Line
    at: str
    host: str
    seats: list[str]
    state: dict[str, Any]

    @property
    def id(self) -> str:
        return self.at.rpartition("/")[2]

    def post(self, path: str, body: Any = None, token: str = "", *fields: str) -> Reply:
        """Posts with the host's token, or another token, and with these header lines."""
        bearer = f"Authorization: Bearer {token or self.host}"
        return self.server.ask("POST", f"{self.at}/{path}", encoded(body or {}), bearer, *fields)

    def change(self, path: str, body: Any = None, token: str = "", *fields: str) -> dict[str, Any]:
        """Posts a change that must be accepted, and returns the answer's document."""
        reply = self.post(path, body, token, *fields)
        assert reply.status == 200, reply
        document: dict[str, Any] = json.loads(reply.body)
        return document

    def seed(self, text: str) -> None:
        """Adds to the seed: a change that is always allowed before the first card."""
        self.change("seeds", {"seed": text}, self.seats[0])

    def read(self, path: str = "") -> Any:
        """Returns the document at a path below the session."""
        reply = self.server.ask("GET", self.at + path)
        assert reply.status == 200, reply
        return json.loads(reply.body)

    def delete(self) -> Reply:
        return self.server.ask("DELETE", self.at, None, f"Authorization: Bearer {self.host}")


def begin(server: Line, *fields: str, **more: Any) -> Table:
    """Creates a session for two people, or with other members, with these header lines."""
    reply = server.ask("POST", "/v1/sessions", encoded({**TUTTO, **more}), *fields)
    assert reply.status == 201, reply
    document = json.loads(reply.body)
    return Table(
        server,
        reply.headers["location"],
        document["host_token"],
        document["seat_tokens"],
        document["session"],
    )


class Stream:
    """An event stream, read line by line."""

    def __init__(self, wire: Wire, target: str, *fields: str) -> None:
        wire.send(request("GET", target, None, STREAM, *fields))
        self.head = b""
        while not self.head.endswith(b"\r\n\r\n"):
            line = wire.file.readline()
            assert line, self.head
            self.head += line
        self.status = int(self.head.split()[1])
        self._wire, self._rest = wire, b""

    def close(self) -> None:
        self._wire.close()

    def line(self) -> str | None:
        """Reads the next line, or returns None at the end."""
        while b"\n" not in self._rest:
            size = int(self._wire.file.readline() or b"0", 16)
            if not size:
                return None
            self._rest += self._wire.file.read(size)
            self._wire.file.readline()
        line, _, self._rest = self._rest.partition(b"\n")
        return line.decode()

    def event(self) -> dict[str, str]:
        """Reads the fields of the next event that is no heartbeat and does not name the connected.

        Returns no fields at the end.
        """
        while (fields := self._event()).get("event") == "connected":
            pass
        return fields

    def connected(self) -> list[int]:
        """Reads the next event, which names the connected seats, and returns them."""
        fields = self._event()
        assert fields.pop("event") == "connected", fields
        seats: list[int] = json.loads(fields.pop("data"))["connected"]
        assert not fields
        return seats

    def _event(self) -> dict[str, str]:
        fields = dict[str, str]()
        while line := self.line():
            name, _, value = line.partition(": ")
            if name and name != "retry":
                fields[name] = value
        # Some readers take an empty line without fields for an event.
        assert line is None or "data" in fields
        return fields


@contextmanager
def listening(server: HTTPServer) -> Iterator[str]:
    """Runs a server of this process during a block, and gives its address."""
    thread = Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def serving(
    files: int = 0, port: int = 0, app: str = "dice_referee.asgi:app", **environment: Any
) -> Iterator[Server]:
    """Runs a server during a block."""
    server = Server(files, port, app, **environment)
    try:
        yield server
    finally:
        server.stop()
