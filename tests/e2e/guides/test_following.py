"""A guide that is followed to the letter leads to passing tests, and names every file."""

from pathlib import Path

import pytest

from tests.copying import checkout_copy
from tests.e2e.guides.documents import GUIDES, ROOT
from tests.e2e.guides.following import follow

FOLLOWED = ("adding-a-ruleset.md", "adding-an-operation.md")
"""The guides with a worked example."""
WRITTEN = "openapi.yaml"
"""The one file that a program writes for these guides."""


def files(home: Path) -> dict[str, bytes]:
    """The sources of a checkout with what is in them."""
    names = ("service", "tests", "deploy", "README.md", "CHANGELOG.md", "openapi.yaml")
    found = [path for name in names for path in ((home / name), *(home / name).rglob("*"))]
    left = ("__pycache__", "node_modules", ".pytest_cache")
    return {
        path.relative_to(home).as_posix(): path.read_bytes()
        for path in found
        if path.is_file() and not path.is_symlink() and not set(left) & set(path.parts)
    }


@pytest.mark.parametrize("guide", FOLLOWED)
def test_a_guide_names_every_file_that_is_touched(guide: str, tmp_path: Path) -> None:
    home = checkout_copy(tmp_path)
    edited = follow((GUIDES / guide).read_text("utf-8"), home)
    before, after = files(ROOT), files(home)
    assert set(before) <= set(after)
    changed = {name for name, content in after.items() if before.get(name) != content}
    assert changed == edited | {WRITTEN}
