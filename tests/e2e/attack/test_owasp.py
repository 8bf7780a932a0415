"""The API Security Top 10 of OWASP (2023), each tried on a real service with a real Redis.

What else looks at the same risk:

    API1   tests/api/test_session_authorisation.py, tests/sessions/redis/test_store.py
    API2   tests/api/test_session_authorisation.py
    API3   tests/contract (closed requests), tests/api/test_schema.py, tests/sessions/test_fairness.py
    API4   tests/e2e/attack/test_inputs.py, test_hostile.py, tests/server/test_server.py
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
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, NamedTuple

import pytest

from service import __version__
from service.app import create_app
from tests.engines.servers import ENGINES, Single
from tests.load.unlimited import UNLIMITED
from tests.server.serving import ADJUDICATIONS, BATCH, ROLL, ROOT, Reply, Server, serving
from tests.tools.examples import operations
from tests.trees import tree_of

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
    environment = {
        "WORKERS": 1,
        "STREAMS_PER_SESSION": 2,
        "SESSION_EVENTS": 5,
        "LOG_ANSWERS": 1,
    } | UNLIMITED
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

    @property
    def secrets(self) -> list[str]:
        return [self.host, *self.seats]

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


# API1 --------------------------------------------------------------------------------------------


def test_api1_broken_object_level_authorization_a_token_opens_its_own_session_only(
    deployed: Deployed,
) -> None:
    own, other = Table(deployed.server), Table(deployed.server)
    before = other.state()
    for token in own.secrets:
        for method, path, body in CHANGES:
            other.ask(method, path, body, token).problem("unauthorized", 401)
    assert other.state() == before


def test_api1_broken_object_level_authorization_ids_cannot_be_guessed_or_listed(
    deployed: Deployed,
) -> None:
    ids = [Table(deployed.server).id for _ in range(30)]
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{22}", one) for one in ids), "128 bits"
    assert len({one[:4] for one in ids}) == len(ids), "they have nothing in common"
    assert len({one[-4:] for one in ids}) == len(ids)
    deployed.server.ask("GET", "/v1/sessions").problem("method-not-allowed", 405)
    last = ids[-1]
    near = [last[:-2] + ending for ending in ("AA", "AQ", "Ag", "Aw")] + [
        last.lower(),
        last.upper(),
        last[::-1],
    ]
    near += [
        f"{last}=",
        f" {last}",
        last[:-1],
        f"{last}A",
        "*",
        "%2a",
        "..",
        "0",
        "1",
        "-1",
        "null",
        f"{last}:log",
        f"{{{last}}}",
    ]
    for guess in {*near} - {last}:
        target = f"/v1/sessions/{guess.replace(' ', '%20')}"
        assert deployed.server.ask("GET", target).status == 404, guess


def test_api1_broken_object_level_authorization_what_is_deleted_is_gone_for_all(
    table: Table,
) -> None:
    assert table.ask("DELETE", "", None, table.host).status == 200
    for token in (None, *table.secrets):
        for path in READS:
            table.ask("GET", path, None, token)
            assert table.ask("GET", path, None, token).status == 410
        for method, path, body in CHANGES:
            assert table.ask(method, path, body, token).status == 410


# API2 --------------------------------------------------------------------------------------------


def test_api2_broken_authentication_nothing_but_a_whole_bearer_token_counts(table: Table) -> None:
    token = table.host
    for claim in (
        None, "", "Bearer", "Bearer ", f"Basic {token}", f"Token {token}", token, f"Bearer{token}", f"Bearer {token}x", f"Bearer {token[:-1]}",
        f"Bearer x{token}", f"Bearer {token.swapcase()}", f"Bearer {token},{token}", f"Bearer {token} {token}", "Bearer null", "Bearer *",
        "Bearer eyJhbGciOiJub25lIn0.e30.", f"Bearer {token[:20]}%00{token[20:]}", f'Bearer "{token}"', "Bearer " + "A" * 43,
    ):  # fmt: skip
        fields = () if claim is None else (f"Authorization: {claim}",)
        reply = table.ask("POST", "/abandon", None, None, *fields)
        reply.problem("unauthorized", 401)
        assert reply.headers["www-authenticate"].startswith("Bearer")
        assert token not in reply.body.decode()
    for fields in (
        (f"Cookie: token={token}",),
        (f"X-Api-Key: {token}",),
        (f"X-Authorization: Bearer {token}",),
    ):
        assert table.ask("POST", "/abandon", None, None, *fields).status == 401
    for query in (f"?token={token}", f"?access_token={token}", f"?authorization=Bearer%20{token}"):
        assert table.ask("POST", f"/abandon{query}").status in (400, 401)
    assert table.ask("POST", "/abandon", {"host_token": token}).status == 401
    assert table.state()["status"] == "running"


def test_api2_broken_authentication_tokens_are_shown_once_and_kept_as_hashes(
    deployed: Deployed, table: Table
) -> None:
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{43}", one) for one in table.secrets), "256 bits"
    assert len({*table.secrets}) == 3
    table.ask("POST", "/events", DRAW, table.seats[0], f"Idempotency-Key: {table.seats[0][:9]}")
    seen = [table.ask("GET", path).body.decode() for path in READS]
    kept = [
        str(deployed.redis.ask("HGETALL", table.key)),
        str(deployed.redis.ask("XRANGE", f"{table.key}:log", "-", "+")),
    ]
    for secret in table.secrets:
        assert not [text for text in (*seen, *kept, deployed.server.log()) if secret in text]


def test_api2_broken_authentication_a_token_that_was_replaced_is_void(table: Table) -> None:
    old = table.seats[1]
    new = json.loads(table.ask("POST", "/seats/1/token", None, table.host).body)["seat_token"]
    table.ask("POST", "/seeds", {"seed": "x"}, old).problem("unauthorized", 401)
    assert table.ask("POST", "/seeds", {"seed": "x"}, new).status == 200


# API3 --------------------------------------------------------------------------------------------

OWN_FIELDS = (
    "id", "version", "status", "player", "turn", "host", "host_token", "seat_tokens", "seats", "seed", "seeds", "draws", "hidden", "ttl",
    "created_at", "expires_at", "fairness", "table", "standings", "schema", "__proto__", "constructor", "is_admin", "role",
)  # fmt: skip


@pytest.mark.parametrize("name", OWN_FIELDS)
def test_api3_broken_object_property_level_authorization_clients_cannot_set_what_is_the_services(
    deployed: Deployed, table: Table, name: str
) -> None:
    for value in (1, "x", None, ["x"]):
        body = json.dumps(BEGINNING | {name: value}).encode()
        deployed.server.ask("POST", "/v1/sessions", body).problem("invalid-request", 400)
        table.ask("POST", "/events", DRAW | {name: value}, table.seats[0]).problem(
            "invalid-request", 400
        )
    assert table.state() == table.created["session"]


def test_api3_broken_object_property_level_authorization_clients_cannot_choose_the_services_dice(
    table: Table,
) -> None:
    for event in (
        DRAW | {"card": "bonus-600"},
        {"type": "roll", "dice": [1] * 6},
        DRAW | {"dice": [1]},
    ):
        table.ask("POST", "/events", event, table.seats[0]).problem("invalid-request", 400)


def test_api3_broken_object_property_level_authorization_what_is_hidden_is_not_shown(
    deployed: Deployed, table: Table
) -> None:
    table.ask("POST", "/events", DRAW, table.seats[0])
    kept = json.loads(deployed.redis.ask("HGET", table.key, "doc"))
    shown = "".join(table.ask("GET", path).body.decode() for path in READS)
    assert kept["seed"] not in shown
    assert table.state()["fairness"]["seed"] is None
    for secret in (kept["host"], *kept["seats"]):
        assert secret not in shown
    assert '"hidden"' not in shown
    assert '"deck"' not in shown


# API4 --------------------------------------------------------------------------------------------


def test_api4_unrestricted_resource_consumption_everything_has_an_end(
    deployed: Deployed, table: Table
) -> None:
    ask = deployed.server.ask
    ask("POST", ADJUDICATIONS, b" " * ((1 << 20) + 1)).problem("too-large", 413)
    ask("POST", BATCH, b" " * ((8 << 20) + 1)).problem("too-large", 413)
    ask("POST", BATCH, b'{"positions":[' + b",".join([ROLL] * 10_001) + b"]}").problem(
        "too-large", 413
    )
    ask("POST", ADJUDICATIONS, b"[" * 17 + b"]" * 17).problem("malformed-json", 400)
    ask("GET", f"{ADJUDICATIONS}?x=" + "x" * 5000).problem("query-too-long", 414)
    ask("GET", f"{table.at}/events?wait=31").problem("invalid-request", 400)
    ask("GET", f"{table.at}/events?wait=1e9").problem("invalid-request", 400)
    table.ask("POST", "/seeds", {"seed": "x" * 65}, table.seats[0]).problem("invalid-request", 400)
    long = f"Idempotency-Key: {'k' * 129}"
    table.ask("POST", "/events", DRAW, table.seats[0], long).problem("invalid-request", 400)


def test_api4_unrestricted_resource_consumption_streams_and_logs_of_a_session_have_a_limit(
    deployed: Deployed,
) -> None:
    table = Table(deployed.server, dice="client")
    stream = f"GET {table.at}/events HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n".encode()
    with deployed.server.wire() as one, deployed.server.wire() as two:
        for wire in (one, two):
            wire.send(stream)
            assert wire.file.readline() == b"HTTP/1.1 200 OK\r\n"
        refused = table.ask("GET", "/events", None, None, "Accept: text/event-stream")
        refused.problem("too-many-streams", 429)
        assert refused.headers["retry-after"] == "1"
    events: list[Any] = [
        DRAW | {"card": "bonus-200"},
        {"type": "roll", "dice": [1, 2, 3, 4, 6, 6]},
        {"type": "keep", "dice": [1]},
    ]
    events += [{"type": "roll", "dice": [5, 2, 3, 4, 6]}, {"type": "keep", "dice": [5]}]
    for event in events:
        assert table.ask("POST", "/events", event, table.host).status == 200
    table.ask("POST", "/events", {"type": "roll", "dice": [5, 2, 3, 4]}, table.host).problem(
        "session-full", 409
    )


# API5 --------------------------------------------------------------------------------------------


def test_api5_broken_function_level_authorization_a_seat_is_no_host_and_a_host_no_seat(
    table: Table,
) -> None:
    for method, path, body in (
        ("DELETE", "", None),
        ("POST", "/abandon", None),
        ("POST", "/seats/0/token", None),
    ):
        for token in table.seats:
            table.ask(method, path, body, token).problem("forbidden", 403)
    table.ask("POST", "/seeds", {"seed": "x"}, table.host).problem("forbidden", 403)
    table.ask("POST", "/events", DRAW, table.seats[1]).problem("forbidden", 403)
    assert table.state() == table.created["session"]


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


def test_api6_unrestricted_access_to_sensitive_business_flows_of_many_at_once_one_counts(
    table: Table,
) -> None:
    ask = partial(table.ask, "POST", "/events", DRAW, table.seats[0], 'If-Match: "0"')
    with ThreadPoolExecutor(8) as pool:
        statuses = [one.result().status for one in [pool.submit(ask) for _ in range(16)]]
    assert statuses.count(200) == 1
    assert {*statuses} <= {200, 403, 409, 412}
    assert table.state()["version"] == 1


# API7 --------------------------------------------------------------------------------------------

OUTWARD = {
    "urllib.request", "http.client", "ftplib", "smtplib", "telnetlib", "poplib", "imaplib", "nntplib", "xmlrpc", "socketserver", "requests",
    "httpx", "aiohttp", "urllib3", "webbrowser", "pycurl", "paramiko", "subprocess", "socket", "asyncio.open_connection",
}  # fmt: skip
"""Modules that could ask somebody else something."""
CONNECTS = {
    "local_redis.py": {"socket", "subprocess"},
    "local_network.py": {"socket"},
    "admin.py": {"socket"},
    "client.py": {"http.client", "socket"},
    "driver.py": {"socket"},
}
"""Where they are needed: for the Redis that a setting names, to know an address of our own, and to ask
the server that `dice-referee check` names."""


def test_api7_server_side_request_forgery_no_address_is_ever_contacted(deployed: Deployed) -> None:
    """Addresses wherever a client can write text: nobody knocks at them."""
    with socket.create_server(("127.0.0.1", 0)) as canary:
        canary.setblocking(False)
        place = f"127.0.0.1:{canary.getsockname()[1]}"
        for url in (
            f"http://{place}/x",
            f"//{place}/x",
            f"gopher://{place}/_x",
            f"redis://{place}",
            f"${{jndi:ldap://{place}/x}}",
        ):
            table = Table(deployed.server, players=[url[:40], "Ben"])
            table.ask("POST", "/seeds", {"seed": url}, table.seats[0])
            table.ask(
                "POST", "/events", DRAW | {"card": url}, table.seats[0], f"Idempotency-Key: {url}"
            )
            xml = f'<!DOCTYPE x [<!ENTITY y SYSTEM "{url}">]><x>&y;</x>'.encode()
            deployed.server.ask("POST", ADJUDICATIONS, xml, "Content-Type: application/xml")
            yaml = f"!!python/object/apply:os.system ['curl {url}']".encode()
            deployed.server.ask("POST", ADJUDICATIONS, yaml, "Content-Type: application/yaml")
            for name in ("$ref", "$schema", "ruleset", "url", "callback", "webhook"):
                document = json.dumps({name: url, "roll": [1]}).encode()
                assert deployed.server.ask("POST", ADJUDICATIONS, document).status == 400
            for name in (
                "Host",
                "X-Forwarded-Host",
                "X-Forwarded-For",
                "Referer",
                "Origin",
                "Forwarded",
                "X-Original-URL",
                "Link",
            ):
                if name != "Host":
                    deployed.server.ask("GET", "/v1/games", None, f"{name}: {url}")
            for target in (
                url,
                f"/v1/games/{url}",
                f"{ADJUDICATIONS}?ruleset={url}",
                f"/static/x/{url}",
                f"/problems/{url}",
            ):
                if target[0] == "/" or "://" in target[:12]:
                    deployed.server.ask(
                        "GET", target.replace("{", "%7B").replace("}", "%7D").replace("$", "%24")
                    )
        with pytest.raises(BlockingIOError):
            canary.accept()


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


# API9 --------------------------------------------------------------------------------------------


def test_api9_improper_inventory_management_what_is_served_is_what_is_promised(
    deployed: Deployed,
) -> None:
    promised = {(path, method.upper()) for path, method, _ in operations()}
    served = {
        (re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule), method)
        for rule in create_app().url_map.iter_rules()
        if not rule.endpoint.startswith("pages.")
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    assert served == promised
    assert all(asked["operationId"] for _, _, asked in operations())
    told = json.loads(deployed.server.ask("GET", "/version").body)
    contract = json.loads(deployed.server.ask("GET", "/openapi.json").body)
    assert told["version"] == contract["info"]["version"] == __version__


def test_api9_improper_inventory_management_nothing_old_or_internal_answers(
    deployed: Deployed,
) -> None:
    for target in (
        "/v0/games", "/v2/games", "/v1beta/games", "/api/games", "/api/v1/games", "/internal/games", "/admin", "/metrics", "/stats", "/status",
        "/debug/pprof", "/actuator", "/env", "/config", "/swagger-ui", "/swagger.json", "/openapi.yml", "/graphql", "/.well-known/openid-configuration",
        "/phpinfo.php", "/wp-login.php", "/.git/HEAD", "/.env", "/service/settings.py", "/backup.zip", "/v1/sessions/debug",
    ):  # fmt: skip
        deployed.server.ask("GET", target).problem("not-found", 404)


# API10 -------------------------------------------------------------------------------------------


def other(document: dict[str, Any], **changes: Any) -> bytes:
    return json.dumps(document | changes).encode()


def test_api10_unsafe_consumption_of_apis_what_lies_in_redis_is_not_trusted(
    deployed: Deployed,
) -> None:
    """Whoever can write there may end a session; he cannot make the service do or say anything."""
    table, ask = Table(deployed.server), deployed.redis.ask
    good: dict[str, Any] = json.loads(ask("HGET", table.key, "doc"))
    for bad in (
        b"", b"null", b"[]", b"{", b"\xff\xfe", b"\x80\x04\x95cposix\nsystem\n", b"!!python/object/apply:os.system ['x']", b"[" * 100_000, b"9" * 10_000,
        other(good, game="../../etc/passwd"), other(good, game="chess"), other(good, id="A" * 22), other(good, version=7), other(good, version=-1),
        other(good, schema=99), other(good, schema="1"), other(good, status="<script>"), other(good, seed="zz"), other(good, dice="loaded"),
    ):  # fmt: skip
        ask("HSET", table.key, "doc", bad)
        for path in READS[:1]:
            reply = table.ask("GET", path)
            reply.problem("session-unreadable", 503)
            assert int(reply.headers["retry-after"]) > 0
        for method, path, body in CHANGES:
            # Who may, and whether it is due, is looked at before the game is.
            assert table.ask(method, path, body, table.host).status in (403, 409, 503)
        assert ask("HGET", table.key, "v") == b"0", "nobody has built on it"
    # A token's hash that is none is of the shape of one: no token matches it.
    ask("HSET", table.key, "doc", other(good, host="x"))
    assert {table.ask(method, path, body, table.host).status for method, path, body in CHANGES} == {
        401
    }
    ask("HSET", table.key, "doc", json.dumps(good))
    assert table.state() == table.created["session"]


def test_api10_unsafe_consumption_of_apis_entries_and_keys_of_others_are_not_trusted(
    deployed: Deployed,
) -> None:
    ask = deployed.redis.ask
    for kind in (("SET", "x"), ("LPUSH", "x"), ("SADD", "x")):
        table = Table(deployed.server)
        ask("DEL", table.key)
        ask(kind[0], table.key, kind[1])
        table.ask("GET", "").problem("session-unreadable", 503)
    for entry in (b"{", b"\xff", b"[" * 50_000):
        table = Table(deployed.server)
        assert table.ask("POST", "/events", DRAW, table.seats[0]).status == 200
        ask("DEL", f"{table.key}:log")
        ask("XADD", f"{table.key}:log", "1-0", "e", entry)
        for path in ("/events", "/game"):
            reply = table.ask("GET", path)
            assert reply.status == 503, (entry, path, reply)
    for gone in (b"{", b"\xff", b"null"):
        table = Table(deployed.server)
        ask("HSET", table.key, "gone", gone)
        assert table.ask("GET", "").status in (410, 503)
    assert "Traceback" not in deployed.server.log()
    assert '"trace":' not in deployed.server.log()


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
