"""Limits at both doors: in one process by hand, and between real servers that share a Redis."""

import asyncio
import json
import re
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

import pytest

from service.app import create_app
from service.asgi import front_door
from service.doors.reader import Message
from service.http.rates import Ledger, Purses
from service.settings import Settings
from tests.doors import driving
from tests.doors.driving import Doors, Question, Reply, asked_front, environ_of
from tests.doors.serving import ADJUDICATIONS, BATCH, ROLL, Server, request, serving
from tests.doors.serving import Reply as WireReply
from tests.engines.servers import ENGINES, Single, wait_until

QUERY = "card=bonus-200&roll=123466"
JSON = ("Content-Type", "application/json")
IDENTITY = ("X-Request-ID", "law-1")
SESSION = "/v1/sessions/AAAAAAAAAAAAAAAAAAAAAA"


# By hand ----------------------------------------------------------------------------------------


def doors(**more: Any) -> Doors:
    """Those of a service for which no time passes."""
    apps = [create_app(Settings(rate_loopback=True, **more)) for _ in range(2)]
    for app in apps:
        app.limits._ledger = Ledger(lambda: 10**18)
    return Doors(front_door(apps[0]), apps[1])


ASKED = {
    "a verdict": Question("POST", ADJUDICATIONS, "", (JSON, IDENTITY), ROLL),
    "a verdict by its address": Question("GET", ADJUDICATIONS, QUERY, (IDENTITY,)),
    "its head": Question("HEAD", ADJUDICATIONS, QUERY, (IDENTITY,)),
    "one that was kept": Question("GET", ADJUDICATIONS, QUERY, (IDENTITY, ("If-None-Match", "*"))),
    "a batch": Question("POST", BATCH, "", (JSON, IDENTITY), b'{"positions":[%b]}' % ROLL),
    "a bad question": Question("POST", ADJUDICATIONS, "", (JSON, IDENTITY), b"{"),
    "a batch by lines": Question(
        "POST", BATCH, "", (("Content-Type", "application/x-ndjson"), IDENTITY), ROLL
    ),
    "the catalogue": Question("GET", "/v1/games", "", (IDENTITY,)),
    "a session": Question("GET", SESSION, "", (IDENTITY,)),
    "a feed": Question("GET", f"{SESSION}/events", "", (IDENTITY,)),
    "a new session": Question("POST", "/v1/sessions", "", (JSON, IDENTITY), b"{}"),
    "nothing": Question("GET", "/v1/nothing", "", (IDENTITY,)),
    "a preflight": Question("OPTIONS", ADJUDICATIONS, "", (IDENTITY,)),
    "health": Question("GET", "/livez", "", (IDENTITY,)),
}


@pytest.mark.parametrize("question", ASKED.values(), ids=ASKED)
def test_the_law_of_the_doors_holds_with_limits_too(question: Question) -> None:
    both = doors(rate_stateless=2, rate_batch=2, rate_sessions=2, rate_events=2)
    limited = question.method != "OPTIONS" and question.path.startswith("/v1/")
    for number in range(4):
        front, flask = both.ask(question)
        assert front == flask
        assert ("ratelimit" in front.headers) is limited
        assert (front.status == 429) is (limited and number >= 2)


def test_what_the_front_door_has_taken_is_not_taken_twice() -> None:
    both = doors(rate_stateless=60)
    # The second is left to Flask, which is behind the same door.
    for left, question in ((59, ASKED["a verdict"]), (58, ASKED["a bad question"])):
        front, _ = both.ask(question)
        assert front.headers["ratelimit"] == f'"stateless";r={left};t={60 - left}'


def test_a_feed_counts_once_however_often_it_is_looked_at() -> None:
    both = doors(rate_events=60)
    for left in (59, 58):
        front, _ = both.ask(ASKED["a feed"])
        assert front.headers["ratelimit"] == f'"events";r={left};t={60 - left}'


@pytest.mark.parametrize("lines", [("198.51.100.1",), ("203.0.113.7", "198.51.100.1")])
def test_both_doors_join_the_lines_of_a_header_in_their_order(lines: tuple[str, ...]) -> None:
    settings = Settings(rate_stateless=1, trusted_proxies="127.0.0.1, unix")
    both = Doors.of(settings)
    for address in lines:
        # Counted before as somebody else, whom the next one only claims to be.
        fields = (("X-Forwarded-For", "192.0.2.1"),) * (address != lines[-1])
        fields += (("X-Forwarded-For", lines[-1]),)
        question = Question("GET", ADJUDICATIONS, QUERY, fields)
        front_reply, flask_reply = both.ask(question)
        assert (front_reply.status == 429) == (flask_reply.status == 429) == (address != lines[0])


