"""A client with the standard library only. Every request has a deadline."""

import json
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from socket import SHUT_RDWR, socket
from threading import Timer
from time import monotonic, sleep
from typing import Any, NamedTuple
from urllib.parse import urlsplit

CONNECTIONS = {"http": HTTPConnection, "https": HTTPSConnection}
HEADERS = {"Content-Type": "application/json", "Accept": "application/json, */*;q=0.1"}
LARGEST = 1 << 24
"""Maximum bytes of an answer, over a hundred times the largest."""
PATIENCE = 120
"""Seconds that a server may delay a request in all, by ``Retry-After``."""
PUT_OFF = (429, 503)


class CannotAskError(Exception):
    """The server is unreachable, does not answer, or delays a request for too long."""


class Answer(NamedTuple):
    status: int
    document: Any


class Client:
    def __init__(self, url: str, seconds: float) -> None:
        """Takes the base address of ``/v1``, and the maximum seconds of a request.

        Raises CannotAskError if ``url`` is not an HTTP address.
        """
        try:
            parts = urlsplit(url)
            kind, host, port = CONNECTIONS[parts.scheme], parts.hostname or "", parts.port
            self._connection = kind(host, port, timeout=seconds)
        except (KeyError, ValueError) as error:
            raise CannotAskError(f"{url} is not an address like http://localhost:8000") from error
        self._prefix, self._seconds = parts.path.rstrip("/"), seconds

    def post(self, path: str, document: Any) -> Answer:
        """Posts a document and returns the answer. Raises CannotAskError."""
        body, patience = json.dumps(document).encode(), PATIENCE
        while True:
            response, raw = self._answer_to(self._prefix + path, body)
            if response.status not in PUT_OFF:
                return Answer(response.status, _read(raw))
            after = response.headers.get("Retry-After", "")
            seconds = int(after) if after.isdecimal() else 1
            patience -= max(seconds, 1)
            if patience < 0:
                raise CannotAskError(f"{path}: {response.status}, Retry-After: {after}")
            sleep(seconds)

    def close(self) -> None:
        self._connection.close()

    def _answer_to(self, path: str, body: bytes) -> tuple[HTTPResponse, bytes]:
        reused = self._connection.sock is not None
        try:
            return self._round_trip(path, body)
        except TimeoutError as error:
            self.close()
            raise CannotAskError(f"{path}: no answer within {self._seconds:g} s") from error
        except (OSError, HTTPException) as error:
            self.close()
            if reused:
                return self._answer_to(path, body)
            raise CannotAskError(f"{path}: {error or type(error).__name__}") from error

    def _round_trip(self, path: str, body: bytes) -> tuple[HTTPResponse, bytes]:
        deadline = monotonic() + self._seconds
        if self._connection.sock is None:
            self._connection.connect()
        # The timeout of the socket covers each read only: a slow server sends many parts.
        watch = Timer(max(deadline - monotonic(), 0), _shut_down, (self._connection.sock,))
        watch.start()
        try:
            self._connection.request("POST", path, body, HEADERS)
            response = self._connection.getresponse()
            raw = response.read(LARGEST + 1)
            if len(raw) > LARGEST:
                raise HTTPException(f"more than {LARGEST} bytes")
            # Raises if the answer ends too early, unlike a read of a number of bytes.
            response.read()
        except (OSError, HTTPException):
            if monotonic() >= deadline:
                raise TimeoutError from None
            raise
        finally:
            watch.cancel()
        if monotonic() >= deadline:
            raise TimeoutError
        return response, raw


def _shut_down(connected: socket) -> None:
    """Shuts the TCP socket down below TLS, which ends any read in progress."""
    with suppress(OSError):
        socket.shutdown(connected, SHUT_RDWR)


def _read(raw: bytes) -> Any:
    try:
        return json.loads(raw)
    except ValueError:
        return raw.decode("utf-8", "replace")
