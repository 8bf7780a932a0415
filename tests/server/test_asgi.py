"""The ASGI application: a bounded thread pool that no client can occupy, streams, and bodies."""

import asyncio
import json
import threading
from collections.abc import Callable, Generator
from dataclasses import replace
from typing import Any

import pytest
from flask import Blueprint, Flask

from dice_referee.api.message import NO_BODY, Answer, Body, Request, Rest
from dice_referee.api.operation import operation
from dice_referee.app import asgi_app, create_app
from dice_referee.server.asgi import AsgiApplication
from dice_referee.server.asgi_messages import BrokenBody, Message, read_body
from dice_referee.server.waiting_room import QUEUE_PER_THREAD
from dice_referee.sessions import health
from dice_referee.sessions.redis.store import RedisStore
from tests.application import ADJUDICATIONS, Question, ask_asgi
from tests.unlimited import UNLIMITED

SECONDS = 120
LIVEZ = Question("GET", "/livez").scope
READYZ = Question("GET", "/readyz").scope
SLOW = Question("GET", "/openapi.yaml").scope
"""Answered by a thread."""
HEAVY = Question("POST", "/heavy").scope
STREAM = Question("GET", "/stream").scope
CHUNKS, JSON = ("Transfer-Encoding", "chunked"), ("Content-Type", "application/json")
GONE: Message = {"type": "http.disconnect"}
"""The client has disconnected."""
LATE: Message = {"type": "late"}
"""The next part has timed out."""
WAITING = Question("GET", "/waiting").scope


class Sent(list[Message]):
    async def send(self, message: Message) -> None:
        self.append(message)

    @property
    def status(self) -> int:
        return int(self[0]["status"])

    @property
    def body(self) -> bytes:
        return b"".join(message["body"] for message in self[1:])


async def nothing() -> Message:
    """Waits for ever, like a client that stays and sends nothing."""
    await asyncio.Event().wait()
    raise AssertionError


class Stage:
    """A service with a single thread and with operations that wait at a gate or stream."""

    def __init__(self, pieces: int = 3, *, slow_pieces: bool = False) -> None:
        self.gate, self.making, self.closed = (threading.Event() for _ in range(3))
        self.pieces, self.slow_pieces = pieces, slow_pieces
        blueprint = Blueprint("stage", __name__)
        operation(blueprint, "GET", "/waiting", rate=None)(self.waiting)
        operation(blueprint, "GET POST", "/stream", rate=None)(self.stream)
        operation(blueprint, "POST", "/heavy", rate=None, heavy=True)(self.heavy)
        operation(blueprint, "POST", "/elsewhere", rate=None)(self.elsewhere)
        operation(blueprint, "POST", "/fault", rate=None)(self.fault)
        app: Flask = create_app(replace(UNLIMITED, threads=1, request_seconds=7))
        app.register_blueprint(blueprint)
        self.app: AsgiApplication = asgi_app(app)

    def waiting(self, request: Request) -> Answer:
        assert self.gate.wait(SECONDS)
        return Answer(b"{}")

    def heavy(self, request: Request) -> Answer:
        assert self.gate.wait(SECONDS)
        return Answer(b"%d" % request.body.size)

    def elsewhere(self, request: Request) -> Rest:
        return lambda: Answer(b"{}")

    def fault(self, request: Request) -> Answer:
        raise ArithmeticError

    def stream(self, request: Request) -> Answer:
        return Answer(self._pieces(), media_type="text/plain")

    def _pieces(self) -> Generator[bytes, None, None]:
        try:
            self.making.set()
            for piece in range(self.pieces):
                assert not self.slow_pieces or self.gate.wait(SECONDS)
                yield b"%d\n" % piece
        finally:
            self.closed.set()

    async def ask(self, scope: Any) -> Sent:
        sent = Sent()
        await asyncio.wait_for(self.app(scope, nothing, sent.send), SECONDS)
        return sent


def test_full_pool_answers_503_and_finishes_its_queue() -> None:
    stage = Stage()

    async def fill() -> None:
        waiting = [asyncio.create_task(stage.ask(WAITING)) for _ in range(QUEUE_PER_THREAD + 1)]
        await asyncio.sleep(0)
        refused = await stage.ask(SLOW)
        assert refused.status == 503
        headers = dict(refused[0]["headers"])
        assert headers[b"retry-after"] == b"1"
        assert headers[b"content-type"] == b"application/problem+json"
        assert json.loads(refused.body)["type"] == "/problems/busy"
        # Quick operations need no thread.
        assert (await stage.ask(LIVEZ)).status == 200
        stage.gate.set()
        answers = await asyncio.gather(*waiting)
        assert {sent.status for sent in answers} == {200}
        assert (await stage.ask(SLOW)).status == 200

    try:
        asyncio.run(fill())
    finally:
        stage.gate.set()


