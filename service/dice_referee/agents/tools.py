"""The definitions of the tools, of which ``tools.toml`` has the words."""

import tomllib
from importlib.resources import files
from typing import Any

from mcp_types import Tool, ToolAnnotations

TABLE = tomllib.loads(files(__package__).joinpath("tools.toml").read_text("utf-8"))


def _tool(name: str, row: dict[str, Any]) -> Tool:
    """Returns a tool; its row may describe an argument in other words than all the others."""
    arguments = [*row["required"], *row.get("optional", ()), "language"]
    own = {name: {"description": row[name]} for name in arguments if name in row}
    properties = {name: TABLE["arguments"][name] | own.get(name, {}) for name in arguments}
    hints = {"destructive_hint": False} if row.get("changes") else {"read_only_hint": True}
    return Tool(
        name=name,
        description=row["description"],
        input_schema={"type": "object", "properties": properties, "required": row["required"]},
        annotations=ToolAnnotations(**hints),
    )


TOOLS = [_tool(name, row) for name, row in TABLE["tools"].items()]