@pytest.mark.parametrize("peer", [None, ("", 0)])
def test_the_peer_of_a_unix_socket_is_a_proxy_if_it_is_trusted(peer: Any) -> None:
    settings = Settings(rate_stateless=1, trusted_proxies="unix")
    front, sent = front_door(create_app(settings)), list[Message]()

    async def ask(client: str) -> int:
        question = Question("GET", ADJUDICATIONS, QUERY, (("X-Forwarded-For", client),))

        async def receive() -> Message:
            raise AssertionError("nothing to be read")

        async def send(message: Message) -> None:
            sent.append(message)

        sent.clear()
        await front({**question.scope, "client": peer}, receive, send)
        return int(sent[0]["status"])

    asked = [asyncio.run(ask(client)) for client in ("192.0.2.1", "192.0.2.2", "192.0.2.1")]
    assert asked == [200, 200, 429]


def test_who_asks_from_this_machine_is_told_of_no_limit() -> None:
    reply = asked_front(ASKED["a verdict"])
    assert reply.status == 200
    assert "ratelimit" not in reply.headers
    assert "HTTP_X_FORWARDED_FOR" not in environ_of(ASKED["a verdict"])


def test_a_store_that_hangs_holds_nobody_up_for_long() -> None:
    """More who wait than may: the others are counted by this process, at once."""

    class Slow:
        asked = 0

        def __call__(self, *_: Any) -> None:
            self.asked += 1
            time.sleep(0.05)

    slow = Slow()
    app = create_app(Settings(rate_loopback=True, rate_stateless=500))
    app.limits._purses = Purses(slow)
    front = front_door(app)

    async def crowd() -> list[Reply]:
        asked = [driving.through_front(ASKED["a verdict"], front) for _ in range(200)]
        return await asyncio.gather(*asked)

    replies = asyncio.run(crowd())
    assert [reply.status for reply in replies] == [200] * 200
    assert slow.asked == 64


# Real servers -----------------------------------------------------------------------------------

LIMIT = 20
"""Requests a minute."""
BACK = 3
"""Seconds after which one of them comes back."""
COUNT = re.compile(r";r=(\d+);")


class House(NamedTuple):
    """Two services and the Redis that both count in."""

    redis: Single
    one: Server
    other: Server

    def ask(
        self, client: str, path: str = f"{ADJUDICATIONS}?{QUERY}", number: int = 0
    ) -> WireReply:
        server = self.other if number % 2 else self.one
        return server.ask("GET", path, None, f"X-Forwarded-For: {client}")


@pytest.fixture(scope="module")
def house() -> Iterator[House]:
    told: dict[str, Any] = {
        "WORKERS": 1,
        "TRUSTED_PROXIES": "127.0.0.1",
        "RATE_STATELESS": LIMIT,
        "RATE_BATCH": 1,
        "RATE_EVENTS": LIMIT,
    }
    with (
        Single(ENGINES[0]) as redis,
        serving(REDIS_URL=redis.url, **told) as one,
        serving(REDIS_URL=redis.url, **told) as other,
    ):
        yield House(redis, one, other)


def spent(ask: Callable[[int], WireReply]) -> tuple[list[WireReply], WireReply]:
    """Ask until the limit is reached: what was answered, and the refusal."""
    replies, started = list[WireReply](), time.monotonic()
    while (reply := ask(len(replies))).status != 429:
        replies.append(reply)
        assert len(replies) <= LIMIT + (time.monotonic() - started) / BACK
    assert len(replies) >= LIMIT
    return replies, reply


