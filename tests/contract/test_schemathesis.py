"""Generated requests, good and bad, to every operation of the contract."""

from pathlib import Path
from typing import Any

import pytest
import schemathesis
from schemathesis import Case, Config

import tests.contract.ndjson  # noqa: F401
from service.app import create_app
from service.http.logs import configure

CONFIG = Config.from_path(Path(__file__).with_name("schemathesis.toml"))
SCHEMA = schemathesis.openapi.from_wsgi("/openapi.json", create_app(), config=CONFIG)


@pytest.fixture(autouse=True, scope="module")
def _logs() -> None:
    configure()


@SCHEMA.parametrize()
def test_the_service_keeps_its_contract(case: Case[Any]) -> None:
    case.call_and_validate()
