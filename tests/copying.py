"""Copies of the checkout for tests that edit its files."""

import shutil
from pathlib import Path

from tests.programs import ROOT

LEFT = (
    ".git",
    ".venv",
    "node_modules",
    "var",
    "build",
    "dist",
    "mutants",
    ".*_cache",
    "__pycache__",
)
"""Names that are not copied: what was installed or made."""


def checkout_copy(home: Path) -> Path:
    """Copies the checkout's files, with links as links; installed parts are linked."""
    ignored = shutil.ignore_patterns(*LEFT, ".hypothesis", "*.egg-info")
    shutil.copytree(ROOT, home, symlinks=True, ignore=ignored, dirs_exist_ok=True)
    for installed in (".venv", "tests/tools/node_modules"):
        (home / installed).symlink_to((ROOT / installed).resolve())
    return home
