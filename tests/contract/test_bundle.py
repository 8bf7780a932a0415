"""openapi.yaml equals its joined parts, and each fact is defined in a single part."""

from typing import Any

import pytest

from dice_referee import __version__
from dice_referee.api.contract import JSON_PATH, contract, contract_version, contract_yaml
from tests.programs import PACKAGE
from tests.tools.bundle import (
    CONTRACT,
    NOTICE,
    as_json,
    as_yaml,
    joined,
    merge,
    parts,
)
from tests.tools.examples import examples

LONGEST = 1000
"""Maximum lines of a readable part."""


def test_published_contract_equals_its_joined_parts() -> None:
    document, published = joined(), contract()["components"]["examples"]
    for example in examples(document):
        # test_spec.py compares the answers with the service.
        answer = published.get(example.name, {}).get("value")
        document["components"]["examples"][example.name]["value"] = answer
    lags_behind = "openapi.yaml lags behind its parts: run `make generate`"
    assert contract_yaml().decode() == NOTICE + as_yaml(document), lags_behind
    assert JSON_PATH.read_bytes() == as_json(document), lags_behind


def test_only_unsent_examples_have_handwritten_answers() -> None:
    by_hand = {
        name: example
        for name, example in joined()["components"]["examples"].items()
        if "value" in example
    }
    assert all("x-unsent" in example for example in by_hand.values()), list(by_hand)


def test_every_part_is_joined_and_short() -> None:
    documents = dict(parts())
    games = (PACKAGE / "games").glob("*/contract/**/*.yaml")
    assert sorted(documents) == sorted([*CONTRACT.rglob("*.yaml"), *games])
    long = {path.name for path, text in documents.items() if len(text.splitlines()) > LONGEST}
    assert not long


def test_contract_version_follows_the_service_version() -> None:
    assert contract()["info"]["version"] == contract_version(__version__)


@pytest.mark.parametrize("value", ["integer", "string", {"enum": []}])
def test_value_in_two_parts_is_refused(value: Any) -> None:
    with pytest.raises(ValueError, match="/Event/type stands in two parts"):
        merge({"Event": {"type": "string"}}, {"Event": {"type": value}})
