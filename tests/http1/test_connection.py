"""The connection with a small ASGI application, without gunicorn and without a game."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Any

import pytest

from dice_referee.http1.connection import (
    DRAIN_SECONDS,
    FIELD_LIMIT,
    FIELDS_LIMIT,
    HEAD_LIMIT,
    TARGET_LIMIT,
    Connection,
)
from dice_referee.http1.connection_limiter import ConnectionLimiter
from dice_referee.http1.exchange import last_answer
from dice_referee.http1.state import ServerState
from dice_referee.server.refusal import refusal
from dice_referee.settings import Settings

Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Answering = Callable[[Message, Receive, Send], Awaitable[None]]
OK: Message = {"type": "http.response.start", "status": 200}
GIVE_UP_SECONDS = 60
"""Seconds until a test gives up, far more than any test takes on a busy machine."""


async def read_whole(receive: Receive) -> bytes:
    body, more = b"", True
    while more:
        message = await receive()
        if message["type"] != "http.request":
            raise ConnectionError
        body, more = body + message["body"], message["more_body"]
    return body


async def echo(scope: Message, receive: Receive, send: Send) -> None:
    """Answers with the method, the path, the names of the headers and the body."""
    try:
        body = await read_whole(receive)
    except ConnectionError:
        body = b"(disconnect)"
    except TimeoutError:
        body = b"(timeout)"
    names = b",".join(name for name, _ in scope["headers"])
    target = scope["raw_path"] + b"?" + scope["query_string"]
    content = b"|".join([scope["method"].encode(), target, names, body])
    await send({**OK, "headers": [(b"content-length", b"%d" % len(content))]})
    await send({"type": "http.response.body", "body": content})


class App:
    """Application of a worker, the same for every scope."""

    def __init__(self, answering: Answering, settings: Settings) -> None:
        self.answering, self.settings = answering, settings
        self.connections = ConnectionLimiter(settings.connections)
        self.scopes: list[Message] = []
        self.refused: list[tuple[int, bytes | None]] = []
        """Status and path of each refusal by the connection itself."""

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        self.scopes.append(scope)
        await self.answering(scope, receive, send)

    def refusal(self, status: int, scope: Message | None) -> bytes:
        self.refused.append((status, None if scope is None else scope["raw_path"]))
        return last_answer(status, *refusal(status))


class Clock:
    """Clock of the connections: the loop's time plus the time that a test adds."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self.ahead = 0.0
        """Seconds that the test has added."""

    def time(self) -> float:
        return self._loop.time() + self.ahead

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loop, name)


class CountedConnection(Connection):
    """A connection that counts the bytes read."""

    read = 0
    peer: Any = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self.peer = transport.get_extra_info("peername")

    def data_received(self, data: bytes) -> None:
        self.read += len(data)
        super().data_received(data)


class Worker:
    """A server of an application that checks its deadlines when a test advances the clock."""

    def __init__(self, app: App, keep_alive_seconds: float) -> None:
        self.app, self.state = app, ServerState(lambda _: app, keep_alive_seconds)
        self.clock: Any = Clock(asyncio.get_running_loop())
        self.connections: list[CountedConnection] = []

    def connection(self) -> CountedConnection:
        """Makes a connection that is about to be accepted."""
        connection = CountedConnection(self.state)
        connection.loop = self.clock
        self.connections.append(connection)
        return connection

    def accepted(self, address: Any) -> CountedConnection | None:
        """Returns the accepted connection of a client's address."""
        peers = (connection for connection in self.connections if connection.peer == address)
        return next(peers, None)


