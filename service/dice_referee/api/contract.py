"""The served contract: ``openapi.yaml`` unchanged, and its JSON forms, each made once."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import orjson

from dice_referee.api.contract_slices import for_clients, without_examples

PATH = Path(__file__).resolve().parents[1] / "openapi.yaml"
"""Path of the contract: a link to the top of the checkout, or a copy in the wheel."""

METHODS = frozenset({"get", "post", "put", "patch", "delete"})


def contract_version(version: str) -> str:
    """Returns a version of the package as a semantic version: 0.10.0.dev0 is 0.10.0-dev.0."""
    return version.replace(".dev", "-dev.")


@cache
def contract_yaml() -> bytes:
    """Returns the file, byte for byte."""
    return PATH.read_bytes()


@cache
def contract_json() -> bytes:
    """Returns the whole contract as JSON."""
    # Imported here, because most processes need no parser of YAML.
    import yaml

    # Both loaders are safe, and the file is part of the package.
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return orjson.dumps(yaml.load(contract_yaml(), Loader=loader))  # nosec B506


@cache
def contract() -> dict[str, Any]:
    """Returns the contract as a document.

    A document read from JSON takes half the memory of the same document read from YAML.
    """
    document: dict[str, Any] = orjson.loads(contract_json())
    return document


@cache
def clients_json() -> bytes:
    """Returns the slice for generators of clients as JSON."""
    return orjson.dumps(for_clients(contract()))


@cache
def bare_json() -> bytes:
    """Returns the contract without examples as JSON."""
    return orjson.dumps(without_examples(contract()))


FORMS = (contract_yaml, contract_json, clients_json, bare_json)
"""Makers of every served form."""


@cache
def operations() -> dict[str, Mapping[str, Any]]:
    """Returns every operation by its id, in the contract's order, with its method and path."""
    return {
        item[method]["operationId"]: {**item[method], "method": method.upper(), "path": path}
        for path, item in contract()["paths"].items()
        for method in item
        if method in METHODS
    }
