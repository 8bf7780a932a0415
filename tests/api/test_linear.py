"""Twice the input takes at most three times the CPU time, by every door of the service.

A door is a header, a parameter of the query or of the path, or a body. Each gets its worst shapes:
short parts that are repeated, because work that grows faster than its input repeats itself.
"""

import gc
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import pairwise, product
from math import inf
from time import thread_time
from typing import Any, NamedTuple

import pytest
from flask import Flask

from dice_referee.api.contract import contract
from dice_referee.api.message import Body, Request
from dice_referee.api.operation import NotMade
from dice_referee.api.pipeline import Place, begin, handle, place_of
from dice_referee.api.routing import Router
from dice_referee.api.services import Services
from dice_referee.app import create_app
from dice_referee.games import catalogue
from dice_referee.limits.counters import LocalCounter, RateLimitKey, RateLimitStatus
from dice_referee.sessions.redis.store import RedisStore
from dice_referee.settings import Settings
from tests.application import begin as begin_session

KB = 1 << 10
GROWTH = 3
"""Maximum factor of the CPU time of twice the input."""
FLOOR = 0.005
"""CPU seconds below which no growth is measured."""
QUICK = 0.02
"""Maximum CPU seconds in the event loop, or in a thread of sessions."""
TIMES = 5
"""Measurements, of which the lowest count."""

QUERY, HEAD = ((KB, 2 * KB, 4 * KB),), ((4 * KB, 8 * KB, 16 * KB),)
"""Lengths in bytes, each twice the length before. A query has at most 4 KB."""
BODY = (*HEAD, (32 * KB, 64 * KB))

PARTS = (
    *('"', '\\"', 'W/"0",', "-", "0-x,", ",", ";", "; ", ";q=.1", "=", ":", "[", "]:1", ".", "1."),
    *("1", " ", "\t", "a", "A-", "a.", "xx-y;q=.1,", "*/*;q=.1,", "a/b,", ';charset="', "Bearer "),
    *(
        "127.0.0.1,",
        "http://a",
        "%41",
        "\xe9",
        "\x85",
        "/",
        "a/",
        "+",
        "&",
        "1,",
        "fives:1,",
        "[1],",
    ),
)
"""Parts of all fields: separators, marks, digits, letters, entries of lists."""
BEGINNINGS = {"content-type": "application/json;", "authorization": "Bearer "}


class Question(NamedTuple):
    """Request whose size varies."""

    method: str
    path: str
    query: str = ""
    headers: Mapping[bytes, bytes] = {}
    body: bytes = b""


Door = Callable[[int], Question]
"""Returns the question of a length in bytes."""


class Fields(dict[bytes, bytes]):
    """Headers that record which of them are read."""

    read: set[str] = set()  # noqa: RUF012

    def get(self, name: bytes, default: Any = None) -> Any:
        self.read.add(name.decode())
        return super().get(name, default)


class Unlimited(LocalCounter):
    """Allows every request, whatever it has cost."""

    def charge(self, key: RateLimitKey, cost: int, minutes: int = 2) -> RateLimitStatus:
        return RateLimitStatus(key.policy, key.limit, True, key.limit, 0)

    def count(self, key: RateLimitKey) -> RateLimitStatus:
        return self.charge(key, key.step)


