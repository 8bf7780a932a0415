"""Stored transcripts of whole games: each gets the audit stored with it."""

import json
from pathlib import Path

import pytest

from dice_referee.games import catalogue
from tests.tools.transcripts import FILES, audit_of


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parts[-3]}:{path.stem}")
def test_the_transcript_is_audited_as_it_was(path: Path) -> None:
    transcript = json.loads(path.read_text("utf-8"))
    assert transcript["title"]
    assert audit_of(path.parts[-3], transcript["request"]) == transcript["answer"]


@pytest.mark.parametrize("game", catalogue())
def test_a_game_has_transcripts_of_each_of_its_rulesets(game: str) -> None:
    mine = [json.loads(path.read_text("utf-8")) for path in FILES if path.parts[-3] == game]
    assert {transcript["answer"]["ruleset"] for transcript in mine} == set(
        catalogue()[game].rulesets
    )
    assert all(transcript["answer"]["over"] for transcript in mine)
