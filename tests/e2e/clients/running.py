"""Third-party tools and their paths."""

import os
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
HERE = Path(__file__).parent
CONTRACT = ROOT / "openapi.yaml"
NODE_MODULES = ROOT / "tests" / "tools" / "node_modules"
BIN = Path(sys.executable).parent
"""Folder of the programs that pip installed."""


def jar() -> Path:
    """Returns the jar of openapi-generator, which includes the libraries of its Java clients."""
    return Path(str(files("openapi_generator_cli") / "openapi-generator.jar"))


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