class Client:
    """A connection to the server of a test."""

    def __init__(self, worker: Worker, port: int) -> None:
        self.app, self.state, self.worker, self.port = worker.app, worker.state, worker, port

    async def connect(self) -> None:
        """Connects, and returns when the server has accepted the connection."""
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self.port)
        self._sent, own = 0, self._writer.get_extra_info("sockname")
        while (accepted := self.worker.accepted(own)) is None:
            await asyncio.sleep(0)
        self._served = accepted

    def write(self, raw: bytes) -> None:
        """Sends bytes without waiting for the server."""
        self._writer.write(raw)
        self._sent += len(raw)

    async def send(self, raw: bytes) -> None:
        """Sends bytes, and returns when the server has read as much as it reads."""
        self.write(raw)
        await self._writer.drain()
        served = self._served
        await until(lambda: served.read == self._sent or not served.transport.is_reading())

    async def begin(self, raw: bytes) -> None:
        """Sends a request, and returns when the application has it."""
        before = len(self.app.scopes)
        await self.send(raw)
        await until(lambda: len(self.app.scopes) > before)

    async def line(self) -> bytes:
        return await asyncio.wait_for(self._reader.readline(), GIVE_UP_SECONDS)

    async def rest(self) -> bytes:
        """Reads until the server closes."""
        return await asyncio.wait_for(self._reader.read(), GIVE_UP_SECONDS)

    async def ask(self, raw: bytes) -> tuple[bytes, bytes]:
        """Sends bytes, and reads head and body of all answers until the server closes."""
        await self.send(raw)
        head, _, body = (await self.rest()).partition(b"\r\n\r\n")
        return head, body

    def advance(self, seconds: float) -> None:
        """Advances the server's clock."""
        self.worker.clock.ahead += seconds
        self.state.check_deadlines(self.worker.clock.time())

    def is_open(self) -> bool:
        """Tells if the connection is still open at the server."""
        return not self._served.transport.is_closing()

    def close(self) -> None:
        self._writer.close()


async def until(holds: Callable[[], bool]) -> None:
    """Runs the loop until the condition holds."""
    async with asyncio.timeout(GIVE_UP_SECONDS):
        while not holds():
            await asyncio.sleep(0)


def talk(
    test: Callable[[Client], Coroutine[Any, Any, None]],
    answering: Answering = echo,
    keep_alive_seconds: float = 15,
    **settings: Any,
) -> None:
    """Runs a test with a client of a server."""

    async def run() -> None:
        worker = Worker(App(answering, Settings(**settings)), keep_alive_seconds)
        loop = asyncio.get_running_loop()
        server = await loop.create_server(worker.connection, "127.0.0.1", 0)
        client = Client(worker, server.sockets[0].getsockname()[1])
        await client.connect()
        try:
            await test(client)
        finally:
            client.close()
            server.close()

    asyncio.run(run())


def get(*fields: bytes, target: bytes = b"/", method: bytes = b"GET") -> bytes:
    lines = (method + b" " + target + b" HTTP/1.1", b"Host: x", *fields, b"", b"")
    return b"\r\n".join(lines)


CLOSE = b"Connection: close"
LAST = get(CLOSE, target=b"/last")
H2C = (b"Connection: Upgrade, HTTP2-Settings", b"Upgrade: h2c", b"HTTP2-Settings: AAMAAABkAAQAAP__")


def test_application_gets_a_plain_scope() -> None:
    async def test(client: Client) -> None:
        await client.ask(get(CLOSE, b"X: \xe4", target=b"/a%20b%2f?c=%20"))
        (scope,) = client.app.scopes
        assert (scope["type"], scope["http_version"], scope["scheme"]) == ("http", "1.1", "http")
        assert (scope["method"], scope["path"]) == ("GET", "/a b%2f")
        assert (scope["raw_path"], scope["query_string"]) == (b"/a%20b%2f", b"c=%20")
        assert scope["headers"] == [(b"host", b"x"), (b"connection", b"close"), (b"x", b"\xe4")]
        assert scope["client"][0] == "127.0.0.1"
        assert scope["server"] == ("127.0.0.1", client.port)

    talk(test)


@pytest.mark.parametrize("blank", [b" ", b"\t", b" \t \t", b" " * 900])
def test_header_values_have_no_surrounding_blanks(blank: bytes) -> None:
    async def test(client: Client) -> None:
        fields = (b"Connection: close", b"X:", b"Y: a b\tc", b"Host: x:80", b"Expect: 100-continue")
        raw = b"\r\n".join([b"GET / HTTP/1.1", *(field + blank for field in fields), b"", b""])
        head, _ = await client.ask(raw)
        assert head.startswith(b"HTTP/1.1 200 ")
        (scope,) = client.app.scopes
        assert [value for _, value in scope["headers"]] == [
            *(b"close", b"", b"a b\tc", b"x:80", b"100-continue"),
        ]

    talk(test)


@pytest.mark.parametrize(
    ("target", "path"),
    [
        (b"http://x/a?b", b"/a?b"),
        (b"http://x", b"/?"),
        (b"http://x?b=/c", b"/?b=/c"),
        (b"ftp://x:1/http://y/z", b"/http://y/z?"),
    ],
)
def test_absolute_target_is_split_into_host_path_and_query(target: bytes, path: bytes) -> None:
    async def test(client: Client) -> None:
        _, body = await client.ask(get(CLOSE, target=target))
        assert body.split(b"|")[1] == path
        (scope,) = client.app.scopes
        hosts = [value for name, value in scope["headers"] if name == b"host"]
        assert hosts == [b"x:1" if b":1" in target else b"x"]

    talk(test)


