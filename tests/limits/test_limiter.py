"""Limits of a client: the policy of each request, and the headers of its answer."""

import json
import re
from typing import Any

import pytest
from flask.testing import FlaskClient

from dice_referee.api.contract import contract
from dice_referee.api.i18n import LANGUAGES
from dice_referee.api.routing import Router
from dice_referee.app import create_app
from dice_referee.games.tutto.game import Tutto
from dice_referee.games.tutto.values import odds
from dice_referee.games.tutto.values.aims import Aim
from dice_referee.games.tutto.values.tables import ValueTables
from dice_referee.limits.client_address import TrustedProxies
from dice_referee.limits.counters import LocalCounter
from dice_referee.limits.limiter import RateLimiter
from dice_referee.limits.policies import RatePolicy
from dice_referee.rulebook.value_tables import ValueTableCache
from dice_referee.settings import BadSetting, Settings
from dice_referee.telemetry.metrics import REGISTRY, Process
from tests.tools.examples import operations

SESSION = "/v1/sessions/AAAAAAAAAAAAAAAAAAAAAA"
PUBLIC = {"REMOTE_ADDR": "203.0.113.7"}
QUERY = "/v1/tutto/adjudications?card=bonus-200&roll=123466"

# Policies ---------------------------------------------------------------------------------------

SINGLE, MANY = "stateless", "batch"


ROUTER = Router(create_app())


def policy_of(method: str, path: str) -> str | None:
    """Returns the policy of the operation that answers."""
    return ROUTER.find(method, path).operation.rate


def promised_policy(method: str, path: str) -> str | None:
    """Returns the policy that the contract promises for an operation."""
    if path in ("/livez", "/readyz"):
        return None
    if path.startswith("/v1/sessions"):
        return "events"
    if path.endswith("/odds"):
        return "odds"
    many = ("/audits", "/batch", "/reviews", "/comparisons", "/verify")
    audits = re.fullmatch(r"/v1/\w+/audits", path)
    return MANY if audits or (method == "post" and path.endswith(many)) else SINGLE


@pytest.mark.parametrize(
    ("method", "path"), [(method, path) for path, method, _ in operations()], ids="{}".format
)
def test_operations_have_the_policy_of_the_contract(method: str, path: str) -> None:
    target = re.sub(r"\{\w+\}", "x", path.replace("{game}", "tutto"))
    assert policy_of(method.upper(), target) == promised_policy(method, path)
    if method == "get":
        assert policy_of("HEAD", target) == policy_of("GET", target)
    assert policy_of("OPTIONS", target) is None


def test_only_health_routes_have_no_policy() -> None:
    app = create_app()
    views: Any = app.view_functions
    free = {rule.rule for rule in app.url_map.iter_rules() if not views[rule.endpoint].rate}
    assert free == {"/livez", "/readyz"}


@pytest.mark.parametrize(
    "path",
    [
        *("/v1/", "//v1/sessions", "/v1/no-such", "/v1/sessions-or-not", "/v1/tutto", "/v1"),
        *("/docs", "/rules/tutto", "/guides", "/", "/table", "/favicon.ico", "/static/x/y.js"),
    ],
)
def test_unknown_path_has_the_stateless_policy(path: str) -> None:
    assert policy_of("GET", path) == "stateless"


def test_method_not_allowed_is_counted() -> None:
    client = create_app(Settings(rate_stateless=100, rate_loopback=True)).test_client()
    answer = client.post("/docs")
    assert answer.status_code == 405
    assert answer.headers["RateLimit"].startswith('"stateless";r=99;')


def test_page_is_served_under_a_limit_of_1() -> None:
    client = create_app(Settings(rate_stateless=1, rate_loopback=True)).test_client()
    assert [client.get("/docs").status_code for _ in range(2)] == [200, 429]


def test_contract_states_the_default_rates() -> None:
    text = contract()["info"]["description"]
    rows = re.findall(r"^\| `([a-z]+)` \|.*\| (\d+) \|$", text, re.MULTILINE)
    assert {name: int(limit) for name, limit in rows} == DEFAULTS


# Keys ---------------------------------------------------------------------------------------


