"""The definitions of the tools: an agent pays for each byte, and knows nothing but them."""

import re
from typing import Any

import pytest
from mcp_types import Tool

from service.agents.tools import TOOLS
from service.api.i18n import LANGUAGES
from service.games import catalogue
from tests.e2e.guides.snippets import GUIDES
from tests.programs import ROOT
from tests.quick_yaml import load

SCHEMAS: dict[str, Any] = load((ROOT / "openapi.yaml").read_text("utf-8"))["components"]["schemas"]
BY_NAME = {tool.name: tool for tool in TOOLS}
GAMES = tuple(catalogue())


def described(tool: str, argument: str) -> str:
    return str(BY_NAME[tool].input_schema["properties"][argument]["description"])


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: str(tool.name))
def test_a_tool_describes_every_argument(tool: Tool) -> None:
    assert tool.description
    assert set(tool.input_schema["required"]) <= set(tool.input_schema["properties"])
    for name, schema in tool.input_schema["properties"].items():
        assert schema["description"], name
        assert schema["type"] in ("string", "object", "array"), name
        assert (schema["type"] == "array") is ("items" in schema), name


def test_tools_know_every_game_and_language() -> None:
    for tool in TOOLS:
        arguments = tool.input_schema["properties"]
        assert re.findall(r"\b[a-z]{2}\b", arguments["language"]["description"]) == [
            *LANGUAGES[:-1],
            "or",
            LANGUAGES[-1],
        ]
        if "game" in arguments:
            assert sorted(arguments["game"]["enum"]) == sorted(GAMES)


def test_tools_that_change_nothing_say_so() -> None:
    changing = {tool.name for tool in TOOLS if not (tool.annotations or Tool).read_only_hint}
    assert changing == {"begin", "move"}


@pytest.mark.parametrize("game", GAMES)
def test_words_of_positions_and_events_are_the_contracts(game: str) -> None:
    kind = game.capitalize()
    positions, events = described("adjudicate", "position"), described("transition", "event")
    position = SCHEMAS[f"{kind}Position"]
    for name in position["required"]:
        assert name in positions, name
    [own] = re.findall(rf"{kind}: (.*?)\. ", positions)
    for word in re.findall(r"[a-z_]{2,}", re.sub(r"\(.*?\)|\{.*?\}|\[.*?\]", "", own)):
        assert word in position["properties"], word
    types = SCHEMAS[f"{kind}Event"]["discriminator"]["mapping"]
    for name, reference in types.items():
        assert re.search(rf"\b{name}\b", events), name
        for field in SCHEMAS[reference.rpartition("/")[2]]["properties"]:
            assert re.search(rf"\b{field}\b", events), field


def test_words_of_cards_and_categories_are_the_contracts() -> None:
    cards, categories = SCHEMAS["TuttoCard"]["enum"], SCHEMAS["YatzeeCategory"]["enum"]
    descriptions = described("adjudicate", "position"), described("transition", "event")
    between = {"bonus-300", "bonus-400", "bonus-500", "twos", "threes", "fours", "fives"}
    for word in {*cards, *categories} - between:
        assert re.search(rf"(?<![\w-]){word}(?![\w-])", " ".join(descriptions)), word
    levels = SCHEMAS["BotLevel"]["enum"]
    for level in levels:
        assert level in described("begin", "bots")


def test_the_guide_lists_every_tool_with_its_arguments() -> None:
    text = (GUIDES / "agents.md").read_text("utf-8").partition("## The tools")[2]
    rows = dict(re.findall(r"^\| `(\w+)` \| (.+?) \|", text, re.MULTILINE))
    assert list(rows) == [tool.name for tool in TOOLS]
    for name, row in rows.items():
        schema = BY_NAME[name].input_schema
        required, _, optional = row.partition("; ")
        assert re.findall(r"`(\w+)`", required) == schema["required"]
        arguments = [*schema["required"], *re.findall(r"`(\w+)`", optional), "language"]
        assert arguments == list(schema["properties"])
