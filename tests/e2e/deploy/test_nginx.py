"""Additions and refusals of nginx in the deployed stack."""

import gzip
import json
import os
import re
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, Self

import pytest

from dice_referee.api.headers import COMMON, LOADS_NOTHING, Headers, session_headers
from dice_referee.api.i18n import problem_title
from dice_referee.api.message import EVENT_STREAM, Request
from dice_referee.api.negotiation import preferred_type
from dice_referee.api.problems import STATUSES, ProblemError
from dice_referee.api.services import Services
from dice_referee.app import create_app
from dice_referee.limits.policies import RatePolicy
from dice_referee.server.refusal import VARY
from dice_referee.settings import Settings
from tests.application import ADJUDICATIONS, BATCH, PROBLEM_KEYS, ROLL_JSON, Reply
from tests.engines.servers import wait_until
from tests.engines.stack import CLIENT, NGINX, Nginx, Stack
from tests.programs import program
from tests.wire import request

GET_FORM = f"{ADJUDICATIONS}?card=bonus-200&roll=123466"
SMALL = "Accept-Encoding: gzip"
BEGINNING = b'{"game":"tutto","players":["Ann","Ben","Cleo","Dan","Eve"]}'
POLICY = ("Content-Security-Policy", LOADS_NOTHING)
SERVICE = create_app()
VIEWS: dict[str, Any] = SERVICE.view_functions
OPERATIONS = [(rule.rule, VIEWS[rule.endpoint]) for rule in SERVICE.url_map.iter_rules()]
"""Operations of the service, each with its path."""
LARGE = [path for path, operation in OPERATIONS if operation.large_body]
HEAVY = [path for path, operation in OPERATIONS if operation.rate is RatePolicy.BATCH]
"""Paths that may compute for long."""


def created(stack: Stack, *fields: str) -> tuple[str, Reply]:
    """Creates a session and returns its path and the reply."""
    reply = stack.ask("POST", "/v1/sessions", BEGINNING, *fields)
    assert reply.status == 201, reply
    return reply.headers["location"], reply


def lowered(headers: Headers) -> dict[str, str]:
    return {name.lower(): value for name, value in headers}


# The cache ------------------------------------------------------------------------------------


def ask_until_cached(stack: Stack, target: str, *headers: str) -> list[Reply]:
    """Repeats a request until the cache replies. Returns the replies, at least two.

    A reply may reach the client before the cache stores it. The next request is then a miss, too.
    """
    replies = [stack.ask("GET", target, None, *headers)]
    while len(replies) < 50:
        replies.append(stack.ask("GET", target, None, *headers))
        if replies[-1].headers["x-cache"] == "HIT":
            break
    return replies


@pytest.mark.parametrize(
    "target",
    [
        f"{ADJUDICATIONS}?card=bonus-300&roll=123466",
        "/v1/pot/adjudications?roll=3P4&rolls_made=1&coins=5,3,2&pot=2&bank=43&player=0",
        "/v1/yatzee/adjudications?roll=123456&rolls_made=2&scorecard=fives:15,house:32",
        "/v1",
        "/v1/tutto/rules",
        "/openapi.yaml",
        "/problems/busy",
        "/dice-referee.js",
    ],
)
def test_public_answers_reach_the_service_once(stack: Stack, target: str) -> None:
    *misses, second = ask_until_cached(stack, target)
    first = misses[0]
    assert first.status == second.status == 200
    assert [first.headers["x-cache"], second.headers["x-cache"]] == ["MISS", "HIT"]
    assert first.body == second.body
    assert first.headers["x-request-id"] != second.headers["x-request-id"]
    for name in ("etag", "cache-control"):
        assert first.headers[name] == second.headers[name]
    assert second.headers["date"] in {reply.headers["date"] for reply in misses}
    held = f"If-None-Match: {first.headers['etag']}"
    assert stack.ask("GET", target, None, held).status == 304
    assert stack.ask("HEAD", target).headers["x-cache"] == "HIT"
    ranged = stack.ask("GET", target, None, "Range: bytes=0-3")
    assert (ranged.status, ranged.body) == (200, first.body)