def test_two_services_with_one_redis_share_the_count_and_tell_it_truly(house: House) -> None:
    replies, refusal = spent(lambda number: house.ask("198.51.100.1", number=number))
    assert {reply.status for reply in replies} == {200}
    told = [re.fullmatch(r'"stateless";r=(\d+);t=\d+', r.headers["ratelimit"]) for r in replies]
    left = [int(found[1]) for found in told if found is not None]
    assert len(left) == len(replies)
    assert (left[0], left[-1]) == (LIMIT - 1, 0)
    assert all(after >= before - 1 for before, after in pairwise(left))

    document = refusal.problem("rate-limited", 429)
    pause = int(refusal.headers["retry-after"])
    assert 1 <= pause <= BACK
    assert all(word in document["detail"] for word in ("stateless", f" {LIMIT} ", f" {pause} s"))
    assert refusal.headers["ratelimit-policy"] == f'"stateless";q={LIMIT};w=60'
    assert refusal.headers["ratelimit"] == f'"stateless";r=0;t={pause}'

    assert house.ask("198.51.100.2").status == 200, "another client has a count of its own"
    assert house.ask("198.51.100.1", path="/livez").status == 200
    time.sleep(pause)
    assert house.ask("198.51.100.1", number=1).status == 200


def test_a_spoofer_stays_who_he_is(house: House) -> None:
    spent(lambda number: house.ask(f"192.0.2.{number}, 127.0.0.1, 198.51.100.3", number=number))
    for server in (house.one, house.other):
        # As a second line, with a port, and as the same address in the other family.
        for field in ("198.51.100.3:4711", "::ffff:198.51.100.3", "[::ffff:198.51.100.3]:80"):
            lines = ("X-Forwarded-For: 192.0.2.99", f"X-Forwarded-For: {field}")
            reply = server.ask("GET", f"{ADJUDICATIONS}?{QUERY}", None, *lines)
            assert COUNT.search(reply.headers["ratelimit"])[1] == "0"  # type: ignore[index]


def test_no_address_is_kept(house: House) -> None:
    house.ask("198.51.100.77")
    keys = house.redis.ask("KEYS", "*rate*")
    assert keys
    for key in keys:
        assert re.fullmatch(rb"referee:rate:\{[0-9a-f]{32}\}:[a-z]+", key)
        assert 0 < int(house.redis.ask("PTTL", key)) <= 60_000


def _asked(server: Server, _: int) -> WireReply:
    return server.ask("GET", SESSION, None, "X-Forwarded-For: 198.51.100.4")


def _is_well(server: Server) -> bool:
    return b'"ok","sessions":"ok"' in server.ask("GET", "/readyz").body


def test_while_redis_is_away_each_counts_by_itself_and_afterwards_together_again(
    house: House,
) -> None:
    house.redis.kill()
    try:
        for server in (house.one, house.other):
            replies, refusal = spent(partial(_asked, server))
            assert {reply.status for reply in replies} == {503}
            refusal.problem("rate-limited", 429)
            assert server.ask("GET", "/livez").status == 200
            verdict = server.ask("POST", ADJUDICATIONS, ROLL, "X-Forwarded-For: 198.51.100.5")
            assert verdict.status == 200
    finally:
        house.redis.start()
    for server in (house.one, house.other):
        wait_until("it is back", partial(_is_well, server))
    replies, _ = spent(lambda number: house.ask("198.51.100.8", SESSION, number))
    assert {reply.status for reply in replies} == {404}
    for server in (house.one, house.other):
        assert '"status":500' not in server.log()


def test_a_refused_body_is_read_past_and_the_connection_goes_on(house: House) -> None:
    fields = ("X-Forwarded-For: 198.51.100.9",)
    body = json.dumps({"positions": [json.loads(ROLL)]}).encode()
    with house.one.wire() as wire:
        wire.send(request("POST", BATCH, body, *fields))
        assert wire.reply().status == 200
        for size in (len(body), 9 << 20):
            wire.send(request("POST", BATCH, body.ljust(size), *fields))
            wire.reply().problem("rate-limited", 429)
        wire.send(request("GET", "/livez", None))
        assert wire.reply().status == 200


def test_a_stream_counts_once_and_on_loopback_too(house: House) -> None:
    made = house.one.ask("POST", "/v1/sessions", b'{"game":"tutto","players":["Ann","Ben"]}')
    assert made.status == 201
    at = made.headers["location"]
    with house.one.wire() as wire:
        wire.send(request("GET", f"{at}/events", None, "Accept: text/event-stream"))
        assert b"200" in wire.file.readline()
        lines = [line.decode().strip() for line in iter(wire.file.readline, b"\r\n")]
        fields = dict(line.lower().split(": ", 1) for line in lines)
        assert fields["ratelimit"].startswith(f'"events";r={LIMIT - 1};')
        counted = COUNT.search(house.other.ask("GET", at).headers["ratelimit"])
        # One may have come back meanwhile.
        assert counted is not None
        assert int(counted[1]) in (LIMIT - 2, LIMIT - 1)
