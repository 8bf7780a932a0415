"""Definitions of the tools, with words from ``tools.toml``."""

import tomllib
from importlib.resources import files
from typing import Any

from mcp_types import Tool, ToolAnnotations

TABLE = tomllib.loads(files(__package__).joinpath("tools.toml").read_text("utf-8"))
Schema = dict[str, Any]


def _object(names: list[str], required: list[str], words: Schema) -> Schema:
    fields = {name: _field(name, words.get(name, {})) for name in names}
    closed = {"type": "object", "properties": fields, "additionalProperties": False}
    return closed | {"required": required} if required else closed


def _field(name: str, words: Schema) -> Schema:
    schema = words if "type" in words else TABLE["fields"][name] | words
    inside = TABLE["inside"].get(name, {})
    match schema:
        case {"properties": list(names)}:
            return schema | _object(names, TABLE["needed"].get(name, []), inside)
        case {"items": list(names)}:
            return schema | {"items": _object(names, TABLE["needed"].get(name, names), inside)}
    return schema


def _tool(name: str, row: Schema) -> Tool:
    arguments = [*row["required"], *row.get("optional", ()), "language"]
    changes = "changes" in row
    output = {name: TABLE["outputs"][name] for name in row.get("output", ())}
    return Tool(
        name=name,
        title=row["title"],
        description=row["description"],
        input_schema=_object(arguments, row["required"], row.get("words", {})),
        output_schema={"type": "object", "properties": output} if output else None,
        annotations=ToolAnnotations(
            read_only_hint=not changes,
            destructive_hint=row.get("changes"),
            open_world_hint=False,
        ),
    )


TOOLS = [_tool(name, row) for name, row in TABLE["tools"].items()]
