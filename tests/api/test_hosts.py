"""The names under which the service answers (DNS rebinding)."""

from typing import Any

import pytest

from dice_referee.api.hosts import read_hosts
from dice_referee.api.i18n import LANGUAGES
from dice_referee.app import create_app
from dice_referee.settings import Settings
from tests.application import assert_problem_document

MINE = [
    "localhost", "localhost:8000", "LOCALHOST", "localhost.", "127.0.0.1:80", "127.1.2.3",
    "[::1]", "[::1]:8000",
]  # fmt: skip
OTHERS = [
    "evil.example", "evil.example:8000", "localhost.evil.example", "10.0.0.1", "[::2]:8000",
    "127.0.0.1.evil.example", "",
]  # fmt: skip


def status(name: str, path: str = "/v1/games", **more: Any) -> int:
    client = create_app(Settings(**more)).test_client()
    response = client.get(path, headers={"Host": name})
    if response.status_code != 200:
        assert_problem_document(response.get_json(), "misdirected-request", 421)
    return response.status_code


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost"])
def test_loopback_answers_only_names_of_this_machine(host: str) -> None:
    assert {status(name, host=host) for name in MINE} == {200}
    assert {status(name, host=host) for name in OTHERS} == {421}


def test_no_page_of_another_name_begins_a_session_or_sees_a_page() -> None:
    client = create_app(Settings()).test_client()
    headers = {"Host": "evil.example:9111", "Origin": "http://evil.example:9111"}
    beginning = {"game": "tutto", "players": ["A", "B"]}
    assert client.post("/v1/sessions", json=beginning, headers=headers).status_code == 421
    assert client.get("/table", headers=headers).status_code == 421


@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.1", "unix:/run/referee.sock", "::"])
def test_elsewhere_all_names_are_answered_until_some_are_listed(host: str) -> None:
    names = "referee.example, dice.example"
    assert {status(name, host=host) for name in [*MINE, *OTHERS]} == {200}
    assert {status(name, host=host, hosts=names) for name in OTHERS} == {421}
    assert {status(name, host=host, hosts=names) for name in (*MINE, "Dice.example:443")} == {200}


def test_names_are_added_to_those_of_this_machine() -> None:
    assert status("referee.example", hosts="referee.example") == 200
    assert status("localhost", hosts="referee.example") == 200


def test_a_refusal_says_where_names_are_listed_and_none_of_them() -> None:
    client = create_app(Settings(hosts="referee.example")).test_client()
    for language in LANGUAGES:
        headers = {"Host": "evil.example", "Accept-Language": language}
        detail = client.get("/v1/games", headers=headers).get_json()["detail"]
        assert "`HOSTS`" in detail
        assert "referee.example" not in detail


@pytest.mark.parametrize("path", ["/livez", "/readyz", "/healthz"])
def test_probes_are_answered_under_every_name(path: str) -> None:
    assert status("10.1.2.3:8000", path) == 200


def test_an_ipv6_address_is_known_with_and_without_brackets() -> None:
    assert status("[2001:db8::7]:8000", hosts="2001:DB8:0::7") == 200
    assert status("[2001:db8::7]", hosts="[2001:db8::7]") == 200


@pytest.mark.parametrize("word", ["http://a", "a:8000", "[::1]:8000", "a/b", "*.example", "a..b"])
def test_invalid_host_is_refused(word: str) -> None:
    with pytest.raises(ValueError, match="must be names or addresses"):
        read_hosts(f"example.org, {word}")
