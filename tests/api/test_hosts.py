"""Host names under which the service answers, against DNS rebinding."""

from functools import cache
from typing import Any

import pytest
from flask.testing import FlaskClient

from dice_referee.api.hosts import read_hosts
from dice_referee.api.i18n import LANGUAGES
from dice_referee.app import create_app
from dice_referee.settings import Settings
from tests.application import assert_problem_document

LOCAL = [
    "localhost", "localhost:8000", "LOCALHOST", "localhost.", "127.0.0.1:80", "127.1.2.3",
    "[::1]", "[::1]:8000",
]  # fmt: skip
FOREIGN = [
    "evil.example", "evil.example:8000", "localhost.evil.example", "10.0.0.1", "[::2]:8000",
    "127.0.0.1.evil.example", "",
]  # fmt: skip


@cache
def client_of(**more: Any) -> FlaskClient:
    return create_app(Settings(**more)).test_client()


def status(name: str, path: str = "/v1", **more: Any) -> int:
    response = client_of(**more).get(path, headers={"Host": name})
    if response.status_code != 200:
        assert_problem_document(response.get_json(), "misdirected-request", 421)
    return response.status_code


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost"])
def test_loopback_answers_only_local_hosts(host: str) -> None:
    assert {status(name, host=host) for name in LOCAL} == {200}
    assert {status(name, host=host) for name in FOREIGN} == {421}


def test_foreign_host_gets_no_session_and_no_page() -> None:
    client = create_app(Settings()).test_client()
    headers = {"Host": "evil.example:9111", "Origin": "http://evil.example:9111"}
    beginning = {"game": "tutto", "players": ["A", "B"]}
    assert client.post("/v1/sessions", json=beginning, headers=headers).status_code == 421
    assert client.get("/table", headers=headers).status_code == 421


@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.1", "unix:/run/referee.sock", "::"])
def test_public_server_answers_all_hosts_unless_some_are_set(host: str) -> None:
    names = "referee.example, dice.example"
    assert {status(name, host=host) for name in [*LOCAL, *FOREIGN]} == {200}
    assert {status(name, host=host, hosts=names) for name in FOREIGN} == {421}
    assert {status(name, host=host, hosts=names) for name in (*LOCAL, "Dice.example:443")} == {200}


def test_hosts_setting_adds_to_local_hosts() -> None:
    assert status("referee.example", hosts="referee.example") == 200
    assert status("localhost", hosts="referee.example") == 200


def test_refusal_names_the_setting_but_no_host() -> None:
    client = create_app(Settings(hosts="referee.example")).test_client()
    for language in LANGUAGES:
        headers = {"Host": "evil.example", "Accept-Language": language}
        detail = client.get("/v1", headers=headers).get_json()["detail"]
        assert "`HOSTS`" in detail
        assert "referee.example" not in detail


@pytest.mark.parametrize("path", ["/livez", "/readyz"])
def test_probes_answer_under_every_host(path: str) -> None:
    assert status("10.1.2.3:8000", path) == 200


def test_ipv6_host_matches_with_and_without_brackets() -> None:
    assert status("[2001:db8::7]:8000", hosts="2001:DB8:0::7") == 200
    assert status("[2001:db8::7]", hosts="[2001:db8::7]") == 200


@pytest.mark.parametrize("word", ["http://a", "a:8000", "[::1]:8000", "a/b", "*.example", "a..b"])
def test_invalid_hosts_setting_is_refused(word: str) -> None:
    with pytest.raises(ValueError, match="must be names or addresses"):
        read_hosts(f"example.org, {word}")
