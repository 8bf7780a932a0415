"""Runs the command in a checkout: ``python -m service serve``. It is not part of the package."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from dice_referee.__main__ import main

if __name__ == "__main__":
    main()