def test_each_language_has_its_own_copy(stack: Stack) -> None:
    bodies: dict[str, bytes] = {}
    for language in ("de", "fr", "de", "fr"):
        wanted = f"Accept-Language: {language}"
        replies = ask_until_cached(stack, "/problems/gone", wanted)
        assert replies[-1].headers["x-cache"] == "HIT"
        for reply in replies:
            assert reply.headers["content-language"] == language
            assert bodies.setdefault(language, reply.body) == reply.body
    assert bodies["de"] != bodies["fr"]


def test_cache_keeps_only_cacheable_answers(stack: Stack) -> None:
    at, creation = created(stack)
    host = f"Authorization: Bearer {json.loads(creation.body)['host_token']}"
    stack.ask("POST", f"{at}/abandon", b"{}", host)
    for method, target, body in (
        ("GET", at, None),
        ("GET", f"{at}/events", None),
        ("GET", f"{at}/game", None),
        ("GET", "/livez", None),
        ("GET", "/version", None),
        ("GET", "/", None),
        ("POST", ADJUDICATIONS, ROLL_JSON),
        ("GET", f"{ADJUDICATIONS}?card=none", None),
        ("GET", "/v1/chess", None),
    ):
        replies = [stack.ask(method, target, body) for _ in range(3)]
        assert {reply.headers.get("x-cache", "MISS") for reply in replies} == {"MISS"}, target
    paths = [path for path in stack.nginx.home.glob("cache/**/*") if path.is_file()]
    keys = [re.search(rb"\nKEY: (.*)\n", path.read_bytes()) for path in paths]
    assert keys
    assert not any(key is None or b"/sessions" in key[1] for key in keys)


def test_equal_requests_do_not_queue() -> None:
    """A lock would make clients wait in turn, 2 s each, for answers that are not cached."""
    assert "\nproxy_cache_lock off;\n" in (NGINX / "cache.conf").read_text()


def test_unchanged_page_is_not_sent_again(stack: Stack) -> None:
    page = "Accept: text/html"
    tag = stack.ask("GET", "/", None, page).headers["etag"]
    assert stack.ask("GET", "/", None, page, f"If-None-Match: {tag}").status == 304


# Small answers --------------------------------------------------------------------------------


def test_stateless_answers_are_compressed(stack: Stack) -> None:
    batch = b'{"positions":[' + b",".join([ROLL_JSON] * 20) + b"]}"
    for method, target, body in (
        ("GET", "/openapi.json", None),
        ("GET", "/v1/tutto/rules", None),
        ("POST", BATCH, batch),
    ):
        plain, packed = stack.ask(method, target, body), stack.ask(method, target, body, SMALL)
        assert "content-encoding" not in plain.headers
        assert packed.headers["content-encoding"] == "gzip", target
        assert "Accept-Encoding" in packed.headers["vary"]
        assert gzip.decompress(packed.body) == plain.body


def test_answers_about_sessions_are_not_compressed(stack: Stack) -> None:
    at, creation = created(stack, SMALL)
    assert len(creation.body) > 1000, "the answer is too short for compression"
    for reply in (creation, stack.ask("GET", at, None, SMALL)):
        assert "content-encoding" not in reply.headers
        assert reply.headers["cache-control"] == "no-store"


# nginx's own answers ----------------------------------------------------------------------

LONG = "x" * 8100
MALFORMED = [
    (b"BLA\r\n\r\n", 400, "bad-request"),
    (b"GET /livez HTTP/1.1\r\n\r\n", 400, "bad-request"),
    (b"GET /livez HTTP/9.1\r\nHost: x\r\n\r\n", 400, "bad-request"),
    (b"GET /../livez HTTP/1.1\r\nHost: x\r\n\r\n", 400, "bad-request"),
    (b"GET /%00 HTTP/1.1\r\nHost: x\r\n\r\n", 400, "bad-request"),
    (request("GET", "/livez", None, f"X-Long: {LONG}"), 400, "bad-request"),
    (request("POST", "/", None, "Transfer-Encoding: gzip"), 400, "bad-request"),
    (request("POST", "/", b"abc", "Transfer-Encoding: chunked"), 400, "bad-request"),
    (request("GET", f"/{LONG}"), 414, "query-too-long"),
    (request("TRACE", "/livez"), 405, "method-not-allowed"),
    (request("GET", "/metrics"), 404, "not-found"),
    (request("GET", "/%6detrics"), 404, "not-found"),
    (request("POST", ADJUDICATIONS, b" " * ((1 << 20) + 1)), 413, "too-large"),
    (request("POST", BATCH, b" " * ((8 << 20) + 1)), 413, "too-large"),
]


