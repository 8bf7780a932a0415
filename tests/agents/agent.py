"""An agent: the SDK's own client, which starts ``dice-referee mcp`` and speaks to it over stdio."""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from mcp import Client, StdioServerParameters, stdio_client
from mcp_types import TextContent

from tests.programs import ROOT

Result = TypeVar("Result")
COMMAND = (sys.executable, "-m", "service", "mcp")


class Agent:
    """Abilities of a model: call tools, and read text."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def answer(self, tool: str, **arguments: Any) -> str:
        refused, text = await self._called(tool, arguments)
        assert not refused, text
        return text

    async def refusal(self, tool: str, **arguments: Any) -> str:
        refused, text = await self._called(tool, arguments)
        assert refused, text
        return text

    async def _called(self, tool: str, arguments: dict[str, Any]) -> tuple[bool, str]:
        result = await self.client.call_tool(tool, arguments)
        [content] = result.content
        assert isinstance(content, TextContent)
        return bool(result.is_error), content.text


def converse(
    act: Callable[[Agent], Awaitable[Result]], *flags: str, command: tuple[str, ...] = COMMAND
) -> Result:
    """Returns what an agent brings home that has a server of its own for the time."""

    async def conversation() -> Result:
        program, *arguments = command
        server = StdioServerParameters(command=program, args=[*arguments, *flags], cwd=ROOT)
        async with Client(stdio_client(server)) as client:
            return await act(Agent(client))

    return asyncio.run(conversation())
