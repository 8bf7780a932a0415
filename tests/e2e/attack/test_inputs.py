"""Malicious headers and paths: refused with a problem and reflected nowhere."""

import re

import pytest

from tests.application import ADJUDICATIONS, ROLL_JSON
from tests.e2e.attack.answers import read_answers, statuses
from tests.wire import Line, Server, request

GET = f"{ADJUDICATIONS}?card=bonus-200&roll=123466"
UNKNOWN_SESSION = "/v1/sessions/AAAAAAAAAAAAAAAAAAAAAA"

INJECTIONS = (
    "%0d%0aX-Injected: 1",
    "a%0D%0A%20X-Injected: 1",
    "a\\r\\nX-Injected: 1",
    "a\u2028X-Injected: 1".encode().decode("latin-1"),
    # Characters whose low bytes are CR and LF, against truncation to one byte.
    "\u560d\u560aX-Injected: 1".encode().decode("latin-1"),
    "a\tX-Injected: 1",
    "a\x85X-Injected: 1",
    "\"'><script>X-Injected</script>",
    "${jndi:ldap://127.0.0.1/X-Injected}",
    "{{X-Injected}}%s%n%x",
    "X-Injected" * 300,
)
REFLECTED = (
    "X-Request-ID",
    "Origin",
    "Accept-Language",
    "Last-Event-ID",
    "Idempotency-Key",
    "If-None-Match",
    "If-Match",
    "Authorization",
    "Accept",
    "User-Agent",
    "Referer",
    "X-Forwarded-For",
    "X-Forwarded-Host",
    "X-Forwarded-Proto",
    "Forwarded",
    "X-Original-URL",
    "X-HTTP-Method-Override",
    "Access-Control-Request-Headers",
    "Access-Control-Request-Method",
    "Cookie",
)
"""Headers that services often reflect or obey."""
REQUESTS: tuple[tuple[str, str, bytes | None], ...] = (
    ("GET", GET, None),
    ("POST", ADJUDICATIONS, ROLL_JSON),
    ("GET", "/nowhere", None),
    ("OPTIONS", ADJUDICATIONS, None),
    ("GET", f"{UNKNOWN_SESSION}/events", None),
    ("POST", f"{UNKNOWN_SESSION}/events", b'{"type":"draw"}'),
    ("POST", "/v1/sessions", b'{"game":"tutto","players":["Ann","Ben"]}'),
)


def is_sane(answers: bytes, raw: bytes) -> None:
    """Expects a single answer below 500 whose head reflects no input."""
    (status,) = statuses(answers, raw)
    assert status < 500
    head = answers[: answers.index(b"\r\n\r\n")].lower()
    assert b"injected" not in head
    assert b"\n" not in head.replace(b"\r\n", b"")


@pytest.mark.parametrize("name", REFLECTED)
def test_header_is_not_injected_by_another_header(line: Line, name: str) -> None:
    for method, target, body in REQUESTS:
        for value in INJECTIONS:
            fields = [f"{name}: {value}"]
            raw = request(method, target, body, *fields, close=True)
            is_sane(read_answers(line.port, raw), raw)


@pytest.mark.parametrize("value", ["%0d%0aX-Injected:%201", "%0aX-Injected:%201", "%E5%98%8D%E5%98%8AX-Injected:1", "%00X-Injected"])  # fmt: skip
def test_header_is_not_injected_by_a_query_or_a_path(line: Line, value: str) -> None:
    for target in (
        f"{GET}&x={value}", f"{ADJUDICATIONS}?{value}", f"/{value}", f"/v1/{value}", f"/v1/sessions/{value}",
        f"/table/{value}", f"/static/{value}/shared/dice.js", f"/problems/{value}", f"{UNKNOWN_SESSION}/events?after={value}",
        f"//{value}", f"http://localhost/{value}",
    ):  # fmt: skip
        raw = request("GET", target, None, close=True)
        is_sane(read_answers(line.port, raw), raw)