@pytest.mark.parametrize(("raw", "status", "code"), MALFORMED, ids=range(len(MALFORMED)))
def test_refusals_of_nginx_equal_those_of_the_service(
    stack: Stack, raw: bytes, status: int, code: str
) -> None:
    with stack.wire() as wire:
        try:
            wire.send(raw)
        except ConnectionError:
            assert status == 413  # nginx may close before it has read the body
        reply = wire.reply()
    reply.problem(code, status)
    assert lowered((*COMMON, POLICY, ("Vary", VARY))).items() <= reply.headers.items()
    assert reply.headers["cache-control"] == "no-store"
    assert re.fullmatch("[0-9a-f]{32}", reply.headers["x-request-id"])
    assert "nginx/" not in str(reply)


@pytest.mark.parametrize("origin", ["http://localhost:5173", "https://example.com"])
def test_only_listed_origins_may_read_refusals_of_nginx(stack: Stack, origin: str) -> None:
    reply = stack.ask("GET", f"/v1/sessions/{LONG}", None, f"Origin: {origin}")
    service = stack.ask("GET", "/v1/sessions/x", None, f"Origin: {origin}")
    due = lowered((*session_headers(origin, frozenset()), POLICY))
    assert due.items() <= service.headers.items()
    # nginx never parsed the overlong target as a path: the answer has open CORS headers.
    assert reply.status == 414
    reply = stack.ask("POST", "/v1/sessions", b" " * ((1 << 20) + 1), f"Origin: {origin}")
    reply.problem("too-large", 413)
    cors = {name for name in reply.headers if name.startswith("access-control")}
    assert cors == {name for name in due if name.startswith("access-control")}
    assert due.items() <= reply.headers.items()
    assert f"{VARY}, Origin" in reply.headers["vary"]


def test_nginx_without_a_service_sends_retry_after() -> None:
    with Nginx("127.0.0.1:1", "127.0.0.1:1") as nginx:
        for method, target, body, code in (
            ("GET", "/v1", None, "busy"),
            ("POST", ADJUDICATIONS, ROLL_JSON, "busy"),
            ("POST", BATCH, ROLL_JSON, "busy"),
            ("POST", "/v1/sessions", BEGINNING, "sessions-away"),
            ("GET", "/v1/sessions/x/events?wait=3", None, "sessions-away"),
        ):
            reply = nginx.ask(method, target, body, f"{CLIENT}: 203.0.113.7")
            reply.problem(code, 503)
            assert reply.headers["retry-after"] == "1"
        # The processes of nginx write their logs at different times.
        wait_until("nginx has logged every request", lambda: nginx.lines().count("\n") == 5)
        lines = [json.loads(line) for line in nginx.lines().splitlines()]
        assert sorted(line["method"] for line in lines) == ["GET", "GET", "POST", "POST", "POST"]
        assert {line["status"] for line in lines} == {503}
        assert {line["upstream"].split(",")[0] for line in lines} <= {
            "127.0.0.1:1",
            "referee_sessions",
            "referee",
        }
        assert "203.0.113.7" not in nginx.lines() + nginx.log()


def test_nginx_logs_the_route_of_the_service() -> None:
    secret = "find-me"
    games = [path for path, _ in OPERATIONS if re.match("/v1/(tutto|yatzee|pot)/", path)]
    sessions = [path for path, _ in OPERATIONS if path.startswith("/v1/sessions")]
    routes = {path: re.sub("^/v1/(tutto|yatzee|pot)/", "/v1/<game>/", path) for path in games}
    routes |= {path: path for path in (*sessions, "/v1/fairness/verify")}
    for path in (
        "/",
        "/v1",
        "/docs/<operation_id>",
        "/v1/sessions/<id>/<verb>",
        "/v1/<game>/<verb>",
    ):
        routes[path] = "other"
    with Nginx("127.0.0.1:1") as nginx, nginx.wire() as wire:
        for path in routes:
            target = re.sub("<[a-z_]+>", secret, path)
            wire.send(request("GET", f"{target}?{secret}"))
            wire.reply()
        wait_until(
            "nginx has logged every request", lambda: nginx.lines().count("\n") == len(routes)
        )
        logged = [json.loads(line)["route"] for line in nginx.lines().splitlines()]
    assert logged == list(routes.values())


