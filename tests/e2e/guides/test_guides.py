"""Statements of the guides about the project's files."""

import os
import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from dice_referee.settings import Settings
from dice_referee.web.pages import PAGES
from tests.e2e.guides.snippets import GUIDES, SERVICE, blocks
from tests.programs import BIN, PACKAGE, ROOT, run
from tests.wire import Server, serving

GAMES = [path for path in (PACKAGE / "games").iterdir() if (path / "game.py").exists()]
DEFAULTS = Settings()


def test_game_consists_of_the_files_in_the_guide() -> None:
    text = (GUIDES / "adding-a-game.md").read_text("utf-8")
    folder = text.partition("## The folder")[2].partition("##")[0]
    rows = re.findall(r"^\| (`.+?) \|", folder, re.MULTILINE)
    named = {name for row in rows for name in re.findall(r"`([\w.]+)`", row)}
    common = set.intersection(*({path.name for path in game.iterdir()} for game in GAMES))
    assert common - {"__init__.py", "__pycache__"} <= named
    assert named <= {path.name for game in GAMES for path in game.iterdir()}


def test_guides_are_short_enough_to_be_read() -> None:
    words = {path.stem: len(path.read_text("utf-8").split()) for path in GUIDES.glob("*.md")}
    assert sum(words.values()) <= 22_500
    assert words["client"] <= 1_500
    assert len((ROOT / "README.md").read_text("utf-8").splitlines()) <= 100


def test_session_guide_names_the_pages_of_a_table() -> None:
    text = (GUIDES / "sessions.md").read_text("utf-8")
    pages = [path.partition("<")[0] for path in PAGES if path.startswith("/table")]
    assert len(pages) == 2
    for page in pages:
        assert f"`{page}`" in text


@pytest.mark.long
def test_schemathesis_finds_nothing(tmp_path: Path) -> None:
    """Runs the guide's commands unchanged against a service with default limits."""
    with serving(RATE_SESSIONS=DEFAULTS.rate_sessions, RATE_EVENTS=DEFAULTS.rate_events) as server:
        for command in _schemathesis():
            _follow(command, server, tmp_path)


@pytest.mark.long
def test_schemathesis_reports_no_rate_limit_as_failure(tmp_path: Path) -> None:
    """Runs as a fast client on another machine, which meets the rate limits."""
    limits: dict[str, Any] = {
        field.name.upper(): 1 for field in fields(DEFAULTS) if field.name.startswith("rate_")
    }
    # The configuration and the contract cost a permit each.
    limits["RATE_STATELESS"] = 2
    configuration, _, everything = _schemathesis()
    with serving(**limits) as server:
        _follow(configuration, server, tmp_path)
        _follow(f"{everything} --phases fuzzing --max-examples 2", server, tmp_path)


def _schemathesis() -> list[str]:
    """Returns the guide's commands: fetch the configuration, test an operation, test all
    operations."""
    text = (GUIDES / "contract-testing.md").read_text("utf-8")
    scripts = [script for language, script in blocks(text) if language == "sh"]
    commands = [
        line for script in scripts for line in script.splitlines() if "schemathesis" in line
    ]
    assert len(commands) == 3
    return commands


def _follow(command: str, server: Server, home: Path) -> None:
    here = command.replace(SERVICE, f"localhost:{server.port}")
    run("bash", "-ec", here, cwd=home, PATH=f"{BIN}:{os.environ['PATH']}")
