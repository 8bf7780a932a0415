"""Limits at both servers, in this process and between real servers that share a Redis."""

import asyncio
import json
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from itertools import pairwise
from threading import Event
from typing import Any, NamedTuple

import pytest

from dice_referee.app import asgi_app, create_app
from dice_referee.limits.counters import LocalCounter
from dice_referee.server.asgi_messages import Message
from dice_referee.settings import Settings
from tests.application import (
    ADJUDICATIONS,
    BATCH,
    JSON_FIELD,
    NDJSON,
    QUERY,
    ROLL,
    Question,
    Reply,
    Servers,
    ask_asgi,
    environ_of,
    through_asgi,
)
from tests.engines.servers import ENGINES, Single, wait_until
from tests.wire import Server, request, serving

IDENTITY = ("X-Request-ID", "law-1")
SESSION = "/v1/sessions/AAAAAAAAAAAAAAAAAAAAAA"


# In process
# ----------------------------------------------------------------------------------------


def servers(**more: Any) -> Servers:
    """Returns the servers of a service with a stopped clock."""
    apps = [create_app(Settings(rate_loopback=True, **more)) for _ in range(2)]
    for app in apps:
        app.extensions["dice-referee"].services.limiter.counter = LocalCounter(lambda: 10**18)
    return Servers(asgi_app(apps[0]), apps[1])


REQUESTS = {
    "a verdict": Question.post(ADJUDICATIONS, ROLL, (JSON_FIELD, IDENTITY)),
    "a verdict by its address": Question("GET", ADJUDICATIONS, QUERY, (IDENTITY,)),
    "its head": Question("HEAD", ADJUDICATIONS, QUERY, (IDENTITY,)),
    "one that was kept": Question("GET", ADJUDICATIONS, QUERY, (IDENTITY, ("If-None-Match", "*"))),
    "a batch": Question.post(BATCH, {"positions": [ROLL]}, (JSON_FIELD, IDENTITY)),
    "a bad question": Question.post(ADJUDICATIONS, b"{", (JSON_FIELD, IDENTITY)),
    "a batch by lines": Question.post(BATCH, ROLL, (("Content-Type", NDJSON), IDENTITY)),
    "the catalogue": Question("GET", "/v1/tutto", "", (IDENTITY,)),
    "a session": Question("GET", SESSION, "", (IDENTITY,)),
    "a feed": Question("GET", f"{SESSION}/events", "", (IDENTITY,)),
    "a bad new session": Question.post("/v1/sessions", {}, (JSON_FIELD, IDENTITY)),
    "nothing": Question("GET", "/v1/nothing", "", (IDENTITY,)),
    "a preflight": Question("OPTIONS", ADJUDICATIONS, "", (IDENTITY,)),
    "health": Question("GET", "/livez", "", (IDENTITY,)),
}


@pytest.mark.parametrize("question", REQUESTS.values(), ids=REQUESTS)
def test_both_servers_answer_alike_under_limits(question: Question) -> None:
    pair = servers(rate_stateless=2, rate_batch=2, rate_events=2)
    limited = question.method != "OPTIONS" and question.path.startswith("/v1/")
    for number in range(4):
        asgi, wsgi = pair.ask(question)
        assert asgi == wsgi
        assert ("ratelimit" in asgi.headers) is limited
        assert (asgi.status == 429) is (limited and number >= 2)


def test_request_is_counted_once() -> None:
    pair = servers(rate_stateless=60)
    for left, question in ((59, REQUESTS["a verdict"]), (58, REQUESTS["a bad question"])):
        asgi, _ = pair.ask(question)
        assert asgi.headers["ratelimit"] == f'"stateless";r={left};t={60 - left}'


def test_feed_is_counted_once() -> None:
    pair = servers(rate_events=60)
    for left in (59, 58):
        asgi, _ = pair.ask(REQUESTS["a feed"])
        assert asgi.headers["ratelimit"] == f'"events";r={left};t={60 - left}'


@pytest.mark.parametrize("lines", [("198.51.100.1",), ("203.0.113.7", "198.51.100.1")])
def test_both_servers_join_repeated_headers_in_order(lines: tuple[str, ...]) -> None:
    settings = Settings(rate_stateless=1, trusted_proxies="127.0.0.1, unix")
    pair = Servers.of(settings)
    for address in lines:
        # The last proxy's entry counts. An earlier entry is only the client's claim.
        fields = (("X-Forwarded-For", "192.0.2.1"),) * (address != lines[-1])
        fields += (("X-Forwarded-For", lines[-1]),)
        question = Question("GET", ADJUDICATIONS, QUERY, fields)
        front_reply, flask_reply = pair.ask(question)
        assert (front_reply.status == 429) == (flask_reply.status == 429) == (address != lines[0])


