"""Fixtures of agents: the tools, and a real server with a real Redis."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.agents.agent import Agent
from tests.wire import serving

if TYPE_CHECKING:
    from mcp_types import Tool


@pytest.fixture(scope="session")
def tools() -> "list[Tool]":
    from dice_referee.agents.tools import TOOLS

    return TOOLS


@pytest.fixture(scope="module")
def address(redis_url: str) -> Iterator[str]:
    with serving(REDIS_URL=redis_url, WORKERS=1) as server:
        yield f"http://127.0.0.1:{server.port}"


@pytest.fixture(scope="module")
def agent(address: str) -> Iterator[Agent]:
    with Agent("--url", address) as agent:
        yield agent
