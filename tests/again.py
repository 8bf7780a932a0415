"""Runs the tests of ``make test`` and ``make test-long``, and those few that fail once more alone.

Browsers, failovers and clocks are real here, and a machine that does something else meanwhile can
make one of thousands miss its time. What fails for a reason fails alone too. What passed at the
second try only is named at the end.
"""

import json
import subprocess
import sys
from pathlib import Path

FAILED = Path(".pytest_cache/v/cache/lastfailed")
MOST = 5
"""Tests that are tried again; where more fail, something is wrong."""


def main(arguments: list[str]) -> int:
    """Runs pytest with these arguments, and says how it ended."""
    pytest = [sys.executable, "-m", "pytest"]
    status = subprocess.run([*pytest, *arguments], check=False).returncode
    if status != 1:
        return status
    failed = sorted(json.loads(FAILED.read_text("utf-8")))
    if not 0 < len(failed) <= MOST:
        return status
    print(f"Once more, alone: {', '.join(failed)}", flush=True)
    status = subprocess.run([*pytest, *failed], check=False).returncode
    if status == 0:
        print("Passed at the second try only:", *failed, sep="\n  ", flush=True)
    return status


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
