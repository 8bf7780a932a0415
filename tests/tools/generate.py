"""``make generate``: writes all generated files, and prints the names of the changed files."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WRITERS = (
    "tests.tools.bundle",
    "tests.tools.stubs",
    "tests.tools.transcripts",
    "tests.tools.spoken",
    "tests.tools.golden",
    "tests.tools.odds_guide",
    "tests.tools.drawings",
    "tests.tools.environment",
    "tests.e2e.guides.snippets",
)
"""Programs in order: each reads the output of its predecessors."""
WRITTEN = (
    *(
        "deploy/env.example",
        "openapi.yaml",
        "service/dice_referee/openapi.json",
        "README.md",
        "service/dice_referee/*.pyi",
        "service/dice_referee/web/drawings.json",
        "service/dice_referee/web/guides/*.md",
        "service/dice_referee/web/static/reading/*.svg",
    ),
    *("tests/games/*/spoken.txt", "tests/games/*/golden.txt", "tests/games/*/transcripts/*.json"),
)
"""Patterns of the generated files."""


def contents() -> dict[Path, bytes]:
    """Returns the generated files with their content."""
    return {path: path.read_bytes() for name in WRITTEN for path in sorted(ROOT.glob(name))}


def main() -> int:
    """Runs every program, and prints the names of the changed files."""
    before = contents()
    for program in WRITERS:
        status = subprocess.run([sys.executable, "-m", program], cwd=ROOT, check=False).returncode
        if status:
            print(f"{program} has failed", file=sys.stderr)
            return status
    changed = [path for path, content in contents().items() if before.get(path) != content]
    print(*(f"written: {path.relative_to(ROOT)}" for path in changed), sep="\n")
    if not changed:
        print("everything is as it has to be")
    return 0


if __name__ == "__main__":
    sys.exit(main())
