"""Pages parse a game line like the service."""

import json
import subprocess
from typing import Any

import pytest

from dice_referee.games import catalogue
from dice_referee.games.line import game_of_line, read_line
from tests.application import get
from tests.games.test_line import EXAMPLES, events_of
from tests.programs import PACKAGE, program

LINES = """
import { stateOf } from "%s/web/static/shared/linewords.js";
const { lines, catalogue } = JSON.parse(await new Response(process.stdin).text());
console.log(JSON.stringify(lines.map((line) => stateOf(line, catalogue))));
"""
TYPED = {
    "tutto": [
        "Ada_L, Ben: bonus-300_122246_keep 222_156_Bank, STOP.",
        'tutto volle-lotte score-floor=zero: "a_b: c", B:',
    ],
    "yatzee": ["yatzee:A,B:113456 strike  house, 11-2235"],
    "pot": ["pot starter=3: A, B, C: accept 1 3, 34-5 accept"],
}
"""Lines as people type them."""
READER = """
import { parse } from "%s/web/static/text/commands.js";
const { words, table } = JSON.parse(await new Response(process.stdin).text());
console.log(JSON.stringify(words.map((word) => parse(word, table).event ?? null)));
"""


def in_node(program_text: str, **arguments: Any) -> list[Any]:
    """Runs a module of the pages and returns its result for each word or line."""
    done = subprocess.run(
        [program("node"), "--input-type=module", "--eval", program_text % PACKAGE.as_uri()],
        input=json.dumps(arguments),
        capture_output=True,
        text=True,
        check=True,
    )
    values: list[Any] = json.loads(done.stdout)
    return values


@pytest.mark.long
@pytest.mark.parametrize("name", catalogue())
def test_line_words_are_commands_at_a_table_with_own_dice(name: str) -> None:
    game = catalogue()[name]
    events = [event for index, event in enumerate(events_of(name)) if index % 97 < 3]
    words = {
        word: game.line.event(word.lower()) for word in map(game.line.word, events) if word != "-"
    }
    pieces: dict[str, Any] = {
        kind: [{"id": piece.id, "title": piece.id} for piece in getattr(game, field)]
        for kind, field in (("deck", "deck"), ("categories", "categories"))
    }
    table: dict[str, Any] = {
        "game": name,
        "language": "en",
        "dice": "client",
        "legal_events": [],
        "choices": [],
    }
    table |= {**pieces, "players": ["A", "B", "C", "D", "E"]}
    parsed_events = in_node(READER, words=[*words], table=table)
    assert len(words) > 1000
    assert dict(zip(words, parsed_events, strict=True)) == words


@pytest.mark.parametrize("name", catalogue())
def test_playground_parses_lines_like_the_service(name: str) -> None:
    game = catalogue()[name]
    lines = [line for line in EXAMPLES if game_of_line(line) == name] + TYPED[name]
    states = in_node(LINES, lines=lines, catalogue=get(f"/v1/{name}").get_json())
    for line, state in zip(lines, states, strict=True):
        document, errors = read_line(game, line)
        assert not errors
        beside = {"game": name, "position": {}}
        assert state == {"options": {}, **document, **beside}, line


def test_playground_ignores_the_aim_of_a_line() -> None:
    catalogue_document = get("/v1/tutto").get_json()
    (state,) = in_node(LINES, lines=["tutto aim=win: A, B: stop"], catalogue=catalogue_document)
    assert (state["options"], state["log"]) == ({}, [{"type": "draw", "card": "stop"}])
