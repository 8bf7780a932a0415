"""Requests of nginx to the services behind it: fields, number and retries."""

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.application import ADJUDICATIONS, BATCH, ROLL_JSON, Reply
from tests.e2e.deploy.pretending import Pretender
from tests.e2e.deploy.test_nginx import BEGINNING, GET_FORM
from tests.engines.servers import wait_until
from tests.engines.stack import Nginx, Stack
from tests.wire import request

FRESH = "Cache-Control: public, max-age=3600"
TRACE = (f"traceparent: 00-{'a' * 32}-{'b' * 16}-01", "tracestate: vendor=1")
STALE_SOON = "Cache-Control: public, max-age=1"


@pytest.fixture(scope="module")
def pretender() -> Iterator[Pretender]:
    with Pretender() as started:
        yield started


@pytest.fixture(scope="module")
def nginx(pretender: Pretender) -> Iterator[Nginx]:
    with Nginx(pretender.address) as nginx:
        yield nginx


@pytest.mark.parametrize(
    "target", ["/livez", "/v1", BATCH, "/v1/sessions/x", "/v1/sessions/x/events"]
)
def test_client_cannot_set_proxy_fields(pretender: Pretender, nginx: Nginx, target: str) -> None:
    lies = (
        "X-Forwarded-For: 10.0.0.1",
        "X-Forwarded-For: 10.0.0.2",
        "Forwarded: for=10.0.0.3",
        "X-Real-IP: 10.0.0.4",
        "X-Forwarded-Proto: https",
        "X-Forwarded-Host: 10.0.0.5",
        "Proxy: http://10.0.0.6",
        "X_Forwarded_For: 10.0.0.7",
        "Content_Length: 10",
        "X-Request-ID: not an id",
        *TRACE,
    )
    assert nginx.ask("GET", target, None, *lies).status == 200
    lines = pretender.heads[-1].decode().split("\r\n")
    assert lines[0].split()[1] == target
    fields = [line.lower().partition(": ") for line in lines[1:] if line]
    headers = {name: value for name, _, value in fields}
    assert len(fields) == len(headers)
    assert re.fullmatch("[0-9a-f]{32}", headers.pop("x-request-id"))
    headers.pop("connection", None)
    assert headers == {"host": "localhost", "x-forwarded-for": "127.0.0.1"}


@pytest.mark.parametrize("target", ["/livez", "/v1/sessions/x", "/v1/sessions/x/events"])
def test_traces_reach_the_service_if_trusted(pretender: Pretender, target: str) -> None:
    nginx = Nginx(pretender.address)
    site = nginx.conf / "site/http.conf"
    before, setting, after = site.read_text().partition("default    0;")
    assert setting
    site.write_text(f"{before}default    1;{after}")
    with nginx:
        nginx.ask("GET", target, None, *TRACE)
        assert all(field.encode() in pretender.heads[-1] for field in TRACE)


def test_nginx_forwards_a_single_accept_header(pretender: Pretender, nginx: Nginx) -> None:
    wishes = ("Accept: application/json", "Accept: text/event-stream")
    for number in (0, 1, 2):
        nginx.ask("GET", "/v1/sessions/x/events", None, *wishes[:number])
        lines = pretender.heads[-1].decode().split("\r\n")
        # nginx reads the first field (1.22), or joins all of them (1.23).
        assert sum(line.startswith("Accept:") for line in lines) == min(number, 1)


@pytest.mark.parametrize("target", ["/v1//games", "/a/%2e%2e/livez?b=%20", "/v1/./games/%2E", "//"])
def test_path_is_forwarded_unchanged(pretender: Pretender, nginx: Nginx, target: str) -> None:
    nginx.ask("GET", target)
    assert pretender.heads[-1].split()[1].decode() == target


def test_body_is_forwarded_after_it_is_complete(pretender: Pretender, nginx: Nginx) -> None:
    pretender.heads.clear()
    with nginx.wire() as wire:
        raw = request("POST", ADJUDICATIONS, ROLL_JSON)
        for byte in range(len(raw) - 5, len(raw)):
            wire.send(raw[:byte] if byte == len(raw) - 5 else raw[byte - 1 : byte])
            # nginx handles another request meanwhile.
            nginx.ask("GET", "/livez")
        wire.send(raw[-1:])
        assert wire.reply().status == 200
    assert [head.split()[0] for head in pretender.heads] == [b"GET"] * 5 + [b"POST"]