def test_nginx_does_not_log_requests_refused_by_its_limit() -> None:
    client = f"{CLIENT}: 203.0.113.7"
    with Nginx("127.0.0.1:1", "127.0.0.1:1") as nginx, nginx.wire() as wire:
        statuses = []
        for target in [BATCH] * 800 + ["/livez"]:
            wire.send(request("POST", target, b"{}", client))
            statuses.append(wire.reply().status)
        assert set(statuses) == {429, 503}
        assert statuses[-1] == 503
        # Lines of a connection have the order of its requests.
        wait_until(
            "nginx has logged every request",
            lambda: nginx.lines().count("\n") >= statuses.count(503),
        )
        logged = [json.loads(line)["status"] for line in nginx.lines().splitlines()]
        assert logged == [503] * statuses.count(503)


def test_nginx_does_not_log_refusals_before_its_limit() -> None:
    with Nginx("127.0.0.1:1", "127.0.0.1:1") as nginx:
        for raw, status, _ in MALFORMED:
            with nginx.wire() as wire:
                with suppress(ConnectionError):
                    wire.send(raw)
                assert wire.reply().status == status
        assert nginx.ask("GET", "/livez", None, f"{CLIENT}: 203.0.113.7").status == 503
        wait_until("nginx has logged the fault", lambda: bool(nginx.lines()))
        assert [json.loads(line)["status"] for line in nginx.lines().splitlines()] == [503]


class ManyRequests:
    """Many requests of an address, each without its last bytes."""

    def __init__(self, stack: Stack, held: bytes, most: int) -> None:
        self._stack, self._held, self._closing = stack, held[:-5], ExitStack()
        for _ in range(most):
            self._hold()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.close()

    def _hold(self) -> None:
        self._closing.enter_context(self._stack.wire()).send(self._held)

    def shuts_out(self, *question: Any) -> bool:
        """Holds a further request. Tells if the same address gets a 429."""
        # The last held request may be in flight, so that nginx could refuse that request instead.
        self._hold()
        reply = self._stack.ask(*question)
        if reply.status == 429:
            reply.problem("rate-limited", 429)
            assert reply.headers["retry-after"] == "1"
        return reply.status == 429


def status_elsewhere(stack: Stack, raw: bytes) -> int:
    """Returns the status that a second address gets."""
    with stack.wire(source="127.0.0.2") as wire:
        wire.send(raw)
        return wire.reply().status


def test_single_address_cannot_use_all_capacity(stack: Stack) -> None:
    raw = request("POST", ADJUDICATIONS, ROLL_JSON)
    with ManyRequests(stack, raw, 512) as crowd:
        for question in (("POST", ADJUDICATIONS, ROLL_JSON), ("GET", "/livez")):
            wait_until("a further request is refused", partial(crowd.shuts_out, *question))
        assert status_elsewhere(stack, raw) == 200


def test_nginx_counts_all_requests_of_a_client(unlimited: Stack) -> None:
    question, limit = ("POST", BATCH, b'{"positions":[]}'), 10 * Settings().rate_batch
    client, started = f"{CLIENT}: 203.0.113.7", time.monotonic()
    count = 0
    while (reply := unlimited.ask(*question, client)).status != 429:
        count += 1
        assert count <= limit * (1 + (time.monotonic() - started) / 60) + 1
    assert count >= limit
    reply.problem("rate-limited", 429)
    for field in (f"{CLIENT}: 203.0.113.8", "X-Nobody: 1"):
        assert unlimited.ask(*question, field).status != 429


def test_service_refuses_before_nginx() -> None:
    """Exceeds the limit of each of two workers. nginx' own refusals have no RateLimit."""
    with Stack(RATE_BATCH=Settings().rate_batch) as stack:
        line = (BATCH, b'{"positions":[]}', f"{CLIENT}: 203.0.113.7")
        replies = [stack.ask("POST", *line) for _ in range(4 * Settings().rate_batch)]
    refusals = [reply for reply in replies if reply.status == 429]
    assert refusals
    assert all("ratelimit" in reply.headers for reply in refusals)