@pytest.mark.parametrize(
    "target", [b"http://u:p@x/", b"http://u@x/", b"http://@x/", b"http:///a", b"http://[x/"]
)
def test_absolute_target_requires_a_host_and_no_user(target: bytes) -> None:
    async def test(client: Client) -> None:
        head, _ = await client.ask(get(CLOSE, target=target))
        assert head.startswith(b"HTTP/1.1 400 ")

    talk(test)


# Not covered by stock uvicorn -----------------------------------------------------------


@pytest.mark.parametrize("at_once", [True, False])
@pytest.mark.parametrize("offer", [H2C, (b"Connection: Upgrade", b"Upgrade: websocket")])
def test_body_of_an_upgrade_offer_is_not_a_second_request(
    offer: tuple[bytes, ...], at_once: bool
) -> None:
    body = get(target=b"/smuggled")
    head = get(*offer, b"Content-Length: %d" % len(body), method=b"POST")

    async def test(client: Client) -> None:
        if at_once:
            await client.send(head + body + LAST)
        else:
            for part in (head[:60], head[60:], body[:9], body[9:] + LAST):
                await client.send(part)
        answers = await client.rest()
        assert answers.count(b"HTTP/1.1 200") == 2
        assert [scope["raw_path"] for scope in client.app.scopes] == [b"/", b"/last"]
        assert b"POST|/?|" in answers
        assert b"|" + body + b"HTTP/1.1" in answers

    talk(test)


def test_upgrade_offer_in_a_fragmented_large_head_is_declined() -> None:
    fields = [b"X-%d: %b" % (n, b"y" * 6000) for n in range(5)]

    async def test(client: Client) -> None:
        raw = get(*fields, *H2C) + LAST
        for start in range(0, len(raw), 5000):
            await client.send(raw[start : start + 5000])
        assert (await client.rest()).count(b"HTTP/1.1 200") == 2

    talk(test)


@pytest.mark.parametrize("at_once", [True, False])
@pytest.mark.parametrize("before", [b"", get()], ids=["first", "second"])
@pytest.mark.parametrize(
    ("raw", "status"),
    [
        (get(*H2C).replace(b"Host: x\r\n", b""), 400),
        (get(*H2C, b"Host: y"), 400),
        (get(*H2C, b"Expect: x"), 417),
        (get(*H2C, target=b"/" + b"x" * TARGET_LIMIT), 414),
        (get(*H2C, b"X: " + b"y" * FIELD_LIMIT), 431),
        (get(*H2C, *[b"X: y"] * FIELDS_LIMIT), 431),
    ],
    ids=["no host", "hosts", "expect", "target", "field", "fields"],
)
def test_malformed_request_with_an_upgrade_offer_is_refused(
    raw: bytes, status: int, before: bytes, at_once: bool
) -> None:
    async def test(client: Client) -> None:
        for part in (before + raw,) if at_once else (before + raw[:30], raw[30:]):
            await client.send(part)
        answers = await client.rest()
        statuses = [int(part[:3]) for part in answers.split(b"HTTP/1.1 ")[1:]]
        assert statuses == [200] * bool(before) + [status]

    talk(test)


def test_trailers_are_not_headers() -> None:
    raw = get(b"Transfer-Encoding: chunked", method=b"POST")
    raw += b"2\r\nab\r\n0\r\nX-Request-ID: evil\r\nAuthorization: evil\r\n\r\n"

    async def test(client: Client) -> None:
        _, body = await client.ask(raw + LAST)
        assert body.startswith(b"POST|/?|host,transfer-encoding|abHTTP/1.1 200")
        for scope in client.app.scopes:
            assert b"evil" not in repr(scope["headers"]).encode()

    talk(test)


@pytest.mark.parametrize(
    ("behind", "answer"),
    [
        (b"X: y\r\n" * FIELDS_LIMIT, b"ab"),
        (b"X: y\r\n" * (FIELDS_LIMIT + 1), b"(disconnect)"),
        (b"X: " + b"y" * (HEAD_LIMIT - FIELD_LIMIT), b"ab"),
        (b"X: " + b"y" * (HEAD_LIMIT + FIELD_LIMIT), b"(disconnect)"),
    ],
)
def test_trailers_have_limits(behind: bytes, answer: bytes) -> None:
    raw = get(b"Transfer-Encoding: chunked", CLOSE, method=b"POST") + b"2\r\nab\r\n0\r\n"

    async def test(client: Client) -> None:
        _, body = await client.ask(raw + behind.rstrip() + b"\r\n\r\n")
        assert body.endswith(b"|" + answer)

    talk(test)


