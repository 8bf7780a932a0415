"""What the guides tell about the project's files is so."""

import os
import re
from pathlib import Path

import pytest

from service.web.pages import PAGES
from tests.e2e.clients.running import BIN, run
from tests.e2e.guides.documents import GUIDES, ROOT, SERVICE, blocks
from tests.server.serving import serving

GAMES = [path for path in (ROOT / "service" / "games").iterdir() if (path / "wire.py").exists()]
PATHS = re.compile(r"`((?:service|tests)/[\w/.<>]+)`")


@pytest.mark.parametrize("guide", sorted(GUIDES.glob("*.md")), ids=lambda path: path.name)
def test_a_file_that_is_named_is_there(guide: Path) -> None:
    for path in PATHS.findall(guide.read_text("utf-8")):
        assert "<" in path or (ROOT / path).exists(), path


def test_a_game_consists_of_what_the_guide_says() -> None:
    text = (GUIDES / "adding-a-game.md").read_text("utf-8")
    folder = text.partition("## The folder")[2].partition("##")[0]
    rows = re.findall(r"^\| (`.+?) \|", folder, re.MULTILINE)
    named = {name for row in rows for name in re.findall(r"`([\w.]+)`", row)}
    common = set.intersection(*({path.name for path in game.iterdir()} for game in GAMES))
    assert common - {"__init__.py", "__pycache__"} <= named
    assert named <= {path.name for game in GAMES for path in game.iterdir()}


def test_the_guide_of_sessions_names_the_pages_of_a_table() -> None:
    text = (GUIDES / "sessions.md").read_text("utf-8")
    pages = [path.partition("<")[0] for path in PAGES if path.startswith("/table")]
    assert len(pages) == 2
    for page in pages:
        assert f"`{page}`" in text


def test_schemathesis_finds_nothing(tmp_path: Path) -> None:
    """The commands of the guide as they stand, against default limits."""
    text = (GUIDES / "contract-testing.md").read_text("utf-8")
    shown = [block for language, block in blocks(text) if language == "sh"]
    commands = [line for block in shown for line in block.splitlines() if "schemathesis" in line]
    assert len(commands) == 3
    path = f"{BIN}:{os.environ['PATH']}"
    with serving(RATE_LOOPBACK=0) as server:
        for command in commands:
            here = command.replace(SERVICE, f"localhost:{server.port}")
            run("bash", "-ec", here, cwd=tmp_path, PATH=path)
