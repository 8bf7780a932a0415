"""Requests at the edge of HTTP: the same answer from each server that has a command."""

from collections.abc import Iterator

import pytest

from tests.e2e.attack.raw import ENDED, LENGTH, SECOND, chunk, chunked, head
from tests.server.serving import ROLL, Server, serving

GET = b"GET /livez HTTP/1.1"
CLOSE = b"Connection: close"
OWN = b"Content-Length: " + LENGTH
BROKEN = {
    "a chunk size that is no number": chunked(body=b"zz\r\n{}\r\n" + ENDED),
    "a chunk size with a sign": chunked(body=chunk(ROLL, b"+29") + ENDED),
    "a chunk without its end": chunked(body=b"29\r\n" + ROLL + b"xx" + ENDED),
    "an empty chunk size": chunked(body=b"\r\n" + ROLL + b"\r\n" + ENDED),
    "an unknown coding": head(b"Transfer-Encoding: gzip", CLOSE),
    "a coding before the chunks": head(b"Transfer-Encoding: gzip, chunked", CLOSE) + ENDED,
    "no coding": head(b"Transfer-Encoding: identity", CLOSE),
    "a coding and a length": head(b"Transfer-Encoding: chunked", OWN) + ENDED,
    "a space before the colon": head(b"X : y", start=GET),
}
"""It is not clear where the next request begins."""
MALFORMED = {
    "no host": head(start=GET, host=False),
    "two hosts": head(b"Host: elsewhere", start=GET),
    "a host with a path": head(b"Host: a/b", start=GET, host=False),
    "a host with a user and a space": head(b"Host: a b/c@d", start=GET, host=False),
    "a target with a fragment": head(start=b"GET /livez#x HTTP/1.1"),
    "a target without a slash": head(start=b"GET livez HTTP/1.1"),
    "HTTP/1.2": head(start=b"GET /livez HTTP/1.2"),
}
TAKEN = {
    "an empty line before it": (b"\r\n" + head(CLOSE, start=GET), 200),
    "an absolute target": (head(CLOSE, start=b"GET http://localhost/livez HTTP/1.1"), 200),
    "an absolute target without a path": (
        head(CLOSE, start=b"GET http://localhost?x=/livez HTTP/1.1"),
        200,
    ),
    "a target of 9 KB": (head(start=b"GET /" + b"x" * 9000 + b" HTTP/1.1"), 414),
    "a field of 10 KB": (head(b"X: " + b"y" * 10_000, start=GET), 431),
    "more than a hundred fields": (head(*[b"X: y"] * 120, start=GET), 431),
    "an expectation of something else": (head(OWN, b"Expect: 200-ok") + ROLL, 417),
    "a compressed body": (head(OWN, CLOSE, b"Content-Encoding: gzip") + ROLL, 415),
    "a body that says that it is not": (
        head(OWN, CLOSE, b"Content-Encoding: identity") + ROLL,
        200,
    ),
    "an extension of a chunk": (chunked(CLOSE, body=chunk(ROLL, b"29;a=b") + ENDED), 200),
}


@pytest.fixture(scope="module", params=["service.asgi:app", "service.wsgi:app"])
def line(request: pytest.FixtureRequest) -> Iterator[Server]:
    """Both commands that ``gunicorn_conf.py`` names."""
    worker = "service.server.wsgi_worker.WsgiWorker"
    options = f"-k {worker} --threads 8" if request.param == "service.wsgi:app" else ""
    with serving(app=request.param, GUNICORN_CMD_ARGS=options) as server:
        yield server


@pytest.mark.parametrize("name", [*BROKEN, *MALFORMED])
def test_what_is_malformed_is_a_problem(line: Server, name: str) -> None:
    reply, rest = line.ask_raw((BROKEN | MALFORMED)[name] + SECOND)
    reply.problem("bad-request", 400)
    assert name in MALFORMED or rest == b""


@pytest.mark.parametrize("name", TAKEN)
def test_what_has_a_status_of_its_own_has_it_everywhere(line: Server, name: str) -> None:
    raw, status = TAKEN[name]
    reply, _ = line.ask_raw(raw)
    assert reply.status == status, reply
    if status != 200:
        assert reply.headers["content-type"] == "application/problem+json"


def test_no_fault_was_logged(line: Server) -> None:
    assert "fault" not in line.log()
    assert "Traceback" not in line.log()
