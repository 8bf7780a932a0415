"""The Model Context Protocol over standard input and output."""

import asyncio
import signal

from mcp import MCPError
from mcp.server import Server, ServerRequestContext
from mcp.server.stdio import stdio_server
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
)

from dice_referee.agents.arguments import complaints, read
from dice_referee.agents.referee import Referee, RefusedError, Reply
from dice_referee.agents.tools import TOOLS

INSTRUCTIONS = (
    "A referee for dice games. To play, begin a session, then move, undo, look and review; to judge"
    " a game elsewhere, adjudicate its positions or audit its log. Numbers such as T2.2 are rules:"
    " read them with rule. language is en, de, fr or it."
)
SCHEMAS = {tool.name: tool.input_schema for tool in TOOLS}
Context = ServerRequestContext[object]


def serve(url: str, language: str | None, version: str) -> None:
    # The SDK's thread, which reads standard input, would outlive a KeyboardInterrupt.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    asyncio.run(_serve(Referee(url, language), version))


async def _serve(referee: Referee, version: str) -> None:
    async def list_tools(_: Context, __: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=[*TOOLS])

    async def call_tool(_: Context, call: CallToolRequestParams) -> CallToolResult:
        try:
            reply, refused = await _answer(referee, call), False
        except RefusedError as error:
            reply, refused = Reply(str(error)), True
        content = [TextContent(text=reply.text)]
        return CallToolResult(
            content=[*content], structured_content=reply.document, is_error=refused
        )

    server = Server(
        "dice-referee",
        version=version,
        title="Dice Referee",
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


async def _answer(referee: Referee, call: CallToolRequestParams) -> Reply:
    """Raises RefusedError, and MCPError without a tool's name."""
    if call.name not in SCHEMAS:
        raise MCPError(INVALID_PARAMS, f"Unknown tool: {call.name}. Tools: {', '.join(SCHEMAS)}.")
    arguments = read(call.arguments or {}, SCHEMAS[call.name])
    if wrong := [*complaints(arguments, SCHEMAS[call.name])]:
        raise RefusedError("\n".join(sorted(wrong)))
    return await referee.answer(call.name, arguments)