@pytest.fixture(scope="module")
def unlimited() -> Iterator[Stack]:
    """Starts services without rate limits."""
    none: dict[str, Any] = {f"RATE_{policy.upper()}": 0 for policy in RatePolicy}
    with Stack(**none) as stack:
        yield stack


@pytest.mark.parametrize("target", HEAVY)
def test_heavy_operations_share_a_small_limit(stack: Stack, target: str) -> None:
    raw = request("POST", target, ROLL_JSON)
    with ManyRequests(stack, raw, 4) as crowd:
        for rival in HEAVY:
            wait_until(f"{rival} is refused", partial(crowd.shuts_out, "POST", rival, ROLL_JSON))
        assert stack.ask("POST", ADJUDICATIONS, ROLL_JSON).status == 200
        assert status_elsewhere(stack, raw) in (200, 400)


EVENTS = "/v1/sessions/AAAAAAAAAAAAAAAAAAAAAA/events"
STREAM = EVENTS.replace("events", "stream")
EVENT = b'{"type":"draw"}'


@pytest.mark.parametrize(
    "watching",
    [(EVENTS, "Accept: text/event-stream"), (f"{EVENTS}?after=0&wait=20",), (STREAM,)],
    ids=["events", "poll", "stream"],
)
def test_watchers_do_not_crowd_out_players(stack: Stack, watching: tuple[str, ...]) -> None:
    target, *fields = watching
    with ManyRequests(stack, request("GET", target, b" " * 5, *fields), 200) as crowd:
        more = ((f"{EVENTS}?wait=1",), (EVENTS, None, "Accept: text/event-stream"), (STREAM,))
        for one_more in more:
            wait_until("a further request is refused", partial(crowd.shuts_out, "GET", *one_more))
        # The 404 is the service's own.
        assert stack.ask("POST", EVENTS, EVENT).status == 404
        assert stack.ask("GET", f"{EVENTS}?after=0").status == 404


def test_players_do_not_crowd_out_watchers(stack: Stack) -> None:
    with ManyRequests(stack, request("POST", EVENTS, EVENT), 210):
        assert stack.ask("GET", f"{EVENTS}?wait=1").status == 404


RANGES = (
    *("text/event-stream", "Text/Event-Stream", "text/*", "*/*", "text/plain", "image/png"),
    *("application/json", "application/json;q=0", "*/*;q=0.5", "text/*;q=0.1", "application/*"),
    *('"text/event-stream"', "text/event-stream ;q=1", "text/event-stream\t;x=1", "|", ""),
)


def streamed(accept: str) -> bool:
    """Tells if the service answers with a stream."""
    (log,) = [
        operation
        for path, operation in OPERATIONS
        if path.endswith("/events") and EVENT_STREAM in operation.offers
    ]
    services: Services = SERVICE.extensions["dice-referee"].services
    headers = {b"accept": accept.encode()}
    question = Request("GET", EVENTS, b"", headers, "", "", {}, log, services)
    with suppress(ProblemError):
        return preferred_type(question, *log.offers) == EVENT_STREAM
    return False


def test_every_watcher_is_counted() -> None:
    nginx = Nginx("127.0.0.1:1")
    site = nginx.conf / "site/server.conf"
    site.write_text(site.read_text() + 'location = /-/key { return 200 "$referee_watcher"; }')
    with nginx:

        def counted(query: str = "", *fields: str, method: str = "GET") -> bool:
            return nginx.ask(method, f"/-/key{query}", None, *fields).body != b""

        for query in ("?wait=1", "?after=3&wait=20", "?%77ait=20", "?wai%74=20"):
            assert counted(query)
            assert not counted(query, "Accept: text/event-stream", method="POST")
        for query in ("", "?after=3", "?seat=0&after=12"):
            assert not counted(query)
        for accept in (
            "*/*",
            "application/json",
            "text/plain",
            "application/json, text/plain, */*",
        ):
            assert not counted("", f"Accept: {accept}")
        several = [", ".join(ranges) for ranges in product(RANGES, repeat=2)]
        streams = [accept for accept in (*RANGES, *several) if streamed(accept)]
        assert len(streams) > 50
        assert all(counted("", f"Accept: {accept}") for accept in streams)


