"""Request ids, entity tags and origins."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dice_referee.api.headers import entity_tag, is_match, read_origins, request_id


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
