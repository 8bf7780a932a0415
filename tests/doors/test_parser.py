"""Our parser against gunicorn's own: the same requests, and the same refusals, byte for byte."""

import sys
from types import SimpleNamespace
from typing import Any

import pytest
from gunicorn.asgi import protocol
from gunicorn.asgi.parser import ParseError, PythonProtocol
from gunicorn.config import Config
from gunicorn.workers import gasgi
from hypothesis import example, given, settings
from hypothesis import strategies as st

from service.doors.parser import Parser
from service.doors.worker import PatientProtocol, PatientWorker

LIMITS = {"limit_request_line": 100, "limit_request_fields": 4, "limit_request_field_size": 60}
PLAIN = b"POST /a?b HTTP/1.1\r\nHost: x\r\nContent-Length:3\r\nX-Empty:\r\n\r\nabc"
CHUNKED = b"POST / HTTP/1.1\r\na: b\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n"

NAMES = st.sampled_from([b"Host", b"a", b"!#$%&'*+-.^_`|~1", b"", b"a b", b"\xe4", b" a", b"a "])
VALUES = st.binary(max_size=6) | st.sampled_from(
    [b"", b" x ", b"\tx\t", b"\xff", b"a:b", b"x" * 60]
)
FIELDS = st.builds(lambda name, value: name + b":" + value, NAMES, VALUES)
FRAMING = st.sampled_from(
    [
        b"Content-Length: 3",
        b"Content-Length: +3",
        b"Transfer-Encoding: chunked",
        b"Connection: close",
    ]
)
LINES = FIELDS | FRAMING | st.binary(max_size=6)
ENDS = st.sampled_from([b"\r\n", b"\r\n", b"\r\n", b"\n", b"\r", b""])
METHODS = st.sampled_from(
    [b"GET", b"POST", b"get", b"P#ST", b"GE", b"G" * 21, b"M-SEARCH", b"G\xe4T"]
)
REQUESTS = st.builds(
    lambda method, lines, rest: method + b" / HTTP/1.1\r\n" + b"".join(map(b"".join, lines)) + rest,
    METHODS,
    st.lists(st.tuples(LINES, ENDS), max_size=6),
    st.sampled_from([b"\r\n", b"\r\nabc", b"\r\n3\r\nabc\r\n0\r\n\r\n", b""])
    | st.binary(max_size=8),
)


def told(
    parser_class: type[Any], pieces: list[bytes], limits: dict[str, int] = LIMITS
) -> list[Any]:
    """All that a parser says while it is fed."""
    heard: list[Any] = []
    parser: Any = None

    def headers() -> bool:
        heard.append((parser.method, parser.path, parser.http_version, list(parser.headers)))
        heard.append((parser.content_length, parser.is_chunked, parser.should_keep_alive))
        return False

    def done() -> None:
        heard.append("done")

    parser = parser_class(
        on_headers_complete=headers, on_body=heard.append, on_message_complete=done, **limits
    )
    try:
        for piece in pieces:
            parser.feed(piece)
            while parser.is_complete:
                rest = parser.remaining()
                heard.append(rest)
                parser.reset()
                parser.feed(rest)
    except ParseError as error:
        heard += [type(error), str(error)]
    return heard


@settings(max_examples=1500, deadline=None, derandomize=True)
@given(raw=REQUESTS, cut=st.integers(0, 60))
@example(raw=PLAIN + PLAIN, cut=0)
@example(raw=PLAIN + PLAIN, cut=30)
@example(raw=CHUNKED + b"\r\n" + PLAIN, cut=20)
@example(raw=CHUNKED + b"c: d\r\n" * 3 + b"\r\n", cut=0)
@example(raw=b"GET / HTTP/1.1\r\na: b\nc: d\r\n\r\n", cut=0)
@example(raw=b"GET / HTTP/1.1\r\nbad name: x\r\n\r\n", cut=0)
@example(raw=b"GET / HTTP/1.1\r\na: b\r\n folded\r\n\r\n", cut=0)
@example(raw=b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 5 + b"\r\n", cut=0)
@example(raw=b"GET / HTTP/1.1\r\na: " + b"b" * 60 + b"\r\n\r\n", cut=0)
@example(raw=b"GET / HTTP/1.1\r\na: " + b"b" * 40 + b"\r\nc: " + b"d" * 40 + b"\r\n\r\n", cut=0)
def test_it_reads_and_refuses_what_gunicorn_does(raw: bytes, cut: int) -> None:
    for pieces in [raw], [raw[:cut], raw[cut:]], [raw[i : i + 1] for i in range(len(raw))]:
        assert told(Parser, pieces) == told(PythonProtocol, pieces)


@pytest.mark.parametrize("byte", range(256))
def test_each_byte_counts_as_with_gunicorn(byte: int) -> None:
    odd = bytes([byte])
    for raw in (
        b"GET / HTTP/1.1\r\nx%b: a\r\n\r\n" % odd,
        b"GET / HTTP/1.1\r\nx: a%bb\r\n\r\n" % odd,
        b"GET / HTTP/1.1\r\nx:%b\r\n\r\n" % odd,
        b"GE%bT / HTTP/1.1\r\n\r\n" % odd,
    ):
        assert told(Parser, [raw]) == told(PythonProtocol, [raw])


def test_a_head_has_the_room_of_four_fields_and_no_more() -> None:
    field = b"x: " + b"y" * 50 + b"\r\n"
    for more, heard in ((b"", 4), (field, 2)):
        raw = b"GET / HTTP/1.1\r\n" + field * 4 + more + b"\r\n"
        for pieces in [raw], [raw[i : i + 1] for i in range(len(raw))]:
            kept = {**LIMITS, "limit_request_fields": 9}
            assert len(told(Parser, pieces, kept)) == heard


def test_plain_headers_are_not_read_byte_by_byte(monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(_: Any) -> bool:
        raise AssertionError("read line by line")

    monkeypatch.setattr(PythonProtocol, "_parse_headers", slow)
    heard = told(Parser, [PLAIN])
    assert heard[0][3] == [(b"host", b"x"), (b"content-length", b"3"), (b"x-empty", b"")]
    assert heard[2:] == [b"abc", "done", b""]


def test_connections_of_the_worker_read_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    replaced = (
        (gasgi, "ASGIProtocol"),
        (protocol, "PythonProtocol"),
        (protocol, "_scan_response_headers"),
    )
    for module, name in replaced:
        # As it is: only to be put back.
        monkeypatch.setattr(module, name, getattr(module, name))
    monkeypatch.setattr(gasgi.ASGIWorker, "init_process", lambda _: None)
    monkeypatch.setattr(sys, "setswitchinterval", lambda _: None)
    config = Config()
    config.set("http_parser", "python")
    worker = object.__new__(PatientWorker)
    worker.cfg, worker.max_requests = config, 0
    worker.init_process()
    assert gasgi.ASGIProtocol is PatientProtocol
    connection = gasgi.ASGIProtocol(SimpleNamespace(cfg=config, log=None, asgi=None))
    connection.transport = SimpleNamespace(get_extra_info=lambda _: ("127.0.0.1", 50000))
    connection._setup_callback_parser()
    made: Any = connection._callback_parser
    assert type(made) is Parser
