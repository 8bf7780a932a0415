"""Stored transcripts of whole games: each gets its stored audit."""

import json
from pathlib import Path

import pytest

from dice_referee.games import catalogue
from tests.tools.transcripts import FILES, audit_of


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parts[-3]}:{path.stem}")
def test_transcript_gets_its_stored_audit(path: Path) -> None:
    transcript = json.loads(path.read_text("utf-8"))
    assert transcript["title"]
    assert audit_of(path.parts[-3], transcript["request"]) == transcript["answer"]


@pytest.mark.parametrize("game", catalogue())
def test_every_ruleset_has_a_transcript(game: str) -> None:
    transcripts = [json.loads(path.read_text("utf-8")) for path in FILES if path.parts[-3] == game]
    assert {transcript["answer"]["ruleset"] for transcript in transcripts} == set(
        catalogue()[game].rulesets
    )
    assert all(transcript["answer"]["over"] for transcript in transcripts)
