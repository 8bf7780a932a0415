"""Packs the TypeScript client: ``python -m tests.tools.typescript_client [FOLDER]``.

Its types are generated at packing and not committed. They would repeat openapi.yaml in 9,000 lines,
and nobody can use the package before it is packed.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from dice_referee.api.contract import clients_json
from tests.programs import PACKAGE, ROOT

SOURCES = ROOT / "deploy" / "clients" / "typescript"
ELEMENT_TYPES = PACKAGE / "web" / "static" / "dice-referee.d.ts"
"""The types of the element, which the service serves too."""
TOOLS = ROOT / "tests" / "tools" / "node_modules" / ".bin"
DIST = ROOT / "dist"


def pack(destination: Path) -> Path:
    """Compiles the client and returns the packed file in this folder."""
    destination.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as name:
        home = Path(name)
        shutil.copytree(SOURCES, home, dirs_exist_ok=True)
        source, package = home / "src", home / "package"
        (home / "contract.json").write_bytes(clients_json())
        shutil.copy(ELEMENT_TYPES, source)
        _run(
            TOOLS / "openapi-typescript", "contract.json", "--output", "src/contract.d.ts", cwd=home
        )
        _run(TOOLS / "tsc", "--project", home, cwd=home)
        for file in (*source.glob("*.d.ts"), home / "package.json", home / "README.md"):
            shutil.copy(file, package)
        shutil.copy(ROOT / "LICENSE", package)
        packed = _run(
            "npm", "pack", "--json", "--pack-destination", destination.resolve(), cwd=package
        )
    return destination / str(json.loads(packed)[0]["filename"])


def _run(*command: str | Path, cwd: Path) -> str:
    """Runs a command that must succeed, and returns its output."""
    done = subprocess.run([*command], cwd=cwd, capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        raise RuntimeError(f"{command[0]} has failed:\n{done.stdout}{done.stderr}")
    return done.stdout


if __name__ == "__main__":
    file = pack(Path(sys.argv[1]) if len(sys.argv) > 1 else DIST)
    print(f"packed: {file} ({file.stat().st_size:,} bytes)")
