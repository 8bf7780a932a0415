"""Serves in a checkout: ``gunicorn service.wsgi:app``. It is not part of the package."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from dice_referee.wsgi import app

__all__ = ["app"]
