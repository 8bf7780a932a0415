"""Test client for agents: the SDK's own client, which runs ``dice-referee mcp`` over stdio.

The SDK takes a second to import, so its first user imports it.
"""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeVar

from tests.programs import ROOT

if TYPE_CHECKING:
    from mcp import Client

Result = TypeVar("Result")
COMMAND = (sys.executable, "-m", "service", "mcp")


class Agent:
    """Abilities of a model: calls of tools, and their text."""

    def __init__(self, client: "Client") -> None:
        self.client = client
        self.document: Any = None
        """Fields of the last answer."""

    async def answer(self, tool: str, **arguments: Any) -> str:
        refused, text = await self._result_of(tool, arguments)
        assert not refused, text
        return text

    async def refusal(self, tool: str, **arguments: Any) -> str:
        refused, text = await self._result_of(tool, arguments)
        assert refused, text
        return text

    async def _result_of(self, tool: str, arguments: dict[str, Any]) -> tuple[bool, str]:
        from mcp_types import TextContent

        result = await self.client.call_tool(tool, arguments)
        self.document = result.structured_content
        [content] = result.content
        assert isinstance(content, TextContent)
        return bool(result.is_error), content.text


def converse(
    act: Callable[[Agent], Awaitable[Result]], *flags: str, command: tuple[str, ...] = COMMAND
) -> Result:
    """Returns the result of ``act`` with an agent on its own server."""
    from mcp import Client, StdioServerParameters, stdio_client

    async def conversation() -> Result:
        program, *arguments = command
        server = StdioServerParameters(command=program, args=[*arguments, *flags], cwd=ROOT)
        async with Client(stdio_client(server)) as client:
            return await act(Agent(client))

    return asyncio.run(conversation())