OVERRIDES = (
    *("X-HTTP-Method-Override: DELETE", "X-HTTP-Method: DELETE", "X-Method-Override: DELETE"),
    *("X-Original-URL: /v1", "X-Rewrite-URL: /v1", "X-Forwarded-Prefix: /v1"),
)


@pytest.mark.parametrize("field", OVERRIDES)
def test_method_and_path_are_not_overridden_by_headers(line: Line, field: str) -> None:
    assert line.ask("GET", "/livez", None, field).body == b'{"status":"ok"}'


# Paths -------------------------------------------------------------------------------------------

SECRET = ("root:", "class Settings", "BEGIN", "[build-system]", "REDIS_URL", "bind =")
"""Contents of files that must stay secret."""
TRAVERSALS = [
    f"{start}{climb * 6}{end}"
    for start in ("/static/x/", "/static/", "/", "/v1/", "/problems/", "/table/")
    for climb in (
        "../",
        "..%2f",
        "%2e%2e/",
        "%2e%2e%2f",
        "..;/",
        "..%5c",
        "..\\",
        ".%2e/",
        "%252e%252e%252f",
        "..%c0%af",
        "..%ef%bc%8f",
        "....//",
    )
    for end in ("etc/passwd", "service/dice_referee/settings.py")
]
UNUSUAL_PATHS = [
    "//livez", "/livez/", "/livez;x", "/livez%00", "/livez%2f", "/livez%20", "/LIVEZ", "/./livez", "/x/../livez", "/livez/..",
    "/%2e/livez", "/livez%3f", "/livez%23", "/%6civez/x", "/livez#x", "/livez.json", "/livez//", "///livez", "/\\livez",
    "/%c0%afv1/games", "/%e0%80%afv1/games", "/v1//games", "/v1/tutto%00", "/v1/tutto;a=b",
    "/v1/%F0%9F%8E%B2", "/v1/%ff", "/v1/%", "/v1/%zz", "/v1/tutto/../pot/x", "/.git/config", "/.env",
    "/metrics", "/metrics/", "/%6detrics", "/debug", "/console", "/admin", "/server-status", "/actuator/health", "/swagger.json",
    "/v1/sessions", "/v1/sessions/", "/v1/sessions/..", "/v1/sessions/%2e%2e/games", "/v0/games", "/v2/games", "/api/v1",
    "/-/bad-request", "/-/away", "/nginx_status",
]  # fmt: skip


@pytest.mark.parametrize("targets", [TRAVERSALS, UNUSUAL_PATHS], ids=["traversals", "strange"])
def test_path_traversal_reads_no_file(line: Line, targets: list[str]) -> None:
    for target in targets:
        raw = request("GET", target, None, close=True)
        answers = read_answers(line.port, raw)
        (status,) = statuses(answers, raw)
        assert status in (400, 404, 405), (target, status)
        body = answers.partition(b"\r\n\r\n")[2].decode("utf-8", "replace")
        assert not [secret for secret in SECRET if secret in body], target


def test_percent_encoded_paths_are_equivalent(line: Line) -> None:
    """Covers every percent-encoding of a path, also through nginx."""
    bodies = [
        read_answers(line.port, request("GET", path, None, close=True)).partition(b"\r\n\r\n")[2]
        for path in ("/v1/tutto", "/%761/tutt%6F")
    ]
    assert bodies[0] == bodies[1] != b""
    for target in ("/%6Civez", "/%6c%69vez", "http://localhost/livez", "/livez?", "/livez?x=%00"):
        assert line.ask("GET", target).body == b'{"status":"ok"}', target


def test_log_has_no_fault_and_quotes_no_client(server: Server) -> None:
    log = server.log()
    assert "Traceback" not in log
    assert '"trace":' not in log
    assert not re.search(r"injected|jndi|passwd|%0d", log, re.IGNORECASE)
