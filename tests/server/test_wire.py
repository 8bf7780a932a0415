"""Edge cases of HTTP, and the answers of the service under ``dice-referee serve``."""

import json
from collections.abc import Iterator

import pytest

from tests.application import ADJUDICATIONS, ROLL_JSON
from tests.e2e.attack.raw import SLASHED
from tests.wire import Server, serving

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


@pytest.mark.parametrize("target", SLASHED)
def test_encoded_slash_is_data(line: Server, target: str) -> None:
    assert "%2f" in line.ask("GET", target).problem("not-found", 404)["detail"].lower()


def test_other_escapes_and_slashes_in_queries_are_decoded(line: Server) -> None:
    for target in ("/l%69vez", "/livez?x=%2F", "/v1/%74utto?%2f"):
        assert line.ask("GET", target).status == 200, target


def test_options_of_the_server_list_its_methods(line: Server) -> None:
    reply = line.ask("OPTIONS", "*")
    assert (reply.status, reply.body) == (204, b"")
    assert reply.headers["allow"] == "DELETE, GET, HEAD, OPTIONS, POST"
    assert line.ask("CONNECT", "localhost:80").headers["allow"] == reply.headers["allow"]
    refusal = line.ask("CONNECT", "localhost:80").problem("method-not-allowed", 405)
    assert "CONNECT" in refusal["detail"]
    for target in ("livez", "**", "*/livez", "*?x"):
        assert line.ask("OPTIONS", target).status == 400, target


def answered(line: Server, target: str, body: bytes, fields: dict[str, str]) -> tuple[object, ...]:
    """Returns an answer without the parts that differ between two answers."""
    headers = {"Host": "localhost", "Content-Type": "application/json"} | fields
    lines = [f"POST {target} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items())]
    head = "\r\n".join([*lines, f"Content-Length: {len(body)}", "Connection: close", "", ""])
    with line.wire() as wire:
        wire.send(head.encode() + body)
        reply = wire.reply()
    passing = {"date", *(() if "X-Request-ID" in fields else ("x-request-id",))}
    return reply.status, {k: v for k, v in reply.headers.items() if k not in passing}, reply.body


@pytest.mark.parametrize("name", VALUES)
@pytest.mark.parametrize("blank", BLANKS, ids=repr)
def test_trailing_blanks_of_a_value_are_ignored(line: Server, name: str, blank: str) -> None:
    for target, body in ((ADJUDICATIONS, ROLL_JSON), ("/v1/sessions/none/events", b"{}")):
        plain = answered(line, target, body, {name: VALUES[name]})
        assert answered(line, target, body, {name: VALUES[name] + blank}) == plain


@pytest.mark.parametrize("blank", BLANKS, ids=repr)
def test_trailing_blanks_of_a_key_are_ignored(line: Server, blank: str) -> None:
    table = line.ask("POST", "/v1/sessions", b'{"game":"tutto","players":["Ada","Ben"]}')
    at, token = table.headers["location"], json.loads(table.body)["host_token"]
    fields = {"Authorization": f"Bearer {token}{blank}", "Idempotency-Key": "one"}
    first = answered(line, f"{at}/events", b'{"type":"draw"}', fields)
    assert first[0] == 200
    repeat = fields | {"Idempotency-Key": f"one{blank}", "If-Match": f'"1"{blank}'}
    assert answered(line, f"{at}/events", b'{"type":"draw"}', repeat) == first


@pytest.mark.parametrize("blank", ["", *BLANKS], ids=repr)
def test_trailing_blanks_of_last_event_id_are_ignored(line: Server, blank: str) -> None:
    table = line.ask("POST", "/v1/sessions", b'{"game":"tutto","players":["Ada","Ben"]}')
    at, seen = table.headers["location"], f"Last-Event-ID: 0{blank}"
    reply = line.ask("GET", f"{at}/events", None, "Accept: application/json", seen)
    assert (reply.status, json.loads(reply.body)["events"]) == (200, [])


def test_no_fault_was_logged(line: Server) -> None:
    assert "fault" not in line.log()
    assert "Traceback" not in line.log()
