"""A guide followed literally leads to passing tests and names every changed file."""

import sys
from pathlib import Path

import pytest

from tests.copying import checkout_copy
from tests.e2e.guides.following import follow
from tests.e2e.guides.snippets import GUIDES
from tests.programs import ROOT, run

EXAMPLE_GUIDES = ("adding-a-ruleset.md", "adding-an-operation.md")
"""Guides with a worked example."""
WRITTEN = {
    "adding-a-ruleset.md": {
        "CHANGELOG.md",
        "openapi.yaml",
        "service/dice_referee/documents.pyi",
        "service/dice_referee/openapi.json",
        "service/dice_referee/web/guides/odds-tables.md",
        "service/dice_referee/web/guides/rulesets.md",
        "tests/games/tutto/spoken.txt",
        "tests/games/tutto/transcripts/club-3000.json",
    },
    "adding-an-operation.md": {"openapi.yaml", "service/dice_referee/openapi.json"},
}
"""Files that programs generate for these guides."""
RELATED_TESTS = {
    "adding-a-ruleset.md": ("tests/api", "tests/check", "tests/contract", "tests/games"),
    "adding-an-operation.md": ("tests/api", "tests/contract"),
}
"""Tests that a new ruleset of Tutto or a new operation can fail."""
UNRELATED_TESTS = (
    *("--ignore=tests/games/pot", "--ignore=tests/games/yatzee"),
    "--ignore-glob=*/test_duel*.py",
)
"""Tests of other games and of solved rulesets."""


def files(home: Path) -> dict[str, bytes]:
    """Returns the sources of a checkout with their contents."""
    names = ("service", "tests", "deploy", "README.md", "CHANGELOG.md", "openapi.yaml")
    paths = [path for name in names for path in ((home / name), *(home / name).rglob("*"))]
    left = ("__pycache__", "node_modules", ".pytest_cache")
    return {
        path.relative_to(home).as_posix(): path.read_bytes()
        for path in paths
        if path.is_file() and not path.is_symlink() and not set(left) & set(path.parts)
    }


def changed(home: Path) -> set[str]:
    """Returns the files of a copy that are new or differ from the checkout's."""
    before, after = files(ROOT), files(home)
    assert set(before) <= set(after)
    return {name for name, content in after.items() if before.get(name) != content}


@pytest.mark.parametrize("guide", EXAMPLE_GUIDES)
def test_edits_of_a_guide_apply_to_the_project(guide: str, tmp_path: Path) -> None:
    home = checkout_copy(tmp_path)
    by_hand, generation, _ = (GUIDES / guide).read_text("utf-8").partition("```sh\nmake generate")
    assert generation
    edited = follow(by_hand, home)
    assert edited <= changed(home) <= edited | WRITTEN[guide]


@pytest.mark.long
@pytest.mark.parametrize("guide", EXAMPLE_GUIDES)
def test_followed_guide_passes_tests_and_names_each_file(guide: str, tmp_path: Path) -> None:
    home = checkout_copy(tmp_path)
    edited = follow((GUIDES / guide).read_text("utf-8"), home)
    assert changed(home) == edited | WRITTEN[guide]
    program = (sys.executable, "-m", "pytest", "-q", "-n", "2", "-m", "not long")
    # Takes a minute or two on an idle machine.
    run(*program, *UNRELATED_TESTS, *RELATED_TESTS[guide], cwd=home, seconds=1200)
