"""The served contract: ``openapi.yaml`` as it is, and the same as JSON."""

import json
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

import orjson

PATH = Path(__file__).resolve().parents[1] / "openapi.yaml"
"""In the checkout a link to the file at the top, in the wheel a copy of it."""

_LOADING = Lock()
"""Loading takes a third of a second and 20 MB: one thread does it, however many ask first."""


@cache
def contract_yaml() -> bytes:
    """The file, byte for byte."""
    return PATH.read_bytes()


def contract() -> dict[str, Any]:
    """The contract as a document."""
    with _LOADING:
        return _loaded()


@cache
def _loaded() -> dict[str, Any]:
    # Imported here: the first answer need not wait for it.
    import yaml

    # Both loaders are safe ones, and the file is our own.
    loaded: dict[str, Any] = yaml.load(  # nosec B506
        contract_yaml(), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    )
    return loaded


@cache
def contract_json(*, examples: bool) -> bytes:
    """The contract as JSON, with its examples or without them."""
    whole = orjson.dumps(contract())
    return whole if examples else orjson.dumps(json.loads(whole, object_hook=_without_examples))


def _without_examples(part: dict[str, Any]) -> dict[str, Any]:
    return {name: one for name, one in part.items() if name not in ("example", "examples")}
