"""Paths that nginx caches: equal to the service's answers under every condition."""

import re
from collections.abc import Iterator
from functools import cache
from itertools import chain

import pytest

from dice_referee.api.i18n import rulebook
from dice_referee.api.problems import STATUSES
from dice_referee.app import create_app
from dice_referee.games import catalogue
from dice_referee.web.assets import files, version
from tests.application import Reply
from tests.e2e.attack.raw import SLASHED
from tests.engines.servers import wait_until
from tests.engines.stack import NGINX, Stack
from tests.wire import request

QUERIES = {
    "/v1/tutto/adjudications": "card=bonus-200&roll=123466",
    "/v1/yatzee/adjudications": "roll=123456&rolls_made=2&scorecard=fives:15,house:32",
    "/v1/pot/adjudications": "roll=3P4&rolls_made=1&coins=5,3,2&pot=2&bank=43&player=0",
}
CACHED = next(
    re.compile(pattern)
    for pattern, rest in re.findall(
        r"location ~ (\S+) \{(.*?)\n    \}", (NGINX / "referee.conf").read_text(), re.DOTALL
    )
    if "include cache.conf;" in rest
)
"""Pattern of the location with the cache."""


def every(rule: str) -> list[str]:
    """Returns all paths that a rule of the URL map matches."""
    targets = []
    for name, game in catalogue().items():
        if rule.startswith("/v1/") and not rule.startswith(f"/v1/{name}"):
            continue
        addresses = [rule]
        for blank, values in {
            "<ruleset>": list(game.rulesets),
            "<number>": list(rulebook(name).rules),
            "<code>": list(STATUSES),
            "<release>": [version()],
            "<path:name>": [name for name in files() if not name.endswith(".html")],
        }.items():
            addresses = [address.replace(blank, value) for address in addresses for value in values]
        targets += addresses
    return list(dict.fromkeys(targets))


@cache
def cached() -> dict[str, list[str]]:
    """Returns the paths that nginx caches, by their rule."""
    return {
        rule.rule: addresses
        for rule in create_app().url_map.iter_rules()
        if "GET" in (rule.methods or ())
        and (addresses := [*filter(CACHED.match, every(rule.rule))])
    }


LONG_AGO = "Thu, 01 Jan 1970 00:00:00 GMT"
FAILING = [
    *('If-Match: "x"', 'If-Match: W/"x", "y"', "If-Match: x", "If-Match: ,"),
    f"If-Unmodified-Since: {LONG_AGO}",
]
CONDITIONS = [
    *(*FAILING, "If-Match: *", f"If-Modified-Since: {LONG_AGO}", "If-None-Match: *"),
    *('If-None-Match: "x"', 'If-Range: "x"\r\nRange: bytes=0-3'),
]
CONTENT_FIELDS = (
    "content-type",
    "cache-control",
    "etag",
    "content-language",
    "access-control-allow-origin",
)


@pytest.fixture(scope="module")
def stack() -> Iterator[Stack]:
    """Starts a stack with an empty cache."""
    with Stack() as started:
        yield started


def content_of(reply: Reply) -> tuple[object, ...]:
    """Returns the content of a reply, without its sender."""
    # The language on a 304 may be that of the cached copy.
    names = CONTENT_FIELDS if reply.status != 304 else CONTENT_FIELDS[1:3]
    return reply.status, reply.body, [reply.headers.get(name) for name in names]


def target_of(address: str) -> str:
    return f"{address}?{QUERIES[address]}" if address in QUERIES else address


def test_conditions_are_answered_as_by_the_service(stack: Stack) -> None:
    for address, *_ in cached().values():
        assert_conditions_are_the_services(stack, target_of(address))


def assert_conditions_are_the_services(stack: Stack, target: str) -> None:
    """Expects the service's own answer to every condition, before and after nginx caches a copy."""
    service = stack.services[0]
    for filled in (False, True):
        for condition in CONDITIONS:
            reply, own = (origin.ask("GET", target, None, condition) for origin in (stack, service))
            assert content_of(reply) == content_of(own), (target, condition)
        if not filled:
            wait_until(
                "the copy is cached", lambda: "HIT" in stack.ask("GET", target).headers["x-cache"]
            )


def test_nginx_adds_no_412(stack: Stack) -> None:
    for address in chain.from_iterable(cached().values()):
        target = target_of(address)
        plain = content_of(stack.services[0].ask("GET", target))
        assert plain[0] == 200, address
        for condition in (FAILING[0], FAILING[-1]):
            assert content_of(stack.ask("GET", target)) == plain
            assert content_of(stack.ask("GET", target, None, condition)) == plain, address


def test_empty_condition_is_a_problem(stack: Stack) -> None:
    for target in ("/v1", "/v1", "/problems/gone"):
        for name in ("If-Match", "If-Unmodified-Since"):
            stack.ask("GET", target, None, f"{name}:").problem("bad-request", 400)


@pytest.mark.parametrize("target", SLASHED)
def test_nginx_refuses_an_encoded_slash_as_the_service_does(stack: Stack, target: str) -> None:
    for _ in range(2):
        reply, service = stack.ask("GET", target), stack.services[0].ask("GET", target)
        problem, own = reply.problem("not-found", 404), service.problem("not-found", 404)
        assert problem == {**own, "detail": "There is nothing here."}
        assert "x-cache" not in reply.headers


def test_other_refusals_of_nginx_keep_their_reason(stack: Stack) -> None:
    long = "x" * 8100
    stack.ask("GET", f"/%2F{long}").problem("query-too-long", 414)
    stack.ask_raw(request("GET", "/a%2Fb", None, f"X: {long}"))[0].problem("bad-request", 400)
    stack.ask("TRACE", "/a%2Fb").problem("method-not-allowed", 405)
    assert stack.ask("GET", "/livez?x=%2F").status == 200
