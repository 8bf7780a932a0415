"""Writes the drawings of dice, cards and coins for the service's pages."""

import subprocess
from pathlib import Path

from dice_referee.web.drawings import FILE
from tests.programs import program

SCRIPT = Path(__file__).with_suffix(".mjs")


def drawn_by_modules() -> str:
    """Returns the drawings of ``dice.js`` and ``pieces.js``."""
    command = (program("node"), SCRIPT)
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout


if __name__ == "__main__":
    FILE.write_text(drawn_by_modules(), "utf-8")
