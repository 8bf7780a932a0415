"""Content negotiation of `/`, the tour in plain text, and the description for language models."""

import re
from typing import Any

import pytest

from dice_referee.api.i18n import LANGUAGES
from dice_referee.api.index import ADDRESSES
from dice_referee.app import create_app
from dice_referee.settings import Settings
from dice_referee.web.guides import ORDER
from tests.application import CLIENT, get, problem

LYNX = "text/html, text/plain, text/sgml, text/css, application/xhtml+xml, */*;q=0.01"
W3M = "text/html, text/*;q=0.5, image/*, application/*, audio/*, video/*"
HOST = "dice.example:8000"


def terminal_text(path: str = "/", name: str = HOST, **settings: Any) -> str:
    """Returns the text that a terminal gets under this host name."""
    app = create_app(Settings(**settings))
    answer = app.test_client().get(path, headers={"Host": name, "Accept": "*/*"})
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    return answer.get_data(as_text=True)


@pytest.mark.parametrize(
    ("accepted", "kind"),
    [
        ("*/*", "text/plain"),
        ("text/plain", "text/plain"),
        ("text/*", "text/plain"),
        ("text/html", "text/html"),
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "text/html"),
        ("text/html, */*", "text/html"),
        ("*/*, Text/HTML", "text/html"),
        (LYNX, "text/html"),
        (W3M, "text/html"),
        ("application/json", "application/json"),
        ("application/json, text/html;q=0.5", "application/json"),
        ("text/html;q=0, */*", "text/plain"),
    ],
)
def test_root_negotiates_its_media_type(accepted: str, kind: str) -> None:
    answer = get("/", Accept=accepted)
    assert (answer.status_code, answer.mimetype) == (200, kind)
    assert "Accept" in answer.vary


def test_client_without_accept_gets_the_tour() -> None:
    answer = CLIENT.get("/")
    assert answer.mimetype == "text/plain"
    assert answer.get_data() == get("/", Accept="*/*").get_data()


def test_root_serves_the_index_as_json() -> None:
    assert get("/", Accept="application/json").get_data() == get("/v1").get_data()


def test_unknown_media_type_is_refused() -> None:
    refusal = problem(get("/", Accept="image/png"), "not-acceptable", 406)
    assert "text/plain, text/html, application/json" in refusal["detail"]


@pytest.mark.parametrize(
    "path",
    ["/table", "/rules", "/rules/tutto", "/guides", "/guides/odds", "/play/tutto", "/docs"],
)
def test_page_offers_only_html(path: str) -> None:
    assert [get(path, Accept=kind).mimetype for kind in ("*/*", "text/html", W3M)] == [
        "text/html"
    ] * 3
    refusal = get(path, Accept="text/plain")
    assert (refusal.status_code, refusal.mimetype) == (406, "text/plain")
    assert "text/html" in refusal.get_data(as_text=True)


def test_tour_is_a_script_of_twelve_lines() -> None:
    *lines, rest = terminal_text(hosts="dice.example").split("\n")
    assert rest == ""
    assert len(lines) == 12
    commands = [line for line in lines if not line.startswith("# ")]
    assert len(commands) == 5
    for command in commands:
        assert re.match(rf"curl '?http://{HOST}/\S", command), command
    assert lines[-1].endswith(f" http://{HOST}/")


@pytest.mark.parametrize(
    ("host", "public", "origin"),
    [
        ("localhost:8123", "", "http://localhost:8123"),
        ("localhost:8123", "https://dice.example", "http://localhost:8123"),
        ("[::1]:8123", "https://dice.example", "http://[::1]:8123"),
        ("192.0.2.2:8123", "", "http://192.0.2.2:8123"),
        ("dice.example", "https://dice.example", "https://dice.example"),
        ("$(reboot)", "", "http://localhost:8000"),
        ("a';id;'", "", "http://localhost:8000"),
    ],
)
def test_commands_use_the_origin_of_the_request(host: str, public: str, origin: str) -> None:
    for path in ("/", "/llms.txt"):
        text = terminal_text(path, host, public_url=public, host="0.0.0.0")
        assert set(re.findall(r"https?://[^/\s]+(?=/)", text)) == {origin}, path


@pytest.mark.parametrize("language", LANGUAGES)
def test_tour_is_in_the_preferred_language(language: str) -> None:
    answer, english = get("/", Accept_Language=language), get("/")
    assert answer.headers["Content-Language"] == language
    assert {"Accept", "Accept-Language"} <= set(answer.vary)
    assert (answer.get_data() == english.get_data()) == (language == "en")
    assert answer.get_data(as_text=True).count("\n") == 12


def test_llms_txt_has_its_form_and_its_links_resolve() -> None:
    """Expects the form of llmstxt.org: a title, a quote, prose without headings, lists of links."""
    title, quote, *rest = terminal_text("/llms.txt", "localhost").split("\n\n")
    assert title == "# Dice Referee"
    assert re.fullmatch(r"> \S[^\n]+", quote)
    text = "\n\n".join(rest)
    prose, *sections = re.split(r"^## ", text, flags=re.MULTILINE)
    assert not re.search("^#", prose, re.MULTILINE)
    assert "&#" not in text
    addresses = set[str]()
    for section in sections:
        heading, _, links = section.strip().partition("\n\n")
        assert re.fullmatch(r"\w+", heading)
        for line in links.split("\n"):
            link = re.fullmatch(r"- \[([^\]]+)\]\(http://localhost(/\S+)\)(: \S.+)?", line)
            assert link, line
            addresses.add(link[2])
    assert {*ADDRESSES, *(f"/guides/{name}" for name in ORDER)} <= addresses
    for address in addresses:
        assert get(address, Accept="*/*").status_code == 200, address