def limits_for(client: str, **more: Any) -> dict[str, int]:
    """Returns the limits of a client under these settings."""
    limits = create_app(Settings(**more)).extensions["dice-referee"].services.limiter
    keys = {policy: limits.key(policy, client, None) for policy in DEFAULTS}
    return {policy: key.limit for policy, key in keys.items() if key is not None}


DEFAULTS = {
    "stateless": 6000,
    "batch": 60,
    "odds": 3000,
    "sessions": 60,
    "events": 1200,
}


def test_loopback_limits_sessions_but_not_verdicts() -> None:
    assert limits_for("203.0.113.7") == DEFAULTS
    for client in ("127.0.0.1", "::1", ""):
        assert limits_for(client) == {"sessions": 60, "events": 1200}
        assert limits_for(client, rate_loopback=True) == DEFAULTS


@pytest.mark.parametrize("policy", DEFAULTS)
def test_each_setting_sets_or_disables_its_limit(policy: str) -> None:
    assert limits_for("203.0.113.7", **{f"rate_{policy}": 7}) == DEFAULTS | {policy: 7}
    rest = {name: limit for name, limit in DEFAULTS.items() if name != policy}
    assert limits_for("203.0.113.7", **{f"rate_{policy}": 0}) == rest
    assert getattr(Settings.read({f"RATE_{policy.upper()}": "0"}), f"rate_{policy}") == 0
    with pytest.raises(BadSetting, match=f"RATE_{policy.upper()} must be a whole number from 0"):
        Settings.read({f"RATE_{policy.upper()}": "-1"})


def test_client_addresses_are_hashed_with_a_store_secret() -> None:
    def hashed(secret: bytes, client: str) -> str:
        key = RateLimiter({RatePolicy.EVENTS: 60}, TrustedProxies(), secret).key(
            RatePolicy.EVENTS, client, None
        )
        assert key is not None
        return key.client

    digest = hashed(b"redis://:secret@store", "203.0.113.7")
    assert re.fullmatch(r"[0-9a-f]{32}", digest)
    assert digest == hashed(b"redis://:secret@store", "::ffff:203.0.113.7")
    assert digest != hashed(b"redis://:other@store", "203.0.113.7")
    assert digest != hashed(b"redis://:secret@store", "203.0.113.8")


# Flask alone ------------------------------------------------------------------------------------


def client(**more: Any) -> FlaskClient:
    """Returns a client of a service whose clock does not advance."""
    app = create_app(Settings(**more))
    app.extensions["dice-referee"].services.limiter.counter = LocalCounter(lambda: 10**18)
    return app.test_client()


def test_limited_answer_has_the_remaining_permits() -> None:
    requester = client(rate_stateless=60)
    for left in (59, 58, 57):
        answer = requester.get(QUERY, environ_base=PUBLIC)
        assert answer.status_code == 200
        assert answer.headers.getlist("RateLimit-Policy") == ['"stateless";q=60;w=60']
        assert answer.headers.getlist("RateLimit") == [f'"stateless";r={left};t={60 - left}']
        assert "Retry-After" not in answer.headers


def test_unlimited_answer_has_no_limit_headers() -> None:
    requester = client(rate_stateless=1, rate_batch=1)
    for path, who in (("/livez", PUBLIC), ("/readyz", PUBLIC), (QUERY, {}), ("/table", {})):
        for _ in range(3):
            answer = requester.get(path, environ_base=who)
            assert answer.status_code == 200
            assert "RateLimit" not in answer.headers
            assert "RateLimit-Policy" not in answer.headers


def test_head_is_counted_as_get_and_preflights_are_free() -> None:
    requester = client(rate_stateless=2)
    for _ in range(5):
        answer = requester.options(QUERY, environ_base=PUBLIC)
        assert answer.status_code == 204
        assert "RateLimit" not in answer.headers
    assert requester.head(QUERY, environ_base=PUBLIC).headers["RateLimit"] == '"stateless";r=1;t=30'
    assert requester.get(QUERY, environ_base=PUBLIC).status_code == 200
    assert requester.head(QUERY, environ_base=PUBLIC).status_code == 429


