"""The API Security Top 10 of OWASP (2023): what only a real service with a real Redis shows.

What else looks at the same risk, or alone:

    API1   tests/api/test_session_authorisation.py, tests/sessions/test_tokens.py, tests/sessions/redis/test_store.py
    API2   tests/api/test_session_authorisation.py, tests/sessions/test_tokens.py
    API3   tests/contract/test_spec.py (closed requests), tests/api/test_sessions.py, test_schema.py,
           tests/sessions/test_fairness.py
    API4   tests/e2e/attack/test_inputs.py, test_hostile.py, tests/server/test_server.py, test_streams.py,
           tests/api/test_http.py, test_sessions.py
    API5   tests/api/test_session_authorisation.py
    API6   tests/sessions/test_concurrent.py, test_fairness.py, tests/e2e/faults/test_redis.py
    API7   tests/test_imports.py
    API8   tests/e2e/attack/test_inputs.py, test_smuggling.py, tests/e2e/deploy, tests/api/test_headers.py
    API9   tests/contract/test_spec.py, test_compatibility.py, tests/e2e/deploy
    API10  tests/sessions/test_documents.py, test_store.py, tests/e2e/faults/test_redis.py
"""

import ast
import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, NamedTuple

import pytest

from service.app import create_app
from tests.engines.servers import ENGINES, Single
from tests.server.serving import ADJUDICATIONS, ROLL, ROOT, Reply, Server, serving
from tests.trees import tree_of
from tests.unlimited import NO_RATES

BEGINNING = {"game": "tutto", "players": ["Ann", "Ben"]}
DRAW = {"type": "draw"}
CHANGES = (
    ("POST", "/events", DRAW),
    ("POST", "/undo", None),
    ("POST", "/seeds", {"seed": "mine"}),
    ("POST", "/abandon", None),
    ("POST", "/seats/0/token", None),
    ("DELETE", "", None),
)
READS = ("", "/events", "/game")


class Deployed(NamedTuple):
    """A service and its Redis."""

    server: Server
    redis: Single


@pytest.fixture(scope="module")
def deployed() -> Iterator[Deployed]:
    environment = {"LOG_ANSWERS": 1} | NO_RATES
    with Single(ENGINES[0]) as redis, serving(REDIS_URL=redis.url, **environment) as server:
        yield Deployed(server, redis)


class Table:
    """A session, and what its owner knows."""

    def __init__(self, server: Server, **more: Any) -> None:
        self.server = server
        reply = server.ask("POST", "/v1/sessions", json.dumps(BEGINNING | more).encode())
        assert reply.status == 201, reply
        made = json.loads(reply.body)
        self.created: dict[str, Any] = made
        self.id: str = made["session"]["id"]
        self.at, self.host, self.seats = (
            f"/v1/sessions/{self.id}",
            made["host_token"],
            made["seat_tokens"],
        )
        self.key = f"referee:{{{self.id}}}"

    def ask(
        self, method: str, path: str, body: Any = None, token: str | None = None, *fields: str
    ) -> Reply:
        raw = (
            None if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        )
        told = () if token is None else (f"Authorization: Bearer {token}",)
        return self.server.ask(method, self.at + path, raw, *told, *fields)

    def state(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.ask("GET", "").body)
        return found


@pytest.fixture
def table(deployed: Deployed) -> Table:
    return Table(deployed.server)


# API2, API3 --------------------------------------------------------------------------------------------


def test_api3_broken_object_property_level_authorization_secrets_are_shown_once_and_kept_as_hashes(
    deployed: Deployed, table: Table
) -> None:
    secrets = [table.host, *table.seats]
    table.ask("POST", "/events", DRAW, table.seats[0], f"Idempotency-Key: {table.seats[0][:9]}")
    document = deployed.redis.ask("HGET", table.key, "doc")
    kept = json.loads(document)
    entries = str(deployed.redis.ask("XRANGE", f"{table.key}:log", "-", "+"))
    shown = "".join(table.ask("GET", path).body.decode() for path in READS)
    for text in (shown, document.decode(), entries, deployed.server.log()):
        assert not [secret for secret in secrets if secret in text]
    assert table.state()["fairness"]["seed"] is None
    for hidden in (kept["seed"], kept["host"], *kept["seats"], '"hidden"', '"deck"'):
        assert hidden not in shown


# API5 --------------------------------------------------------------------------------------------


def test_api5_broken_function_level_authorization_no_header_changes_the_method(
    table: Table,
) -> None:
    for name in (
        "X-HTTP-Method-Override",
        "X-HTTP-Method",
        "X-Method-Override",
        "X-Original-Method",
    ):
        assert table.ask("GET", "", None, table.host, f"{name}: DELETE").status == 200
        table.ask("POST", "", None, table.host, f"{name}: DELETE").problem(
            "method-not-allowed", 405
        )
    for name in ("X-Original-URL", "X-Rewrite-URL", "X-Forwarded-Path", "X-Forwarded-Prefix"):
        reply = table.server.ask("GET", "/livez", None, f"{name}: {table.at}")
        assert reply.body == b'{"status":"ok"}'
    for method in ("PUT", "PATCH", "TRACE", "PROPFIND", "LOCK", "COPY", "PURGE"):
        table.ask(method, "", None, table.host).problem("method-not-allowed", 405)
    # A method that the parser does not know is no HTTP to it.
    table.ask("DEBUG", "", None, table.host).problem("bad-request", 400)
    assert table.state()["status"] == "running"


# API6 --------------------------------------------------------------------------------------------