def test_readiness_probes_share_one_thread(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    requested, answered = threading.Semaphore(0), threading.Event()

    class Hanging(RedisStore):
        def ping(self) -> bool:
            requested.release()
            return answered.wait(SECONDS)

    app = asgi_app(create_app(replace(UNLIMITED, threads=2), Hanging("redis://127.0.0.1:1")))

    async def ask(scope: dict[str, Any]) -> Sent:
        sent = Sent()
        await asyncio.wait_for(app(scope, nothing, sent.send), SECONDS)
        return sent

    async def crowd() -> None:
        answered.set()
        assert b'"sessions":"ok"' in (await ask(READYZ)).body
        answered.clear()
        # The cached health has expired, and one probe must ping ...
        monkeypatch.setattr(health, "FRESH_SECONDS", 0)
        first = asyncio.create_task(ask(READYZ))
        for _ in range(2):
            assert await asyncio.to_thread(requested.acquire, timeout=SECONDS)
        # ... and from now on the cache never expires, even on a slow machine.
        monkeypatch.setattr(health, "FRESH_SECONDS", SECONDS)
        replies = await asyncio.gather(*(ask(READYZ) for _ in range(400)))
        assert {sent.status for sent in replies} == {200}
        assert {sent.body for sent in replies} == {replies[0].body}
        assert (await ask(SLOW)).status == 200, "the other thread is free"
        answered.set()
        assert (await first).body == replies[0].body
        assert not requested.acquire(blocking=False), "a single ping each time"

    try:
        asyncio.run(crowd())
    finally:
        answered.set()


def test_long_computations_take_turns_and_delay_no_others() -> None:
    stage = Stage()

    async def fill() -> None:
        waiting = [asyncio.create_task(stage.ask(HEAVY)) for _ in range(QUEUE_PER_THREAD + 1)]
        await asyncio.sleep(0)
        assert (await stage.ask(HEAVY)).status == 503
        assert (await stage.ask(SLOW)).status == 200
        stage.gate.set()
        assert {sent.status for sent in await asyncio.gather(*waiting)} == {200}

    try:
        asyncio.run(fill())
    finally:
        stage.gate.set()


def test_large_bodies_reserve_memory_until_answered() -> None:
    stage, size = Stage(), 1 << 20
    most = stage.app.settings.unread_limit // size

    async def ask(size: int) -> Sent:
        sent, left = Sent(), [b"x" * size]

        async def receive() -> Message:
            body = left.pop() if left else b""
            return {"type": "http.request", "body": body, "more_body": False}

        scope = Question("POST", "/heavy", "", (("Content-Length", str(size)),)).scope
        await asyncio.wait_for(stage.app(scope, receive, sent.send), SECONDS)
        return sent

    async def fill() -> None:
        stage.app.connections.unread = (most - 3) * size
        waiting = [asyncio.create_task(ask(size)) for _ in range(3)]
        await asyncio.sleep(0)
        refused = await ask(size)
        assert json.loads(refused.body)["type"] == "/problems/busy"
        small = asyncio.create_task(ask(1000))
        stage.gate.set()
        assert {sent.body for sent in await asyncio.gather(*waiting)} == {b"%d" % size}
        assert (await small).body == b"1000"
        assert (await ask(size)).status == 200

    try:
        asyncio.run(fill())
    finally:
        stage.gate.set()


def test_heads_without_bodies_reserve_no_memory() -> None:
    stage, size = Stage(), 1 << 20
    fields = ("Transfer-Encoding", "chunked"), ("Content-Length", str(size))
    scopes = [Question("POST", "/heavy", "", (field,)).scope for field in fields]

    async def ask() -> None:
        waiting = [
            asyncio.create_task(stage.app(scope, pieces(part(b"x")), Sent().send))
            for scope in scopes
            for _ in range(stage.app.settings.unread_limit // size)
        ]
        await asyncio.sleep(0)
        stage.gate.set()
        for scope in scopes:
            sent = Sent()
            body = pieces(part(b"x" * size, more=False))
            await asyncio.wait_for(stage.app(scope, body, sent.send), SECONDS)
            assert sent.body == b"%d" % size
        for task in waiting:
            task.cancel()

    asyncio.run(ask())


def test_chunked_body_without_memory_is_read_and_refused() -> None:
    stage, size = Stage(), 1 << 18
    scope = Question("POST", "/heavy", "", (("Transfer-Encoding", "chunked"),)).scope
    room = stage.app.settings.unread_limit - size
    stage.gate.set()

    async def ask(*parts: Message) -> Sent:
        sent, left = Sent(), list(parts)

        async def receive() -> Message:
            if len(left) == 1:
                # Memory that is released now comes too late: a part has already been dropped.
                stage.app.connections.unread = 0
            return left.pop(0)

        stage.app.connections.unread = room
        await asyncio.wait_for(stage.app(scope, receive, sent.send), SECONDS)
        assert not left
        return sent

    half = part(b"x" * (size // 2))
    refused = asyncio.run(ask(half, half, part(b"x"), part(b"x", more=False)))
    assert json.loads(refused.body)["type"] == "/problems/busy"
    for _ in range(2):
        accepted = asyncio.run(ask(half, half, part(b"", more=False)))
        assert accepted.body == b"%d" % size, "the reserved memory is released"


def test_every_exit_releases_the_memory_of_a_large_body() -> None:
    stage, size = Stage(), 1 << 17
    limit, half, left = stage.app.settings.unread_limit, part(b"x" * (size // 2)), GONE
    complete = [half, half, part(b"", more=False)]

    async def ask(path: str, body: list[Message], send: Any = None) -> Sent:
        """Sends a body in chunks."""
        sent, question = Sent(), Question("POST", path, "", (CHUNKS, JSON))
        answer = stage.app(question.scope, pieces(*body), send or sent.send)
        await asyncio.wait_for(answer, SECONDS)
        return sent

    async def lost(message: Message) -> None:
        raise ConnectionError

    async def cancel(path: str, body: list[Message]) -> None:
        """Cancels a request while it is read, processed or answered."""
        sending = asyncio.Event()

        async def stuck(message: Message) -> None:
            sending.set()
            await nothing()

        asking = asyncio.create_task(ask(path, body, stuck))
        await (sending.wait() if path == "/stream" else asyncio.sleep(0))
        asking.cancel()
        await asyncio.wait([asking])
        assert asking.cancelled()

    async def check(way: object) -> None:
        """Expects memory for a body of this size, and for no larger body."""
        for more, status in ((0, 200), (1, 503)):
            stage.app.connections.unread = limit - size + more
            assert (await ask("/heavy", complete)).status == status, way
        stage.app.connections.unread = 0

    async def leave() -> None:
        stage.gate.set()
        for way in (
            ("/heavy", complete, 200),
            ("/stream", complete, 200),
            ("/elsewhere", complete, 200),
            ("/fault", complete, 500),
            (ADJUDICATIONS, [part(bytes(1 << 20)), *complete], 413),
            (ADJUDICATIONS, complete, 400),
            ("/heavy", [half, half, left], 400),
            ("/heavy", [half, half, LATE], 408),
        ):
            path, body, status = way
            assert (await ask(path, body)).status == status
            await check(way)
        for path in ("/heavy", "/stream"):
            with pytest.raises(ConnectionError):
                await ask(path, complete, lost)
            await check(f"{path}: the client is lost")
        for path, body in (("/heavy", [half]), ("/heavy", complete), ("/stream", complete)):
            await cancel(path, body)
            await check(f"{path}: cancelled after {len(body)} parts")

    asyncio.run(leave())


def test_every_exit_from_a_thread_frees_its_place() -> None:
    stage = Stage()

    async def crowd() -> None:
        for path, status in (("/elsewhere", 200), ("/fault", 500)):
            for _ in range(QUEUE_PER_THREAD + 2):
                assert (await stage.ask(Question("POST", path).scope)).status == status
        waiting = [asyncio.create_task(stage.ask(WAITING)) for _ in range(QUEUE_PER_THREAD + 1)]
        await asyncio.sleep(0)
        assert (await stage.ask(SLOW)).status == 503
        stage.gate.set()
        assert {sent.status for sent in await asyncio.gather(*waiting)} == {200}

    try:
        asyncio.run(crowd())
    finally:
        stage.gate.set()


def test_large_body_is_not_parsed_in_the_event_loop() -> None:
    """Covers an operation that takes only microseconds by itself."""
    stage, where = Stage(), list[str]()

    def quick(request: Request) -> Answer:
        where.append(threading.current_thread().name)
        return Answer(b"{}")

    blueprint = Blueprint("more", __name__)
    operation(blueprint, "POST", "/quick", rate=None, quick=True)(quick)
    app: Flask = create_app(UNLIMITED)
    app.register_blueprint(blueprint)
    stage.app = asgi_app(app)
    for size in (1000, 1 << 17):
        ask_asgi(Question("POST", "/quick", body=b"x" * size), stage.app)
    assert where[0] == threading.current_thread().name
    assert where[1].startswith("operations")


def test_stream_is_sent_piece_by_piece_and_closed() -> None:
    stage = Stage()
    sent = asyncio.run(stage.ask(STREAM))
    assert [message["body"] for message in sent[1:]] == [b"0\n", b"1\n", b"2\n", b""]
    assert [message.get("more_body", False) for message in sent[1:]] == [True, True, True, False]
    assert stage.closed.is_set()


def test_client_that_reads_no_stream_occupies_no_thread() -> None:
    stage = Stage()

    async def ask() -> None:
        sending, let_go = asyncio.Event(), asyncio.Event()

        async def stuck(message: Message) -> None:
            if message["type"] == "http.response.body":
                sending.set()
                await let_go.wait()

        held = asyncio.create_task(stage.app(STREAM, nothing, stuck))
        await sending.wait()
        second = await asyncio.wait_for(stage.ask(SLOW), SECONDS / 2)
        assert second.status == 200
        let_go.set()
        await asyncio.wait_for(held, SECONDS)

    asyncio.run(ask())


def test_short_request_does_not_wait_for_slow_stream_pieces() -> None:
    stage = Stage(slow_pieces=True)

    async def ask() -> None:
        streams = [asyncio.create_task(stage.ask(STREAM)) for _ in range(5)]
        assert await asyncio.to_thread(stage.making.wait, SECONDS)
        try:
            short = await asyncio.wait_for(stage.ask(SLOW), SECONDS / 2)
        finally:
            stage.gate.set()
        assert short.status == 200
        await asyncio.wait_for(asyncio.gather(*streams), SECONDS)

    asyncio.run(ask())


def test_stream_of_a_disconnected_client_frees_its_thread() -> None:
    stage = Stage()

    async def ask() -> None:
        sending, never = asyncio.Event(), asyncio.Event()

        async def stuck(message: Message) -> None:
            if message["type"] == "http.response.body":
                sending.set()
                await never.wait()

        held = asyncio.create_task(stage.app(STREAM, nothing, stuck))
        await sending.wait()
        held.cancel()
        await asyncio.wait([held], timeout=SECONDS)
        assert stage.closed.is_set()
        assert (await asyncio.wait_for(stage.ask(SLOW), SECONDS / 2)).status == 200

    asyncio.run(ask())


def pieces(*messages: Message) -> Callable[[], Any]:
    left = list(messages)

    async def receive() -> Message:
        message = left.pop(0) if left else await nothing()
        if message is LATE:
            raise TimeoutError
        return message

    return receive


def part(body: bytes, more: bool = True) -> Message:
    return {"type": "http.request", "body": body, "more_body": more}


CHUNKED = {b"transfer-encoding": b"chunked"}


@pytest.mark.parametrize(
    ("received", "body"),
    [
        ([part(b"", False)], Body(b"", 0)),
        ([part(b"12345"), part(b""), part(b"67890", False)], Body(b"1234567890", 10)),
        ([part(b"12345"), part(b"67890"), part(b"1"), part(b"2", False)], Body(b"", 12)),
        ([part(b"x" * 11, False)], Body(b"", 11)),
    ],
)
def test_body_is_read_whole_and_discarded_if_too_large(received: list[Message], body: Body) -> None:
    assert asyncio.run(read_body(CHUNKED, pieces(*received), 10)) == body


def test_request_without_body_is_answered_without_reading() -> None:
    assert asyncio.run(read_body({}, pieces(), 10)) == NO_BODY


def test_aborted_body_raises_broken_body() -> None:
    with pytest.raises(BrokenBody):
        asyncio.run(read_body(CHUNKED, pieces(part(b"1"), {"type": "http.disconnect"}), 10))


def test_timeout_while_reading_a_body_is_a_408() -> None:
    stage = Stage()

    async def ask() -> Sent:
        sent = Sent()
        question = Question("POST", ADJUDICATIONS, "", (("Content-Length", "5"),))
        await stage.app(question.scope, pieces(LATE), sent.send)
        return sent

    sent = asyncio.run(ask())
    assert sent.status == 408
    assert dict(sent[0]["headers"])[b"connection"] == b"close"
    document = json.loads(sent.body)
    assert document["type"] == "/problems/request-timeout"
    assert "within 7 s." in document["detail"]


def test_scope_without_a_client_is_answered() -> None:
    scope = {name: value for name, value in LIVEZ.items() if name != "client"}
    sent = Sent()
    asyncio.run(Stage().app(scope, nothing, sent.send))
    assert sent.status == 200
