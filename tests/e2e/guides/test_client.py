"""The guide's client compiles and plays a game to its end."""

import shutil
from pathlib import Path

import pytest

from tests.e2e.clients.building import HERE
from tests.e2e.guides.snippets import GUIDES, SERVICE, blocks, files
from tests.programs import NODE_MODULES, run
from tests.wire import serving

GUIDE = (GUIDES / "client.md").read_text("utf-8")

PACK = "make -C"
"""Marks the steps of the packed client, which ``tests/e2e/clients`` tests."""


def test_guide_examples_work_on_plain_http_pages() -> None:
    """Expects no `crypto.randomUUID`, which is undefined on pages over plain http."""
    for guide in GUIDES.glob("*.md"):
        assert "randomUUID(" not in guide.read_text("utf-8"), guide.name


@pytest.mark.long
def test_typescript_programs_of_the_guide_work(tmp_path: Path) -> None:
    """Follows the guide, without its installation."""
    shutil.copy(HERE / "typescript" / "package.json", tmp_path)
    (tmp_path / "node_modules").symlink_to(NODE_MODULES)
    steps = "".join(
        text for language, text in blocks(GUIDE) if language == "sh" and PACK not in text
    )
    steps = "".join(line for line in steps.splitlines(True) if not line.startswith("npm "))
    with serving(app="tests.e2e.guides.app:app", WORKERS=1) as server:
        here = f"localhost:{server.port}"
        for name, text in files(GUIDE).items():
            (tmp_path / name).write_text(text.replace(SERVICE, here), "utf-8")
        output = run("bash", "-ec", steps.replace(SERVICE, here), cwd=tmp_path).stdout
    assert "\nstrike ones, strike twos, write threes, write fours, " in output
    assert output.endswith("strike house, write chance, strike yatzee\n")