def test_api6_unrestricted_access_to_sensitive_business_flows_chance_decides_once(
    table: Table,
) -> None:
    """Dice that do not please are neither taken back nor rolled again."""
    mine, key = table.seats[0], "Idempotency-Key: once"
    ask = partial(table.ask, "POST", "/events", DRAW, mine, key)
    with ThreadPoolExecutor(8) as pool:
        replies = [one.result() for one in [pool.submit(ask) for _ in range(24)]]
    assert {reply.status for reply in replies} == {200}
    assert len({reply.body for reply in replies}) == 1
    assert table.state()["version"] == 1
    table.ask("POST", "/undo", None, mine).problem("cannot-undo", 409)
    table.ask("POST", "/undo", None, table.host).problem("cannot-undo", 409)
    table.ask("POST", "/seeds", {"seed": "late"}, mine).problem("seeds-closed", 409)
    table.ask("POST", "/events", {"type": "bank"}, mine, key).problem("idempotency-key-reused", 422)


# API7 --------------------------------------------------------------------------------------------

OUTWARD = {
    "urllib.request", "http.client", "ftplib", "smtplib", "telnetlib", "poplib", "imaplib", "nntplib", "xml", "xmlrpc", "socketserver", "requests",
    "httpx", "aiohttp", "urllib3", "webbrowser", "pycurl", "paramiko", "subprocess", "socket", "asyncio.open_connection",
}  # fmt: skip
"""Modules that could ask somebody else something."""
CONNECTS = {
    "local_redis.py": {"socket", "subprocess"},
    "local_network.py": {"socket"},
    "bind_address.py": {"socket"},
    "client.py": {"http.client", "socket"},
    "driver.py": {"socket"},
}
"""Where they are needed: for the Redis that a setting names, to know an address of our own, and to ask
the server that `dice-referee check` names."""


def test_api7_server_side_request_forgery_nothing_here_could_ask(deployed: Deployed) -> None:
    found: dict[str, set[str]] = {}
    for path in sorted((ROOT / "service").rglob("*.py")):
        for node in ast.walk(tree_of(path.read_text("utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names)]
            if outward := OUTWARD & {*names}:
                found.setdefault(path.name, set()).update(outward)
    assert found == CONNECTS


# API8 --------------------------------------------------------------------------------------------


def test_api8_security_misconfiguration_every_answer_is_dressed_and_none_is_talkative(
    deployed: Deployed, table: Table
) -> None:
    for reply in (
        deployed.server.ask("GET", "/v1/games"), deployed.server.ask("POST", ADJUDICATIONS, ROLL), deployed.server.ask("GET", "/nowhere"), deployed.server.ask("GET", "/"),
        deployed.server.ask("POST", ADJUDICATIONS, b"{"), deployed.server.ask("TRACE", "/livez"), deployed.server.ask("OPTIONS", "/v1/games"),
        table.ask("GET", ""), table.ask("POST", "/events", DRAW), deployed.server.ask("GET", "/docs"),
    ):  # fmt: skip
        headers = reply.headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["content-security-policy"].startswith("default-src 'none'")
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert not {"set-cookie", "x-powered-by", "via", "access-control-allow-credentials"} & {
            *headers
        }
        assert not re.search(r"\d", headers["server"]), "which server, but not which version"
        text = reply.body.decode()
        assert not re.search(
            r"Traceback|File \"|werkzeug|gunicorn|flask|line \d+, in|/site-packages/",
            text,
            re.IGNORECASE,
        )
    assert table.ask("GET", "").headers["cache-control"] == "no-store"
    assert "access-control-allow-origin" not in table.ask("GET", "").headers


def test_api8_security_misconfiguration_what_is_no_http_is_refused_in_fixed_words(
    deployed: Deployed,
) -> None:
    for raw in (
        b"GET /secret-words HTTP/9\r\n\r\n",
        b"secret-words\r\n\r\n",
        b"GET / HTTP/1.1\r\nsecret words: x\r\n\r\n",
    ):
        reply, _ = deployed.server.ask_raw(raw)
        document = reply.problem("bad-request", 400)
        assert "secret" not in json.dumps(document)
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert reply.headers["connection"] == "close"


def test_api8_security_misconfiguration_nothing_is_debugged(deployed: Deployed) -> None:
    app = create_app()
    assert (app.debug, app.testing, app.secret_key) == (False, False, None)
    for target in (
        "/console",
        "/?__debugger__=yes&cmd=resource&f=style.css",
        "/debug",
        "/_debug_toolbar",
    ):
        assert deployed.server.ask("GET", target).status in (200, 404)
        assert b"debugger" not in deployed.server.ask("GET", target).body


# API10 -------------------------------------------------------------------------------------------


def test_api10_unsafe_consumption_of_apis_what_a_proxy_says_is_not_believed_unasked(
    deployed: Deployed,
) -> None:
    plain = deployed.server.ask("GET", "/openapi.json").body
    for field in (
        "X-Forwarded-Host: evil.example",
        "X-Forwarded-Proto: https",
        "X-Forwarded-Prefix: /evil",
        "Forwarded: host=evil.example",
        "X-Script-Name: /evil",
    ):
        reply = deployed.server.ask("GET", "/openapi.json", None, field)
        assert reply.body == plain
        assert "evil" not in str(reply.headers)
    reply = deployed.server.ask(
        "POST", "/v1/sessions", json.dumps(BEGINNING).encode(), "X-Forwarded-Host: evil.example"
    )
    assert reply.headers["location"].startswith("/v1/sessions/")