def problem_of(head: bytes, body: bytes) -> tuple[str, int]:
    """Returns code and status of a refusal, which must be a problem."""
    document = json.loads(body)
    assert b"content-type: application/problem+json" in head
    assert document["type"] == f"/problems/{document['code']}"
    assert int(head[9:12]) == document["status"]
    return document["code"], document["status"]


@pytest.mark.parametrize("size", [100, 4000, 1 << 20])
@pytest.mark.parametrize(
    ("raw", "status"),
    [
        (get(CLOSE, target=b"/" + b"x" * (TARGET_LIMIT - 1)), 200),
        (get(CLOSE, target=b"/" + b"x" * TARGET_LIMIT), 414),
        (get(CLOSE, b"X: " + b"y" * (FIELD_LIMIT - 3)), 200),
        (get(CLOSE, b"X: " + b"y" * (FIELD_LIMIT - 2)), 431),
        (get(CLOSE, *[b"X: y"] * (FIELDS_LIMIT - 2)), 200),
        (get(CLOSE, *[b"X: y"] * (FIELDS_LIMIT - 1)), 431),
        (get(CLOSE, *[b"X: " + b"y" * 6000] * 5), 200),
        (get(CLOSE, *[b"X: " + b"y" * 7000] * 5), 431),
    ],
    ids=["target", "a long one", "field", "a long one", "fields", "many", "head", "a large one"],
)
def test_head_size_is_limited(raw: bytes, status: int, size: int) -> None:
    async def test(client: Client) -> None:
        for start in range(0, len(raw), size):
            client.write(raw[start : start + size])
        head, body = await client.ask(b"")
        assert int(head[9:12]) == status
        if status != 200:
            code = "query-too-long" if status == 414 else "bad-request"
            assert problem_of(head, body) == (code, status)
            assert b"connection: close" in head

    talk(test)


@pytest.mark.parametrize(
    ("raw", "status"), [(b"no HTTP\r\n\r\n", 400), (get(b"Expect: x"), 417)], ids=["400", "417"]
)
def test_malformed_http_is_refused_with_a_problem_code(raw: bytes, status: int) -> None:
    async def test(client: Client) -> None:
        head, body = await client.ask(raw)
        assert problem_of(head, body) == ("bad-request", status)

    talk(test)


@pytest.mark.parametrize(
    ("raw", "refused"),
    [
        (get(b"Expect: x", target=b"/a?b"), (417, b"/a")),
        (get(b"Host: y", target=b"/a"), (400, b"/a")),
        (get(b"X: " + b"y" * FIELD_LIMIT, target=b"/a"), (431, b"/a")),
        (get(target=b"/" + b"x" * TARGET_LIMIT), (414, b"/" + b"x" * TARGET_LIMIT)),
        (get(target=b"/\xe4"), (400, None)),
        (get(target=b"a"), (400, None)),
        (b"GET /a HTTP/9.9\r\n\r\n", (400, None)),
        (get(target=b"/a") + b"no HTTP\r\n\r\n", (400, None)),
        (get(target=b"/a") + b"\r\n" * HEAD_LIMIT, (400, None)),
        (get(target=b"/" + b"x" * 2 * HEAD_LIMIT), (431, None)),
    ],
    ids=range(10),
)
def test_refusal_names_the_target_if_readable(
    raw: bytes, refused: tuple[int, bytes | None]
) -> None:
    async def test(client: Client) -> None:
        # Bytes in flight at the close may reset the connection.
        with suppress(ConnectionError):
            await client.ask(raw)
        assert client.app.refused == [refused]

    talk(test)


@pytest.mark.parametrize("raw", [get()[:-2] + b"X" * HEAD_LIMIT * 2, b"\r\n" * HEAD_LIMIT])
def test_endless_head_is_not_read_to_its_end(raw: bytes) -> None:
    async def test(client: Client) -> None:
        # Bytes in flight at the close may reset the connection.
        with suppress(ConnectionError):
            head, _ = await client.ask(raw)
            assert int(head[9:12]) in (400, 431)
        assert not client.state.connections
        assert not client.app.scopes

    talk(test, request_seconds=60)


