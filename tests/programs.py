"""The programs that tests run and that a machine may lack.

A test that needs a missing one is left out, and said so at the start and at the end of the run.
Where ``CI=true``, nothing may be left out: such a test fails.
"""

import os
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PLACES = ("/usr/sbin", "/usr/local/sbin", str(ROOT / ".venv" / "debian" / "bin"))
"""Folders of programs besides ``PATH``; ``tests/debian.sh`` fills the last one."""
CHROMIUM = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM_OF_NPM = ROOT / "tests" / "tools" / "node_modules" / "@sparticuz" / "chromium"
SEARCHED = os.pathsep.join((os.environ.get("PATH", ""), *PLACES))
NEEDED = ("jq", "nginx", "promtool", "redis-cli", "systemd-analyze", "javac", "chromium", "/proc")
"""Programs that some tests need, and the process file system of Linux."""
LEFT_OUT = "left out, not found here: "


def found(name: str) -> str | None:
    """Returns the path of a program, or of a file whose name begins with a slash."""
    if name.startswith("/"):
        return name if Path(name).exists() else None
    return shutil.which(name, path=SEARCHED)


def missing() -> list[str]:
    """Returns those of the ``NEEDED`` programs that are not here."""
    here = {name for name in NEEDED if found(name)}
    if CHROMIUM_OF_NPM.is_dir() or any(map(found, CHROMIUM)):
        here.add("chromium")
    return [name for name in NEEDED if name not in here]


def program(name: str) -> str:
    """Returns the path of a program; without it, ends the test as ``leave_out`` does."""
    return found(name) or leave_out(name)


def leave_out(name: str) -> str:
    """Skips the test, which cannot run on this machine; fails it where ``CI=true``."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"{name} is missing, and CI=true")
    pytest.skip(LEFT_OUT + name)