def test_refused_requests_use_permits() -> None:
    requester = client(rate_stateless=2)
    statuses = [requester.get("/v1/no-such", environ_base=PUBLIC).status_code for _ in range(3)]
    assert statuses == [404, 404, 429]


def test_rate_limited_body_is_never_read() -> None:
    class Untouched:
        def read(self, *_: int) -> bytes:
            raise AssertionError("somebody read the body")

    requester = client(rate_batch=1)
    path = "/v1/tutto/adjudications/batch"
    requester.post(path, json={"positions": []}, environ_base=PUBLIC)
    more = {**PUBLIC, "wsgi.input": Untouched(), "CONTENT_LENGTH": "1000"}
    assert requester.post(path, environ_overrides=more).status_code == 429


@pytest.mark.parametrize("language", LANGUAGES)
def test_rate_limited_problem_names_limit_and_retry_after(language: str) -> None:
    requester = client(rate_events=2)
    for _ in range(2):
        requester.get(SESSION, environ_base=PUBLIC)
    answer = requester.get(SESSION, environ_base=PUBLIC, headers={"Accept-Language": language})
    assert answer.status_code == 429
    assert answer.mimetype == "application/problem+json"
    assert answer.headers["Content-Language"] == language
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["RateLimit-Policy"] == '"events";q=2;w=60'
    assert answer.headers["RateLimit"] == '"events";r=0;t=30'
    assert answer.headers["Retry-After"] == "30"
    document = json.loads(answer.data)
    assert document["type"] == "/problems/rate-limited"
    for word in ("events", "2", "30"):
        assert re.search(rf"\b{word}\b", document["detail"])


def test_metric_counts_refused_requests_by_policy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Process, "counts", True)

    def counted() -> float:
        return REGISTRY.get_sample_value("referee_rate_limited_total", {"policy": "batch"}) or 0

    before, requester = counted(), client(rate_batch=1)
    for _ in range(3):
        requester.post("/v1/pot/audits", json={}, environ_base=PUBLIC)
    assert counted() == before + 2


def test_trusted_proxy_separates_clients_but_not_spoofers() -> None:
    requester = client(rate_events=1, trusted_proxies="127.0.0.1")

    def ask(*forwarded: str) -> int:
        headers = [("X-Forwarded-For", line) for line in forwarded]
        return requester.get(SESSION, headers=headers).status_code

    assert ask("198.51.100.1") == 503
    assert ask("198.51.100.2") == 503
    assert ask("198.51.100.1") == 429
    assert ask("192.0.2.1, 198.51.100.1") == 429
    assert ask("192.0.2.2", "198.51.100.1") == 429
    assert ask("127.0.0.1", "192.0.2.2, 198.51.100.2") == 429
    assert ask("198.51.100.1", "198.51.100.3") == 503


# Tables of odds ---------------------------------------------------------------------------------


def question_with(reach: int) -> dict[str, int]:
    """Returns a question with this aim, which no other test asks."""
    return {"reach": reach}


def empty_cache(
    monkeypatch: pytest.MonkeyPatch, capacity: int
) -> ValueTableCache[Aim, ValueTables]:
    """Installs an empty cache for this many value tables besides those of published rulesets."""
    cache = ValueTableCache(ValueTables, odds.VALUE_TABLES.published, capacity)
    monkeypatch.setattr(odds, "VALUE_TABLES", cache)
    monkeypatch.setattr(Tutto, "value_tables", cache)
    return cache


@pytest.mark.long
def test_batch_builds_ten_tables_and_refuses_further_positions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    empty_cache(monkeypatch, 12)
    positions = [question_with(8000 + 50 * number) for number in range(12)]
    # The tables of a published ruleset are missing too, but do not count towards the ten.
    positions.append({})
    answer = client().post("/v1/tutto/odds/batch", json={"positions": positions}).get_json()
    problems = [verdict["type"] for verdict in answer["answers"] if "type" in verdict]
    assert problems == ["/problems/too-large"] * 2
    assert all("value" in verdict for verdict in (*answer["answers"][:10], answer["answers"][12]))