def test_bytes_after_a_request_are_refused_after_its_answer() -> None:
    async def test(client: Client) -> None:
        answers = await asyncio.wait_for(
            _all(client, get() + get() + b"no HTTP\r\n\r\n"), GIVE_UP_SECONDS
        )
        statuses = [int(part[:3]) for part in answers.split(b"HTTP/1.1 ")[1:]]
        assert statuses == [200, 200, 400]

    async def _all(client: Client, raw: bytes) -> bytes:
        await client.send(raw)
        return await client.rest()

    talk(test)


def test_pipelined_requests_are_answered_in_order() -> None:
    number = 3000

    async def test(client: Client) -> None:
        raw = b"".join(get(target=b"/%d" % n) for n in range(number)) + LAST
        reading = asyncio.ensure_future(client.rest())
        await client.send(raw)
        answers = await reading
        assert answers.count(b"HTTP/1.1 200") == number + 1
        assert [s["raw_path"] for s in client.app.scopes[:-1]] == [
            b"/%d" % n for n in range(number)
        ]

    talk(test)


# Deadlines ----------------------------------------------------------------------------------------


def test_slow_head_is_closed_at_its_deadline() -> None:
    async def test(client: Client) -> None:
        await client.send(get() + get()[:-2] + b"X: ")
        assert await client.line() == b"HTTP/1.1 200 OK\r\n"
        for _ in range(3):
            client.advance(900)
            await client.send(b"y")
            assert client.is_open()
        client.advance(900)
        assert (await client.rest()).count(b"HTTP/1.1") == 0

    talk(test, request_seconds=3600)


def test_idle_connection_is_closed_after_the_keep_alive() -> None:
    async def test(client: Client) -> None:
        await client.send(get())
        assert await client.line() == b"HTTP/1.1 200 OK\r\n"
        client.advance(900)
        assert client.is_open()
        client.advance(900)
        assert (await client.rest()).count(b"HTTP/1.1") == 0

    talk(test, keep_alive_seconds=1800, request_seconds=3600)


def test_idle_connection_outlives_the_request_deadline() -> None:
    async def test(client: Client) -> None:
        await client.send(get())
        assert await client.line() == b"HTTP/1.1 200 OK\r\n"
        client.advance(1800)
        assert b"HTTP/1.1 200 OK\r\n" in (await client.ask(LAST))[1]

    talk(test, keep_alive_seconds=3600, request_seconds=900)


@pytest.mark.parametrize("size", [1, 20])
def test_half_a_head_after_a_request_has_the_head_deadline(size: int) -> None:
    async def test(client: Client) -> None:
        await client.send(get() + get()[:size])
        assert await client.line() == b"HTTP/1.1 200 OK\r\n"
        client.advance(900)
        assert client.is_open()
        client.advance(900)
        assert (await client.rest()).count(b"HTTP/1.1") == 0

    talk(test, keep_alive_seconds=3600, request_seconds=1800)


def test_slow_body_times_out_and_closes_the_connection() -> None:
    async def test(client: Client) -> None:
        await client.begin(get(b"Content-Length: 9", method=b"POST"))
        for _ in range(3):
            client.advance(900)
            await client.send(b"x")
            assert client.is_open()
        client.advance(900)
        head, body = await client.ask(b"")
        assert body.endswith(b"|(timeout)")
        assert b"connection: close" in head

    talk(test, request_seconds=3600)


def test_received_body_has_no_deadline() -> None:
    read, answers = asyncio.Event(), asyncio.Event()

    async def slow(scope: Message, receive: Receive, send: Send) -> None:
        body = await read_whole(receive)
        read.set()
        await answers.wait()
        await streaming(body)(scope, receive, send)

    async def test(client: Client) -> None:
        await client.send(get(b"Content-Length: 2", CLOSE, method=b"POST"))
        await client.send(b"xy")
        await read.wait()
        client.advance(3600)
        answers.set()
        head, body = await client.ask(b"")
        assert head.startswith(b"HTTP/1.1 200")
        assert b"xy" in body

    talk(test, slow)


# Answers ------------------------------------------------------------------------------------------


