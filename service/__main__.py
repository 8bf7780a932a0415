"""Runs the command in a checkout: ``python -m service serve``. It is not part of the package."""

import os
import sys
from pathlib import Path

HERE = str(Path(__file__).parent)
sys.path.insert(0, HERE)
# The command becomes gunicorn, which looks for the package anew.
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (HERE, os.environ.get("PYTHONPATH"))))

from dice_referee.__main__ import main  # noqa: E402

if __name__ == "__main__":
    main()
