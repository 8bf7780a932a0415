"""The programs that tests run and that a machine may lack; without them, tests fail."""

import os
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PLACES = ("/usr/sbin", "/usr/local/sbin", str(ROOT / ".venv" / "debian" / "bin"))
"""Folders of programs besides ``PATH``; ``tests/debian.sh`` fills the last one."""
SEARCHED = os.pathsep.join((os.environ.get("PATH", ""), *PLACES))


def found(name: str) -> str | None:
    """Returns the path of a program, or of a file whose name begins with a slash."""
    if name.startswith("/"):
        return name if Path(name).exists() else None
    return shutil.which(name, path=SEARCHED)


def program(*names: str) -> str:
    """Returns the path of the first of these programs that is installed; else fails the test."""
    for path in map(found, names):
        if path:
            return path
    pytest.fail(f"not installed: {' or '.join(names)}; `make test` installs it on Debian")
