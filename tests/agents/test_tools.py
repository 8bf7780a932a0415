"""Definitions of the tools, an agent's only documentation, and paid by the byte."""

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from dice_referee.api.contract import contract
from dice_referee.api.i18n import LANGUAGES
from dice_referee.games import catalogue
from dice_referee.rulebook.bots import Level
from tests.e2e.guides.snippets import GUIDES

if TYPE_CHECKING:
    from mcp_types import Tool

GAMES = tuple(catalogue())


def schemas() -> dict[str, Any]:
    """Returns the schemas of the contract by name."""
    named: dict[str, Any] = contract()["components"]["schemas"]
    return named


@cache
def properties(tool: str) -> dict[str, Any]:
    """Returns the schema of each argument."""
    from dice_referee.agents.tools import TOOLS

    [named] = (each for each in TOOLS if each.name == tool)
    arguments: dict[str, Any] = named.input_schema["properties"]
    return arguments


def parts(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yields a schema and all schemas inside."""
    yield schema
    for inner in (*schema.get("properties", {}).values(), *filter(None, [schema.get("items")])):
        yield from parts(inner)


def fields_of(name: str) -> set[str]:
    """Returns the fields of an object of the contract."""
    return {*schemas()[name]["properties"]}


def test_tool_schemas_suit_strict_callers(tools: "list[Tool]") -> None:
    keywords = {"type", "description", "enum", "items", "properties", "required"}
    for tool in tools:
        for schema in parts(tool.input_schema):
            assert schema.keys() <= {*keywords, "additionalProperties"}, tool.name
            assert schema["type"] in ("string", "integer", "boolean", "array", "object"), tool.name
            assert (schema["type"] == "array") is ("items" in schema), tool.name
            if schema["type"] == "object":
                assert schema["properties"], tool.name
                assert schema["additionalProperties"] is False, tool.name
                assert {*schema.get("required", ())} <= schema["properties"].keys(), tool.name
            else:
                assert "properties" not in schema, tool.name


def test_tools_have_titles_and_hints(tools: "list[Tool]") -> None:
    changing = {"begin", "move", "undo"}
    for tool in tools:
        assert tool.title, tool.name
        hints = tool.annotations
        assert hints is not None, tool.name
        assert hints.open_world_hint is False, tool.name
        assert hints.read_only_hint is (tool.name not in changing), tool.name
    assert {
        tool.name for tool in tools if tool.annotations and tool.annotations.destructive_hint
    } == {"undo"}


def test_tool_descriptions_are_self_contained(tools: "list[Tool]") -> None:
    for tool in tools:
        assert tool.description, tool.name
        text = tool.model_dump_json(by_alias=True, exclude_none=True)
        assert not re.search(r"\b[Aa]s in\b", text), tool.name
        for name in ("position", "event", "log"):
            if name in tool.input_schema["properties"]:
                assert tool.input_schema["properties"][name]["description"], tool.name


def test_tools_know_every_game_and_language(tools: "list[Tool]") -> None:
    from dice_referee.agents.server import INSTRUCTIONS

    assert re.findall(r"language is (.*)\.", INSTRUCTIONS) == [
        f"{', '.join(LANGUAGES[:-1])} or {LANGUAGES[-1]}"
    ]
    for tool in tools:
        arguments = tool.input_schema["properties"]
        assert "language" in arguments
        if "game" in arguments:
            assert sorted(arguments["game"]["enum"]) == sorted(GAMES)


DERIVED = {"phase", "dice_to_roll", "turn_points", "pile"}
"""Fields of a position that follow from others, and the pile, which no player sees."""


def test_position_fields_match_the_contract() -> None:
    position = properties("adjudicate")["position"]["properties"]
    kinds = [f"{game.title()}{kind}" for game in GAMES for kind in ("Position", "OddsPosition")]
    fields = {field for kind in kinds for field in fields_of(kind)}
    assert position.keys() == fields - DERIVED - {"aim", "reach", "bot"}
    assert {"aim", "reach", "bot"} < properties("adjudicate").keys()
    assert properties("adjudicate")["bot"]["enum"] == [*Level]
    text = properties("adjudicate")["position"]["description"]
    for game in GAMES:
        for name in schemas()[f"{game.title()}Position"]["required"]:
            assert re.search(rf"\b{name}\b", text), name
    assert {*position["card"]["enum"]} == {*schemas()["TuttoCard"]["enum"]}


@pytest.mark.parametrize(
    ("tool", "argument"), [("adjudicate", "event"), ("move", "event"), ("audit", "log")]
)
def test_event_fields_match_the_contract(tool: str, argument: str) -> None:
    schema = properties(tool)[argument]
    event = schema.get("items", schema)
    mappings = [schemas()[f"{game.title()}Event"]["discriminator"]["mapping"] for game in GAMES]
    types = {name: reference for mapping in mappings for name, reference in mapping.items()}
    assert {*event["properties"]["type"]["enum"]} == types.keys()
    fields = {
        f for mapping in mappings for r in mapping.values() for f in fields_of(r.split("/")[-1])
    }
    assert event["properties"].keys() == fields
    if argument == "event":
        assert event["properties"]["card"]["enum"] == [*event_cards()]
        assert event["properties"]["category"]["enum"] == schemas()["YatzeeCategory"]["enum"]


def event_cards() -> list[str]:
    """Returns the cards that are drawn, in the order of the tools."""
    cards = properties("adjudicate")["position"]["properties"]["card"]["enum"]
    assert {*cards} == {*schemas()["TuttoCard"]["enum"]}
    return [*cards]


def test_aims_and_levels_match_the_contract() -> None:
    levels = properties("begin")["bots"]["items"]["properties"]["level"]["enum"]
    assert levels == schemas()["BotLevel"]["enum"]
    aims = {aim for name in ("TuttoAim", "YatzeeAim") for aim in schemas()[name]["enum"]}
    assert {*properties("adjudicate")["aim"]["enum"]} == aims
    for tool in ("adjudicate", "audit", "review"):
        for aim in properties(tool)["aim"]["enum"]:
            assert re.search(rf"\b{aim}\b", properties(tool)["aim"]["description"]), aim


def test_guide_lists_every_tool_with_its_arguments(tools: "list[Tool]") -> None:
    text = (GUIDES / "agents.md").read_text("utf-8").partition("## The tools")[2]
    rows = dict(re.findall(r"^\| `(\w+)` \| (.+?) \|", text, re.MULTILINE))
    assert list(rows) == [tool.name for tool in tools]
    for tool in tools:
        row, schema = rows[tool.name], tool.input_schema
        required, _, optional = row.partition("; ")
        assert re.findall(r"`(\w+)`", required) == schema["required"]
        arguments = [*schema["required"], *re.findall(r"`(\w+)`", optional), "language"]
        assert arguments == list(schema["properties"])
