"""Generated requests, good and bad, to every operation of the contract."""

import json
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from schemathesis import Case, Config, SerializationContext

from service.app import create_app
from service.http.logs import configure

CONFIG = Config.from_path(Path(__file__).with_name("schemathesis.toml"))
SCHEMA = schemathesis.openapi.from_wsgi("/openapi.json", create_app(), config=CONFIG)


@schemathesis.serializer("application/x-ndjson")
def ndjson(_: SerializationContext, value: object) -> bytes:
    """Lines as they are; anything else as the JSON of its items, a line each."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace")
    items = value if isinstance(value, list) else [value]
    return b"\n".join(json.dumps(item).encode() for item in items)


@pytest.fixture(autouse=True, scope="module")
def _logs() -> None:
    configure()


@SCHEMA.parametrize()
def test_the_service_keeps_its_contract(case: Case[Any]) -> None:
    case.call_and_validate()
