"""Real server with a real Redis for generated clients."""

from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.wire import serving


@pytest.fixture(scope="module")
def address(redis_url: str) -> Iterator[str]:
    with serving(REDIS_URL=redis_url) as server:
        yield f"http://127.0.0.1:{server.port}"


@pytest.fixture(scope="module")
def served(address: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Downloads the contract for generators and returns its path."""
    path = tmp_path_factory.mktemp("served") / "contract.json"
    with urlopen(f"{address}/openapi.json?for=clients") as answer:
        path.write_bytes(answer.read())
    return path
