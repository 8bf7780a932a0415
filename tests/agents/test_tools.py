"""The definitions of the tools: an agent pays for each byte, and knows nothing but them."""

import re
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from dice_referee.api.contract import contract
from dice_referee.api.i18n import LANGUAGES
from dice_referee.games import catalogue
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


def described(tool: str, argument: str) -> str:
    return str(properties(tool)[argument]["description"])


def test_a_tool_describes_every_argument(tools: "list[Tool]") -> None:
    for tool in tools:
        assert tool.description, tool.name
        arguments = tool.input_schema["properties"]
        assert set(tool.input_schema["required"]) <= set(arguments), tool.name
        for name, schema in arguments.items():
            assert schema["description"], (tool.name, name)
            assert schema["type"] in ("string", "object", "array"), (tool.name, name)
            assert (schema["type"] == "array") is ("items" in schema), (tool.name, name)


def test_tools_know_every_game_and_language(tools: "list[Tool]") -> None:
    for tool in tools:
        arguments = tool.input_schema["properties"]
        assert re.findall(r"\b[a-z]{2}\b", arguments["language"]["description"]) == [
            *LANGUAGES[:-1],
            "or",
            LANGUAGES[-1],
        ]
        if "game" in arguments:
            assert sorted(arguments["game"]["enum"]) == sorted(GAMES)


def test_tools_that_change_nothing_say_so(tools: "list[Tool]") -> None:
    changing = {
        tool.name for tool in tools if not tool.annotations or not tool.annotations.read_only_hint
    }
    assert changing == {"begin", "move"}


@pytest.mark.parametrize("game", GAMES)
def test_words_of_positions_and_events_are_the_contracts(game: str) -> None:
    kind = game.capitalize()
    positions, events = described("adjudicate", "position"), described("transition", "event")
    position = schemas()[f"{kind}Position"]
    for name in position["required"]:
        assert name in positions, name
    [own] = re.findall(rf"{kind}: (.*?)\. ", positions)
    for word in re.findall(r"[a-z_]{2,}", re.sub(r"\(.*?\)|\{.*?\}|\[.*?\]", "", own)):
        assert word in position["properties"], word
    types = schemas()[f"{kind}Event"]["discriminator"]["mapping"]
    for name, reference in types.items():
        assert re.search(rf"\b{name}\b", events), name
        for field in schemas()[reference.rpartition("/")[2]]["properties"]:
            assert re.search(rf"\b{field}\b", events), field


def test_words_of_cards_and_categories_are_the_contracts() -> None:
    cards, categories = schemas()["TuttoCard"]["enum"], schemas()["YatzeeCategory"]["enum"]
    descriptions = described("adjudicate", "position"), described("transition", "event")
    between = {"bonus-300", "bonus-400", "bonus-500", "twos", "threes", "fours", "fives"}
    for word in {*cards, *categories} - between:
        assert re.search(rf"(?<![\w-]){word}(?![\w-])", " ".join(descriptions)), word
    levels = schemas()["BotLevel"]["enum"]
    for level in levels:
        assert level in described("begin", "bots")


def test_the_guide_lists_every_tool_with_its_arguments(tools: "list[Tool]") -> None:
    text = (GUIDES / "agents.md").read_text("utf-8").partition("## The tools")[2]
    rows = dict(re.findall(r"^\| `(\w+)` \| (.+?) \|", text, re.MULTILINE))
    assert list(rows) == [tool.name for tool in tools]
    for tool in tools:
        row, schema = rows[tool.name], tool.input_schema
        required, _, optional = row.partition("; ")
        assert re.findall(r"`(\w+)`", required) == schema["required"]
        arguments = [*schema["required"], *re.findall(r"`(\w+)`", optional), "language"]
        assert arguments == list(schema["properties"])