class Doorkeeper:
    """Asks questions at the places where the server asks them, and measures CPU seconds."""

    def __init__(self, app: Flask) -> None:
        self.services: Services = app.extensions["dice-referee"].services
        self.services.limiter.counter = Unlimited()
        self.router, self.rules = Router(app), [*app.url_map.iter_rules()]

    def costs(self, question: Question) -> dict[Place, float]:
        """Returns the CPU seconds of a question at each place."""
        method, path, query, headers, body = question
        began, costs = thread_time(), dict.fromkeys(Place, 0.0)
        match = self.router.find(method, path)
        fields = Fields(headers)
        known = (*match, self.services)
        request = Request(method, path, query.encode("latin-1"), fields, "127.0.0.1", *known)
        begin(request)
        request.body = Body(body, len(body))
        place = place_of(request)
        costs[Place.LOOP] = thread_time() - began
        answer = None
        while answer is None:
            began = thread_time()
            try:
                answer = handle(request)
                if answer is not None and not isinstance(answer.body, bytes):
                    for _ in answer.body:
                        pass
                costs[place] += thread_time() - began
                place = place_of(request)
            except NotMade as lack:
                lack.make()
        assert answer.status < 429, question
        return costs

    def check(self, name: str, door: Door, groups: Iterable[tuple[int, ...]]) -> None:
        """Expects that twice the length takes linear time, and never long in loop and threads."""
        for lengths in groups:
            best = [dict.fromkeys(Place, inf) for _ in lengths]
            for _ in range(TIMES):
                large = self.costs(door(lengths[-1]))
                if sum(large.values()) < FLOOR:
                    break
                costs = [*(self.costs(door(length)) for length in lengths[:-1]), large]
                best = [
                    {place: min(least[place], cost[place]) for place in Place}
                    for least, cost in zip(best, costs, strict=True)
                ]
                if self.is_linear(best):
                    break
            else:
                pytest.fail(f"{name}, {lengths} bytes: {best}")

    @staticmethod
    def is_linear(costs: list[dict[Place, float]]) -> bool:
        """Tells if each length costs at most ``GROWTH`` times its half, and none takes long."""
        totals = [max(sum(cost.values()), FLOOR) for cost in costs]
        quick = max(costs[-1][Place.LOOP], costs[-1][Place.THREAD]) <= QUICK
        return quick and all(double <= GROWTH * half for half, double in pairwise(totals))


@pytest.fixture(scope="module")
def table(redis_url: str) -> Iterator[tuple[Doorkeeper, str, bytes]]:
    """Returns the service with the path of a session and the authorization of its host."""
    store = RedisStore(redis_url, 5000)
    settings = Settings(trusted_proxies="127.0.0.0/8", hosts="a.example", rate_loopback=True)
    app = create_app(settings, store)
    session = begin_session(app.test_client())
    # The collector visits all objects of the tests, whatever a request allocates.
    gc.disable()
    yield Doorkeeper(app), session.at, f"Bearer {session.host}".encode()
    gc.enable()
    store.close()


def repeated(part: str, size: int, first: str = "", last: str = "") -> str:
    """Returns a text of this size that repeats a part."""
    return (first + part * size)[: size - len(last)] + last


def test_long_header_takes_linear_time(table: tuple[Doorkeeper, str, bytes]) -> None:
    keeper, at, token = table
    json_field = {b"content-type": b"application/json"}
    questions = [
        Question("GET", "/docs"),
        Question("GET", f"{at}/events", "after=0", {b"accept": b"text/plain"}),
        Question(
            "POST", f"{at}/events", "", {**json_field, b"authorization": token}, b'{"type":"bank"}'
        ),
    ]

    def door(question: Question, name: str, first: str, part: str, size: int) -> Question:
        value = repeated(part, size, first).encode("latin-1")
        return question._replace(headers={**question.headers, name.encode(): value})

    for question in questions:
        Fields.read.clear()
        keeper.costs(question)
        for name, part in product(sorted(Fields.read), PARTS):
            for first in ("", BEGINNINGS.get(name, '"9')):
                label = f"{question.method} {question.path} {name} {first}{part}"
                keeper.check(label, partial(door, question, name, first, part), HEAD)


def query_parameters() -> Iterator[tuple[str, list[str]]]:
    """Yields the paths that GET reads, each with the names in its query and an unknown name."""
    document = contract()
    for path, item in document["paths"].items():
        if "get" in item:
            parameters = [*item.get("parameters", ()), *item["get"].get("parameters", ())]
            places = [one.get("$ref", "").rpartition("/")[2] for one in parameters]
            known = document["components"]["parameters"]
            described = [
                known.get(place, one) for place, one in zip(places, parameters, strict=True)
            ]
            yield path, ["x", *(one["name"] for one in described if one["in"] == "query")]


@pytest.mark.long
def test_long_query_takes_linear_time(table: tuple[Doorkeeper, str, bytes]) -> None:
    keeper, at, _ = table

    def door(path: str, name: str, part: str, size: int) -> Question:
        return Question("GET", path, repeated(part, size, f"{name}="))

    for path, names in query_parameters():
        where = path.replace("{session_id}", at.rpartition("/")[2])
        for name, part in product(names, (*PARTS, "&x=1", "&x", *(f"&{name}=1" for name in names))):
            keeper.check(f"{path} {name} {part}", partial(door, where, name, part), QUERY)