@pytest.mark.long
def test_cache_collapses_requests_and_serves_stale_on_renewal() -> None:
    with Pretender(FRESH) as service, Nginx(service.address) as nginx:

        def ask(target: str = GET_FORM) -> str:
            return nginx.ask("GET", target).headers["x-cache"]

        def cached_files() -> int:
            return len(list(nginx.home.glob("cache/?/??/*")))

        assert ask() == "MISS"
        # The reply may reach the client before the cache stores it.
        wait_until("the reply is cached", lambda: cached_files() == 1)
        with ThreadPoolExecutor(20) as pool:
            assert set(pool.map(ask, [GET_FORM] * 20)) == {"HIT"}
        assert len(service.heads) == 1

        # A stale copy is served at once while nginx renews the copy in the background.
        renewed, service.fields = f"{GET_FORM}&stale=1", (STALE_SOON,)
        assert ask(renewed) == "MISS"
        wait_until("the second reply is cached", lambda: cached_files() == 2)
        service.fields = (FRESH,)
        service.gate.clear()
        wait_until("the copy is stale", lambda: ask(renewed) == "STALE")
        assert ask(renewed) in ("STALE", "UPDATING")
        service.gate.set()
        wait_until("the copy is renewed", lambda: ask(renewed) == "HIT")
        assert len(service.heads) == 3

        # nginx serves a stale copy rather than an error.
        dropped, service.fields = f"{GET_FORM}&stale=2", (STALE_SOON,)
        assert ask(dropped) == "MISS"
        wait_until("the third reply is cached", lambda: cached_files() == 3)
        service.drops = True
        wait_until("the copy is stale", lambda: ask(dropped) == "STALE")


def test_only_safe_requests_are_retried() -> None:
    with Pretender() as good, Pretender() as bad, Nginx(good.address, bad.address) as nginx:
        bad.drops = True
        for method, target, body in (
            ("POST", ADJUDICATIONS, ROLL_JSON),
            ("POST", BATCH, ROLL_JSON),
            ("POST", "/v1/tutto/audits", b"{}"),
            ("GET", GET_FORM, None),
            ("GET", "/v1/sessions/x", None),
        ):
            count = len(bad.heads)
            for _ in range(4):
                assert nginx.ask(method, target, body).status == 200
            assert len(bad.heads) > count

        def write(target: str) -> list[Reply]:
            return [nginx.ask("POST", target, BEGINNING) for _ in range(4)]

        for target in ("/v1/sessions", "/v1/sessions/x/events", "/v1/sessions/x/undo"):
            count = len(good.heads) + len(bad.heads)
            replies = write(target)
            assert len(good.heads) + len(bad.heads) == count + 4, "each request was sent once"
            assert {reply.status for reply in replies} == {200, 503}
            for reply in replies:
                if reply.status == 503:
                    reply.problem("sessions-away", 503)


def test_service_counts_client_addresses_set_by_nginx() -> None:
    with Stack(RATE_SESSIONS=2, RATE_LOOPBACK=1, RATE_STATELESS=100_000) as stack:

        def create(source: str, *fields: str) -> Reply:
            with stack.wire(source=source) as wire:
                wire.send(request("POST", "/v1/sessions", BEGINNING, *fields))
                return wire.reply()

        assert [create("127.0.0.2").status for _ in range(3)] == [201, 201, 429]
        create("127.0.0.2", "X-Forwarded-For: 127.0.0.9").problem("rate-limited", 429)
        assert create("127.0.0.3").status == 201
        # Only the client of a miss gets the rate-limit headers; cached copies lack them.
        for method, body in (("POST", ROLL_JSON), ("GET", None), ("GET", None)):
            headers = stack.ask(method, GET_FORM, body).headers
            counted = {name for name in headers if name.startswith("ratelimit")}
            miss = headers.get("x-cache") != "HIT"
            assert counted == ({"ratelimit", "ratelimit-policy"} if miss else set())
            if body is None:
                wait_until(
                    "the reply is cached",
                    lambda: stack.ask("HEAD", GET_FORM).headers["x-cache"] == "HIT",
                )
        assert headers["x-cache"] == "HIT"
