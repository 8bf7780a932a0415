"""The served contract: ``openapi.yaml`` unchanged, its JSON form, and slices of both."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

import orjson

from dice_referee.api.contract_slices import ContractSlice, sliced

PATH = Path(__file__).resolve().parents[1] / "openapi.yaml"
"""Path of the contract: a link to the top of the checkout; in the wheel, a copy."""

METHODS = frozenset({"get", "post", "put", "patch", "delete"})

_LOADING, _WRITING = Lock(), Lock()
"""Loading takes a third of a second and 20 MB, writing a slice as long: one thread does it,
however many ask first."""


@cache
def contract_yaml() -> bytes:
    """Returns the file, byte for byte."""
    return PATH.read_bytes()


def contract() -> dict[str, Any]:
    """Returns the contract as a document."""
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
def operations() -> dict[str, Mapping[str, Any]]:
    """Returns every operation by its id, in the contract's order, with its method and path."""
    return {
        item[method]["operationId"]: {**item[method], "method": method.upper(), "path": path}
        for path, item in contract()["paths"].items()
        for method in item
        if method in METHODS
    }


def contract_file(part: ContractSlice, *, as_yaml: bool) -> bytes:
    """Returns a slice of the contract as JSON or YAML; the whole YAML is the file itself."""
    if as_yaml and part == ContractSlice():
        return contract_yaml()
    with _WRITING:
        return _written(part, as_yaml)


@cache
def _written(part: ContractSlice, as_yaml: bool) -> bytes:
    document = sliced(contract(), part)
    if not as_yaml:
        return orjson.dumps(document)
    import yaml

    dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    written: bytes = yaml.dump(
        document, Dumper=dumper, encoding="utf-8", allow_unicode=True, sort_keys=False, width=100
    )
    return written