@pytest.mark.parametrize("peer", [None, ("", 0)])
def test_peer_of_a_unix_socket_is_a_proxy_if_trusted(peer: Any) -> None:
    settings = Settings(rate_stateless=1, trusted_proxies="unix")
    front, sent = asgi_app(create_app(settings)), list[Message]()

    async def ask(client: str) -> int:
        question = Question("GET", ADJUDICATIONS, QUERY, (("X-Forwarded-For", client),))

        async def receive() -> Message:
            raise AssertionError("nothing to be read")

        async def send(message: Message) -> None:
            sent.append(message)

        sent.clear()
        await front({**question.scope, "client": peer}, receive, send)
        return int(sent[0]["status"])

    statuses = [asyncio.run(ask(client)) for client in ("192.0.2.1", "192.0.2.2", "192.0.2.1")]
    assert statuses == [200, 200, 429]


def test_clients_on_this_machine_have_no_limit() -> None:
    reply = ask_asgi(REQUESTS["a verdict"])
    assert reply.status == 200
    assert "ratelimit" not in reply.headers
    assert "HTTP_X_FORWARDED_FOR" not in environ_of(REQUESTS["a verdict"])


def test_event_loop_never_makes_value_tables() -> None:
    """Covers a full queue of the heavy thread."""
    app = create_app()
    front, gate = asgi_app(app), Event()
    # No other test needs these tables.
    position = {"options": {"double_scope": "card", "target": 91_350}, "phase": "draw"}
    question = Question.post("/v1/tutto/odds", position)

    async def crowd() -> Reply:
        waiting = list[asyncio.Future[bool]]()
        while not front._heavy.is_full(""):
            waiting.append(asyncio.ensure_future(front._heavy.run("", gate.wait)))
            await asyncio.sleep(0)
        try:
            return await through_asgi(question, front)
        finally:
            gate.set()
            await asyncio.gather(*waiting)

    reply = asyncio.run(crowd())
    assert (reply.status, json.loads(reply.body)["type"]) == (503, "/problems/busy")


# Real servers -----------------------------------------------------------------------------------

LIMIT = 20
"""Requests per minute."""
SECONDS_PER_PERMIT = 3
"""Seconds until a permit returns."""
COUNT = re.compile(r";r=(\d+);")
CREATION = b'{"game":"tutto","players":["Ann","Ben"]}'


class Deployed(NamedTuple):
    """A service with a single worker, and its Redis."""

    redis: Single
    server: Server

    def ask(self, client: str, path: str = f"{ADJUDICATIONS}?{QUERY}") -> Reply:
        return self.server.ask("GET", path, None, f"X-Forwarded-For: {client}")


@pytest.fixture(scope="module")
def deployed() -> Iterator[Deployed]:
    request: dict[str, Any] = {
        "WORKERS": 1,
        "TRUSTED_PROXIES": "127.0.0.1",
        "RATE_STATELESS": LIMIT,
        "RATE_BATCH": 1,
        "RATE_EVENTS": LIMIT,
        "RATE_SESSIONS": 60,
    }
    with Single(ENGINES[0]) as redis, serving(REDIS_URL=redis.url, **request) as server:
        yield Deployed(redis, server)


def exhaust(ask: Callable[[int], Reply]) -> tuple[list[Reply], Reply]:
    """Sends requests until the limit is reached. Returns the answers before, and the refusal."""
    replies, started = list[Reply](), time.monotonic()
    while (reply := ask(len(replies))).status != 429:
        replies.append(reply)
        assert len(replies) <= LIMIT + (time.monotonic() - started) / SECONDS_PER_PERMIT
    assert len(replies) >= LIMIT
    return replies, reply


def test_answers_of_a_process_report_its_count(deployed: Deployed) -> None:
    replies, refusal = exhaust(lambda _: deployed.ask("198.51.100.1"))
    assert {reply.status for reply in replies} == {200}
    counts = [re.fullmatch(r'"stateless";r=(\d+);t=\d+', r.headers["ratelimit"]) for r in replies]
    left = [int(match[1]) for match in counts if match is not None]
    assert len(left) == len(replies)
    assert (left[0], left[-1]) == (LIMIT - 1, 0)
    assert all(after >= before - 1 for before, after in pairwise(left))

    document = refusal.problem("rate-limited", 429)
    pause = int(refusal.headers["retry-after"])
    assert 1 <= pause <= SECONDS_PER_PERMIT
    assert all(word in document["detail"] for word in ("stateless", f" {LIMIT} ", f" {pause} s"))
    assert refusal.headers["ratelimit-policy"] == f'"stateless";q={LIMIT};w=60'
    assert refusal.headers["ratelimit"] == f'"stateless";r=0;t={pause}'

    assert deployed.ask("198.51.100.2").status == 200, "another client has its own count"
    assert deployed.ask("198.51.100.1", "/livez").status == 200
    time.sleep(pause)
    assert deployed.ask("198.51.100.1").status == 200


