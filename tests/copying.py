"""Copies of the checkout for tests that edit its files."""

import shutil
from pathlib import Path

from tests.programs import ROOT

NOT_COPIED = (
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
"""Names that are not copied: installed or generated files."""


def checkout_copy(home: Path) -> Path:
    """Copies the files of the checkout. Symbolic links stay, and installed parts become links."""
    ignored = shutil.ignore_patterns(*NOT_COPIED, ".hypothesis", "*.egg-info")
    shutil.copytree(ROOT, home, symlinks=True, ignore=ignored, dirs_exist_ok=True)
    for installed in (".venv", "tests/tools/node_modules"):
        (home / installed).symlink_to((ROOT / installed).resolve())
    return home
