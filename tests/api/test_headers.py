"""Request ids, entity tags, origins, and metrics that strangers cannot swell."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.api.headers import entity_tag, is_match, read_origins, request_id
from service.telemetry.metrics import REGISTRY
from tests.api.asking import ADJUDICATIONS, CLIENT, ROLL, post


@settings(max_examples=300, deadline=None, derandomize=True)
@given(asked=st.text(max_size=70) | st.from_regex(r"\A[A-Za-z0-9-]{60,68}\n?\Z"))
def test_a_request_id_is_the_clients_or_a_well_formed_new_one(asked: str) -> None:
    plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-"
    well_formed = 1 <= len(asked) <= 64 and all(letter in plain for letter in asked)
    identity = request_id(asked)
    assert (identity == asked) == well_formed
    assert 1 <= len(identity) <= 64
    assert all(letter in plain for letter in identity)


@given(body=st.binary(max_size=20), other=st.binary(max_size=20))
def test_equal_bytes_have_equal_tags_and_others_have_not(body: bytes, other: bytes) -> None:
    assert (entity_tag(body) == entity_tag(other)) == (body == other)


@pytest.mark.parametrize("held", [None, "a", 'w/"a"', '"a', '"*"'])
def test_a_malformed_condition_matches_nothing(held: str | None) -> None:
    assert not is_match(held, '"a"')
    assert is_match('"b",W/"a"', '"a"')


def labels() -> set[tuple[str, str]]:
    return {
        (sample.labels.get("method", ""), sample.labels.get("route", ""))
        for metric in REGISTRY.collect()
        if metric.name.startswith("referee_request")
        for sample in metric.samples
    }


def test_nothing_that_a_client_invents_becomes_a_label() -> None:
    post(ADJUDICATIONS, ROLL)
    for stranger in range(20):
        CLIENT.open(f"/stranger-{stranger}", method=f"STRANGE{stranger}")
        CLIENT.get(f"/v1/games/stranger-{stranger}")
    known = labels()
    assert not [label for label in known if "strange" in "".join(label).lower()]
    assert ("other", "none") in known
    assert ("POST", ADJUDICATIONS) in known


def verdicts() -> float:
    told = ({"game": "tutto", "status": status} for status in ("niete", "scoring", "tutto"))
    return sum(REGISTRY.get_sample_value("referee_verdicts_total", one) or 0 for one in told)


def test_every_roll_that_is_adjudicated_is_counted_once() -> None:
    before = verdicts()
    post(ADJUDICATIONS, ROLL)
    post(f"{ADJUDICATIONS}/batch", {"positions": [ROLL, {"card": "x"}, ROLL]})
    assert verdicts() - before == 3


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
def test_an_origin_that_no_browser_sends_is_refused(word: str) -> None:
    with pytest.raises(ValueError, match="must be scheme://host"):
        read_origins(f"https://example.org, {word}")


def test_origins_of_pages_extensions_and_apps_are_taken() -> None:
    listed = ["https://a.example", "http://[::1]:8000", "capacitor://localhost", "null", "*"]
    assert read_origins(f" {listed[0]},{listed[1]} {', '.join(listed[2:])},") == set(listed)
