"""The Model Context Protocol over standard input and output."""

import asyncio
import signal

from jsonschema import Draft202012Validator
from mcp.server import Server, ServerRequestContext
from mcp.server.stdio import stdio_server
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
)

from dice_referee.agents.referee import Referee, RefusedError
from dice_referee.agents.tools import TOOLS

INSTRUCTIONS = (
    "A referee for dice games. To play, begin a session, then move; to judge a game elsewhere,"
    " adjudicate, transition or audit. Numbers such as T2.2 are rules: read them with rule."
)
VALIDATORS = {
    tool.name: Draft202012Validator({**tool.input_schema, "additionalProperties": False})
    for tool in TOOLS
}
Context = ServerRequestContext[object]


def serve(url: str, language: str | None, version: str) -> None:
    """Answers one agent until it closes standard input, or interrupts."""
    # The SDK's thread, which reads standard input, would outlive a KeyboardInterrupt.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    asyncio.run(_serve(Referee(url, language), version))


async def _serve(referee: Referee, version: str) -> None:
    async def list_tools(_: Context, __: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=[*TOOLS])

    async def call_tool(_: Context, call: CallToolRequestParams) -> CallToolResult:
        try:
            text, refused = await _answer(referee, call), False
        except RefusedError as error:
            text, refused = str(error), True
        return CallToolResult(content=[TextContent(text=text)], is_error=refused)

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


async def _answer(referee: Referee, call: CallToolRequestParams) -> str:
    """Returns what the service says. Raises RefusedError, also for arguments of another shape."""
    arguments = call.arguments or {}
    if call.name not in VALIDATORS:
        raise RefusedError(f"No tool {call.name}: {', '.join(VALIDATORS)}.")
    errors = VALIDATORS[call.name].iter_errors(arguments)
    if complaints := [f"/{'/'.join(map(str, e.path))}: {e.message}." for e in errors]:
        raise RefusedError("\n".join(complaints))
    return await referee.answer(call.name, arguments)
