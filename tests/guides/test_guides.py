"""What the guides tell about the project's files is so."""

import re
from pathlib import Path

import pytest

from service.web.pages import PAGES
from tests.clients.running import run
from tests.doors.serving import serving
from tests.guides.documents import GUIDES, ROOT, SERVICE, blocks

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


def test_schemathesis_finds_nothing() -> None:
    """The commands of the guide, with a few requests for each operation."""
    guide = (GUIDES / "contract-testing.md").read_text("utf-8")
    steps = [text.strip() for language, text in blocks(guide) if language == "sh"]
    assert len(steps) == 2
    with serving() as server:
        for step in steps:
            here = step.replace(SERVICE, f"localhost:{server.port}")
            few = re.sub(" --max-examples [0-9]+", "", here) + " --max-examples 3"
            run("bash", "-ec", few, cwd=ROOT)