def test_long_path_takes_linear_time(table: tuple[Doorkeeper, str, bytes]) -> None:
    keeper, *_ = table
    rules = {(rule.rule, method) for rule in keeper.rules for method in rule.methods or ()}

    def door(method: str, path: str, part: str, size: int) -> Question:
        return Question(method, re.sub("<[^>]+>", lambda _: repeated(part, size), path))

    for (path, method), part in product({*rules, ("/<x>", "GET"), ("/v1/<x>", "GET")}, PARTS):
        if "<" in path and method != "HEAD":
            keeper.check(f"{path} {part}", partial(door, method, path, part), HEAD)


LINE_BEGINNINGS = ("", "{game}: ", '{game}: "', "{game} ", "{game}: A, B: ", "{game}: A, B: accept")
LINE_PARTS = (
    *PARTS,
    "x ",
    "a=b ",
    "keep 1 ",
    " 1",
    "strike ones ",
    "\\u0020",
    '""',
    '"x"',
    '",',
    "“",
)
JSON_SHAPES = (
    *(("[", "[", ""), ('{"a":', '{"a":', ""), ('{"a":[', "1,", "1]}"), ('{"', '\\"', '":1}')),
    *(
        ('{"card":"', "\\u00e9", '"}'),
        ("", " ", "1"),
        ("", "9", ""),
        ("0.", "9", ""),
        ('{"a":"', "[", '"}'),
    ),
    *(('{"roll":[', "7,", "7]}"), ('{"roll":[', "1.0,", "1]}"), ('{"players":[', '"",', '""]}')),
    *(('{"players":["A","B"],"log":[', '{"type":"x"},', "1]}"), ('{"log":[', "[],", "1]}")),
    *(
        ('{"players":["A","B"],"log":[', '{"type":"roll","dice":[9,9]},', "1]}"),
        ('{"a":1,', '"a":1,', '"a":1}'),
    ),
    *(
        ('{"positions":[', "1,", "1]}"),
        ('{"positions":[', '{"a":1},', "1]}"),
        ('{"house":[', "{},", "1]}"),
    ),
    *(('{"game":"tutto","players":["A"],"bots":[', '{"seat":9},', "1]}"), ('{"seed":"', "a", '"}')),
    *(
        ('{"name":"', "a", '"}'),
        ("\xef\xbb\xbf", "\xef\xbb\xbf", ""),
        ('{"options":{', '"a":1,', '"b":1}}'),
    ),
)
"""Beginning, part and end of JSON bodies."""


def test_long_line_takes_linear_time(table: tuple[Doorkeeper, str, bytes]) -> None:
    keeper, *_ = table

    def text(path: str, first: str, part: str, size: int) -> Question:
        body = repeated(part, size, first).encode()
        return Question("POST", path, "", {b"content-type": b"text/plain"}, body)

    def member(path: str, first: str, part: str, size: int) -> Question:
        body = json.dumps({"line": repeated(part, size, first)}, ensure_ascii=False).encode()
        return Question("POST", path, "", {b"content-type": b"application/json"}, body)

    forms = ((text, "audits"), (member, "reviews"))
    for number, (first, part) in enumerate(product(LINE_BEGINNINGS, LINE_PARTS)):
        game, (form, resource) = [*catalogue()][number % 3], forms[number % 2]
        shape = first.format(game=game), part
        keeper.check(f"{game} {shape}", partial(form, f"/v1/{game}/{resource}", *shape), BODY)


@pytest.mark.long
def test_long_body_takes_linear_time(table: tuple[Doorkeeper, str, bytes]) -> None:
    keeper, at, token = table

    def numbered(size: int) -> str:
        return "{" + ",".join(f'"{number:06x}":1' for number in range(size // 11)) + "}"

    def door(path: str, kind: bytes, shape: tuple[str, str, str] | None, size: int) -> Question:
        body = repeated(shape[1], size, shape[0], shape[2]) if shape else numbered(size)
        headers = {b"content-type": kind, b"authorization": token}
        return Question("POST", path, "", headers, body.encode("latin-1"))

    for rule in keeper.rules:
        path = rule.rule.replace("<number>", "0").replace("<session_id>", at.rpartition("/")[2])
        kinds = [b"application/json", *([b"application/x-ndjson"] if "batch" in path else [])]
        if "POST" in (rule.methods or ()):
            for kind, shape in product(kinds, (None, *JSON_SHAPES)):
                keeper.check(f"{path} {shape}", partial(door, path, kind, shape), BODY)
