"""The service under a foreign WSGI server: werkzeug's, over a socket."""

from collections.abc import Iterator

import pytest
from werkzeug.serving import make_server

from dice_referee.app import create_app
from tests.application import ADJUDICATIONS, ROLL_JSON
from tests.e2e.attack.raw import ENDED, chunk, chunked
from tests.unlimited import UNLIMITED
from tests.wire import Line, listening


class Foreign(Line):
    def __init__(self, port: int) -> None:
        self.port = port


@pytest.fixture(scope="module")
def line() -> Iterator[Line]:
    server = make_server("127.0.0.1", 0, create_app(UNLIMITED), threaded=True)
    with listening(server):
        yield Foreign(server.port)


def test_roll_is_adjudicated(line: Line) -> None:
    assert line.ask("POST", ADJUDICATIONS, ROLL_JSON).status == 200
    assert line.ask_raw(chunked(body=chunk(ROLL_JSON) + ENDED))[0].status == 200


def test_body_over_the_limit_is_a_413(line: Line) -> None:
    large = b" " * (UNLIMITED.body_limit + 1)
    line.ask("POST", ADJUDICATIONS, large).problem("too-large", 413)
    line.ask_raw(chunked(body=chunk(large) + ENDED))[0].problem("too-large", 413)


def test_malformed_chunks_are_a_400(line: Line) -> None:
    with line.wire() as wire:
        wire.send(chunked(body=b"zz\r\n{}\r\n" + ENDED))
        answer = wire.rest()
    assert answer.startswith(b"HTTP/1.1 400")
    assert b"/problems/bad-request" in answer


@pytest.mark.parametrize("name", ["elsewhere.example", "a/b", ""])
def test_unknown_host_is_a_421(line: Line, name: str) -> None:
    raw = f"GET /v1 HTTP/1.1\r\nHost: {name}\r\nConnection: close\r\n\r\n"
    assert line.ask_raw(raw.encode())[0].status == 421


def test_trailing_blanks_of_a_value_are_removed(line: Line) -> None:
    reply = line.ask("GET", "/livez", None, "X-Request-ID: abc \t")
    assert reply.headers["x-request-id"] == "abc"
