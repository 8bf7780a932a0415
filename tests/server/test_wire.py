"""Requests at the edge of HTTP, and what the service answers under ``dice-referee serve``."""

import json
from collections.abc import Iterator

import pytest

from tests.e2e.attack.raw import ENDED, LENGTH, SECOND, SLASHED, chunk, chunked, head
from tests.server.serving import ADJUDICATIONS, ROLL, Server, serving

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


BLANKS = [" ", "\t", " \t "]
VALUES = {
    "Host": "localhost:8000",
    "Accept": "text/plain",
    "Accept-Language": "fr",
    "Content-Encoding": "identity",
    "Content-Type": "application/json",
    "Expect": "100-continue",
    "Origin": "http://localhost:5173",
    "X-Request-ID": "abc",
}


@pytest.fixture(scope="module")
def line(redis_url: str) -> Iterator[Server]:
    with serving(REDIS_URL=redis_url) as server:
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


@pytest.mark.parametrize("target", SLASHED)
def test_an_encoded_slash_is_data(line: Server, target: str) -> None:
    assert "%2f" in line.ask("GET", target).problem("not-found", 404)["detail"].lower()


def test_other_escapes_and_slashes_in_queries_are_decoded(line: Server) -> None:
    for target in ("/l%69vez", "/livez?x=%2F", "/v1/games/%74utto?%2f"):
        assert line.ask("GET", target).status == 200, target


def test_options_of_the_whole_server_tell_its_methods(line: Server) -> None:
    reply = line.ask("OPTIONS", "*")
    assert (reply.status, reply.body) == (204, b"")
    assert reply.headers["allow"] == "DELETE, GET, HEAD, OPTIONS, POST"
    assert line.ask("CONNECT", "localhost:80").headers["allow"] == reply.headers["allow"]
    told = line.ask("CONNECT", "localhost:80").problem("method-not-allowed", 405)
    assert "CONNECT" in told["detail"]
    for target in ("livez", "**", "*/livez", "*?x"):
        assert line.ask("OPTIONS", target).status == 400, target


def answered(line: Server, target: str, body: bytes, fields: dict[str, str]) -> tuple[object, ...]:
    """An answer, without what differs from one to the next."""
    told = {"Host": "localhost", "Content-Type": "application/json"} | fields
    lines = [f"POST {target} HTTP/1.1", *(f"{name}: {value}" for name, value in told.items())]
    head = "\r\n".join([*lines, f"Content-Length: {len(body)}", "Connection: close", "", ""])
    with line.wire() as wire:
        wire.send(head.encode() + body)
        reply = wire.reply()
    passing = {"date", *(() if "X-Request-ID" in fields else ("x-request-id",))}
    return reply.status, {k: v for k, v in reply.headers.items() if k not in passing}, reply.body


@pytest.mark.parametrize("name", VALUES)
@pytest.mark.parametrize("blank", BLANKS, ids=repr)
def test_blanks_behind_a_value_are_no_part_of_it(line: Server, name: str, blank: str) -> None:
    for target, body in ((ADJUDICATIONS, ROLL), ("/v1/sessions/none/events", b"{}")):
        plain = answered(line, target, body, {name: VALUES[name]})
        assert answered(line, target, body, {name: VALUES[name] + blank}) == plain


@pytest.mark.parametrize("blank", BLANKS, ids=repr)
def test_a_key_with_blanks_behind_it_is_the_same_key(line: Server, blank: str) -> None:
    table = line.ask("POST", "/v1/sessions", b'{"game":"tutto","players":["Ada","Ben"]}')
    at, token = table.headers["location"], json.loads(table.body)["host_token"]
    fields = {"Authorization": f"Bearer {token}{blank}", "Idempotency-Key": "one"}
    first = answered(line, f"{at}/events", b'{"type":"draw"}', fields)
    assert first[0] == 200
    again = fields | {"Idempotency-Key": f"one{blank}", "If-Match": f'"1"{blank}'}
    assert answered(line, f"{at}/events", b'{"type":"draw"}', again) == first


@pytest.mark.parametrize("blank", ["", *BLANKS], ids=repr)
def test_blanks_behind_the_last_event_are_no_part_of_it(line: Server, blank: str) -> None:
    table = line.ask("POST", "/v1/sessions", b'{"game":"tutto","players":["Ada","Ben"]}')
    at, seen = table.headers["location"], f"Last-Event-ID: 0{blank}"
    reply = line.ask("GET", f"{at}/events", None, "Accept: application/json", seen)
    assert (reply.status, json.loads(reply.body)["events"]) == (200, [])


def test_no_fault_was_logged(line: Server) -> None:
    assert "fault" not in line.log()
    assert "Traceback" not in line.log()
