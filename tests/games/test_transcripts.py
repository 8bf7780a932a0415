"""Whole games, written down: each game of the catalogue keeps some, and they audit as they did.

``python -m tests.games.test_transcripts`` writes the answers anew, after a change that means to.
"""

import json
from pathlib import Path

import pytest

from service.app import create_app
from service.games import catalogue

HERE = Path(__file__).parent
FILES = sorted(HERE.glob("*/transcripts/*.json"))
CLIENT = create_app().test_client()


def audit(game: str, request: object) -> object:
    return json.loads(CLIENT.post(f"/v1/{game}/games", json=request).data)


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parts[-3]}:{path.stem}")
def test_the_transcript_is_audited_as_it_was(path: Path) -> None:
    transcript = json.loads(path.read_text("utf-8"))
    assert transcript["title"]
    assert audit(path.parts[-3], transcript["request"]) == transcript["answer"]


@pytest.mark.parametrize("game", catalogue())
def test_a_game_has_transcripts_of_each_of_its_rulesets(game: str) -> None:
    mine = [json.loads(path.read_text("utf-8")) for path in FILES if path.parts[-3] == game]
    assert {transcript["answer"]["ruleset"] for transcript in mine} == set(
        catalogue()[game].rulesets
    )
    assert all(transcript["answer"]["over"] for transcript in mine)


if __name__ == "__main__":
    for path in FILES:
        kept = json.loads(path.read_text("utf-8"))
        answer = audit(path.parts[-3], kept["request"])
        if kept.get("answer") != answer:
            path.write_text(json.dumps({**kept, "answer": answer}, indent=1) + "\n", "utf-8")
