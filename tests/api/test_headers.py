"""Request ids, entity tags, and the origins whose pages may read an answer."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dice_referee.api.headers import entity_tag, is_match, read_origins, request_id
from dice_referee.app import create_app
from tests.unlimited import UNLIMITED


@settings(max_examples=300, deadline=None, derandomize=True)
@given(header=st.text(max_size=70) | st.from_regex(r"\A[A-Za-z0-9-]{60,68}\n?\Z"))
def test_malformed_request_id_is_replaced(header: str) -> None:
    plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-"
    well_formed = 1 <= len(header) <= 64 and all(letter in plain for letter in header)
    identity = request_id(header)
    assert (identity == header) == well_formed
    assert 1 <= len(identity) <= 64
    assert all(letter in plain for letter in identity)


@given(first=st.binary(max_size=20), second=st.binary(max_size=20))
def test_entity_tags_are_equal_only_for_equal_bytes(first: bytes, second: bytes) -> None:
    assert (entity_tag(first) == entity_tag(second)) == (first == second)


@pytest.mark.parametrize("held", [None, "a", 'w/"a"', '"a', '"*"'])
def test_malformed_condition_matches_nothing(held: str | None) -> None:
    assert not is_match(held, '"a"')
    assert is_match('"b",W/"a"', '"a"')


@pytest.mark.parametrize(
    "word",
    [
        *("http://example.org/", "example.net", "https://Example.com", "HTTPS://example.com"),
        *(
            "https://a.example:",
            "https://a.example:port",
            "https://*.example",
            "https://u@a.example",
        ),
    ],
)
def test_invalid_origin_is_refused(word: str) -> None:
    with pytest.raises(ValueError, match="must be scheme://host"):
        read_origins(f"https://example.org, {word}")


def test_origins_of_pages_extensions_and_apps_are_accepted() -> None:
    listed = ["https://a.example", "http://[::1]:8000", "capacitor://localhost", "null", "*"]
    assert read_origins(f" {listed[0]},{listed[1]} {', '.join(listed[2:])},") == set(listed)


STRANGER = "https://elsewhere.example"


@pytest.mark.parametrize(
    ("listed", "origin", "allowed"),
    [
        ("", "http://localhost:5173", True),
        ("", "http://127.0.0.1", True),
        ("", "https://[::1]:8443", True),
        ("", "https://localhost", True),
        ("", STRANGER, False),
        ("", "null", False),
        ("", "http://localhost.example", False),
        ("", "http://localhost:5173/", False),
        ("", "file://localhost", False),
        (f"https://a.example, {STRANGER}", STRANGER, True),
        ("https://a.example", STRANGER, False),
        ("https://a.example", "http://localhost:1", False),
        ("*", STRANGER, True),
    ],
)
def test_only_listed_or_local_origins_may_use_sessions(
    listed: str, origin: str, allowed: bool
) -> None:
    client = create_app(replace(UNLIMITED, session_origins=listed)).test_client()
    for path in ("/v1/sessions", "/v1/sessions/x/events"):
        preflight = client.options(path, headers={"Origin": origin})
        refusal = client.get(path, headers={"Origin": origin})
        for answer in (preflight, refusal):
            of_origin = answer.headers.get("Access-Control-Allow-Origin")
            assert of_origin == (origin if allowed else None)
            assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
            assert "Origin" in answer.vary
        exposed = refusal.headers.get("Access-Control-Expose-Headers", "")
        assert ("ETag" in exposed) == allowed
        assert "authorization" in preflight.headers["Access-Control-Allow-Headers"]
        methods = preflight.headers["Access-Control-Allow-Methods"]
        assert methods == (
            "OPTIONS, POST" if path == "/v1/sessions" else "GET, HEAD, OPTIONS, POST"
        )
    for path in ("/v1", "/v1/fairness/verify"):
        answer = client.options(path, headers={"Origin": origin})
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