@pytest.mark.parametrize("target", LARGE)
def test_nginx_lets_batches_exceed_the_ordinary_body_limit(stack: Stack, target: str) -> None:
    padding = b" " * Settings().body_limit
    for body, status in ((b"{}" + padding, 400), (b'{"positions":[{}]}' + padding, 200)):
        assert stack.ask("POST", target, body).status == status


def unsent(stack: Stack) -> list[int]:
    """Returns the unsent bytes of the services, by connection."""
    ends = tuple(f":{service.port:04X}" for service in stack.services)
    rows = [row.split() for row in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return [size for row in rows if row[1].endswith(ends) and (size := int(row[4][:8], 16))]


def waits_in_a_service(stack: Stack) -> bool:
    """Tells if an answer stays in a service while nginx handles another request."""
    before = unsent(stack)
    return bool(before) and stack.ask("GET", "/livez").status == 200 and unsent(stack) == before


@pytest.mark.parametrize(
    "target", [LARGE[0], *(pytest.param(target, marks=pytest.mark.long) for target in LARGE[1:])]
)
def test_unread_batch_waits_in_the_service(stack: Stack, target: str) -> None:
    # The answer exceeds all buffers between a service and its client.
    roll = b'{"card":"bonus-200","roll":[1,1,2,2,2,5]}'
    body = b'{"positions":[' + b",".join([roll] * 10_000) + b"]}"
    # An earlier answer reserves memory until the service sees that its client left.
    wait_until("no earlier answer waits", lambda: not unsent(stack))
    with stack.wire(receive_buffer=4096) as wire:
        wire.send(request("POST", target, body))
        assert wire.file.readline() == b"HTTP/1.1 200 OK\r\n"
        wait_until("the answer waits in a service", partial(waits_in_a_service, stack))
        # nginx unlinks such a file and keeps it open.
        children = Path(
            program("/proc"), f"{stack.nginx_pid}/task/{stack.nginx_pid}/children"
        ).read_text()
        files = [fd for pid in children.split() for fd in Path(f"/proc/{pid}/fd").iterdir()]
        assert len(files) > 10
        assert not [fd for fd in files if "/answers/" in os.path.realpath(fd)]


def test_problem_texts_of_nginx_equal_the_contract() -> None:
    texts = (NGINX / "problems.conf").read_text() + (NGINX / "referee.conf").read_text()
    problems = re.findall(
        r'"type":"/problems/([a-z-]+)","code":"\1","title":"([^"]+)","status":(\d+)', texts
    )
    assert len(problems) == 9
    for code, title, status in problems:
        assert STATUSES[code] == int(status)
        assert problem_title(code, "en") == title
    for document in re.findall(r"return \d+ '(\{.*\})';", texts):
        filled = document.replace(
            "$referee_away", '"type":"","code":"","title":"","status":1,"detail":""'
        )
        assert list(json.loads(filled)) == PROBLEM_KEYS


def test_limits_of_nginx_equal_the_settings() -> None:
    text, settings = (NGINX / "referee.conf").read_text(), Settings()
    limits = {
        name: int(number) << 20
        for number, name in re.findall(r"client_max_body_size (\d+)m; +# (\w+)", text)
    }
    assert limits == {
        "BODY_LIMIT": settings.body_limit,
        "BATCH_BODY_LIMIT": settings.batch_body_limit,
    }
    rates = dict(re.findall(r"zone=(\w+):10m rate=(\d+)r/m;", text))
    assert rates == {
        name: str(10 * getattr(settings, f"rate_{name}"))
        for name in ("stateless", "batch", "events")
    }
    assert set(re.findall(r"limit_req zone=(\w+) burst=(\d+) nodelay;", text)) == {*rates.items()}
    assert f"every {settings.heartbeat_seconds} s" in text
    assert f"after {settings.wait_limit} s" in text
    assert f"client_body_timeout {settings.request_seconds}s" in text


def test_request_id_of_the_client_is_kept(stack: Stack) -> None:
    for target in ("/livez", GET_FORM, "/v1/sessions/x", "/metrics"):
        reply = stack.ask("GET", target, None, "X-Request-ID: my-own-1")
        assert reply.headers["x-request-id"] == "my-own-1"
