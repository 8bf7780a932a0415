"""Test client for agents: the SDK's own client, which runs ``dice-referee mcp`` over stdio.

The SDK takes a second to import, so its first user imports it.
"""

import asyncio
import sys
from collections.abc import Coroutine
from concurrent.futures import Future
from threading import Thread
from typing import TYPE_CHECKING, Any, Self, TypeVar

from tests.engines.servers import DEADLINE
from tests.programs import ROOT

if TYPE_CHECKING:
    from mcp import Client

Result = TypeVar("Result")
COMMAND = (sys.executable, "-m", "service", "mcp")


class Agent:
    """Abilities of a model: calls of tools, and their text. Has its own server during a block."""

    client: "Client"

    def __init__(self, *flags: str, command: tuple[str, ...] = COMMAND) -> None:
        self._command, self._loop = (*command, *flags), asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever)
        self.document: Any = None
        """Fields of the last answer."""

    def __enter__(self) -> Self:
        self._thread.start()
        started = Future["Client"]()
        conversation = self._conversation(started)
        self._conversing = asyncio.run_coroutine_threadsafe(conversation, self._loop)
        self.client = started.result(DEADLINE)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._end.set)
        self._conversing.result(DEADLINE)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _conversation(self, started: "Future[Client]") -> None:
        from mcp import Client, StdioServerParameters, stdio_client

        self._end = asyncio.Event()
        program, *arguments = self._command
        server = StdioServerParameters(command=program, args=arguments, cwd=ROOT)
        async with Client(stdio_client(server)) as client:
            started.set_result(client)
            await self._end.wait()

    def run(self, call: Coroutine[Any, Any, Result]) -> Result:
        """Returns the result of a call of the client."""
        return asyncio.run_coroutine_threadsafe(call, self._loop).result(DEADLINE)

    def answer(self, tool: str, **arguments: Any) -> str:
        refused, text = self._result_of(tool, arguments)
        assert not refused, text
        return text

    def refusal(self, tool: str, **arguments: Any) -> str:
        refused, text = self._result_of(tool, arguments)
        assert refused, text
        return text

    def _result_of(self, tool: str, arguments: dict[str, Any]) -> tuple[bool, str]:
        from mcp_types import TextContent

        result = self.run(self.client.call_tool(tool, arguments))
        self.document = result.structured_content
        [content] = result.content
        assert isinstance(content, TextContent)
        return bool(result.is_error), content.text
