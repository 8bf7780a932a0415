"""Paths of the checkout and of the programs that tests run.

A missing program fails the test.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ROOT / "service"
"""The source root of the package."""
PACKAGE = SOURCES / "dice_referee"
CONTRACT = ROOT / "openapi.yaml"
NODE_MODULES = ROOT / "tests" / "tools" / "node_modules"
BIN = Path(sys.executable).parent
"""Folder of the programs that pip installed."""
PLACES = ("/usr/sbin", "/usr/local/sbin", str(ROOT / ".venv" / "debian" / "bin"))
"""Folders of programs besides ``PATH``. ``tests/debian.sh`` fills the last folder."""
SEARCHED = os.pathsep.join((os.environ.get("PATH", ""), *PLACES))


def path_of(name: str) -> str | None:
    """Returns the path of a program, or of a file whose name begins with a slash."""
    if name.startswith("/"):
        return name if Path(name).exists() else None
    return shutil.which(name, path=SEARCHED)


def program(*names: str) -> str:
    """Returns the path of the first installed program of these. Fails the test without any."""
    for path in map(path_of, names):
        if path:
            return path
    pytest.fail(f"not installed: {' or '.join(names)}; `make test` installs it on Debian")


def run(
    *command: str | Path, cwd: Path, seconds: float = 300, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Runs a command that must succeed within these seconds."""
    done = subprocess.run(
        [*command],
        cwd=cwd,
        env={**os.environ, **environment},
        capture_output=True,
        encoding="utf-8",
        timeout=seconds,
    )
    assert done.returncode == 0, f"{command[0]}: {done.returncode}\n{done.stdout}{done.stderr}"
    return done


def activation(files: Sequence[int]) -> str:
    """Returns a script that runs its arguments with these files from number 3 on, as systemd does.

    Moves the files to high numbers first, because a file may have the number that another file
    needs.
    """
    copies = " ".join(f"{200 + at}<&{file}" for at, file in enumerate(files))
    places = " ".join(f"{3 + at}<&{200 + at} {200 + at}<&-" for at in range(len(files)))
    return f'exec {copies}; exec {places}; export LISTEN_PID=$$; exec "$@"'
