"""The served contract: ``openapi.yaml`` as it is, and the same as JSON."""

from functools import cache
from pathlib import Path
from typing import Any

import yaml

PATH = Path(__file__).resolve().parents[2] / "openapi.yaml"


@cache
def contract_yaml() -> bytes:
    """The file, byte for byte."""
    return PATH.read_bytes()


@cache
def contract() -> dict[str, Any]:
    """The contract as a document."""
    # Both loaders are safe ones, and the file is our own.
    loaded: dict[str, Any] = yaml.load(  # nosec B506
        contract_yaml(), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    )
    return loaded