def test_spoofed_address_is_not_counted(deployed: Deployed) -> None:
    exhaust(lambda number: deployed.ask(f"192.0.2.{number}, 127.0.0.1, 198.51.100.3"))
    # As a second header line, with a port, and as an IPv4-mapped IPv6 address.
    for field in ("198.51.100.3:4711", "::ffff:198.51.100.3", "[::ffff:198.51.100.3]:80"):
        lines = ("X-Forwarded-For: 192.0.2.99", f"X-Forwarded-For: {field}")
        reply = deployed.server.ask("GET", f"{ADJUDICATIONS}?{QUERY}", None, *lines)
        assert COUNT.search(reply.headers["ratelimit"])[1] == "0"  # type: ignore[index]


def test_redis_stores_counts_of_new_sessions_under_hashes(deployed: Deployed) -> None:
    deployed.ask("198.51.100.77")
    fields = ("X-Forwarded-For: 198.51.100.77",)
    created = deployed.server.ask("POST", "/v1/sessions", CREATION, *fields)
    assert (created.status, created.headers["ratelimit-policy"]) == (201, '"sessions";q=60;w=60')
    (key,) = deployed.redis.ask("KEYS", "*rate*")
    assert re.fullmatch(rb"referee:rate:\{[0-9a-f]{32}\}:sessions", key)
    assert 0 < int(deployed.redis.ask("PTTL", key)) <= 60_000


def test_limits_apply_while_redis_is_unavailable(deployed: Deployed) -> None:
    deployed.redis.kill()
    try:
        replies, refusal = exhaust(lambda _: deployed.ask("198.51.100.4", SESSION))
        assert {reply.status for reply in replies} == {503}
        refusal.problem("rate-limited", 429)
        assert deployed.ask("198.51.100.5").status == 200
    finally:
        deployed.redis.start()
    wait_until("sessions are available", partial(_is_well, deployed.server))


def _is_well(server: Server) -> bool:
    return b'"ok","sessions":"ok"' in server.ask("GET", "/readyz").body


def test_refused_body_is_drained_and_the_connection_continues(deployed: Deployed) -> None:
    fields = ("X-Forwarded-For: 198.51.100.9",)
    body = json.dumps({"positions": [ROLL]}).encode()
    with deployed.server.wire() as wire:
        wire.send(request("POST", BATCH, body, *fields))
        assert wire.reply().status == 200
        for size in (len(body), 9 << 20):
            wire.send(request("POST", BATCH, body.ljust(size), *fields))
            wire.reply().problem("rate-limited", 429)
        wire.send(request("GET", "/livez", None))
        assert wire.reply().status == 200


def test_stream_is_counted_once_and_on_loopback_too(deployed: Deployed) -> None:
    fields = ("X-Forwarded-For: 198.51.100.10",)
    created = deployed.server.ask("POST", "/v1/sessions", CREATION, *fields)
    assert created.status == 201
    at = created.headers["location"]
    with deployed.server.wire() as wire:
        wire.send(request("GET", f"{at}/events", None, "Accept: text/event-stream"))
        assert b"200" in wire.file.readline()
        lines = [line.decode().strip() for line in iter(wire.file.readline, b"\r\n")]
        headers = dict(line.lower().split(": ", 1) for line in lines)
        assert headers["ratelimit"].startswith(f'"events";r={LIMIT - 1};')
        counted = COUNT.search(deployed.server.ask("GET", at).headers["ratelimit"])
        # One permit may have returned meanwhile.
        assert counted is not None
        assert int(counted[1]) in (LIMIT - 2, LIMIT - 1)


def test_session_limit_holds_across_workers(redis_url: str) -> None:
    with (
        serving(REDIS_URL=redis_url, WORKERS=2, RATE_SESSIONS=60) as server,
        ExitStack() as stack,
    ):
        wires = [stack.enter_context(server.wire()) for _ in range(600)]
        started = time.monotonic()
        for wire in wires:
            wire.send(request("POST", "/v1/sessions", CREATION))
        statuses = Counter(wire.reply().status for wire in wires)
        back = time.monotonic() - started
    assert 54 <= statuses[201] <= 60 + back, statuses
    # Requests that cannot be counted in time are refused, not admitted.
    assert set(statuses) <= {201, 429, 503}
