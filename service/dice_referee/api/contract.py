"""The served contract: both files unchanged, and slices as JSON."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import orjson

from dice_referee.api.contract_slices import for_clients, without_examples

YAML_PATH = Path(__file__).resolve().parents[1] / "openapi.yaml"
"""Path of the contract: a link to the top of the checkout, or a copy in the wheel."""
JSON_PATH = YAML_PATH.with_suffix(".json")
"""Path of the contract as JSON: YAML takes 60 times as long to read."""

METHODS = frozenset({"get", "post", "put", "patch", "delete"})


def contract_version(version: str) -> str:
    return version.replace(".dev", "-dev.")


@cache
def contract_yaml() -> bytes:
    return YAML_PATH.read_bytes()


@cache
def contract_json() -> bytes:
    return JSON_PATH.read_bytes()


@cache
def contract() -> dict[str, Any]:
    document: dict[str, Any] = orjson.loads(contract_json())
    return document


def clients_json() -> bytes:
    return orjson.dumps(for_clients(contract()))


def bare_json() -> bytes:
    return orjson.dumps(without_examples(contract()))


@cache
def operations() -> dict[str, Mapping[str, Any]]:
    """Returns every operation by its id, in the contract's order, with its method and path."""
    return {
        item[method]["operationId"]: {**item[method], "method": method.upper(), "path": path}
        for path, item in contract()["paths"].items()
        for method in item
        if method in METHODS
    }
