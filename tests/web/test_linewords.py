"""The words of a line at a table as text, against those of the service."""

import json
import subprocess
from typing import Any

import pytest

from dice_referee.games import catalogue
from tests.games.test_line import events_of
from tests.programs import PACKAGE, program

READER = """
import { parse } from "%s/web/static/commands.js";
const { words, table } = JSON.parse(await new Response(process.stdin).text());
console.log(JSON.stringify(words.map((word) => parse(word, table).event ?? null)));
"""


def parsed(words: list[str], table: dict[str, Any]) -> list[Any]:
    """Returns what the table as text makes of each word."""
    done = subprocess.run(
        [program("node"), "--input-type=module", "--eval", READER % PACKAGE.as_uri()],
        input=json.dumps({"words": words, "table": table}),
        capture_output=True,
        text=True,
        check=True,
    )
    events: list[Any] = json.loads(done.stdout)
    return events


@pytest.mark.parametrize("name", catalogue())
def test_each_word_of_a_line_is_a_command_where_people_roll(name: str) -> None:
    game = catalogue()[name]
    events = [event for index, event in enumerate(events_of(name)) if index % 97 < 3]
    words = {
        word: game.line.event(word.lower()) for word in map(game.line.word, events) if word != "-"
    }
    pieces = {
        kind: [{"id": piece.id, "title": piece.id} for piece in getattr(game, field)]
        for kind, field in (("deck", "deck"), ("categories", "categories"))
    }
    table = {"game": name, "language": "en", "dice": "client", "legal_events": [], "choices": []}
    heard = parsed([*words], {**table, **pieces, "players": ["A", "B", "C", "D", "E"]})
    assert len(words) > 1000
    assert dict(zip(words, heard, strict=True)) == words