def streaming(*parts: bytes, status: int = 200, **headers: bytes) -> Answering:
    async def answer(_: Message, __: Receive, send: Send) -> None:
        pairs = [(name.replace("_", "-").encode(), value) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": status, "headers": pairs})
        for part in parts:
            await send({"type": "http.response.body", "body": part, "more_body": True})
        await send({"type": "http.response.body"})

    return answer


def test_answer_without_a_length_is_sent_in_chunks() -> None:
    async def test(client: Client) -> None:
        head, body = await client.ask(get() + get(CLOSE, method=b"HEAD"))
        assert b"transfer-encoding: chunked" in head
        chunks, _, second = body.partition(b"HTTP/1.1 200")
        assert chunks == b"2\r\nab\r\n3\r\ncde\r\n0\r\n\r\n"
        assert second.endswith(b"\r\n\r\n"), "HEAD has no body"

    talk(test, streaming(b"ab", b"", b"cde"))


def test_http_1_0_answer_ends_with_the_connection() -> None:
    async def test(client: Client) -> None:
        keep = b"GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"
        head, body = await client.ask(keep)
        assert b"transfer-encoding" not in head
        assert b"connection: close" in head
        assert body == b"abcde"

    talk(test, streaming(b"ab", b"cde"))


def test_http_1_0_connection_is_kept_on_request() -> None:
    async def test(client: Client) -> None:
        keep = b"GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"
        head, body = await client.ask(keep + b"GET / HTTP/1.0\r\n\r\n")
        assert b"connection: keep-alive" in head
        assert body.count(b"connection: close") == 1

    talk(test)


@pytest.mark.parametrize("status", [204, 304])
def test_bodiless_responses_keep_the_connection_open(status: int) -> None:
    async def test(client: Client) -> None:
        head, body = await client.ask(get() + LAST)
        assert b"transfer-encoding" not in head
        assert b"content-length" not in head
        assert body.startswith(b"HTTP/1.1 %d" % status)

    talk(test, streaming(b"not sent", status=status))


@pytest.mark.parametrize("value", [b"a\r\nb", b"a\nb", b"a\rb"])
def test_line_break_in_a_response_header_is_never_sent(value: bytes) -> None:
    async def test(client: Client) -> None:
        head, body = await client.ask(get())
        assert problem_of(head, body) == ("internal-error", 500)
        assert b"\nb" not in head

    talk(test, streaming(b"", x=value))


@pytest.mark.parametrize("length", [b"1", b"3"])
def test_answer_with_a_wrong_length_ends_the_connection(length: bytes) -> None:
    async def test(client: Client) -> None:
        await client.send(get() + LAST)
        assert (await client.rest()).count(b"HTTP/1.1 200") <= 1
        assert len(client.app.scopes) == 1

    talk(test, streaming(b"ab", content_length=length))


def test_answer_before_the_body_is_read_ends_the_connection() -> None:
    async def test(client: Client) -> None:
        await client.send(get(b"Content-Length: 500", method=b"POST") + LAST)
        answers = await client.rest()
        assert answers.count(b"HTTP/1.1") == 1
        assert b"connection: close" in answers

    talk(test, streaming(b"ab", content_length=b"2"))


def test_client_gets_100_continue_once_and_only_if_waiting() -> None:
    field = b"Expect: 100-continue"

    async def test(client: Client) -> None:
        await client.send(get(field, b"Content-Length: 2", method=b"POST"))
        assert await client.line() == b"HTTP/1.1 100 Continue\r\n"
        await client.send(b"ab" + get(field, b"Content-Length: 2", CLOSE, method=b"POST") + b"cd")
        assert b"100 Continue" not in await client.rest()

    talk(test)


def test_http_1_0_client_never_gets_100_continue() -> None:
    head = get(b"Expect: 100-continue", b"Content-Length: 2", method=b"POST")

    async def test(client: Client) -> None:
        await client.begin(head.replace(b"HTTP/1.1", b"HTTP/1.0"))
        await client.send(b"ab")
        answer = await client.rest()
        assert answer.startswith(b"HTTP/1.1 200")
        assert answer.count(b"HTTP/1.1") == 1

    talk(test)


def test_stop_closes_idle_connections_after_pending_answers() -> None:
    answers = asyncio.Event()

    async def slow(scope: Message, receive: Receive, send: Send) -> None:
        await answers.wait()
        await echo(scope, receive, send)

    async def test(client: Client) -> None:
        idle = Client(client.worker, client.port)
        await idle.connect()
        await client.begin(get())
        client.state.drain()
        client.advance(DRAIN_SECONDS)
        assert await idle.rest() == b""
        answers.set()
        answer = await client.rest()
        assert answer.startswith(b"HTTP/1.1 200")
        assert b"connection: close" in answer
        assert not client.state.connections
        idle.close()

    talk(test, slow, request_seconds=3600)
